//! `cargo bench-fyke hostile`: queries that ask for too much, on all cores at once: how long they take, and what
//! memory.

use super::report::Report;
use super::words::Words;
use super::{Args, Benchmark, search};
use fyke_index::{Index, SearchOptions};
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
    let words: Vec<String> = (1..=60).map(Words::frequent).collect();
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

fn run(args: &Args) -> anyhow::Result<Report> {
    let documents = args.documents.unwrap_or(DOCUMENTS);
    let folder = tempfile::tempdir()?;
    let index = search::fill(folder.path(), documents)?;
    let mut report = Report::default();
    report.add("documents", documents as f64, "");
    let before = memory::rss();
    memory::forget_peak();
    let mut all = Vec::new();
    for (name, text) in queries() {
        let (mut times, cut) = asked(&index, &text)?;
        times.sort_unstable();
        let worst = times.last().copied().unwrap_or_default();
        report.labels.push(name.to_owned());
        report.series.push(vec![
            super::report::Figure { name: "longest", value: milliseconds(worst), unit: "ms" },
            super::report::Figure { name: "looked at", value: 100.0 * cut, unit: "% of documents" },
        ]);
        all.append(&mut times);
    }
    all.sort_unstable();
    let at = |share: f64| milliseconds(all[((all.len() - 1) as f64 * share) as usize]);
    report.add("p50", at(0.5), "ms");
    report.add("p99", at(0.99), "ms");
    report.add("longest", at(1.0), "ms");
    let more = |bytes: u64| bytes.saturating_sub(before) as f64 / 1e6;
    report.add("peak_memory_of_searches", more(memory::peak_rss()), "MB");
    report.add("memory_kept", more(memory::rss()), "MB");
    Ok(report)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Asks a query on all cores; the times, and the share of the documents that was looked at.
fn asked(index: &Index, text: &str) -> anyhow::Result<(Vec<Duration>, f64)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let left = AtomicUsize::new(ROUNDS * threads);
    let query = index.query(text);
    let options = SearchOptions { explain: true, facets: true, ..SearchOptions::default() };
    let mut share = 1.0;
    let work = || -> anyhow::Result<Vec<(Duration, f64)>> {
        let mut times = Vec::new();
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok()
        {
            let start = Instant::now();
            let found = index.search(&query, &options)?;
            let looked_at = |cut: fyke_index::CutOff| cut.looked_at as f64 / cut.documents as f64;
            times.push((start.elapsed(), found.cut.map_or(1.0, looked_at)));
        }
        Ok(times)
    };
    let mut all = Vec::new();
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let tasks: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for task in tasks {
            for (time, looked_at) in task.join().expect("no search panics")? {
                all.push(time);
                share = looked_at;
            }
        }
        Ok(())
    })?;
    Ok((all, share))
}
