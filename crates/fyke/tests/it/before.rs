//! A collection that the version before wrote opens, tells its rows as they were told then, and goes on.
//!
//! `tests/data/before/` was crawled from the pond of seed 7 by the last version whose rows held a sitemap and
//! the way off the subject in words alone: a run without a subject, one with, and one with a smaller budget
//! for a host and no way off the subject. Documents and index are left out; they are made again. In
//! `before.rows` stands what that version's own `fyke why` said: URL, reason, depth, and its words; kind and
//! pages off the subject stand in those words.

use crate::fixture::{Ran, arg, fyke};
use crate::pond::Served;
use fyke_pond::Hazards;
use fyke_store::{Collection, Reason, Row, RowKind};
use fyke_web::Url;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

/// A copy of the collection.
fn before() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&data("before"), dir.path());
    dir
}

fn told(row: &Row) -> String {
    let Row { url, reason, kind, depth, detail, .. } = row;
    let off = row.off_subject.map_or("-".to_owned(), |pages| pages.to_string());
    format!("{url}\t{}\t{}\t{depth}\t{off}\t{detail}", reason.name(), kind.name())
}

/// The rows as they are told, in the order of their URLs.
fn rows(collection: &Collection) -> Vec<String> {
    let rows = collection.ledger.rows().map(Result::unwrap);
    let mut rows: Vec<String> = rows.map(|(_, row)| told(&row)).collect();
    rows.sort();
    rows
}

fn golden() -> Vec<String> {
    fs::read_to_string(data("before.rows")).unwrap().lines().map(str::to_owned).collect()
}

fn run(dir: &TempDir, args: &[&str]) -> Ran {
    fyke(&[&["-q", "-C", arg(dir.path())], args].concat())
}

#[test]
fn every_row_of_the_version_before_reads_as_it_did() {
    let dir = before();
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(rows(&collection), golden());
    assert_eq!(collection.ledger.damage(), [""; 0]);
    // And as it stood before: the sitemap waited as a sitemap.
    let sitemap = Url::parse("http://sitemap.test/sitemap-index.xml").unwrap();
    let history = collection.ledger.history(sitemap.id(), 9).unwrap();
    let history: Vec<_> = history.iter().map(|row| (row.reason, row.kind)).collect();
    let expected = [Reason::Type, Reason::Queued].map(|reason| (reason, RowKind::Sitemap));
    assert_eq!(history, expected);
}

#[test]
fn a_collection_of_the_version_before_is_told_and_rebuilt() {
    let dir = before();
    let why = run(&dir, &["why", "http://marine.test/", "--json"]).ends(0, &[]).json();
    assert_eq!((&why["reason"], &why["kind"]), (&"kept".into(), &"page".into()), "{why}");
    assert_eq!(why["listed"]["modified"], "2024-01-01", "{why}");
    let stats = run(&dir, &["stats", "--json"]).ends(0, &[]).json();
    assert_eq!(stats["urls"], golden().len(), "{stats}");
    assert_eq!(stats["reasons"]["scope.subject"], 59, "{stats}");
    run(&dir, &["rebuild"]).ends(0, &[]);
    let corpus = run(&dir, &["stats", "corpus", "--json"]).ends(0, &[]).json();
    // What is off the subject is a document as well, and not searched.
    assert_eq!((&corpus["documents"], &corpus["kept"]), (&59.into(), &17.into()), "{corpus}");
    let found = run(&dir, &["search", "tidal", "--json"]).ends(0, &[]).json();
    assert!(found["total"].as_u64() > Some(0), "{found}");
    assert_eq!(rows(&Collection::open(dir.path()).unwrap()), golden(), "a rebuild changes no row");
}

#[test]
fn a_crawl_of_the_version_before_goes_on() {
    let served = Served::with(Hazards::default());
    let dir = before();
    let toml = fs::read_to_string(dir.path().join("fyke.toml")).unwrap();
    let lines = toml.lines().map(|line| match line.starts_with("hosts = ") {
        true => served.hosts(),
        false => line.to_owned(),
    });
    fs::write(dir.path().join("fyke.toml"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let only_new = ["crawl", "--pages", "8", "--json", "--set", "revisit.policy=off"];
    let ran = run(&dir, &only_new).ends(3, &[]);
    assert_eq!(ran.json()["pages_fetched"], 8, "{ran:?}");
    let sum = served.stats().sum;
    assert_eq!((sum.unique_pages, sum.politeness_violations), (8, 0), "{sum:?}");
    let collection = Collection::open(dir.path()).unwrap();
    let rows: Vec<Row> = collection.ledger.rows().map(|row| row.unwrap().1).collect();
    let visited = rows.iter().filter(|row| row.visited == 1 && row.changed == 1).count();
    assert!(visited >= 8, "{visited} rows know of a visit");
    // What was neither asked for nor mended stands as it stood.
    let told: Vec<String> = rows.iter().map(told).collect();
    let kept = golden().into_iter().filter(|row| row.contains("\tkept\t"));
    let lost: Vec<String> = kept.filter(|row| !told.contains(row)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
    let maps = rows.iter().filter(|row| row.kind == RowKind::Sitemap).count();
    assert!(maps >= 6, "{maps} sitemaps");
    drop(collection);
    // Its pages are due long since; those that know of no visit as well.
    let again = ["crawl", "--pages", "20", "--json", "--set", "revisit.latest=1h"];
    let ran = run(&dir, &again);
    assert!(ran.json()["again"].as_u64() >= Some(10), "{ran:?}");
    assert_eq!(served.stats().sum.politeness_violations, 0);
}
