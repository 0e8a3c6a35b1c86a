//! `cargo bench-fyke forms`: the share of the records behind the pond's search form that a crawl has found within two
//! requests a record (003 §3.2.5), and how many harmful requests it made. Nothing is asked of a network.
//!
//! The catalogue shows its records to queries alone: twenty a page, five pages at the most. Requests are those for its
//! pages, queries and pages of results among them, robots.txt not.

use super::order::PondAtHand;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_crawl::{Control, CrawlOptions, FormOptions, ScopeOptions, WebInAString, crawl};
use fyke_pond::deep::{CATALOGUE, RECORDS, record_path};
use fyke_pond::{AnswerKind, Ask, Pond};
use fyke_store::Collection;
use fyke_web::Url;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "forms",
    what: "records behind a search form that are found within two requests a record, and harmful requests",
    options: &["seed", "seeds"],
    run,
};

/// Constants were chosen on the ponds of seeds 7 and 201 to 205.
const SEED: u64 = 301;
const SEEDS: u64 = 5;
/// Requests a record.
const REQUESTS: usize = 2;
/// Queries of the form.
const QUERIES: u32 = 2_000;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let first = args.seed.unwrap_or(SEED);
    let mut report = BenchReport::default();
    for seed in first..first + args.seeds.unwrap_or(SEEDS) {
        let pond = Pond::deep(seed);
        let asked = asked(&pond)?;
        let found = found(&asked[..asked.len().min(REQUESTS * RECORDS)]);
        let harmful = asked.iter().filter(|url| is_harmful(&pond, url)).count();
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(format!("pond {seed}"));
        report.series.push(vec![
            row("records", RECORDS as f64, ""),
            row("found within two requests a record", found as f64 / RECORDS as f64, ""),
            row("found in all", self::found(&asked) as f64 / RECORDS as f64, ""),
            row("requests in all", asked.len() as f64, ""),
            row("requests for 90 %", for_share(&asked, 0.9) as f64, ""),
            row("harmful requests", harmful as f64, ""),
        ]);
    }
    Ok(report)
}

/// Records among these.
fn found(asked: &[Url]) -> usize {
    let records: HashSet<String> = (0..RECORDS).map(record_path).collect();
    let found: HashSet<&str> = asked.iter().map(Url::path).collect();
    found.into_iter().filter(|path| records.contains(*path)).count()
}

/// Requests until this share of the records was found; 0 where it never is.
fn for_share(asked: &[Url], share: f64) -> usize {
    let is_enough = |count: &usize| found(&asked[..*count]) as f64 >= share * RECORDS as f64;
    (1..=asked.len()).find(is_enough).unwrap_or(0)
}

fn is_harmful(pond: &Pond, url: &Url) -> bool {
    pond.answer(&Ask::get(url.host(), url.path_and_query())).kind == AnswerKind::Harmful
}

/// What a crawl of the catalogue asks for, in this order.
fn asked(pond: &Pond) -> anyhow::Result<Vec<Url>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let options = CrawlOptions {
        seeds: vec![Url::parse(&format!("http://{CATALOGUE}/"))?],
        scope: ScopeOptions::default(),
        // The names are this machine's, and nobody is made to wait.
        floor: Duration::ZERO,
        factor: 0.0,
        asks_for_missing: false,
        threads: 1,
        forms: FormOptions { hosts: vec![CATALOGUE.to_owned()], queries: QUERIES },
        ..CrawlOptions::default()
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let names = WebInAString::new("");
    let fetch = PondAtHand { pond: pond.clone(), names, asked: Arc::clone(&asked) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(crawl(&collection, fetch, &options, &mut |_| (), Control::new()))?;
    let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(asked)
}
