//! `cargo bench-fyke focus`: fetches until three quarters of a topic's pages are found, by each guide against a
//! crawl without one, on the pond and live (L1); and what a guide costs a page, on the plain web.
//!
//! The crawl is told keywords, the pond knows the truth. A topic's pages are those about it in the
//! keywords' language. Fetches are requests for pages; robots.txt, sitemaps and made-up paths are not counted. What the
//! guided crawl says of how many there are in all is held against the truth as well.
//!
//! Then each of the pond's topics is crawled by its own name alone, and the documents that are kept in the end are
//! held against the truth (`kept`): precision is the share of them that are English pages with this topic, recall
//! the share of such pages that are kept. Pages that only touch the topic, lists and home pages count as wrong.

use super::report::{BenchReport, Figure};
use super::trial::{self, CrawlTrial};
use super::web::{Web, WebShape};
use super::{Args, Benchmark, whole};
use fyke::demo;
use fyke_crawl::{BudgetOptions, CrawlOptions, FocusOptions, GUIDES, Mode, ScopeOptions};
use fyke_derive::whole::reasons;
use fyke_derive::whole::subject::{KnownSubject, SubjectSettings};
use fyke_derive::{DeriveSettings, Eagerness, Orders};
use fyke_lab::harvest::{Harvested, harvest};
use fyke_learn::spider::FUTURE;
use fyke_pond::{Hazards, Pond, Size, Truth};
use fyke_stages::config::CorpusKeys;
use fyke_store::{Collection, Reason, Row, RowKind};
use fyke_web::{Url, UrlId};
use std::collections::HashSet;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "focus",
    what: "focused crawls of the pond: fetches until 75 % of a topic, and CPU time for a page",
    options: &["pages", "seed"],
    run,
};

const SEED: u64 = 7;
/// Pages of the whole pond and more, and of one focused crawl.
const ALL: u64 = 4_000;
const FOCUSED: u64 = 1_000;
/// Pages of the plain web for the CPU time.
const PAGES: u64 = 20_000;
const HOSTS: u64 = 100;
/// Crawls of either kind from the fetch to being searchable, and the settings of the guided one.
const WHOLE_TIMES: usize = 3;
const FOCUSED_KEYS: [&str; 3] =
    ["scope.mode=\"focused\"", "focus.keywords=[\"river\", \"harbour\"]", "focus.tunnel=254"];
/// Pages off the subject are no bound where all pages are wanted, or only the cost is measured.
const NO_BOUND: u8 = u8::MAX - 1;

/// Topics of the pond, and what somebody who looks for them would type.
const TOPICS: [(&str, &[&str]); 5] = [
    ("beekeeping", &["beekeeping", "bees", "hive", "honey"]),
    ("tidal energy", &["tidal energy", "tidal turbine", "tide"]),
    ("glaciers", &["glacier", "moraine", "ice core"]),
    ("lace making", &["lace making", "lace", "bobbin"]),
    ("river fish", &["river fish", "salmon", "trout", "eel"]),
];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let pond = Pond::new(args.seed.unwrap_or(SEED), Size::default(), Hazards::default());
    let truth = pond.truth();
    let mut report = BenchReport::default();
    let everything = live(&pond, None, ALL)?;
    let (mut violations, mut fewer, mut estimates) =
        (everything.violations, Vec::new(), Vec::new());
    for (topic, keywords) in TOPICS {
        let wanted = wanted(&truth, topic);
        let crawl = |guide| live(&pond, Some(FocusOptions { guide, ..subject(keywords) }), FOCUSED);
        let (classifier, future) = (crawl(&GUIDES[1])?, crawl(FUTURE)?);
        let judged =
            live(&pond, Some(FocusOptions { tunnel: NO_BOUND, ..subject(keywords) }), ALL)?
                .harvest
                .on;
        violations += classifier.violations + future.violations;
        let fetches = |crawl: &LiveCrawl| until(&crawl.fetched, &wanted);
        let times = fetches(&everything) / fetches(&future);
        let mut row = vec![
            figure("pages_of_it", wanted.len() as f64),
            figure("no_guide", fetches(&everything)),
            figure("classifier", fetches(&classifier)),
            figure("future", fetches(&future)),
            figure("times_fewer", times),
        ];
        row.extend(in_all(&future.harvest, judged));
        let holds = |(least, most)| {
            [judged as f64, wanted.len() as f64].map(|number| (least..=most).contains(&number))
        };
        estimates.extend(future.harvest.all_between.map(holds));
        fewer.push(times);
        report.labels.push(topic.to_owned());
        report.series.push(row);
    }
    report.add("fewest_times_fewer", fewer.iter().copied().fold(f64::INFINITY, f64::min), "");
    report.add("mean_times_fewer", fewer.iter().sum::<f64>() / fewer.len() as f64, "");
    report.add("intervals_of_the_number_in_all", estimates.len() as f64, "");
    let right = |at: usize| estimates.iter().filter(|holds| holds[at]).count() as f64;
    report.add("intervals_that_hold_what_would_be_judged_so", right(0), "");
    report.add("intervals_that_hold_the_truth", right(1), "");
    violations += kept_by_name(&pond, &mut report)?;
    report.add("politeness_violations", violations, "");
    cost(args, &mut report)?;
    Ok(report)
}

