//! `cargo bench-fyke fresh`: policies of revisiting on made pages in simulated time, by the code of `fyke sim --revisit`;
//! and what a visit to a page that has not changed costs.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::words::{MadeDocument, MadeWords};
use super::{Args, Benchmark};
use fyke_crawl::{Control, CrawlOptions, CrawlProgress, RevisitOptions, WebInAString, crawl};
use fyke_learn::revisit::{RevisitContender, RevisitScore, RevisitTrial};
use fyke_store::Collection;
use fyke_web::Url;
use std::fmt::Write as _;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "fresh",
    what: "revisiting: age of copies by policy at equal requests, CPU time of a visit to an unchanged page",
    options: &["pages", "seeds", "pin"],
    run,
};

/// Pages of the web of which some are visited for the time of a visit.
const VISITED: usize = 2000;

/// Days between two visits to a page, in the mean: the requests there are.
const EVERY: [f64; 2] = [1.0, 7.0];
/// What the figures of each are called.
const NAMES: [[&str; 2]; 2] = [
    ["daily_age_of_uniform", "daily_age_of_optimum"],
    ["weekly_age_of_uniform", "weekly_age_of_optimum"],
];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let pages = args.pages.map_or(RevisitTrial::default().pages, |pages| pages as usize);
    let seeds = args.seeds.unwrap_or(10);
    let mut report = BenchReport::default();
    report.add("pages", pages as f64, "");
    report.add("seeds", seeds as f64, "");
    for (every, names) in EVERY.into_iter().zip(NAMES) {
        let trial = RevisitTrial { pages, every, ..RevisitTrial::default() };
        let mut ages = Vec::new();
        for contender in RevisitContender::all() {
            let age = add_scores(&mut report, &trial, &contender, seeds);
            ages.push((contender.name(), age));
        }
        let age = |name: &str| {
            ages.iter().find(|(found, _)| found == name).map_or(f64::NAN, |(_, age)| *age)
        };
        report.add(names[0], age("age") / age("uniform"), "of the mean age by turns");
        report.add(names[1], age("age") / age("age, true rates known"), "of that with true rates");
    }
    report.add("visit_cpu_ms", 1e3 * visit()?, "CPU of a visit answered 304");
    Ok(report)
}

/// Adds how a contender did, the mean of all seeds; gives its mean age in days.
fn add_scores(
    report: &mut BenchReport,
    trial: &RevisitTrial,
    contender: &RevisitContender,
    seeds: u64,
) -> f64 {
    let scores: Vec<RevisitScore> = (1..=seeds).map(|seed| trial.run(contender, seed)).collect();
    let mean = |value: fn(&RevisitScore) -> f64| {
        scores.iter().map(value).sum::<f64>() / scores.len() as f64
    };
    let figure = |name, value, unit| Figure { name, value, unit };
    let age = mean(|score| score.mean_age);
    report.labels.push(format!("every {} d: {}", trial.every, contender.name()));
    report.series.push(vec![
        figure("mean_age_hours", 24.0 * age, "h"),
        figure("fresh_percent", 100.0 * mean(|score| score.freshness), "%"),
        figure("requests", mean(|score| score.requests as f64), ""),
        figure("rate_error", mean(|score| score.error), "doublings"),
    ]);
    age
}

/// CPU seconds of a visit to a page that has not changed: the whole crawl but for the network, by what a second crawl takes
/// more with everything due than with nothing.
fn visit() -> anyhow::Result<f64> {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("fyke.toml"), "")?;
    let mut web = "//- http://a.test/ | ETag: \"0\"\n<p>Home.".to_owned();
    for n in 1..VISITED {
        write!(web, " <a href=/{n}>{n}</a>")?;
    }
    let (mut words, mut made) = (MadeWords::new(1), MadeDocument::default());
    for n in 1..VISITED {
        words.document(n as u64, &mut made);
        let MadeDocument { title, body, .. } = &made;
        write!(web, "\n//- http://a.test/{n} | ETag: \"{n}\"\n<title>{title}</title><p>{body}\n")?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let once = |revisit: RevisitOptions| -> anyhow::Result<(Duration, u64)> {
        let collection = Collection::open(dir.path())?;
        let options = CrawlOptions {
            seeds: vec![Url::parse("http://a.test/")?],
            floor: Duration::ZERO,
            factor: 0.0,
            asks_for_missing: false,
            revisit,
            ..CrawlOptions::default()
        };
        let web = WebInAString::new(&web);
        let begun = cpu_time("self")?;
        let mut quiet = |_: &CrawlProgress| ();
        let crawl = crawl(&collection, web, &options, &mut quiet, Control::new());
        let done = runtime.block_on(crawl)?;
        Ok((cpu_time("self")?.saturating_sub(begun), done.again))
    };
    once(RevisitOptions::default())?;
    let at_once = Duration::from_millis(1);
    let due = RevisitOptions {
        every: at_once,
        soonest: at_once,
        latest: at_once,
        ..RevisitOptions::by_age()
    };
    let (with, visits) = once(due)?;
    let (without, _) = once(RevisitOptions::default())?;
    anyhow::ensure!(visits >= VISITED as u64 * 9 / 10, "only {visits} of {VISITED} were visited");
    Ok(with.saturating_sub(without).as_secs_f64() / visits as f64)
}
