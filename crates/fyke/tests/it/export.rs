//! `fyke export` and `fyke stats corpus`: what was imported comes out again, filtered, counted, the same
//! each time, and other people's tools read it.

use crate::fixture::{Ran, arg, collection, fyke};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SETTINGS: &str = "[collection]\nname = \"tides\"\n[corpus]\nmin_words = 5\n";

/// A page: path, further headers, mark-up.
type Page<'a> = (&'a str, &'a str, String);

fn prose(topic: &str) -> String {
    format!(
        "<p>The {topic} comes in twice a day, and twice a day it goes out again to the sea.</p>\n\
         <p>People who live near the {topic} know its hours better than those of any clock.</p>"
    )
}

fn page(title: &str, head: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>"
    )
}

fn pages() -> Vec<Page<'static>> {
    let by = "<link rel=license href='https://creativecommons.org/licenses/by/4.0/'>";
    let slovene = "<p>Plima pride dvakrat na dan in dvakrat na dan se morje spet umakne od obale.</p>\
                   <p>Ljudje, ki živijo ob morju, poznajo njene ure bolje kakor vsako drugo uro.</p>";
    let hostile = format!(
        "{} <p>&lt;/DOC&gt; &lt;/doc&gt; &amp; \u{1F41F} \"quoted\" 'single' | \\ end of it</p>",
        prose("flood")
    );
    let words: String = (0..220_000).map(|n| format!("word{} ", n % 5_000)).collect();
    vec![
        ("a.test/tides", "", page("Tides", by, &prose("tide"))),
        ("a.test/copy-of-tides", "", page("Tides again", "", &prose("tide"))),
        (
            "b.test/plima",
            "TDM-Reservation: 1\r\n",
            page("Plima", "<meta name=robots content=noai>", slovene),
        ),
        ("a.test/odd", "", page("a &quot;b&quot; &lt;/doc&gt;\u{1b}[31m\n c", "", &hostile)),
        ("c.test/long", "", page("Long", "", &format!("<p>{words}</p>"))),
        ("c.test/thin", "", page("Thin", "", "<p>nothing here</p>")),
    ]
}

/// A collection that holds the pages.
fn tides() -> TempDir {
    let dir = collection(SETTINGS);
    let file = dir.path().join("pages.warc");
    let mut warc = String::new();
    for (second, (url, headers, html)) in pages().into_iter().enumerate() {
        let block = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{headers}\r\n{html}"
        );
        warc += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{url}\r\nWARC-Date: \
             2014-02-16T05:02:{second:02}Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    fs::write(&file, warc).unwrap();
    fyke(&["-C", arg(dir.path()), "-q", "import", arg(&file)]).ends(0, &[]);
    dir
}

fn export(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir), "-q", "export"], args].concat())
}

