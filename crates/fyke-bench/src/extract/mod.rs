//! `cargo bench-fyke extract`: the main text found by every way of noise removal on pages whose text is
//! known, and pages a CPU-second; on wish beside trafilatura and resiliparse in the same run.
//!
//! Time is that of one thread on bytes already in memory, from the bytes to title, author, date and
//! main text, links included. The measure is that of `fyke_eval::extraction`.

mod peers;
mod sets;

use super::machine::cpu_time;
use super::report::{Figure, Report};
use super::{Args, Benchmark, Failure};
use fyke_eval::extraction::{Extraction, average, overlap};
use fyke_formats::parse;
use fyke_web::document::content;
use fyke_web::{Capture, REFINERS, Refiner};
use sets::{ExtractSet, GoldPage};
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

fn run(args: &Args) -> anyhow::Result<Report> {
    let data = args.data.clone().or_else(|| std::env::var_os("FYKE_DATA").map(PathBuf::from));
    let sets = data.map(|data| sets::read(&data)).transpose()?.unwrap_or_default();
    if sets.is_empty() {
        let message = "bench extract needs --data DIR (or FYKE_DATA), where extraction-zyte/, \
                       extraction-cleanportal/ or extraction-readability/ hold pages with their text";
        return Err(Failure::usage(message).into());
    }
    if let Some(path) = &args.cases {
        sets::write(&sets, path)?;
    }
    let mut report = Report::default();
    for set in &sets {
        for refiner in REFINERS {
            let found: Vec<String> =
                set.cases.iter().map(|case| text(&case.page, refiner)).collect();
            let speed = speed(set, refiner)?;
            add(&mut report, &format!("{} {}", set.name, refiner.name), score(set, &found), speed);
        }
    }
    if args.peers {
        for peer in peers::run(&sets)? {
            let Some(set) = sets.iter().find(|set| set.name == peer.set) else { continue };
            let speed = set.cases.len() as f64 / peer.cpu_seconds.max(1e-9);
            add(
                &mut report,
                &format!("{} {}", set.name, peer.name),
                score(set, &peer.texts),
                speed,
            );
        }
    }
    Ok(report)
}

fn text(page: &Capture, refiner: &Refiner) -> String {
    content(page, &parse(page), refiner).text
}

fn score(set: &ExtractSet, found: &[String]) -> Extraction {
    let pages: Vec<_> =
        set.cases.iter().zip(found).map(|(case, found)| overlap(&case.gold, found)).collect();
    average(&pages)
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

fn add(report: &mut Report, label: &str, found: Extraction, speed: f64) {
    let figure = |name, value, unit| Figure { name, value, unit };
    report.labels.push(label.to_owned());
    report.series.push(vec![
        figure("precision", found.precision, ""),
        figure("recall", found.recall, ""),
        figure("f1", found.f1, ""),
        figure("pages_per_cpu_second", speed, ""),
    ]);
}
