//! A tour of the pond, then every command on the collection it made.

use crate::fixture::{Ran, arg, fyke};
use serde_json::Value;
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// The tour's scorecard and its collection; one test at a time may hold the collection.
struct Tour {
    card: Value,
    dir: TempDir,
}

static TOUR: LazyLock<Mutex<Tour>> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("pond");
    let ran = fyke(&["demo", "--no-serve", "--json", "-q", "--dir", arg(&folder)]).ends(0, &[]);
    Mutex::new(Tour { card: ran.json(), dir })
});

fn tour() -> MutexGuard<'static, Tour> {
    TOUR.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tour {
    fn fyke(&self, args: &[&str]) -> Ran {
        let folder = self.dir.path().join("pond");
        let mut all = vec!["-C", arg(&folder)];
        all.extend(args);
        fyke(&all)
    }
}

#[test]
fn the_tour_keeps_within_the_gates() {
    let tour = tour();
    let card = &tour.card;
    let number = |key: &str| card[key].as_f64().unwrap_or_else(|| panic!("no {key}: {card}"));
    let gates = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
    let gates: toml::Table = std::fs::read_to_string(gates).unwrap().parse().unwrap();
    let gate = |kind: &str| -> Vec<(String, f64)> {
        let table = gates["demo"][kind].as_table().unwrap();
        let limit = |v: &toml::Value| v.as_float().or(v.as_integer().map(|n| n as f64)).unwrap();
        table.iter().map(|(key, value)| (key.clone(), limit(value))).collect()
    };
    let (least, most) = (gate("least"), gate("most"));
    assert!(least.len() >= 5 && most.len() >= 5, "the gates are gone");
    for (key, limit) in least {
        assert!(number(&key) >= limit, "{key} fell below {limit}: {card}");
    }
    for (key, limit) in most {
        assert!(number(&key) <= limit, "{key} rose above {limit}: {card}");
    }
    assert!(number("pages_fetched") <= number("budget_pages"));
    for key in ["pages_unique", "relevant_total", "twins_total", "languages_total"] {
        assert!(number(key) > 0.0, "{key}: {card}");
    }
    assert!(number("seconds") > 0.0 && number("peak_rss_bytes") > 0.0, "{card}");
}

#[test]
fn the_most_frequent_phrases_come_first() {
    let phrases = tour().fyke(&["stats", "phrases", "--json"]).ends(0, &[]).json();
    let rows = phrases["top"].as_array().unwrap();
    let counts: Vec<u64> = rows.iter().filter_map(|row| row[1].as_u64()).collect();
    assert!(counts.len() > 10 && counts.is_sorted_by(|a, b| a >= b), "{phrases}");
    assert!(rows.iter().all(|row| row[0].as_str().is_some_and(|phrase| phrase.contains(' '))));
}

#[test]
fn every_url_has_one_reason_and_the_sums_agree() {
    let tour = tour();
    let stats = tour.fyke(&["stats", "--json"]).ends(0, &[]).json();
    let reasons = stats["reasons"].as_object().unwrap();
    let sum: u64 = reasons.values().filter_map(Value::as_u64).sum();
    assert_eq!(stats["urls"].as_u64(), Some(sum));
    let corpus = tour.fyke(&["stats", "corpus", "--json"]).ends(0, &[]).json();
    let of = |reason: &str| reasons.get(reason).and_then(Value::as_u64).unwrap_or(0);
    // Error pages are documents; the two made-up paths that tell them are none.
    let errors = of("soft404").saturating_sub(2);
    assert_eq!(errors, 3, "{stats}");
    let documents = of("kept") + of("dup.exact") + of("dup.near") + of("thin") + errors;
    assert_eq!(corpus["documents"].as_u64(), Some(documents));
    assert_eq!(corpus["exact_copies"].as_u64(), Some(of("dup.exact")));
    let hosts = tour.fyke(&["stats", "hosts", "--json"]).ends(0, &[]).json();
    assert!(hosts.as_array().unwrap().len() > 20);
}