fn lines(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The paths of documents that a filter lets pass, sorted.
fn passing(dir: &Path, args: &[&str]) -> Vec<String> {
    let ran = export(dir, &[&["jsonl", "--out", "-"], args].concat()).ends(0, &[]);
    let mut urls: Vec<String> = lines(&ran)
        .iter()
        .map(|line| line["url"].as_str().unwrap().trim_start_matches("http://").to_owned())
        .collect();
    urls.sort();
    urls
}

#[test]
fn filters_speak_the_search_language() {
    let dir = tides();
    let check = |args: &[&str], expected: &[&str]| {
        assert_eq!(passing(dir.path(), args), expected, "{args:?}");
    };
    check(&[], &["a.test/odd", "a.test/tides", "b.test/plima", "c.test/long"]);
    check(
        &["--duplicates"],
        &["a.test/copy-of-tides", "a.test/odd", "a.test/tides", "b.test/plima", "c.test/long"],
    );
    check(&["--where", "lang:sl"], &["b.test/plima"]);
    check(&["--where", "site:a.test -flood"], &["a.test/tides"]);
    check(&["--where", "\"twice a day\" type:html"], &["a.test/odd", "a.test/tides"]);
    check(&["--where", "-type:html"], &[]);
    check(&["--where", "date:2024.."], &[]);
    check(&["--where", "nosuchword"], &[]);
    export(dir.path(), &["jsonl", "--where", "date:soon"]).ends(2, &["date:soon is no date"]);
    export(dir.path(), &["parquet", "--gzip"]).ends(2, &["packed already"]);
    export(dir.path(), &["docx"]).ends(2, &["docx"]);
}

#[test]
fn an_export_and_its_card_agree_with_the_ledger() {
    let dir = tides();
    let root = dir.path();
    let card = export(root, &["jsonl", "--json"]).ends(0, &[]).json();
    let folder = root.join("exports/jsonl");
    let file = fs::read_to_string(folder.join("documents.jsonl")).unwrap();
    assert_eq!(card["documents"].as_u64(), Some(file.lines().count() as u64));
    assert_eq!(card["bytes"].as_u64(), Some(file.len() as u64));
    let stats = fyke(&["-C", arg(root), "stats", "--json"]).ends(0, &[]).json();
    assert_eq!((&card["funnel"], &card["urls"]), (&stats["reasons"], &stats["urls"]));
    assert_eq!(card["funnel"]["kept"], card["documents"]);
    let names = |list: &str| -> Vec<String> {
        let rows = card[list].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("licences"), ["CC BY 4.0"]);
    assert_eq!(names("opt_outs"), ["noai", "tdm-reservation"]);
    assert_eq!(names("hosts"), ["a.test", "b.test", "c.test"]);
    assert_eq!(card["captured"][1], "2014-02-16T05:02:04.000Z");
    assert!(card["laws"]["heaps"]["beta"].is_number() && card["laws"]["zipf"]["c"].is_number());
    let stored: Value =
        serde_json::from_slice(&fs::read(folder.join("card.json")).unwrap()).unwrap();
    assert_eq!(stored, card);
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    for part in
        ["# tides", "CC BY 4.0", card["sha1"].as_str().unwrap(), "dup.exact", "every URL seen"]
    {
        assert!(readme.contains(part), "no {part} in\n{readme}");
    }
    let sum = Command::new("sha1sum").arg(folder.join("documents.jsonl")).output().unwrap();
    assert!(String::from_utf8(sum.stdout).unwrap().starts_with(card["sha1"].as_str().unwrap()));
    assert!(!root.join("exports/jsonl/documents.jsonl.part").exists());
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn the_same_collection_exports_the_same_bytes() {
    let dir = tides();
    let root = dir.path();
    let all = || {
        ["jsonl", "parquet", "text", "trec", "warc"].map(|format| {
            export(root, &[format]).ends(0, &[]);
            files(&root.join("exports").join(format))
        })
    };
    let first = all();
    assert!(first.iter().all(|files| files.len() == 3), "documents, README.md, card.json");
    fs::remove_dir_all(root.join("exports")).unwrap();
    fyke(&["-C", arg(root), "-q", "rebuild"]).ends(0, &[]);
    assert!(all() == first, "an export after a rebuild differs");
    export(root, &["text", "--gzip"]).ends(0, &[]);
    let packed = root.join("exports/text/documents.txt.gz");
    let packed = Command::new("gzip").arg("-dc").arg(packed).output().unwrap().stdout;
    assert_eq!(packed, fs::read(root.join("exports/text/documents.txt")).unwrap());
}

#[test]
fn warc_and_trec_exports_are_imported_again() {
    let dir = tides();
    let whole = export(dir.path(), &["jsonl", "--out", "-"]).ends(0, &[]);
    for format in ["warc", "trec"] {
        let file = dir.path().join(format!("again.{format}"));
        export(dir.path(), &[format, "--out", arg(&file)]).ends(0, &[]);
        assert!(dir.path().join(format!("again.{format}.card.json")).exists());
        let again = collection(SETTINGS);
        fyke(&["-C", arg(again.path()), "-q", "import", arg(&file)]).ends(0, &[]);
        let out = export(again.path(), &["jsonl", "--out", "-"]).ends(0, &[]);
        if format == "warc" {
            assert_eq!(out.out, whole.out);
            continue;
        }
        for (before, after) in lines(&whole).iter().zip(lines(&out)) {
            for key in ["url", "text", "language", "words", "checksum"] {
                assert_eq!(before[key], after[key], "{key} of {}", before["url"]);
            }
        }
        assert_eq!(lines(&whole).len(), lines(&out).len());
    }
}

#[test]
fn pyarrow_polars_duckdb_and_warcio_read_the_same_values() {
    let tools = std::env::var("FYKE_TEST_PYTHONPATH")
        .expect("this test needs pyarrow, polars and duckdb: run the tests with cargo xtask test");
    let dir = tides();
    let root = dir.path();
    for (format, extension) in [("jsonl", "jsonl"), ("parquet", "parquet"), ("warc", "warc.gz")] {
        let out = root.join(format!("documents.{extension}"));
        export(root, &[format, "--duplicates", "--out", arg(&out)]).ends(0, &[]);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/export.py");
    let ran = Command::new("python3").arg(script).arg(root).env("PYTHONPATH", tools).output();
    let ran = ran.expect("python3 runs");
    let (said, trouble) =
        (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}\n{trouble}");
    assert_eq!(said.trim(), "5 rows read alike by pyarrow, polars, duckdb, warcio", "{trouble}");
}

#[test]
fn stats_tell_of_words_languages_and_laws() {
    let dir = tides();
    let root = arg(dir.path());
    let corpus = fyke(&["-C", root, "stats", "corpus", "--json"]).ends(0, &[]).json();
    assert_eq!((&corpus["documents"], &corpus["kept"]), (&6.into(), &4.into()), "{corpus}");
    assert_eq!((&corpus["exact_copies"], &corpus["thin"]), (&1.into(), &1.into()));
    assert_eq!(corpus["media_types"][0]["name"], "text/html");
    assert!(corpus["vocabulary"]["size"].as_u64() > Some(5_000));
    let told = fyke(&["-C", root, "stats", "corpus"]).ends(0, &[]).out;
    for part in ["distinct words", "in sl", "licence CC BY 4.0", "opt-out noai", "Heaps: v = "] {
        assert!(told.contains(part), "no {part} in\n{told}");
    }
}
