//! `fyke bench focus`: fetches until three quarters of a topic's pages are found, by each guide against a
//! crawl without one, on the pond and live (L1); and what a guide costs a page, on the plain web.
//!
//! The crawl is told keywords, the pond knows the truth. A topic's pages are those about it in the
//! keywords' language. Fetches are requests for pages; robots.txt and sitemaps are not counted.

use super::report::{Figure, Report};
use super::trial::{self, Trial};
use super::web::{Shape, Web};
use super::{Args, Benchmark};
use crate::demo;
use fyke_crawl::{BudgetOptions, CrawlOptions, FocusOptions, GUIDES, Mode, ScopeOptions};
use fyke_pond::{Hazards, Pond, Size};
use fyke_store::{Collection, Row};
use fyke_web::{Url, UrlId};
use std::collections::HashSet;
use std::time::Duration;

pub const ROW: Benchmark = Benchmark {
    name: "focus",
    what: "focused crawls of the pond: fetches until 75 % of a topic, and CPU time for a page",
    options: &["pages"],
    run,
};

const SEED: u64 = 7;
/// Pages of the whole pond and more, and of one focused crawl.
const ALL: u64 = 4_000;
const FOCUSED: u64 = 1_000;
/// Pages of the plain web for the CPU time.
const PAGES: u64 = 20_000;
const HOSTS: u64 = 100;
/// Pages off the subject are no bound where only the cost is measured.
const NO_BOUND: u8 = u8::MAX - 1;

/// Topics of the pond, and what somebody who looks for them would type.
const TOPICS: [(&str, &[&str]); 5] = [
    ("beekeeping", &["beekeeping", "bees", "hive", "honey"]),
    ("tidal energy", &["tidal energy", "tidal turbine", "tide"]),
    ("glaciers", &["glacier", "moraine", "ice core"]),
    ("lace making", &["lace making", "lace", "bobbin"]),
    ("river fish", &["river fish", "salmon", "trout", "eel"]),
];

fn run(args: &Args) -> anyhow::Result<Report> {
    let pond = Pond::new(SEED, Size::default(), Hazards::default());
    let truth = pond.truth();
    let (mut report, mut violations) = (Report::default(), 0.0);
    let everything = live(&pond, None, &mut violations)?;
    let (mut least, mut sum) = (f64::INFINITY, 0.0);
    for (topic, keywords) in TOPICS {
        let pages = truth.pages.iter().filter(|p| p.topic == Some(topic) && p.language == "en");
        let wanted: HashSet<UrlId> =
            pages.filter_map(|page| Url::parse(&page.url).ok()).map(|url| url.id()).collect();
        let unguided = until(&everything, &wanted);
        let mut row =
            vec![figure("pages_of_it", wanted.len() as f64), figure("no_guide", unguided)];
        for (guide, name) in GUIDES.iter().skip(1).zip(["classifier", "learned"]) {
            let focus = FocusOptions { guide, ..subject(keywords) };
            let fetched = live(&pond, Some(focus), &mut violations)?;
            row.push(figure(name, until(&fetched, &wanted)));
        }
        let times = unguided / row[3].value;
        row.push(figure("times_fewer", times));
        (least, sum) = (least.min(times), sum + times);
        report.labels.push(topic.to_owned());
        report.series.push(row);
    }
    report.add("fewest_times_fewer", least, "");
    report.add("mean_times_fewer", sum / TOPICS.len() as f64, "");
    report.add("politeness_violations", violations, "");
    cost(args, &mut report)?;
    Ok(report)
}

fn figure(name: &'static str, value: f64) -> Figure {
    Figure { name, value, unit: "" }
}

fn subject(keywords: &[&str]) -> FocusOptions {
    let keywords = keywords.iter().map(ToString::to_string).collect();
    FocusOptions { keywords, ..FocusOptions::default() }
}

/// A live crawl of the pond: what was fetched, in order.
fn live(
    pond: &Pond,
    focus: Option<FocusOptions>,
    violations: &mut f64,
) -> anyhow::Result<Vec<UrlId>> {
    let web = Web::start_pond(pond.seed, demo::JUDGED_GAP_MS)?;
    let seeds = pond.seeds().iter().map(|url| Url::parse(url)).collect::<Result<Vec<_>, _>>()?;
    let mode = if focus.is_some() { Mode::Focused } else { Mode::Site };
    let pages = if focus.is_some() { FOCUSED } else { ALL };
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
    let mut fetched = Vec::new();
    trial::run_then(
        &options,
        |_, _| (),
        |collection| {
            fetched = in_order(collection)?;
            Ok(())
        },
    )?;
    *violations += web.judged()?["politeness_violations"].as_f64().unwrap_or(f64::NAN);
    Ok(fetched)
}

/// The pages asked for, each as often as it was, in the order of the last time.
fn in_order(collection: &Collection) -> anyhow::Result<Vec<UrlId>> {
    let rows = collection.ledger.rows().collect::<Result<Vec<(UrlId, Row)>, _>>()?;
    let asked = rows.iter().filter(|(_, row)| !row.detail.starts_with("sitemap"));
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

/// CPU time of a page with and without a guide, one crawl after the other, twice each.
fn cost(args: &Args, report: &mut Report) -> anyhow::Result<()> {
    let pages = args.pages.unwrap_or(PAGES);
    let millis = |trial: &Trial| {
        trial.cpu.as_secs_f64() * 1000.0 / trial.summary.pages_fetched.max(1) as f64
    };
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..2 {
        without = without.min(millis(&plain(pages, None)?));
        let focus = FocusOptions { tunnel: NO_BOUND, ..subject(&["river", "harbour"]) };
        with = with.min(millis(&plain(pages, Some(focus))?));
    }
    report.add("cpu_ms_per_page_no_guide", without, "ms");
    report.add("cpu_ms_per_page_learned", with, "ms");
    report.add("cpu_learned_to_no_guide", with / without, "");
    Ok(())
}

fn plain(pages: u64, focus: Option<FocusOptions>) -> anyhow::Result<Trial> {
    let (hosts, floor) = (HOSTS, Duration::ZERO);
    let web = Web::start(&Shape { hosts, pages: pages * 10, floor, drip: None, pin: None })?;
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
