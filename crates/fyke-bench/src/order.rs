//! `cargo bench-fyke order`: the share of a pond's rank mass that a crawl has after a quarter of it: breadth-first,
//! as fyke crawls, and as somebody who knows all ranks would. Nothing is asked of a network.
//!
//! The ranks are PageRank (003 §4.5.2) of all pages worth having; traps have none, but asking for them takes its
//! requests. A quarter of a crawl is as many requests for pages as a quarter of those pages. The one who knows takes of
//! all pages found so far the best, waits for no host and asks for nothing in vain: nobody who crawls reaches that.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_crawl::fetch::{Address, Captured, Failed, Fetch, Outcome, Request};
use fyke_crawl::{
    BudgetOptions, Control, CrawlOptions, QueueOrder, ScopeOptions, WebInAString, crawl,
};
use fyke_formats::skim;
use fyke_learn::{Graph, InLinks, PageRank};
use fyke_pond::{AnswerKind, Ask, Body, Hazards, Pond, Size, hazards};
use fyke_store::{Collection, Reason};
use fyke_web::{Capture, Url};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "order",
    what: "rank mass found by a quarter of a crawl of the pond: breadth-first, fyke, and who knows all ranks",
    options: &["pages", "hosts", "seed", "seeds"],
    run,
};

const PAGES: u64 = 10_000;
const HOSTS: u64 = 100;
/// Constants of the order were chosen on the ponds of the seeds below.
const SEED: u64 = 101;
const SEEDS: u64 = 5;
/// Redirects that are followed.
const MOST_REDIRECTS: usize = 5;
/// The part of a crawl that is looked at.
const PART: usize = 4;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let hosts = args.hosts.unwrap_or(HOSTS) as usize;
    let size = Size { hosts, pages: args.pages.unwrap_or(PAGES) as usize };
    let first = args.seed.unwrap_or(SEED);
    let (mut report, mut sums) = (BenchReport::default(), [0.0; 3]);
    let ponds = args.seeds.unwrap_or(SEEDS);
    for seed in first..first + ponds {
        let pond = Pond::new(seed, size, Hazards::default());
        let graph = PondGraph::of(&pond)?;
        let requests = graph.ranks.len() / PART;
        let crawled = |order| -> anyhow::Result<f64> {
            let asked = asked(&pond, order, requests)?;
            Ok(graph.share(asked.iter().filter_map(|url| graph.number(&pond, url))))
        };
        let best = graph.share(graph.by_rank(&pond, requests)?);
        let shares = [crawled(QueueOrder::Depth)?, crawled(QueueOrder::Worth)?, best];
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(format!("pond {seed}"));
        report.series.push(vec![
            row("pages", graph.ranks.len() as f64, ""),
            row("breadth-first", 100.0 * shares[0], "%"),
            row("fyke", 100.0 * shares[1], "%"),
            row("oracle", 100.0 * shares[2], "%"),
        ]);
    }
    for (name, sum) in ["breadth_first", "fyke", "oracle"].into_iter().zip(sums) {
        report.add(name, 100.0 * sum / ponds as f64, "% of the rank mass");
    }
    Ok(report)
}

/// All pages of a pond that are worth having, their links and their ranks.
struct PondGraph {
    numbers: HashMap<PageName, u32>,
    links: Vec<Vec<u32>>,
    ranks: Vec<f64>,
}

/// A page, whatever URLs it has.
type PageName = String;

fn name(pond: &Pond, url: &Url) -> PageName {
    let path = match hazards::row(pond, url.host()) {
        Some(hazard) => (hazard.identity)(url.path_and_query()),
        None => url.path_and_query().into(),
    };
    format!("{}{path}", url.authority())
}

impl PondGraph {
    fn of(pond: &Pond) -> anyhow::Result<PondGraph> {
        let (mut numbers, mut named) = (HashMap::new(), Vec::new());
        let mut waiting: VecDeque<Url> = seeds(pond)?.into();
        let mut seen: BTreeSet<PageName> = waiting.iter().map(|url| name(pond, url)).collect();
        while let Some(url) = waiting.pop_front() {
            let Some(found) = links(pond, &url) else { continue };
            numbers.insert(name(pond, &url), named.len() as u32);
            named.push(found.iter().map(|url| name(pond, url)).collect::<Vec<_>>());
            waiting.extend(found.into_iter().filter(|url| seen.insert(name(pond, url))));
        }
        let numbered =
            |of: &Vec<PageName>| of.iter().filter_map(|name| numbers.get(name).copied()).collect();
        let links: Vec<Vec<u32>> = named.iter().map(numbered).collect();
        let graph: Graph = links.iter().cloned().collect();
        let ranks = PageRank::default().of(&InLinks::of(&graph)).values;
        Ok(PondGraph { numbers, links, ranks })
    }

    /// The part of the rank mass that these pages have.
    fn share(&self, pages: impl IntoIterator<Item = u32>) -> f64 {
        let pages: BTreeSet<u32> = pages.into_iter().collect();
        pages.into_iter().map(|page| self.ranks[page as usize]).sum()
    }

