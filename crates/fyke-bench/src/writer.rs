//! `cargo bench-fyke writer`: real texts put into an index by our writer of segments and by the engine's own, on
//! one thread and on two: CPU time in turn, and whether both wrote the same postings (docs/decisions/007).

use super::machine::{cpu_time, disk};
use super::report::{BenchReport, Figure};
use super::texts::{RealText, real_texts};
use super::{Args, Benchmark, data};
use fyke_index::yardstick::{sum_postings, write_by_engine};
use fyke_index::{Entry, Index};
use std::path::Path;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "writer",
    what: "real texts indexed by our writer of segments and by tantivy's: CPU time, the same postings",
    options: &["data", "documents", "pin"],
    run,
};

/// Runs of each writer; the least time counts.
const RUNS: usize = 3;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let texts = real_texts(&data(args)?, args.documents)?;
    let mut report = BenchReport::default();
    let bytes = texts.iter().map(|text| text.title.len() + text.text.len()).sum::<usize>();
    report.add("documents", texts.len() as f64, "");
    report.add("bytes_per_document", bytes as f64 / texts.len() as f64, "B");
    let mut ways: Vec<TimedWriter> =
        WRITERS.iter().map(|(name, write)| TimedWriter::new(name, *write)).collect();
    for _ in 0..RUNS {
        for way in &mut ways {
            way.measure(&texts)?;
        }
    }
    let same = ways.iter().all(|way| way.sum == ways[0].sum);
    report.add("postings", ways[0].sum.postings as f64, "");
    report.add("positions", ways[0].sum.positions as f64, "");
    report.add("same_postings", f64::from(u8::from(same)), "1: both wrote the same");
    for way in ways {
        report.labels.push(way.name.to_owned());
        let row = |name, value, unit| Figure { name, value, unit };
        report.series.push(vec![
            row("cpu_seconds", way.seconds, "s"),
            row("indexed", texts.len() as f64 / way.seconds.max(0.01), "documents per CPU s"),
            row("index_bytes", way.bytes as f64 / bytes as f64, "bytes a byte of text"),
        ]);
    }
    Ok(report)
}

type Write = fn(&Path, &[RealText]) -> anyhow::Result<()>;

const WRITERS: &[(&str, Write)] = &[
    ("fyke, a thread a core", by_ours),
    ("tantivy, 1 thread", |dir, texts| Ok(write_by_engine(dir, 1, entries(texts))?)),
    ("tantivy, 2 threads", |dir, texts| Ok(write_by_engine(dir, 2, entries(texts))?)),
];

/// A writer and what it took.
struct TimedWriter {
    name: &'static str,
    write: Write,
    seconds: f64,
    bytes: u64,
    sum: fyke_index::yardstick::PostingSum,
}

impl TimedWriter {
    fn new(name: &'static str, write: Write) -> TimedWriter {
        TimedWriter { name, write, seconds: f64::INFINITY, bytes: 0, sum: Default::default() }
    }

    fn measure(&mut self, texts: &[RealText]) -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let before = cpu_time("self")?;
        (self.write)(folder.path(), texts)?;
        let took = cpu_time("self")?.saturating_sub(before);
        self.seconds = self.seconds.min(took.as_secs_f64());
        self.bytes = disk(folder.path());
        self.sum = sum_postings(folder.path())?;
        Ok(())
    }
}

fn by_ours(dir: &Path, texts: &[RealText]) -> anyhow::Result<()> {
    let mut writer = Index::open(dir)?.writer()?;
    for entry in entries(texts) {
        writer.put(&entry)?;
    }
    writer.commit("all")?;
    Ok(())
}

fn entries(texts: &[RealText]) -> impl Iterator<Item = Entry<'_>> {
    (0..).zip(texts).map(|(id, text)| {
        let RealText { url, title, text, language } = text;
        let host = fyke_web::host_of(url);
        Entry { id, url, host, title, body: text, language, ..Entry::default() }
    })
}
