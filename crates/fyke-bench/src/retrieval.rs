//! `cargo bench-fyke retrieval`: test collections imported and searched by the commands of a user with one set of
//! defaults, measured as trec_eval would: MAP, nDCG@10 and P@10 of each, and what single parts of the ranking bring.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, commands, script};
use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use fyke::cli::lab::read;
use fyke_eval::{Qrels, Run, evaluate};
use serde::Deserialize;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "retrieval",
    what: "test collections searched with the defaults: MAP, nDCG@10, P@10 (data: ir/*)",
    options: &["data", "peers"],
    run,
};

const MEASURES: [&str; 3] = ["map", "ndcg_cut_10", "P_10"];

/// The standard ranker, and others that lack one part of it.
const RANKERS: [(&str, &str); 5] = [
    ("fyke", ""),
    ("without feedback", "feedback=0"),
    ("without nearness", "nearness=0"),
    ("without other forms", "typed-forms"),
    ("without coordination", "coordination=0"),
];

/// A peer's figures on one collection.
#[derive(Deserialize)]
struct RetrievalPeer {
    name: String,
    run: PathBuf,
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let data = super::data(args)?;
    let home = [data.join("ir"), data];
    let home = home.iter().find(|home| home.is_dir()).context("no folder of collections")?;
    let mut report = BenchReport::default();
    let mut sums = vec![0.0; RANKERS.len()];
    let collections = collections(home)?;
    for folder in &collections {
        let name = folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let qrels = Qrels::parse(&read::whole(&folder.join("qrels"))?)?;
        let scratch = tempfile::tempdir()?;
        let documents = lines(&folder.join("docs.jsonl.gz"))?;
        let collection = commands::import(scratch.path(), &folder.join("docs.jsonl.gz"))?;
        for ((label, ranker), sum) in RANKERS.iter().zip(&mut sums) {
            let run =
                commands::run(&collection, &folder.join("queries.tsv"), &["--ranker", ranker])?;
            let map =
                report_run(&mut report, format!("{name}, {label}"), documents, (&qrels, &run))?;
            *sum += map / collections.len() as f64;
        }
        if args.peers {
            peers(&mut report, &name, folder, scratch.path(), (&qrels, documents))?;
        }
    }
    report.add("collections", collections.len() as f64, "");
    let names = ["map", "map_no_feedback", "map_no_nearness", "map_typed", "map_no_coordination"];
    for (name, sum) in names.into_iter().zip(sums) {
        report.add(name, sum, "mean");
    }
    Ok(report)
}

/// The folders with documents, queries and judgements.
fn collections(home: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(home)?.map(|entry| Ok(entry?.path()));
    let mut found = entries.collect::<anyhow::Result<Vec<_>>>()?;
    found.retain(|folder| folder.join("docs.jsonl.gz").exists() && folder.join("qrels").exists());
    found.sort();
    anyhow::ensure!(!found.is_empty(), "{} holds no DIR/docs.jsonl.gz with qrels", home.display());
    Ok(found)
}

/// Lines of a packed file.
fn lines(path: &Path) -> anyhow::Result<u64> {
    let lines = BufReader::new(MultiGzDecoder::new(File::open(path)?)).lines();
    Ok(lines.count() as u64)
}

/// Adds a row of the table; gives its MAP.
fn report_run(
    report: &mut BenchReport,
    label: String,
    documents: u64,
    (qrels, run): (&Qrels, &Run),
) -> anyhow::Result<f64> {
    let evaluation = evaluate(qrels, run, &MEASURES)?;
    let mean = |name| evaluation.mean(name).unwrap_or(0.0);
    let figure = |name, value| Figure { name, value, unit: "" };
    let map = mean(MEASURES[0]);
    report.labels.push(label);
    report.series.push(vec![
        figure("documents", documents as f64),
        figure("queries", qrels.queries().len() as f64),
        figure("map", map),
        figure("ndcg_10", mean(MEASURES[1])),
        figure("p_10", mean(MEASURES[2])),
    ]);
    Ok(map)
}

fn peers(
    report: &mut BenchReport,
    name: &str,
    folder: &Path,
    scratch: &Path,
    (qrels, documents): (&Qrels, u64),
) -> anyhow::Result<()> {
    let arguments: [&OsStr; 2] = [folder.as_os_str(), scratch.as_os_str()];
    let printed = script::run("benches/peers/retrieval.py", &arguments)?;
    for peer in script::lines::<RetrievalPeer>(&printed)? {
        let run = Run::parse(&read::whole(&peer.run)?)?;
        report_run(report, format!("{name}, {}", peer.name), documents, (qrels, &run))?;
    }
    Ok(())
}