#[test]
fn why_tells_the_life_of_urls_of_many_reasons() {
    let tour = tour();
    let why = |url: &str| tour.fyke(&["why", url, "--json"]).ends(0, &[]).json();
    let apology = why("http://soft404.test/moved/old-1");
    assert_eq!(apology["reason"], "soft404", "{apology}");
    let made_up = apology["document"]["same_as_missing"].as_str().unwrap_or_default();
    assert!(made_up.starts_with("http://soft404.test/"), "{apology}");
    assert_eq!(why("http://soft404.test/desk/3")["reason"], "kept");
    let seed = why("http://directory.test/");
    assert_eq!((&seed["reason"], &seed["depth"]), (&"kept".into(), &0.into()));
    assert_eq!(seed["found_through"], serde_json::json!([]));
    assert_eq!((&seed["status"], &seed["indexed"]), (&200.into(), &true.into()));
    assert!(seed["capture"]["file"].as_str().unwrap().ends_with(".warc.gz"));
    let home = why("http://robots-groups.test/");
    let chain = home["found_through"].as_array().unwrap();
    assert_eq!(chain.last(), Some(&"http://directory.test/".into()), "{home}");
    let text = tour.fyke(&["why", "directory.test"]).ends(0, &[]).out;
    assert!(text.contains("it is a seed") && text.contains("searchable"), "{text}");
}

#[test]
fn why_of_an_unknown_url_says_whether_the_scope_would_admit_it() {
    let tour = tour();
    let inside = tour.fyke(&["why", "http://directory.test/never/seen"]).ends(1, &[]).out;
    assert!(inside.contains("was never seen") && inside.contains("would admit it"), "{inside}");
    assert!(inside.contains("nearest known URL on this host: http://directory.test/"), "{inside}");
    let outside = tour.fyke(&["why", "http://example.org/"]).ends(1, &[]).out;
    assert!(outside.contains("would not admit it: scope.host"), "{outside}");
}

#[test]
fn search_ranks_and_marks_and_understands_site() {
    let tour = tour();
    let found = tour.fyke(&["search", "tidal turbine", "--json"]).ends(0, &[]).json();
    assert!(found["total"].as_u64() > Some(0), "{found}");
    let apart = tour.fyke(&["search", "tidal", "turbine", "--json"]).ends(0, &[]).json();
    assert_eq!(apart["total"], found["total"]);
    let without = tour.fyke(&["search", "--json", "--", "tidal", "-turbine"]).ends(0, &[]).json();
    assert!(without["total"].as_u64() < found["total"].as_u64(), "{without}");
    let marked = found["hits"][0]["snippet"].as_array().unwrap();
    assert!(marked.iter().any(|fragment| fragment["marked"] == true), "{found}");
    let site = tour.fyke(&["search", "tidal", "--site", "wiki.test", "--json"]).ends(0, &[]).json();
    let hits = site["hits"].as_array().unwrap();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit["host"] == "wiki.test"), "{site}");
    let explained = tour.fyke(&["search", "tidal", "--explain", "-n", "1"]).ends(0, &[]).out;
    assert!(explained.contains(" = "), "{explained}");
}

#[test]
fn a_rebuild_gives_the_same_documents_and_the_same_results() {
    let tour = tour();
    let (from, copy) = (tour.dir.path().join("pond"), tour.dir.path().join("copy"));
    copy_folder(&from, &copy);
    let before = holdings(&copy);
    for derived in ["documents", "columns", "index"] {
        let _ = std::fs::remove_dir_all(copy.join(derived));
    }
    let made = fyke(&["-C", arg(&copy), "-q", "rebuild", "--json"]).ends(0, &[]).json();
    assert_eq!(made["documents"], tour.card["documents"]);
    assert_eq!(made["indexed"], tour.card["indexed"]);
    let after = holdings(&copy);
    assert_eq!(before.0.len(), after.0.len());
    assert!(before.0.iter().zip(&after.0).all(|(a, b)| a == b), "a document differs");
    assert_eq!(before.1, after.1);
}

/// All documents, and the answers to some queries without their times.
fn holdings(dir: &Path) -> (Vec<fyke_web::Document>, Vec<Value>) {
    let collection = fyke_store::Collection::open(dir).unwrap();
    let documents = collection.documents.all().collect::<Result<Vec<_>, _>>().unwrap();
    drop(collection);
    let answer = |query: &&str| {
        let mut json = fyke(&["-C", arg(dir), "search", query, "--json"]).ends(0, &[]).json();
        json.as_object_mut().unwrap().remove("micros");
        json
    };
    let answers = ["tidal turbine", "\"sourdough bread\"", "bee -honey"].iter().map(answer);
    (documents, answers.collect())
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy_folder(&path, &target),
            false => drop(std::fs::copy(path, target).unwrap()),
        }
    }
}
