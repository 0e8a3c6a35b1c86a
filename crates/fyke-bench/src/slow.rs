//! `cargo bench-fyke slow`: one host answers a byte a second. The others must not wait for it.

use super::report::BenchReport;
use super::trial;
use super::web::{Web, WebShape};
use super::{Args, Benchmark};
use fyke_crawl::{Control, CrawlProgress};
use fyke_web::Url;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "slow",
    what: "one host answers a byte a second: the rate of all others with and without it",
    options: &["pages", "hosts", "gap", "pin"],
    run,
};

const PAGES: u64 = 4000;
const HOSTS: u64 = 50;
/// The second host, found on the first page.
const SLOW: &str = "h000001.test";
/// URLs of the web for each page that is fetched, so that no host runs dry.
const KNOWN: u64 = 10;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let without = rate(args, None)?;
    let with = rate(args, Some(SLOW))?;
    let mut report = BenchReport::default();
    report.add("hosts", args.hosts.unwrap_or(HOSTS) as f64, "");
    report.add("pages_per_second_without", without, "");
    report.add("pages_per_second_with", with, "");
    report.add("share_kept", with / without, "");
    Ok(report)
}

/// Pages a second until so many are fetched.
fn rate(args: &Args, slow: Option<&str>) -> anyhow::Result<f64> {
    let (hosts, pages) = (args.hosts.unwrap_or(HOSTS), args.pages.unwrap_or(PAGES));
    let (floor, drip) = (Duration::ZERO, slow.map(str::to_owned));
    let pages_of_web = pages.max(hosts) * KNOWN;
    let web = Web::start(&WebShape { hosts, pages: pages_of_web, floor, drip, pin: args.pin })?;
    let seeds = vec![Url::parse("http://h000000.test/")?];
    let options = trial::options(&web, seeds, args.gap.unwrap_or(Duration::ZERO));
    let mut rate = None;
    trial::run(&options, |progress: &CrawlProgress, stop: &Control| {
        if progress.fetched >= pages && rate.is_none() {
            rate = Some(progress.rate);
            stop.stop();
        }
    })?;
    rate.ok_or_else(|| anyhow::anyhow!("the crawl ended before {pages} pages; ask for fewer"))
}