/// Crawls every topic by its name alone and holds what is kept against the truth; returns violations.
fn kept_by_name(pond: &Pond, report: &mut BenchReport) -> anyhow::Result<f64> {
    let (truth, mut violations, mut worst) = (pond.truth(), 0.0, [1.0_f64; 2]);
    for topic in fyke_pond::words::topics().iter().map(|topic| topic.name) {
        let wanted = wanted(&truth, topic);
        let crawl = live(pond, Some(subject(&[topic])), ALL)?;
        let right = crawl.kept.iter().filter(|id| wanted.contains(id)).count() as f64;
        let of = |all: usize| right / (all as f64).max(1.0);
        let found = [of(crawl.kept.len()), of(wanted.len())];
        worst = [worst[0].min(found[0]), worst[1].min(found[1])];
        report.labels.push(format!("{topic}, kept"));
        report.series.push(vec![
            figure("pages_of_it", wanted.len() as f64),
            figure("kept", crawl.kept.len() as f64),
            figure("precision", found[0]),
            figure("recall", found[1]),
            figure("fetched", crawl.fetched.len() as f64),
        ]);
        violations += crawl.violations;
    }
    report.add("kept_least_precision", worst[0], "");
    report.add("kept_least_recall", worst[1], "");
    Ok(violations)
}

/// The English pages of a topic.
fn wanted(truth: &Truth, topic: &str) -> HashSet<UrlId> {
    let pages = truth.pages.iter().filter(|p| p.topic == Some(topic) && p.language == "en");
    pages.filter_map(|page| Url::parse(&page.url).ok()).map(|url| url.id()).collect()
}

/// What a crawl says of how many pages there are: found, estimated, between; and how many a crawl of
/// everything takes to be of the topic.
fn in_all(harvest: &Harvested, judged: u64) -> [Figure; 5] {
    let (least, most) = harvest.all_between.unwrap_or((f64::NAN, f64::NAN));
    [
        figure("judged_to_be_of_it", harvest.on as f64),
        figure("in_all", harvest.all.unwrap_or(f64::NAN)),
        figure("in_all_least", least),
        figure("in_all_most", most),
        figure("judged_so_of_all", judged as f64),
    ]
}

fn figure(name: &'static str, value: f64) -> Figure {
    Figure { name, value, unit: "" }
}

fn subject(keywords: &[&str]) -> FocusOptions {
    let keywords = keywords.iter().map(ToString::to_string).collect();
    FocusOptions { keywords, ..FocusOptions::default() }
}

/// What came of a live crawl of the pond.
#[derive(Default)]
struct LiveCrawl {
    /// Pages in the order in which they were asked for.
    fetched: Vec<UrlId>,
    violations: f64,
    harvest: Harvested,
    /// Documents that are kept in the end.
    kept: Vec<UrlId>,
}

/// The settings of a collection about this subject, all others as a new collection has them.
fn settings(focus: Option<&FocusOptions>) -> DeriveSettings {
    let subject = focus.map(|focus| {
        let (keywords, language) = (focus.keywords.clone(), focus.language.clone());
        let known = KnownSubject { keywords, language, ..KnownSubject::default() };
        SubjectSettings { known, threshold: focus.threshold }
    });
    DeriveSettings { subject, ..fyke_stages::corpus_settings(&CorpusKeys::default()) }
}

/// The documents that stand under the reason `kept`.
fn kept(collection: &Collection) -> anyhow::Result<Vec<UrlId>> {
    let mut kept = Vec::new();
    for row in collection.ledger.rows() {
        let (id, row) = row?;
        let is_page = row.kind == RowKind::Page;
        if is_page && reasons::of_row(collection, id, &row)? == Reason::Kept {
            kept.push(id);
        }
    }
    Ok(kept)
}

