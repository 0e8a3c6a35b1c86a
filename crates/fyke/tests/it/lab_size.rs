//! Sizes of engines by the command of a user: two collections, the report, the page, and what is refused.

use crate::client::get;
use crate::fixture::{arg, collection, fyke};
use crate::lab::serve;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Words of letters, so that they may be asked for.
fn word(number: usize) -> String {
    let parts = ["ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu", "ze"];
    format!("{}{}{}", parts[number % 10], parts[number / 10 % 10], parts[number / 3 % 10])
}

/// A collection of every so many-th of 240 pages.
fn pages(every: usize) -> tempfile::TempDir {
    let dir = collection("[corpus]\nnear_duplicate = 1.0\nmin_words = 1\n");
    let mut pages = String::new();
    for at in (0..240).step_by(every) {
        let mut state = at as u64 + 1;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let length = 30 + at % 40;
        let text: Vec<String> = (0..length).map(|_| word(next() % 90)).collect();
        let url = format!("http://h{}.test/{at}", at % 7);
        let page = json!({ "id": at.to_string(), "url": url, "title": "", "text": text.join(" ") });
        writeln!(pages, "{page}").unwrap();
    }
    let docs = dir.path().join("docs.jsonl");
    fs::write(&docs, pages).unwrap();
    fyke(&["-C", arg(dir.path()), "-q", "import", arg(&docs)]).ends(0, &[]);
    dir
}

fn row(report: &Value, method: &str) -> Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["method"] == method).unwrap().clone()
}

#[test]
fn two_collections_are_compared_and_the_page_shows_the_report() {
    let (large, small) = (pages(1), pages(3));
    let size = |more: &[&str]| {
        let command = ["-q", "lab", "size", arg(large.path()), arg(small.path()), "--pages", "60"];
        fyke(&[&command[..], &["--strengths", "5"], more].concat())
    };
    let report = size(&["--json"]).ends(0, &[]).json();
    for (method, truth) in [("overlap", 3.0), ("pool", 3.0), ("pool-a", 240.0), ("pool-b", 80.0)] {
        let row = row(&report, method);
        let value = row["value"].as_f64().unwrap_or_else(|| panic!("{row}"));
        assert!((value / truth - 1.0).abs() < 0.45, "{method}: {row}");
        assert!(row["biases"].as_array().unwrap().len() > 1, "{row}");
    }
    assert!(row(&report, "walk")["reason"].is_string(), "{report}");
    assert_eq!(report["known"], json!([240, 80]));
    assert!(report["shares"][1][0].as_f64().unwrap() > 0.9, "{report}");
    // The same command finds the same again.
    assert_eq!(size(&["--json"]).ends(0, &[]).json()["rows"], report["rows"]);
    let told = size(&[]).ends(0, &[]).out;
    for part in ["overlap-raw", "of A's pages B has", "fyke lab size --list"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let table = told.lines().skip_while(|line| !line.starts_with("method"));
    let widest = table.take_while(|line| !line.is_empty()).map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{told}");
    let (_site, port) = serve(large.path(), &["serve"]);
    let page = get(port, "/lab/size");
    for part in ["<svg", "overlap-raw", "query bias", "Do eight words suffice?"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let api: Value = serde_json::from_str(&get(port, "/api/v1/lab/size")).unwrap();
    assert_eq!(api["rows"], report["rows"]);
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_reason() {
    let dir = pages(3);
    let folder = arg(dir.path());
    let size = |more: &[&str]| fyke(&[&["-C", folder, "-q", "lab", "size"], more].concat());
    let listed = size(&["--list"]).ends(0, &[]).out;
    assert!(listed.contains("overlap-raw") && listed.contains("query bias"), "{listed}");
    size(&[folder]).ends(2, &[]);
    size(&[folder, "no such place"]).ends(2, &["is no folder of a collection"]);
    size(&[folder, "http://127.0.0.1:1/?q={query}", "--items", "x"]).ends(4, &["cannot be asked"]);
    size(&[folder, folder, "--rarer", "0"]).ends(2, &["--rarer"]);
    let words = dir.path().join("words.txt");
    fs::write(&words, "ka\nlo\n").unwrap();
    size(&[folder, folder, "--lexicon", arg(&words)]).ends(2, &["the lexicon has"]);
    size(&[folder, folder, "--lexicon", arg(Path::new("/no/such"))]).ends(1, &["cannot read"]);
}
