//! `fyke import`: archives of others become searchable, once.

use crate::fixture::{arg, collection, fyke};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A WARC file of pages, each a path and its text, and of records that give nothing.
pub fn warc(path: &Path, second: u32, pages: &[(&str, &str)]) {
    let mut file = String::new();
    let mut record = |kind: &str, uri: &str, block: &str| {
        file += &format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: \
             2014-02-16T05:02:{second:02}Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    };
    record("warcinfo", "", "software: x");
    record("response", "dns:a.test", "a.test. 1 IN A 1.2.3.4");
    record("response", "http://a.test/robots.txt", "HTTP/1.1 200 OK\r\n\r\nUser-agent: *");
    record("response", "http://a.test/old", "HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n");
    let respelled = "HTTP/1.1 302 Found\r\nLocation: /salmon\r\n\r\n";
    record("response", "http://a.test/salmon?utm_source=x", respelled);
    record("response", "http://a.test/gone", "HTTP/1.1 404 Gone\r\n\r\nnothing");
    for (page, text) in pages {
        let around =
            "where boats lie at anchor until the wind has turned and the lights go out one by one ";
        let words = "words about tides and turbines in the sea ".repeat(6) + &around.repeat(4);
        let html = format!("<html><title>{text}</title><body><p>{text} {words}</p></body></html>");
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        record("response", &format!("http://a.test/{page}"), &block);
    }
    fs::write(path, file).unwrap();
}

fn import(dir: &Path, args: &[&str]) -> Value {
    fyke(&[&["-C", arg(dir), "-q", "import", "--json"], args].concat()).ends(0, &[]).json()
}

#[test]
fn an_imported_archive_is_searchable_and_explained_and_never_added_twice() {
    let dir = collection("");
    let root = dir.path();
    let file = root.join("x.warc");
    warc(&file, 21, &[("salmon", "salmon leap"), ("herring", "herring swim")]);
    let first = import(root, &[arg(&file)]);
    assert_eq!((&first["added"], &first["made"]["documents"]), (&4.into(), &2.into()), "{first}");
    let skipped = &first["files"][0]["skipped"];
    assert_eq!((&skipped["robots.txt"], &skipped["respelled"]), (&1.into(), &1.into()), "{first}");
    assert_eq!((&skipped["metadata"], &skipped["scheme"]), (&1.into(), &1.into()));
    let hits = fyke(&["-C", arg(root), "search", "salmon", "--json"]).ends(0, &[]).json();
    assert_eq!(hits["hits"][0]["url"], "http://a.test/salmon", "{hits}");
    for (page, reason) in [("salmon", "kept"), ("old", "redirect"), ("gone", "http.4xx")] {
        let why = fyke(&["-C", arg(root), "why", &format!("http://a.test/{page}"), "--json"]);
        assert_eq!(why.ends(0, &[]).json()["reason"], reason, "{page}");
    }
    let again = import(root, &[arg(&file), arg(&file)]);
    assert_eq!(again["added"], 0, "{again}");
    assert_eq!(again["files"][1]["skipped"]["known"], 4, "{again}");
}

#[test]
fn a_newer_capture_replaces_an_older_one_and_not_the_other_way_round() {
    let dir = collection("");
    let root = dir.path();
    let (old, new) = (root.join("old.warc"), root.join("new.warc"));
    warc(&old, 1, &[("fish", "herring swim")]);
    warc(&new, 2, &[("fish", "salmon leap")]);
    let total = |word: &str| {
        let found = fyke(&["-C", arg(root), "search", word, "--json"]).ends(0, &[]).json();
        found["total"].as_u64().unwrap()
    };
    import(root, &[arg(&old)]);
    assert_eq!((total("herring"), total("salmon")), (1, 0));
    assert_eq!(import(root, &[arg(&new)])["added"], 3);
    assert_eq!((total("herring"), total("salmon")), (0, 1));
    let back = import(root, &[arg(&old)]);
    assert_eq!(
        (&back["added"], &back["files"][0]["skipped"]["older"]),
        (&0.into(), &1.into()),
        "{back}"
    );
    assert_eq!((total("herring"), total("salmon")), (0, 1));
}

#[test]
fn without_an_index_the_captures_are_kept_and_a_rebuild_finds_them() {
    let dir = collection("");
    let root = dir.path();
    let file = root.join("x.warc");
    warc(&file, 21, &[("salmon", "salmon leap")]);
    assert_eq!(import(root, &[arg(&file), "--no-index"])["made"], Value::Null);
    fyke(&["-C", arg(root), "search", "salmon", "--json"]).ends(0, &["nothing is indexed"]);
    let made = fyke(&["-C", arg(root), "-q", "rebuild", "--json"]).ends(0, &[]).json();
    assert_eq!((&made["documents"], &made["indexed"]), (&1.into(), &1.into()));
}

