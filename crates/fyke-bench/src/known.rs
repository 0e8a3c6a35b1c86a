//! `cargo bench-fyke known`: known-item queries on real documentation. The pages of Debian's -doc packages become
//! a collection by the commands that anybody would use, and every query of `data/known.tsv` is asked; beside
//! it BM25 over title and text of the same documents. Lines in turn are for choosing weights and for reporting.

use super::report::{BenchReport, Figure};
use super::{Args, Benchmark, commands};
use anyhow::Context as _;
use fyke_eval::Run;
use fyke_store::Collection;
use fyke_web::charset;
use serde_json::json;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "known",
    what: "known-item queries on real documentation: MRR beside BM25 (data: x/PACKAGE-doc)",
    options: &["data"],
    run,
};

const QUERIES: &str = include_str!("../data/known.tsv");

/// Answers that are looked at.
const DEPTH: usize = 50;

/// The standard ranker, and others that lack one part of it.
const RANKERS: [(&str, &str); 3] = [
    ("fyke", ""),
    ("without feedback", "feedback=0"),
    ("without whole names", "whole-name=0 whole-section=0 title-coverage=0"),
];

/// A query with the pages that answer it.
struct KnownItem {
    query: &'static str,
    package: &'static str,
    pages: Vec<&'static str>,
}

impl KnownItem {
    /// Whether a document is one of the pages.
    fn is_answer(&self, name: &str) -> bool {
        let path = name.strip_prefix(self.package).and_then(|rest| rest.strip_prefix('/'));
        let is_page = |path: &str, page: &str| {
            path.strip_suffix(page).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        path.is_some_and(|path| self.pages.iter().any(|page| is_page(path, page)))
    }

    /// One over the rank of the first answer.
    fn reciprocal<'a>(&self, found: impl Iterator<Item = &'a str>) -> f64 {
        let mut ranks = (1..=DEPTH).zip(found).filter(|(_, name)| self.is_answer(name));
        ranks.next().map_or(0.0, |(rank, _)| 1.0 / rank as f64)
    }

    /// Whether an option of a command is in it.
    fn has_flag(&self) -> bool {
        self.query.split_whitespace().any(|word| word.starts_with('-'))
    }
}

fn items() -> Vec<KnownItem> {
    let lines = QUERIES.lines().filter(|line| !line.starts_with('#'));
    let items = lines.filter_map(|line| {
        let mut parts = line.split('\t');
        let (query, package) = (parts.next()?, parts.next()?);
        Some(KnownItem { query, package, pages: parts.collect() })
    });
    items.collect()
}

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let home = super::data(args)?;
    let home = [home.join("x"), home].into_iter().find(|home| home.is_dir()).context("no data")?;
    let scratch = tempfile::tempdir()?;
    let mut items = items();
    items.retain(|item| home.join(item.package).is_dir());
    anyhow::ensure!(!items.is_empty(), "{} holds none of the packages", home.display());
    let pages = scratch.path().join("pages.jsonl");
    let count = write_pages(&home, &items, &pages)?;
    let collection = commands::import(scratch.path(), &pages)?;
    let mut report = BenchReport::default();
    report.add("pages", count as f64, "");
    report.add("queries", items.len() as f64, "");
    for (label, ranker) in RANKERS {
        let run = ask(scratch.path(), &collection, &items, ranker)?;
        let rank = |(at, item): (usize, &KnownItem)| {
            item.reciprocal(run.answers(&at.to_string()).map(|(name, _)| name))
        };
        let ranks: Vec<f64> = items.iter().enumerate().map(rank).collect();
        add(&mut report, label, &items, &ranks);
        if ranker.is_empty() {
            report.add("mrr", held_out(&ranks), "on the lines for reporting");
        }
    }
    let ranks = bm25(&collection, &items)?;
    add(&mut report, "BM25", &items, &ranks);
    report.add("mrr_bm25", held_out(&ranks), "on the lines for reporting");
    Ok(report)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn held_out(ranks: &[f64]) -> f64 {
    mean(ranks.iter().copied().skip(1).step_by(2))
}

fn add(report: &mut BenchReport, label: &str, items: &[KnownItem], ranks: &[f64]) {
    let figure = |name, value| Figure { name, value, unit: "" };
    let with_flag = items.iter().zip(ranks).filter(|(item, _)| item.has_flag());
    let first = ranks.iter().filter(|rank| **rank == 1.0).count() as f64 / ranks.len() as f64;
    report.labels.push(label.to_owned());
    report.series.push(vec![
        figure("choosing", mean(ranks.iter().copied().step_by(2))),
        figure("reporting", held_out(ranks)),
        figure("all", mean(ranks.iter().copied())),
        figure("first", first),
        figure("with options", mean(with_flag.map(|(_, rank)| *rank))),
    ]);
}

