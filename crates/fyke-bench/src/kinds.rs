//! `cargo bench-fyke kinds`: sites as common software makes them, each with many more URLs than documents: documents
//! that come, and requests that they take. Nothing is asked of a network.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{BudgetOptions, Control, CrawlOptions, Fetch, ScopeOptions, WebInAString, crawl};
use fyke_pond::kinds::{self, SITE_KINDS, SiteKind};
use fyke_store::Collection;
use fyke_web::Url;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "kinds",
    what: "blogs, wikis, forums, shops, archives, manuals, calendars: documents found, and requests for them",
    options: &["pages"],
    run,
};

/// Pages that may be asked for, of each site.
const PAGES: u64 = 1_500;
/// A chain of days is longer than a crawl goes by default.
const DEPTH: u16 = 1_000;

/// The web of all kinds, kept while a crawl uses it.
struct KindsWeb(Arc<WebInAString>);

impl Fetch for KindsWeb {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.0.resolve(url).await
    }
    async fn fetch(&self, request: Request) -> Outcome {
        self.0.fetch(request).await
    }
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let (mut documents, mut missing, mut requests) = (0, 0, 0);
    for kind in SITE_KINDS {
        let asked = asked(kind, args.pages.unwrap_or(PAGES))?;
        let found: BTreeSet<usize> = asked.iter().filter_map(|url| kind.document(url)).collect();
        documents += kind.documents;
        missing += kind.documents - found.len();
        requests += asked.len();
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(kind.name.to_owned());
        report.series.push(vec![
            row("documents", kind.documents as f64, ""),
            row("found", found.len() as f64, ""),
            row("requests", asked.len() as f64, ""),
            row("per document", asked.len() as f64 / kind.documents as f64, ""),
        ]);
    }
    report.add("documents", documents as f64, "");
    report.add("good_pages_refused", missing as f64, "");
    report.add("requests", requests as f64, "");
    report.add("requests_per_document", requests as f64 / documents as f64, "");
    Ok(report)
}

/// The pages that a crawl of the site asks for.
fn asked(kind: &SiteKind, pages: u64) -> anyhow::Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let made = |url: &str| kinds::page(url).map(|page| page.html);
    let web = Arc::new(WebInAString::new("").with(made));
    let options = CrawlOptions {
        seeds: vec![Url::parse(&kind.seed())?],
        scope: ScopeOptions { depth: DEPTH, ..ScopeOptions::default() },
        budget: BudgetOptions { pages: Some(pages), ..BudgetOptions::default() },
        // The names are this machine's.
        floor: Duration::ZERO,
        factor: 0.0,
        threads: 1,
        ..CrawlOptions::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let fetch = KindsWeb(Arc::clone(&web));
    runtime.block_on(crawl(&collection, fetch, &options, &mut |_| (), Control::new()))?;
    let all = web.requests().into_iter().map(|seen| seen.url);
    Ok(all.filter(|url| !url.ends_with("/robots.txt")).collect())
}