#[test]
fn what_cannot_be_imported_is_named() {
    let dir = collection("");
    let root = dir.path();
    let import = |file: &Path| fyke(&["-C", arg(root), "import", arg(file)]);
    import(Path::new("/no/such")).ends(2, &["/no/such: "]);
    import(Path::new("/dev/null")).ends(2, &["no regular file"]);
    let file = root.join("x");
    for bytes in [&b""[..], b"\0\x01\x02", b"\x89PNG"] {
        fs::write(&file, bytes).unwrap();
        let ran = import(&file).ends(1, &["no record"]);
        assert!(ran.out.contains("0 added; skipped: 1 type"), "{ran:?}");
    }
    fs::write(&file, "WARC/1.0\r\nContent-Length: 99999999999\r\n\r\nx").unwrap();
    let ran = import(&file).ends(1, &["no record"]);
    assert!(ran.out.contains("byte 0: too-big: it claims 99999999999 bytes"), "{ran:?}");
}

#[test]
fn folders_mailboxes_and_lines_of_json_become_documents() {
    let dir = collection("[corpus]\nmin_words = 1\n");
    let root = dir.path();
    let folder = root.join("mine");
    fs::create_dir_all(folder.join("deep")).unwrap();
    fs::write(folder.join("deep/notes.md"), "# Herring\n\nThe herring *swims* north.\n").unwrap();
    fs::write(folder.join("table.csv"), "fish,size\nsprat,small\n").unwrap();
    fs::write(folder.join("picture.png"), b"\x89PNG\r\n").unwrap();
    let mail = |name: &str| {
        format!(
            "From a@b.test Mon Mar  4 10:00:00 2024\nFrom: a@b.test\nTo: c@d.test\n\
                 Subject: the {name}\n\nHere is the {name}.\n\n"
        )
    };
    fs::write(folder.join("box.mbox"), mail("salmon") + &mail("sturgeon")).unwrap();
    let line = r#"{"url":"http://a.test/burbot","text":"The burbot sleeps.","title":"Burbot"}"#;
    fs::write(folder.join("pages.jsonl"), line).unwrap();
    let first = import(root, &[arg(&folder)]);
    assert_eq!(first["added"], 5, "{first}");
    for (word, end) in [
        ("herring", "deep/notes.md"),
        ("sprat", "table.csv"),
        ("sturgeon", "box.mbox?message=2"),
        ("burbot", "http://a.test/burbot"),
    ] {
        let hits = fyke(&["-C", arg(root), "search", word, "--json"]).ends(0, &[]).json();
        let url = hits["hits"][0]["url"].as_str().unwrap_or_default().to_owned();
        assert!(url.ends_with(end), "{word}: {hits}");
    }
    assert_eq!(import(root, &[arg(&folder)])["added"], 0);
    let made = fyke(&["-C", arg(root), "-q", "rebuild", "--json"]).ends(0, &[]).json();
    assert_eq!(made["documents"], 5, "{made}");
}

#[test]
fn german_compounds_are_found_by_their_parts() {
    let dir = collection("[corpus]\nmin_words = 5\n");
    let file = dir.path().join("pages.jsonl");
    let rows = [
        (
            "wind",
            "Der Wind weht heute wieder stark über das flache Land an der Küste, der Wind dreht.",
        ),
        ("strom", "Die Energie wird knapp, und mit der Energie müssen wir alle sparsam umgehen."),
        (
            "park",
            "Hier entsteht für die ganze Stadt eine neue Anlage, die Windenergie nutzen soll.",
        ),
        ("en", "This page is about windenergie and nothing else that anybody would look for."),
    ];
    let line = |(id, text): &(&str, &str)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    fs::write(&file, rows.iter().map(line).collect::<String>()).unwrap();
    import(dir.path(), &[arg(&file)]);
    let check = |query: &str, expected: &[&str]| {
        let hits = fyke(&["-C", arg(dir.path()), "search", query, "--json"]).ends(0, &[]).json();
        let urls = hits["hits"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap());
        let names: BTreeSet<&str> = urls.filter_map(|url| url.rsplit(['/', '=']).next()).collect();
        assert_eq!(names, expected.iter().copied().collect(), "{query}: {hits}");
    };
    check("Energie", &["park", "strom"]);
    check("Wind", &["park", "wind"]);
    check("Windenergie", &["en", "park"]);
}

#[test]
fn pipes_and_sockets_in_a_folder_are_passed_over() {
    let dir = collection("");
    let folder = dir.path().join("papers");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("b.txt"), "herring swim in the sea").unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("a.txt")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("c.txt")).unwrap();
    std::os::unix::fs::symlink("a.txt", folder.join("d.txt")).unwrap();
    let imported = import(dir.path(), &[arg(&folder)]);
    assert_eq!(imported["added"], 1, "{imported}");
    assert_eq!(imported["files"].as_array().map(Vec::len), Some(1), "{imported}");
}
