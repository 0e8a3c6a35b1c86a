//! `cargo bench-fyke extract`: the main text found by every way of noise removal on pages whose text is
//! known, and pages a CPU-second; on wish beside trafilatura and resiliparse in the same run.
//!
//! Time is that of one thread on bytes already in memory, from the bytes to all that `fyke text` makes of them: main
//! text, title, author, date, language, links. The measures are those of `fyke_eval::extraction`: shingles where the
//! whole text is known (of pages of several kinds, by kind as well), parts where only parts are.

mod peers;
mod sets;

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, Failure};
use fyke_eval::extraction::{Extraction, average, overlap, parts, pooled};
use fyke_formats::parse;
use fyke_web::{Capture, REFINERS, Refiner, refine_by};
use sets::{ExtractSet, GoldPage};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::PathBuf;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "extract",
    what: "main text of pages against their known text, by every way, and its speed",
    options: &["data", "peers", "cases", "pin"],
    run,
};

/// CPU time that is spent on a speed at the least, in seconds.
const SPENT: f64 = 1.0;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let data = args.data.clone().or_else(|| std::env::var_os("FYKE_DATA").map(PathBuf::from));
    let sets = data.map(|data| sets::read(&data)).transpose()?.unwrap_or_default();
    if sets.is_empty() {
        let message = "bench extract needs --data DIR (or FYKE_DATA), where extraction-zyte/, \
                       extraction-cleanportal/, extraction-readability/, \
                       extraction-chunks/ or extraction-kinds/ hold pages with their text";
        return Err(Failure::usage(message).into());
    }
    if let Some(path) = &args.cases {
        sets::write(&sets, path)?;
    }
    let mut report = BenchReport::default();
    for set in &sets {
        for refiner in REFINERS {
            let found: Vec<String> =
                set.cases.iter().map(|case| text(&case.page, refiner)).collect();
            let speed = speed(set, refiner)?;
            add_all(&mut report, set, refiner.name, &found, speed);
        }
    }
    if args.peers {
        for peer in peers::run(&sets)? {
            let Some(set) = sets.iter().find(|set| set.name == peer.set) else { continue };
            let speed = set.cases.len() as f64 / peer.cpu_seconds.max(1e-9);
            add_all(&mut report, set, &peer.name, &peer.texts, speed);
        }
    }
    Ok(report)
}

fn text(page: &Capture, refiner: &Refiner) -> String {
    refine_by(page, &parse(page), refiner).text
}

/// Adds the figures of a set, and those of each kind of its pages.
fn add_all(report: &mut BenchReport, set: &ExtractSet, way: &str, found: &[String], speed: f64) {
    let kinds: BTreeSet<&str> = set.cases.iter().map(|case| case.kind.as_str()).collect();
    let score = |kind: &str| {
        let pages = set.cases.iter().zip(found);
        score(pages.filter(|(case, _)| kind.is_empty() || case.kind == kind))
    };
    add(report, &format!("{} {way}", set.name), score(""), speed);
    for kind in kinds.into_iter().filter(|kind| !kind.is_empty()) {
        add(report, &format!("{} {kind} {way}", set.name), score(kind), speed);
    }
}

fn score<'a>(pages: impl Iterator<Item = (&'a GoldPage, &'a String)>) -> Extraction {
    // A page may have no text at all.
    let knows_parts = |case: &GoldPage| {
        case.gold.is_empty() && !(case.with.is_empty() && case.without.is_empty())
    };
    let (by_parts, whole): (Vec<_>, Vec<_>) = pages.partition(|(case, _)| knows_parts(case));
    let overlaps: Vec<_> = whole.iter().map(|(case, found)| overlap(&case.gold, found)).collect();
    let found: Vec<_> =
        by_parts.iter().map(|(case, found)| parts(found, &case.with, &case.without)).collect();
    if found.is_empty() { average(&overlaps) } else { pooled(&found) }
}

/// Pages a CPU-second.
fn speed(set: &ExtractSet, refiner: &Refiner) -> anyhow::Result<f64> {
    let start = cpu_time("self")?.as_secs_f64();
    let mut pages = 0;
    loop {
        for GoldPage { page, .. } in &set.cases {
            black_box(text(page, refiner));
        }
        pages += set.cases.len();
        let spent = cpu_time("self")?.as_secs_f64() - start;
        if spent >= SPENT {
            return Ok(pages as f64 / spent);
        }
    }
}

fn add(report: &mut BenchReport, label: &str, found: Extraction, speed: f64) {
    let figure = |name, value, unit| Figure { name, value, unit };
    report.labels.push(label.to_owned());
    report.series.push(vec![
        figure("precision", found.precision, ""),
        figure("recall", found.recall, ""),
        figure("f1", found.f1, ""),
        figure("pages_per_cpu_second", speed, ""),
    ]);
}
