//! `cargo bench-fyke crawl`: what a page costs, from its URL to its capture and its links on disk. (Documents
//! are made afterwards, from the captures: `cargo bench-fyke whole` shows what that costs.)

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::trial::{self, CrawlTrial};
use super::web::{Web, WebShape};
use super::{Args, Benchmark};
use fyke::cli::Failure;
use fyke_crawl::{CrawlOptions, CrawlProgress};
use fyke_stages::memory::peak_rss;
use fyke_web::Url;
use std::time::Duration;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "crawl",
    what: "a crawl with captures, fingerprints and ledger: CPU time and memory for a page",
    options: &["pages", "hosts", "gap", "url", "growth", "pin"],
    run,
};

const PAGES: u64 = 20_000;
const HOSTS: u64 = 100;
/// URLs of the web for each page that is fetched: as many as its pages make known.
const KNOWN: u64 = 10;
/// Pages between two samples.
const SAMPLE: u64 = 10_000;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    measure(args, true)
}

/// Crawls and tells what it took; `keeps` as in the crawl's options.
pub(crate) fn measure(args: &Args, keeps: bool) -> anyhow::Result<BenchReport> {
    let pages = args.pages.unwrap_or(PAGES);
    let (web, options) = match &args.url {
        Some(url) => (None, elsewhere(url)?),
        None => {
            let (web, options) = generated(args, pages)?;
            (Some(web), options)
        }
    };
    let options = CrawlOptions { budget: trial::pages(pages), keeps, ..options };
    let mut samples = CpuSamples::new(if args.growth { SAMPLE.min(pages / 4) } else { pages + 1 });
    let trial = trial::run(&options, |progress, _| samples.take(progress))?;
    let mut report = figures(&trial);
    if let Some(web) = web {
        judged(&web, trial.summary.pages_fetched, &mut report)?;
    }
    samples.finish(&mut report);
    Ok(report)
}

fn generated(args: &Args, pages: u64) -> anyhow::Result<(Web, CrawlOptions)> {
    let hosts = args.hosts.unwrap_or(HOSTS);
    let gap = args.gap.unwrap_or(Duration::ZERO);
    // The crawler counts in whole milliseconds.
    let floor = gap.saturating_sub(Duration::from_millis(1));
    let shape =
        WebShape { hosts, pages: pages.max(hosts) * KNOWN, floor, drip: None, pin: args.pin };
    let web = Web::start(&shape)?;
    let options = trial::options(&web, vec![Url::parse("http://h000000.test/")?], gap);
    Ok((web, options))
}

fn elsewhere(url: &str) -> anyhow::Result<CrawlOptions> {
    let parsed = Url::parse(url)?;
    if !fyke_stages::config::names_loopback(&parsed) {
        let message = format!("--url {url}: benchmarks crawl without gaps, so on loopback only");
        return Err(Failure::usage(message).into());
    }
    Ok(trial::loopback(vec![parsed]))
}

fn figures(trial: &CrawlTrial) -> BenchReport {
    let CrawlTrial { summary, cpu, wall, disk } = trial;
    let pages = summary.pages_fetched.max(1) as f64;
    let mut report = BenchReport::default();
    report.add("pages", summary.pages_fetched as f64, "");
    report.add("cpu_ms_per_page", cpu.as_secs_f64() * 1000.0 / pages, "ms");
    report.add("pages_per_cpu_second", pages / cpu.as_secs_f64().max(0.01), "");
    report.add("pages_per_second", pages / wall.as_secs_f64().max(0.001), "");
    report.add("seconds", wall.as_secs_f64(), "s");
    report.add("peak_rss_bytes", peak_rss() as f64, "bytes");
    report.add("disk_bytes_per_page", *disk as f64 / pages, "bytes");
    report.add("urls_known", summary.known as f64, "");
    report.add("errors", summary.errors as f64, "");
    report
}

/// What the server saw of the crawl.
pub(crate) fn judged(web: &Web, pages: u64, report: &mut BenchReport) -> anyhow::Result<()> {
    let sum = web.judged()?;
    for name in [
        "requests",
        "duplicate_fetches",
        "disallowed_fetches",
        "gap_violations",
        "in_flight_violations",
        "politeness_violations",
        "max_in_flight",
    ] {
        report.add(name, sum[name].as_f64().unwrap_or(f64::NAN), "");
    }
    let micros = web.cpu_time()?.as_secs_f64() * 1e6 / pages.max(1) as f64;
    report.add("server_cpu_us_per_page", micros, "µs");
    Ok(())
}

/// CPU time at every so many pages.
struct CpuSamples {
    every: u64,
    taken: Vec<CpuSample>,
}

/// What a crawl had done and used at one moment.
struct CpuSample {
    fetched: u64,
    known: u64,
    cpu: Duration,
}

impl CpuSamples {
    fn new(every: u64) -> CpuSamples {
        CpuSamples { every: every.max(1), taken: Vec::new() }
    }

    fn take(&mut self, progress: &CrawlProgress) {
        let last = self.taken.last().map_or(0, |sample| sample.fetched);
        let due = self.taken.is_empty() || progress.fetched >= last + self.every;
        if due && let Ok(cpu) = cpu_time("self") {
            let CrawlProgress { fetched, known, .. } = *progress;
            self.taken.push(CpuSample { fetched, known, cpu });
        }
    }

    /// What a page cost between two samples, if there are any but the first.
    fn finish(&self, report: &mut BenchReport) {
        for (before, after) in self.taken.iter().zip(self.taken.iter().skip(1)) {
            let millis = after.cpu.saturating_sub(before.cpu).as_secs_f64() * 1000.0;
            let pages = after.fetched - before.fetched;
            report.series.push(vec![
                Figure { name: "pages", value: after.fetched as f64, unit: "" },
                Figure { name: "urls_known", value: after.known as f64, unit: "" },
                Figure { name: "cpu_ms_per_page", value: millis / pages as f64, unit: "" },
            ]);
        }
        let cost = |row: &Vec<Figure>| row[2].value;
        if let (Some(first), Some(last)) = (report.series.first(), report.series.last()) {
            let growth = cost(last) / cost(first).max(f64::MIN_POSITIVE);
            report.add("cpu_last_to_first", growth, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_as_far_apart_as_asked_and_make_a_row_between_two() {
        let mut samples = CpuSamples::new(10);
        for fetched in [0, 4, 9, 12, 15, 22, 40] {
            samples.take(&CrawlProgress { fetched, ..CrawlProgress::default() });
        }
        let mut report = BenchReport::default();
        samples.finish(&mut report);
        let at: Vec<f64> = report.series.iter().map(|row| row[0].value).collect();
        assert_eq!(at, [12.0, 22.0, 40.0]);
    }

    #[test]
    fn only_this_machine_is_crawled_without_gaps() {
        assert!(elsewhere("http://127.0.0.1:8000/").is_ok());
        assert!(elsewhere("http://example.org/").is_err());
    }
}