/// Writes the pages of the packages as lines of JSON; says how many there are.
fn write_pages(home: &Path, items: &[KnownItem], to: &Path) -> anyhow::Result<usize> {
    let mut packages: Vec<&str> = items.iter().map(|item| item.package).collect();
    packages.sort_unstable();
    packages.dedup();
    let (mut out, mut count) = (BufWriter::new(File::create(to)?), 0);
    for package in packages {
        let folder = home.join(package);
        for path in html_files(&folder)? {
            let name = path.strip_prefix(&folder)?.to_string_lossy().into_owned();
            let html = charset::decode(&std::fs::read(&path)?, None);
            let url = format!("http://{package}.test/{name}");
            let line = json!({ "id": format!("{package}/{name}"), "url": url, "html": html });
            writeln!(out, "{line}")?;
            count += 1;
        }
    }
    out.flush()?;
    Ok(count)
}

/// The pages of a folder, in order of their names; links to files are second names of pages.
fn html_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let (kind, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
            let is_html = path.extension().is_some_and(|end| end == "html" || end == "htm");
            match kind? {
                kind if kind.is_dir() => folders.push(path),
                kind if kind.is_file() && is_html => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Asks every query as somebody would type it.
fn ask(
    scratch: &Path,
    collection: &Path,
    items: &[KnownItem],
    ranker: &str,
) -> anyhow::Result<Run> {
    let topics = scratch.join("topics.tsv");
    let lines = items.iter().enumerate().map(|(at, item)| format!("{at}\t{}\n", item.query));
    std::fs::write(&topics, lines.collect::<String>())?;
    commands::run(collection, &topics, &["--syntax", "--depth", "50", "--ranker", ranker])
}

/// BM25 over title and text, with stop words left out and words stemmed as English ones.
fn bm25(collection: &Path, items: &[KnownItem]) -> anyhow::Result<Vec<f64>> {
    const K1: f64 = 1.2;
    const B: f64 = 0.75;
    let view = Collection::reader(collection)?.view();
    let (mut names, mut lengths) = (Vec::new(), Vec::new());
    let mut lists: HashMap<String, HashMap<usize, f64>> = HashMap::new();
    for document in view.documents.all() {
        let document = document?;
        let text = format!("{}\n{}", document.title, document.text);
        let stems = stems(&text);
        for stem in &stems {
            *lists.entry(stem.clone()).or_default().entry(names.len()).or_default() += 1.0;
        }
        lengths.push(stems.len() as f64);
        names.push(document.docno);
    }
    let average = mean(lengths.iter().copied());
    let ranks = items.iter().map(|item| {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for list in stems(item.query).iter().filter_map(|stem| lists.get(stem)) {
            let (all, found) = (names.len() as f64, list.len() as f64);
            let idf = (1.0 + (all - found + 0.5) / (found + 0.5)).ln();
            for (document, count) in list {
                let norm = K1 * (1.0 - B + B * lengths[*document] / average);
                *scores.entry(*document).or_default() += idf * count * (K1 + 1.0) / (count + norm);
            }
        }
        let mut best: Vec<(usize, f64)> = scores.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        item.reciprocal(best.iter().map(|(document, _)| names[*document].as_str()))
    });
    Ok(ranks.collect())
}

fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    fyke_text::each_form(text, |form| {
        if !fyke_text::is_stop("en", form) {
            stems.push(fyke_text::stem("en", form).into_owned());
        }
    });
    stems
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_many_queries_each_once_with_its_pages() {
        let items = items();
        let distinct: HashSet<_> = items.iter().map(|item| item.query).collect();
        assert!(items.len() >= 80 && distinct.len() == items.len());
        assert!(items.iter().all(|item| !item.pages.is_empty()));
    }

    #[test]
    fn a_page_answers_by_the_end_of_its_path() {
        let item = KnownItem { query: "x", package: "a-doc", pages: vec!["b/c.html"] };
        assert!(item.is_answer("a-doc/usr/b/c.html") && item.is_answer("a-doc/b/c.html"));
        assert!(!item.is_answer("a-doc/bb/c.html") && !item.is_answer("b-doc/b/c.html"));
        assert_eq!(item.reciprocal(["y", "a-doc/b/c.html"].into_iter()), 0.5);
        assert_eq!(item.reciprocal(std::iter::empty()), 0.0);
    }
}
