//! `cargo bench-fyke hosts`: very many hosts at once, each with its gap. The gaps allow so many requests a
//! second; the figure is the share of them that a crawl reaches.

use super::report::BenchReport;
use super::trial;
use super::web::{Web, WebShape};
use super::{Args, Benchmark};
use fyke_crawl::{BudgetOptions, Control, CrawlOptions, CrawlProgress};
use fyke_stages::memory::peak_rss;
use fyke_web::Url;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "hosts",
    what: "very many hosts at once, each with its gap: rate reached of the rate the gaps allow",
    options: &["hosts", "gap", "time", "pin"],
    run,
};

const HOSTS: u64 = 100_000;
const GAP: Duration = Duration::from_secs(200);
/// Times the gap, for robots.txt and some pages of every host.
const GAPS: u32 = 4;
/// Pages of a host: more than can be fetched.
const PAGES: u64 = 1000;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let hosts = args.hosts.unwrap_or(HOSTS);
    let gap = args.gap.unwrap_or(GAP).max(Duration::from_millis(1));
    let time = args.time.unwrap_or(gap * GAPS);
    let floor = gap.saturating_sub(Duration::from_millis(1));
    let web =
        Web::start(&WebShape { hosts, pages: hosts * PAGES, floor, drip: None, pin: args.pin })?;
    let seeds = (0..hosts).map(|host| Url::parse(&format!("http://h{host:06}.test/")));
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let options = CrawlOptions {
        budget: BudgetOptions { time: Some(millis), ..BudgetOptions::default() },
        ..trial::options(&web, seeds.collect::<Result<_, _>>()?, gap)
    };
    // The first half of the time brings the hosts into step; the second is measured.
    let mut half: Option<(f64, Duration)> = None;
    let trial = trial::run(&options, |progress: &CrawlProgress, _: &Control| {
        if half.is_none() && progress.elapsed >= time / 2 {
            half = requests(&web).ok().map(|requests| (requests, progress.elapsed));
        }
    })?;
    let (before, since) = half.unwrap_or_default();
    let reached = (requests(&web)? - before)
        / trial.summary.elapsed.saturating_sub(since).as_secs_f64().max(0.001);
    let allowed = hosts as f64 / gap.as_secs_f64();
    let sum = web.judged()?;
    let mut report = BenchReport::default();
    report.add("hosts", hosts as f64, "");
    report.add("gap_seconds", gap.as_secs_f64(), "s");
    report.add("requests_per_second", reached, "");
    report.add("requests_per_second_allowed", allowed, "");
    report.add("share_reached", reached / allowed, "");
    report.add("pages", trial.summary.pages_fetched as f64, "");
    report.add("errors", trial.summary.errors as f64, "");
    let violations = sum["politeness_violations"].as_f64().unwrap_or(f64::NAN);
    report.add("politeness_violations", violations, "");
    report.add("smallest_gap_ms", sum["smallest_gap_ms"].as_f64().unwrap_or(f64::NAN), "ms");
    report.add("cpu_seconds", trial.cpu.as_secs_f64(), "s");
    report.add("peak_rss_bytes", peak_rss() as f64, "bytes");
    report.add("rss_bytes_per_host", peak_rss() as f64 / hosts as f64, "bytes");
    Ok(report)
}

fn requests(web: &Web) -> anyhow::Result<f64> {
    Ok(web.judged()?["requests"].as_f64().unwrap_or_default())
}
