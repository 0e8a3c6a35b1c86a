//! `cargo bench-fyke documents`: how much of the text of documents of every format is found, against the
//! text that stands beside them (the collection of the textract project).

use super::report::BenchReport;
use super::{Args, Benchmark, Failure};
use fyke::cli::output;
use fyke_eval::extraction::word_recall;
use fyke_formats::parse;
use fyke_formats::{FORMATS, Source, detect, extension};
use fyke_stages::files;
use fyke_web::{REFINERS, refine_by};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "documents",
    what: "share of the words found in documents of every format, against their known text",
    options: &["data"],
    run,
};

/// What every file named standardized_text says.
const STANDARD: &str = "the quick brown fox jumps over the lazy dog";
/// Files below this are named.
const LOW: f64 = 0.95;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let data = args.data.clone().or_else(|| std::env::var_os("FYKE_DATA").map(PathBuf::from));
    let folder = data.map(|data| data.join("textract")).filter(|folder| folder.is_dir());
    let Some(folder) = folder else {
        let message = "bench documents needs --data DIR (or FYKE_DATA), where textract/ holds \
                       documents with their text beside them";
        return Err(Failure::usage(message).into());
    };
    let mut recalls: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    let mut crashes = 0;
    for path in files::walk(&folder).filter_map(Result::ok) {
        let Some(expected) = expected(&path) else { continue };
        let bytes = files::read(&path)?;
        let name = extension(&path.to_string_lossy());
        let source = Source { bytes: &bytes, content_type: None, extension: &name };
        let format = detect(source.bytes, None, source.extension).map_or("none", |row| row.name);
        let found = catch_unwind(|| text(&path, bytes.clone())).unwrap_or_else(|_| {
            crashes += 1;
            String::new()
        });
        let recall = word_recall(&expected, &found);
        if recall < LOW {
            output::note(false, &format!("{recall:.3}  {}", path.display()));
        }
        recalls.entry(format).or_default().push(recall);
    }
    Ok(report(&recalls, crashes))
}

/// The whole text of a file.
fn text(path: &Path, bytes: Vec<u8>) -> String {
    let whole = REFINERS.iter().find(|row| row.name == "whole").unwrap_or(&REFINERS[0]);
    let capture = files::capture(path, None, bytes);
    refine_by(&capture, &parse(&capture), whole).text
}

/// The text that a document is known to have; none for files that are such a text.
fn expected(path: &Path) -> Option<String> {
    let known = path.with_extension("txt");
    if path == known {
        return None;
    }
    let is_standard = path.file_stem().is_some_and(|stem| stem == "standardized_text");
    let read = || files::read(&known).ok().map(|text| String::from_utf8_lossy(&text).into_owned());
    if is_standard { Some(STANDARD.to_owned()) } else { read() }
}

fn report(recalls: &BTreeMap<&'static str, Vec<f64>>, crashes: u32) -> BenchReport {
    let mut report = BenchReport::default();
    let names = FORMATS.iter().map(|row| row.name).chain(["none"]);
    for name in names {
        let Some(found) = recalls.get(name) else { continue };
        report.add(name, found.iter().sum::<f64>() / found.len() as f64, "recall");
    }
    let mut all: Vec<f64> = recalls.values().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    report.add("files", all.len() as f64, "");
    report.add("median", all.get(all.len() / 2).copied().unwrap_or(0.0), "recall");
    report.add("mean", all.iter().sum::<f64>() / all.len().max(1) as f64, "recall");
    report.add("crashes", f64::from(crashes), "");
    report
}
