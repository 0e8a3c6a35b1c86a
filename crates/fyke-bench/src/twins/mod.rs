//! `cargo bench-fyke twins`: near copies found against the exact Jaccard coefficient, documents sketched a
//! CPU-second, and very many documents grouped.

mod grouping;
mod mutate;
mod peers;
mod quality;
mod texts;

pub(crate) use mutate::MutationDice;

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke::cli::Failure;
use std::hint::black_box;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "twins",
    what: "near copies: precision, recall and speed of every method, groups of many",
    options: &["data", "documents", "peers", "pin"],
    run,
};

/// The coefficient from which on two texts are near copies (001).
const NEAR: f64 = 0.8;
/// CPU time that is spent on a speed, in seconds.
const SPENT: f64 = 1.0;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let data = args.data.clone().or_else(|| std::env::var_os("FYKE_DATA").map(Into::into));
    if data.is_none() && args.documents.is_none() {
        let message = "bench twins needs --data DIR (or FYKE_DATA), where neardup/ holds articles, or \
                       --documents N to group generated ones";
        return Err(Failure::usage(message).into());
    }
    let mut report = BenchReport::default();
    if let Some(data) = data {
        let sets = texts::read(&data)?;
        speeds(&mut report, sets.last().map_or(&[], |set| &set.texts))?;
        for set in &sets {
            quality::measure(&mut report, set);
        }
        if args.peers {
            peers::measure(&mut report, &data)?;
        }
    }
    for documents in args.documents.iter().flat_map(|&most| [most / 10, most]) {
        report.series.push(grouping::measure(documents)?);
    }
    Ok(report)
}

/// Documents of 5 kB that are sketched in a CPU-second, by every method and as they are stored.
fn speeds(report: &mut BenchReport, texts: &[String]) -> anyhow::Result<()> {
    let documents = texts::of_bytes(texts, 5_000);
    let stored = |text: &str| drop(black_box(fyke_text::digest(text)));
    report.add("stored_documents_per_cpu_second", speed(&documents, stored)?, "");
    for method in fyke_text::SKETCHES {
        let make = |text: &str| {
            black_box((method.make)(&fyke_text::sketch::HashedText::read(text)));
        };
        report
            .figures
            .push(figure(&[method.name, "documents_per_cpu_second"], speed(&documents, make)?));
    }
    Ok(())
}

fn speed(documents: &[String], work: impl Fn(&str)) -> anyhow::Result<f64> {
    let (before, mut done, mut spent) = (cpu_time("self")?, 0, 0.0);
    while spent < SPENT && !documents.is_empty() {
        documents.iter().for_each(|text| work(text));
        done += documents.len();
        spent = cpu_time("self")?.saturating_sub(before).as_secs_f64();
    }
    Ok(done as f64 / spent.max(0.01))
}

/// A figure whose name is put together; names live as long as the program.
fn figure(name: &[&str], value: f64) -> Figure {
    Figure { name: name.join("_").replace('-', "_").leak(), value, unit: "" }
}
