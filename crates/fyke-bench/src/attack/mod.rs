//! `cargo bench-fyke attack`: a web whose pages are made to cost much, crawled, exported and rebuilt by the program
//! as people run it: peak memory and CPU time of every command.

mod pages;
mod server;

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, program};
use anyhow::{Context as _, ensure};
use fyke::cpu::children_cpu_time;
use pages::KINDS;
use serde_json::Value;
use server::HostileWeb;
use std::fs::read_to_string;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "attack",
    what: "a crawl of hostile pages, its exports and a rebuild: peak memory and CPU time of each command",
    options: &["pages", "size"],
    run,
};

/// Pages of all kinds together.
const PAGES: u64 = 340;
/// Bytes of a page, unpacked where it is packed.
const SIZE: u64 = 10_000_000;
/// How often the memory of a command is looked at. The system keeps the peak, so only what comes last can be missed.
const LOOK: Duration = Duration::from_millis(10);

/// What is run, one after the other.
const COMMANDS: &[(&str, &[&str])] = &[
    ("crawl", &["crawl", "--json"]),
    ("check", &["check", "--json"]),
    ("export jsonl", &["export", "jsonl", "--json"]),
    ("export parquet", &["export", "parquet", "--json"]),
    ("export warc", &["export", "warc", "--json"]),
    ("rebuild", &["rebuild", "--json"]),
    ("search", &["search", "eel", "--json"]),
];

/// What a command took.
struct ResourceUse {
    /// Bytes.
    peak: u64,
    cpu: Duration,
    wall: Duration,
    said: Value,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let (pages, size) = (args.pages.unwrap_or(PAGES), args.size.unwrap_or(SIZE));
    let each = (pages / KINDS.len() as u64).max(1);
    let web = HostileWeb::start(each, usize::try_from(size)?)?;
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("fyke.toml"), settings(&web))?;
    let (mut report, mut peak, mut cpu) = (BenchReport::default(), 0, Duration::ZERO);
    let mut crawled = Value::Null;
    for (name, words) in COMMANDS {
        let taken = command(folder.path(), words)?;
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push((*name).to_owned());
        report.series.push(vec![
            row("peak", taken.peak as f64 / 1e6, "MB"),
            row("cpu", taken.cpu.as_secs_f64(), "s"),
            row("wall", taken.wall.as_secs_f64(), "s"),
        ]);
        (peak, cpu) = (peak.max(taken.peak), cpu + taken.cpu);
        if *name == "crawl" {
            crawled = taken.said;
        }
    }
    report.add("kinds", KINDS.len() as f64, "");
    report.add("pages", crawled["pages_fetched"].as_f64().unwrap_or(f64::NAN), "");
    report.add("documents", crawled["made"]["documents"].as_f64().unwrap_or(f64::NAN), "");
    report.add("unfinished", crawled["reasons"]["unfinished"].as_f64().unwrap_or(0.0), "");
    report.add("peak_memory", peak as f64 / 1e6, "MB");
    report.add("cpu_seconds", cpu.as_secs_f64(), "s");
    Ok(report)
}

/// A fyke.toml with room for all pages, and without waits: everything is on this machine.
fn settings(web: &HostileWeb) -> String {
    let (seeds, at, most) = (web.seeds(), web.address, u32::MAX);
    format!(
        "[seeds]\nurls = {seeds:?}\n\n[scope]\nallow = [\"*.test/**\"]\n\n\
         [politeness]\nfloor = \"0s\"\nfactor = 0.0\nper_address = 0\n\n\
         [budget]\npages = 100000\nper_host_pages = {most}\nper_domain_pages = {most}\n\n\
         [fetch]\ntimeout = \"20s\"\nhosts = {{ \"*.test\" = \"{at}\" }}\n"
    )
}

/// Runs a command of the program in a folder, and watches its memory.
fn command(folder: &Path, words: &[&str]) -> anyhow::Result<ResourceUse> {
    let (before, start) = (children_cpu_time()?, Instant::now());
    let mut command = program()?;
    command.arg("--quiet").args(words).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("cannot start {words:?}"))?;
    let read = |from: Option<_>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            from.map_or(Ok(0), |mut from: Box<dyn std::io::Read + Send>| {
                from.read_to_end(&mut text)
            })
            .map(|_| text)
        })
    };
    let out = read(child.stdout.take().map(|out| Box::new(out) as _));
    let errors = read(child.stderr.take().map(|out| Box::new(out) as _));
    let peak = watch(&mut child)?;
    let status = child.wait()?;
    let [out, errors] = [out, errors].map(|text| text.join().expect("reading does not panic"));
    let errors = errors?;
    // A crawl that left something ends with a code of its own.
    ensure!(
        matches!(status.code(), Some(0 | 3)),
        "{words:?} ended with {status}: {}",
        String::from_utf8_lossy(&errors).trim()
    );
    let said = serde_json::from_slice(&out?).unwrap_or(Value::Null);
    let (cpu, wall) = (children_cpu_time()?.saturating_sub(before), start.elapsed());
    Ok(ResourceUse { peak, cpu, wall, said })
}

/// Waits until a process has ended; the most memory that it held, in bytes.
fn watch(child: &mut Child) -> anyhow::Result<u64> {
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        let status = read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = kilobytes.map_or(peak, |kilobytes| kilobytes * 1024);
        std::thread::sleep(LOOK);
    }
    Ok(peak)
}