fn live(pond: &Pond, focus: Option<FocusOptions>, pages: u64) -> anyhow::Result<LiveCrawl> {
    let web = Web::start_pond(pond.seed, demo::JUDGED_GAP_MS)?;
    let seeds = pond.seeds().iter().map(|url| Url::parse(url)).collect::<Result<Vec<_>, _>>()?;
    let mode = if focus.is_some() { Mode::Focused } else { Mode::Site };
    let options = demo::hurried(CrawlOptions {
        scope: ScopeOptions { mode, allow: vec!["*.test/**".into()], ..ScopeOptions::default() },
        budget: BudgetOptions { pages: Some(pages), ..BudgetOptions::default() },
        hosts: web.hosts.clone(),
        floor: Duration::from_millis(demo::JUDGED_GAP_MS + 5),
        per_address: 1,
        timeout: Duration::from_secs(4),
        focus,
        ..trial::loopback(seeds)
    });
    let (mut live, settings) = (LiveCrawl::default(), settings(options.focus.as_ref()));
    trial::run_then(
        &options,
        |_, _| (),
        |collection| {
            let (pace, settings) = (Eagerness::Usual, &settings);
            let mut orders = Orders { settings, pace, only: None, observe: &mut |_| () };
            fyke_derive::run(collection, &mut orders)?;
            (live.fetched, live.harvest) = (in_order(collection)?, harvest(collection)?);
            live.kept = kept(collection)?;
            Ok(())
        },
    )?;
    live.violations = web.judged()?["politeness_violations"].as_f64().unwrap_or(f64::NAN);
    Ok(live)
}

/// The pages asked for, each as often as it was, in the order of the last time.
fn in_order(collection: &Collection) -> anyhow::Result<Vec<UrlId>> {
    let rows = collection.ledger.rows().collect::<Result<Vec<(UrlId, Row)>, _>>()?;
    let asked = rows.iter().filter(|(_, row)| row.kind == RowKind::Page);
    let mut asked: Vec<(i64, UrlId, u16)> =
        asked.filter_map(|(id, row)| Some((row.fetched?, *id, row.tries.max(1)))).collect();
    asked.sort_unstable();
    Ok(asked.iter().flat_map(|(_, id, tries)| vec![*id; usize::from(*tries)]).collect())
}

/// Fetches until three quarters of the wanted pages are there; endless if they never are.
fn until(fetched: &[UrlId], wanted: &HashSet<UrlId>) -> f64 {
    let mut found: HashSet<UrlId> = HashSet::new();
    let enough = |id: &UrlId| {
        if wanted.contains(id) {
            found.insert(*id);
        }
        4 * found.len() >= 3 * wanted.len()
    };
    fetched.iter().position(enough).map_or(f64::INFINITY, |place| place as f64 + 1.0)
}

/// CPU time of a page with and without a guide, one crawl after the other, and the least: of a crawl alone, five times
/// each, and of `fyke crawl` as people run it, until all is searchable.
fn cost(args: &Args, report: &mut BenchReport) -> anyhow::Result<()> {
    let pages = args.pages.unwrap_or(PAGES);
    let millis = |trial: &CrawlTrial| {
        trial.cpu.as_secs_f64() * 1000.0 / trial.summary.pages_fetched.max(1) as f64
    };
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        without = without.min(millis(&plain(pages, None)?));
        let focus = FocusOptions { tunnel: NO_BOUND, ..subject(&["river", "harbour"]) };
        with = with.min(millis(&plain(pages, Some(focus))?));
    }
    report.add("cpu_ms_per_page_no_guide", without, "ms");
    report.add("cpu_ms_per_page_future", with, "ms");
    report.add("cpu_future_to_no_guide", with / without, "");
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..WHOLE_TIMES {
        without = without.min(whole::millis_a_page(args, pages, &[])?);
        with = with.min(whole::millis_a_page(args, pages, &FOCUSED_KEYS)?);
    }
    report.add("whole_cpu_ms_per_page_no_guide", without, "ms");
    report.add("whole_cpu_ms_per_page_future", with, "ms");
    report.add("whole_cpu_future_to_no_guide", with / without, "");
    Ok(())
}

fn plain(pages: u64, focus: Option<FocusOptions>) -> anyhow::Result<CrawlTrial> {
    let (hosts, floor) = (HOSTS, Duration::ZERO);
    let web = Web::start(&WebShape { hosts, pages: pages * 10, floor, drip: None, pin: None })?;
    let options = trial::options(&web, vec![Url::parse("http://h000000.test/")?], floor);
    trial::run(&CrawlOptions { budget: trial::pages(pages), focus, ..options }, |_, _| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_are_reached_with_the_page_that_makes_them() {
        let ids = |ids: &[u64]| ids.iter().map(|id| UrlId(*id)).collect::<Vec<_>>();
        let wanted: HashSet<UrlId> = ids(&[1, 2, 3, 4]).into_iter().collect();
        assert_eq!(until(&ids(&[9, 1, 8, 2, 2, 4, 3]), &wanted), 6.0);
        assert_eq!(until(&ids(&[1, 2]), &wanted), f64::INFINITY);
    }

    #[test]
    fn the_topics_are_those_of_the_pond() {
        let known: Vec<&str> = fyke_pond::words::topics().iter().map(|topic| topic.name).collect();
        TOPICS.iter().for_each(|(topic, _)| assert!(known.contains(topic), "{topic}"));
    }
}
