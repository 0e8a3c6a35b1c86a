//! `cargo bench-fyke hostile`: queries that ask for too much, on all cores at once: how long they take, and what
//! memory.

use super::machine::thread_cpu_time;
use super::report::{BenchReport, Figure};
use super::search::Times;
use super::words::MadeWords;
use super::{Args, Benchmark, search};
use fyke_index::{CutOff, Index, QueryBudget, SearchOptions};
use fyke_stages::memory;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "hostile",
    what: "queries of many frequent words and near phrases, on all cores at once",
    options: &["documents", "pin"],
    run,
};

const DOCUMENTS: u64 = 200_000;
/// Times that each is asked.
const ROUNDS: usize = 8;

/// What an attacker asks: each word is among the most frequent.
fn queries() -> Vec<(&'static str, String)> {
    let words: Vec<String> = (1..=60).map(MadeWords::frequent).collect();
    let near = |word: &String| format!("\"{} {word}\"~100", words[0]);
    let pairs = || words[1..31].iter();
    vec![
        ("60 words", words.join(" OR ")),
        ("60 demands", words.iter().map(|word| format!("+{word} ")).collect()),
        ("30 near", pairs().map(near).collect::<Vec<_>>().join(" ")),
        ("30 phrases", pairs().map(|word| format!("\"{} {word}\" ", words[0])).collect()),
        ("beginnings", "ba* de* ki* lo* mu* na* pe*".to_owned()),
        ("nothing but not", format!("-{}", words.join(" -"))),
        ("one near of many", format!("\"{}\"~100", words[..20].join(" "))),
    ]
}

/// What one search took.
struct Answered {
    cpu: Duration,
    wall: Duration,
    /// The share of the documents that was looked at.
    looked_at: f64,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let documents = args.documents.unwrap_or(DOCUMENTS);
    let folder = tempfile::tempdir()?;
    let index = search::fill(folder.path(), documents)?;
    let mut report = BenchReport::default();
    report.add("documents", documents as f64, "");
    report.add("steps", QueryBudget::default().steps as f64, "a query");
    let before = memory::rss();
    memory::forget_peak();
    let mut all = Vec::new();
    for (name, text) in queries() {
        let mut answers = asked(&index, &text)?;
        let looked_at = answers.iter().map(|answer| answer.looked_at).fold(1.0, f64::min);
        let longest = answers.iter().map(|answer| answer.cpu).max().unwrap_or_default();
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(name.to_owned());
        report.series.push(vec![
            row("longest", longest.as_secs_f64() * 1e3, "CPU ms"),
            row("looked at", 100.0 * looked_at, "% of documents"),
        ]);
        all.append(&mut answers);
    }
    let cpu = Times::new(all.iter().map(|answer| answer.cpu));
    report.add("p50", cpu.at(0.5), "CPU ms");
    report.add("p99", cpu.at(0.99), "CPU ms");
    report.add("longest", cpu.at(1.0), "CPU ms");
    report.add("wall_p99", Times::new(all.iter().map(|answer| answer.wall)).at(0.99), "ms");
    let more = |bytes: u64| bytes.saturating_sub(before) as f64 / 1e6;
    report.add("peak_memory_of_searches", more(memory::peak_rss()), "MB");
    report.add("memory_kept", more(memory::rss()), "MB");
    Ok(report)
}

/// Asks a query on all cores.
fn asked(index: &Index, text: &str) -> anyhow::Result<Vec<Answered>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let left = AtomicUsize::new(ROUNDS * threads);
    let query = index.query(text);
    let options = SearchOptions { explain: true, facets: true, ..SearchOptions::default() };
    let work = || -> anyhow::Result<Vec<Answered>> {
        let mut answers = Vec::new();
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok()
        {
            let (before, start) = (thread_cpu_time()?, Instant::now());
            let found = index.search(&query, &options)?;
            let (wall, cpu) = (start.elapsed(), thread_cpu_time()?.saturating_sub(before));
            let share = |cut: CutOff| cut.looked_at as f64 / cut.documents as f64;
            answers.push(Answered { cpu, wall, looked_at: found.cut.map_or(1.0, share) });
        }
        Ok(answers)
    };
    std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for task in tasks {
            all.append(&mut task.join().expect("no search panics")?);
        }
        Ok(all)
    })
}
