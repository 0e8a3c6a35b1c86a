//! `cargo bench-fyke whole`: what a page costs from its fetch to being searchable. `fyke crawl` is run as
//! people run it, with every stage on, and asked what each took.

use super::report::{BenchReport, Figure};
use super::web::{Web, WebShape};
use super::{Args, Benchmark, crawl, machine, program};
use anyhow::Context as _;
use fyke::cpu::children_cpu_time;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "whole",
    what: "a page from its fetch to being searchable, every stage on: CPU time in all and by stage",
    options: &["pages", "hosts", "data", "pin"],
    run,
};

const PAGES: u64 = 20_000;
const HOSTS: u64 = 100;
/// URLs of the web for each page that is fetched.
const KNOWN: u64 = 10;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let (web, pages) = match &args.data {
        Some(folder) => (Web::start_folder(folder, args.pin)?, args.pages),
        None => {
            let pages = args.pages.unwrap_or(PAGES);
            (Web::start(&shape(args, pages))?, Some(pages))
        }
    };
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), settings(&web, pages))?;
    let (cpu, start) = (children_cpu_time()?, Instant::now());
    let said = crawl(folder.path(), &[])?;
    let (cpu, wall) = (children_cpu_time()?.saturating_sub(cpu), start.elapsed());
    let mut report = figures(&said, cpu, wall);
    report.add("disk_bytes", machine::disk(folder.path()) as f64, "bytes");
    crawl::judged(&web, said["pages_fetched"].as_u64().unwrap_or(0), &mut report)?;
    Ok(report)
}

fn shape(args: &Args, pages: u64) -> WebShape {
    let hosts = args.hosts.unwrap_or(HOSTS);
    let pages = pages.max(hosts) * KNOWN;
    WebShape { hosts, pages, floor: Duration::ZERO, drip: None, pin: args.pin }
}

/// A fyke.toml as `fyke pond` prints it, with room for all pages.
fn settings(web: &Web, pages: Option<u64>) -> String {
    let (seeds, at) = (&web.seeds, web.address);
    let (pages, most) = (pages.unwrap_or(u64::from(u32::MAX)), u32::MAX);
    format!(
        "[seeds]\nurls = {seeds:?}\n\n[scope]\nallow = [\"*.test/**\"]\n\n\
         [politeness]\nfloor = \"0s\"\nfactor = 0.0\nper_address = 0\n\n\
         [budget]\npages = {pages}\nper_host_pages = {most}\nper_domain_pages = {most}\n\n\
         [fetch]\nhosts = {{ \"*.test\" = \"{at}\" }}\n"
    )
}

/// CPU time of a page of the plain web in milliseconds, from its fetch to being searchable, under these settings.
pub(crate) fn millis_a_page(args: &Args, pages: u64, set: &[&str]) -> anyhow::Result<f64> {
    let (web, folder) = (Web::start(&shape(args, pages))?, tempfile::tempdir()?);
    std::fs::write(folder.path().join("fyke.toml"), settings(&web, Some(pages)))?;
    let cpu = children_cpu_time()?;
    let said = crawl(folder.path(), set)?;
    let millis = children_cpu_time()?.saturating_sub(cpu).as_secs_f64() * 1000.0;
    Ok(millis / said["pages_fetched"].as_f64().unwrap_or(f64::NAN))
}

/// Runs `fyke crawl` in a folder; what it says.
fn crawl(folder: &Path, set: &[&str]) -> anyhow::Result<Value> {
    let mut command = program()?;
    command.args(["crawl", "--quiet", "--json"]).current_dir(folder);
    set.iter().for_each(|key| _ = command.args(["--set", key]));
    let done = command.output().context("cannot start the crawl")?;
    let trouble = || format!("the crawl failed: {}", String::from_utf8_lossy(&done.stderr).trim());
    serde_json::from_slice(&done.stdout).with_context(trouble)
}

fn figures(said: &Value, cpu: Duration, wall: Duration) -> BenchReport {
    let number = |name: &str| said[name].as_f64().unwrap_or(f64::NAN);
    let pages = number("pages_fetched").max(1.0);
    let millis = |seconds: f64| seconds * 1000.0 / pages;
    let mut report = BenchReport::default();
    report.add("cpu_ms_per_page", millis(cpu.as_secs_f64()), "ms");
    report.add("pages", number("pages_fetched"), "");
    report.add("documents", said["made"]["documents"].as_f64().unwrap_or(f64::NAN), "");
    let early = number("pages_fetched") - said["made"]["captures"].as_f64().unwrap_or(f64::NAN);
    report.add("made_while_fetching", early.max(0.0), "");
    report.add("bytes", number("bytes"), "bytes");
    report.add("bytes_per_page", number("bytes") / pages, "bytes");
    report.add("seconds", wall.as_secs_f64(), "s");
    report.add("peak_rss_bytes", number("peak_rss_bytes"), "bytes");
    report.add("errors", number("errors"), "");
    let stages = said["cpu_seconds"].as_array().into_iter().flatten();
    let stages = stages.filter_map(|row| Some((row["stage"].as_str()?, row["cpu"].as_f64()?)));
    let mut rest = cpu.as_secs_f64();
    let mut row = |label: &str, seconds: f64| {
        report.labels.push(label.to_owned());
        let value = millis(seconds);
        report.series.push(vec![Figure { name: "cpu_ms_per_page", value, unit: "" }]);
    };
    for (stage, seconds) in stages {
        row(stage, seconds);
        rest -= seconds;
    }
    row("start and end", rest.max(0.0));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_stage_is_a_row_and_what_is_left_is_one_too() {
        let said = json!({
            "pages_fetched": 1000, "bytes": 5_000_000, "errors": 0, "peak_rss_bytes": 7,
            "made": { "captures": 900, "documents": 990 },
            "cpu_seconds": [{ "stage": "fetch", "cpu": 0.25 }, { "stage": "index", "cpu": 0.5 }],
        });
        let report = figures(&said, Duration::from_secs(1), Duration::from_secs(2));
        let found = |name: &str| report.figures.iter().find(|f| f.name == name).unwrap().value;
        assert_eq!(found("cpu_ms_per_page"), 1.0);
        assert_eq!((found("made_while_fetching"), found("bytes_per_page")), (100.0, 5000.0));
        assert_eq!(report.labels, ["fetch", "index", "start and end"]);
        let rows: Vec<f64> = report.series.iter().map(|row| row[0].value).collect();
        assert_eq!(rows, [0.25, 0.5, 0.25]);
    }
}
