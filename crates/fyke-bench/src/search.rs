//! `cargo bench-fyke search`: made documents put into an index and asked for: documents per second of CPU
//! time on all cores, memory, bytes, and the time to the first page of hits with their snippets; beside
//! tantivy alone and Lucene.

use super::machine::{cpu_time, disk};
use super::report::{BenchReport, Figure};
use super::words::{MadeDocument, MadeWords};
use super::{Args, Benchmark, script};
use fyke_index::{Entry, Index, SearchOptions};
use fyke_stages::memory;
use fyke_stages::search;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "search",
    what: "documents of 300 words indexed, and the time to a first page of hits with snippets",
    options: &["documents", "peers", "pin"],
    run,
};

const DOCUMENTS: u64 = 1_000_000;
const QUERIES: usize = 1_000;
/// Suggestions for each text typed.
const SUGGESTIONS: usize = 8;
/// Queries before it counts.
const WARM: usize = 200;
/// Documents by which the time to make them is measured.
const SAMPLE: u64 = 5_000;
const SCRIPT: &str = "benches/peers/search.py";

/// What an engine took.
#[derive(Debug, Deserialize)]
struct EngineTime {
    name: String,
    documents_per_cpu_second: f64,
    cpu_ms_per_query: f64,
    p50: f64,
    p99: f64,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let documents = args.documents.unwrap_or(DOCUMENTS);
    let folder = tempfile::tempdir()?;
    let mut report = BenchReport::default();
    let making = making()?;
    let (before, start) = (cpu_time("self")?, Instant::now());
    let index = fill(folder.path(), documents)?;
    let wall = start.elapsed();
    let cpu = cpu_time("self")?.saturating_sub(before);
    let own = cpu.saturating_sub(making * u32::try_from(documents / SAMPLE).unwrap_or(u32::MAX));
    report.add("documents", documents as f64, "");
    report.add("cpu_seconds_indexing", own.as_secs_f64(), "s");
    report.add("wall_seconds_with_making", wall.as_secs_f64(), "s");
    report.add("index_bytes_per_document", disk(folder.path()) as f64 / documents as f64, "B");
    report.add("peak_memory_indexing", memory::peak_rss() as f64 / 1e6, "MB");
    let per_cpu_second = documents as f64 / own.as_secs_f64().max(0.01);
    let mut all = vec![ask(&index, per_cpu_second, &mut report)?];
    report.add("peak_memory", memory::peak_rss() as f64 / 1e6, "MB");
    if args.peers {
        all.extend(peers(documents)?);
    }
    for taken in all {
        let row = |name, value, unit| Figure { name, value, unit };
        report.labels.push(taken.name);
        report.series.push(vec![
            row("indexed", taken.documents_per_cpu_second, "documents per CPU s"),
            row("query", taken.cpu_ms_per_query, "CPU ms"),
            row("p50", taken.p50, "ms"),
            row("p99", taken.p99, "ms"),
        ]);
    }
    Ok(report)
}

/// Other engines on the same documents and queries.
fn peers(documents: u64) -> anyhow::Result<Vec<EngineTime>> {
    let scratch = tempfile::tempdir()?;
    let [texts, asked] = ["documents.tsv", "queries.txt"].map(|name| scratch.path().join(name));
    let (mut words, mut made) = (MadeWords::new(1), MadeDocument::default());
    let mut out = BufWriter::new(File::create(&texts)?);
    for id in 0..documents {
        words.document(id, &mut made);
        writeln!(out, "{}\t{}\t{}", made.url, made.title, made.body)?;
    }
    out.flush()?;
    let mut words = MadeWords::new(3);
    let queries: Vec<String> = (0..WARM + QUERIES).map(|_| words.query()).collect();
    std::fs::write(&asked, queries.join("\n"))?;
    let arguments = [texts.as_os_str(), asked.as_os_str(), scratch.path().as_os_str()];
    script::lines(&script::run(SCRIPT, &arguments)?)
}

/// CPU time to make the sample.
fn making() -> anyhow::Result<Duration> {
    let (mut words, mut made) = (MadeWords::new(2), MadeDocument::default());
    let before = cpu_time("self")?;
    (0..SAMPLE).for_each(|number| words.document(number, &mut made));
    Ok(cpu_time("self")?.saturating_sub(before))
}

pub(super) fn fill(folder: &Path, documents: u64) -> anyhow::Result<Index> {
    let index = Index::open(folder)?;
    let mut writer = index.writer()?;
    let (mut words, mut made) = (MadeWords::new(1), MadeDocument::default());
    for id in 0..documents {
        words.document(id, &mut made);
        let MadeDocument { url, title, body } = &made;
        let host = fyke_web::host_of(url);
        writer.put(&Entry { id, url, host, title, body, language: "en", ..Entry::default() })?;
    }
    writer.commit("made")?;
    drop(writer);
    Ok(index)
}

/// Asks for hits and for suggestions.
fn ask(
    index: &Index,
    documents_per_cpu_second: f64,
    report: &mut BenchReport,
) -> anyhow::Result<EngineTime> {
    let (mut found, mut cut) = (0, 0);
    let (hits, cpu) = timed(|text| {
        let results = search::search(index, text, &SearchOptions::default())?;
        found += results.total;
        cut += usize::from(results.cut.is_some());
        Ok(())
    })?;
    let (suggestions, _) = timed(|text| {
        let typed = &text[..text.floor_char_boundary(text.len() / 2)];
        index.suggest(typed, SUGGESTIONS)?;
        Ok(())
    })?;
    report.add("queries", QUERIES as f64, "");
    report.add("hits_per_query", found as f64 / (WARM + QUERIES) as f64, "");
    report.add("queries_cut", cut as f64, "");
    report.add("p90", hits.at(0.9), "ms");
    report.add("suggestions_p50", suggestions.at(0.5), "ms");
    report.add("suggestions_p99", suggestions.at(0.99), "ms");
    Ok(EngineTime {
        name: format!("fyke {}", env!("CARGO_PKG_VERSION")),
        documents_per_cpu_second,
        cpu_ms_per_query: cpu.as_secs_f64() * 1e3 / QUERIES as f64,
        p50: hits.at(0.5),
        p99: hits.at(0.99),
    })
}

/// What answers took.
pub(super) struct Times {
    sorted: Vec<Duration>,
}

impl Times {
    pub(super) fn new(times: impl Iterator<Item = Duration>) -> Times {
        let mut sorted: Vec<Duration> = times.collect();
        sorted.sort_unstable();
        Times { sorted }
    }

    /// The time within which this share of them came, in milliseconds.
    pub(super) fn at(&self, share: f64) -> f64 {
        let place = ((self.sorted.len() - 1) as f64 * share) as usize;
        self.sorted[place].as_secs_f64() * 1e3
    }
}

/// Asks the queries warm, on one thread.
fn timed(mut ask: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<(Times, Duration)> {
    let (mut words, mut times) = (MadeWords::new(3), Vec::new());
    let mut before = Duration::ZERO;
    for number in 0..WARM + QUERIES {
        if number == WARM {
            before = cpu_time("self")?;
        }
        let text = words.query();
        let start = Instant::now();
        ask(&text)?;
        if number >= WARM {
            times.push(start.elapsed());
        }
    }
    let cpu = cpu_time("self")?.saturating_sub(before);
    Ok((Times::new(times.into_iter()), cpu))
}