    /// So many pages in the order of their ranks, each after a page that links to it.
    fn by_rank(&self, pond: &Pond, most: usize) -> anyhow::Result<Vec<u32>> {
        let key = |page: u32| (self.ranks[page as usize].to_bits(), page);
        let start = seeds(pond)?.iter().filter_map(|url| self.number(pond, url)).collect();
        let mut seen: BTreeSet<u32> = start;
        let mut open: BTreeSet<(u64, u32)> = seen.iter().map(|page| key(*page)).collect();
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some((_, page)) = open.pop_last()
        {
            taken.push(page);
            let new = self.links[page as usize].iter().filter(|to| seen.insert(**to));
            open.extend(new.map(|to| key(*to)));
        }
        Ok(taken)
    }

    fn number(&self, pond: &Pond, url: &Url) -> Option<u32> {
        self.numbers.get(&name(pond, url)).copied()
    }
}

fn seeds(pond: &Pond) -> anyhow::Result<Vec<Url>> {
    Ok(pond.seeds().iter().map(|url| Url::parse(url)).collect::<Result<_, _>>()?)
}

/// Where a page leads, by way of redirects too; none where there is no page worth having.
fn links(pond: &Pond, url: &Url) -> Option<Vec<Url>> {
    let answer = pond.answer(&Ask::get(url.host(), url.path_and_query()));
    let is_page = answer.kind == AnswerKind::Page && answer.status == 200;
    let page = skim(&capture(url, answer, 0).filter(|_| is_page)?);
    let followed = page.links.into_iter().filter(|link| !link.nofollow && !page.nofollow);
    Some(followed.map(|link| target(pond, link.url)).collect())
}

/// Where a URL leads that may redirect.
fn target(pond: &Pond, mut url: Url) -> Url {
    for _ in 0..MOST_REDIRECTS {
        let answer = pond.answer(&Ask::get(url.host(), url.path_and_query()));
        let next = capture(&url, answer, 0).and_then(|capture| capture.redirect()?.ok());
        match next {
            Some(next) => url = next,
            None => break,
        }
    }
    url
}

/// An answer of the pond as it would have come; none where it never ends.
fn capture(url: &Url, answer: fyke_pond::Answer, time: i64) -> Option<Capture> {
    let payload = match answer.body {
        Body::Bytes(bytes) => bytes,
        _ => return None,
    };
    let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value));
    let (status, headers) = (answer.status, headers.collect());
    Some(Capture { url: url.clone(), time, status, headers, payload, truncated: None })
}

/// The pond without a network, and what was asked of it.
pub(crate) struct PondAtHand {
    pub(crate) pond: Pond,
    /// Every name has an address there.
    pub(crate) names: WebInAString,
    pub(crate) asked: Arc<Mutex<Vec<Url>>>,
}

impl Fetch for PondAtHand {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.names.resolve(url).await
    }

    async fn fetch(&self, request: Request) -> Outcome {
        let url = &request.url;
        let answer = self.pond.answer(&Ask::get(url.host(), url.path_and_query()));
        if !matches!(answer.kind, AnswerKind::Robots | AnswerKind::Sitemap | AnswerKind::Feed) {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(url.clone());
        }
        match capture(url, answer, request.now) {
            Some(capture) => {
                let request = format!("GET {} HTTP/1.1\r\n\r\n", url.path_and_query()).into_bytes();
                Outcome::Captured(Captured { capture, request, elapsed: Duration::ZERO })
            }
            None => Outcome::Failed(Failed::of_page(Reason::Timeout, "it never ends")),
        }
    }
}

/// The first pages that a crawl asks for, in this order.
fn asked(pond: &Pond, order: QueueOrder, most: usize) -> anyhow::Result<Vec<Url>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), "")?;
    let collection = Collection::open(folder.path())?;
    let options = CrawlOptions {
        seeds: seeds(pond)?,
        scope: ScopeOptions { allow: vec!["*.test/**".into()], ..ScopeOptions::default() },
        budget: BudgetOptions { pages: Some(most as u64), ..BudgetOptions::default() },
        // The names are this machine's, and nobody is made to wait.
        floor: Duration::ZERO,
        factor: 0.0,
        retry_base: Duration::from_millis(1),
        patience: Duration::ZERO,
        asks_for_missing: false,
        threads: 1,
        order,
        ..CrawlOptions::default()
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let names = WebInAString::new("");
    let fetch = PondAtHand { pond: pond.clone(), names, asked: Arc::clone(&asked) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(crawl(&collection, fetch, &options, &mut |_| (), Control::new()))?;
    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
    asked.truncate(most);
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seems_to_be_worth_most_comes_sooner_than_by_depth_and_never_sooner_than_by_its_rank() {
        let pond = Pond::new(11, Size::default(), Hazards::default());
        let graph = PondGraph::of(&pond).expect("a graph");
        let whole = graph.share(0..graph.ranks.len() as u32);
        assert!((whole - 1.0).abs() < 1e-6, "{whole}");
        let requests = graph.ranks.len() / PART;
        let share = |order| {
            let asked = asked(&pond, order, requests).expect("a crawl");
            graph.share(asked.iter().filter_map(|url| graph.number(&pond, url)))
        };
        let best = graph.share(graph.by_rank(&pond, requests).expect("a crawl"));
        let [by_depth, by_worth] = [QueueOrder::Depth, QueueOrder::Worth].map(share);
        assert!(by_worth > by_depth + 0.03 && best > by_worth, "{by_depth} {by_worth} {best}");
    }
}
