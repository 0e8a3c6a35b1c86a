//! `fyke similar` and the site's view of copies, on a site whose pages share most of their words.

use crate::browser::start;
use crate::fixture::{Ran, arg, collection, fyke};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

/// `count` words of their own.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|n| format!("{name}{n} ")).collect()
}

/// The text of a page: 70 % of what every page of the site says, then its own.
fn page(number: usize) -> String {
    format!("{}\n{}\n", words("notice", 140), words(&format!("own{number}x"), 60))
}

/// Pages of one shop, a near copy of the third with hostile words, and the same text elsewhere.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<_> =
        (1..=30).map(|n| (format!("http://shop.test/page/{n:02}"), page(n))).collect();
    let near = page(3).replace("own3x30 ", "<script>alert(1)</script> ");
    pages.push(("http://shop.test/page/03/print".to_owned(), near));
    pages.push(("http://mirror.test/".to_owned(), page(5)));
    pages
}

/// A collection of these pages, in which half in common makes a near copy.
fn shop(reversed: bool) -> tempfile::TempDir {
    let dir = collection("[corpus]\nnear_duplicate = 0.5\n");
    let mut pages = pages();
    if reversed {
        pages.reverse();
    }
    let mut file = String::new();
    for (url, text) in &pages {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{text}");
        file += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: \
             2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    let path = dir.path().join("shop.warc");
    fs::write(&path, file).unwrap();
    in_shop(dir.path(), &["-q", "import", arg(&path)]).ends(0, &[]);
    dir
}

fn in_shop(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

/// Each document's reason.
fn reasons(dir: &Path) -> Vec<String> {
    let reason = |(url, _): &(String, String)| {
        let life = in_shop(dir, &["why", url, "--json"]).ends(0, &[]).json();
        life["reason"].as_str().unwrap().to_owned()
    };
    pages().iter().map(reason).collect()
}

#[test]
fn what_all_pages_of_a_site_say_makes_no_copies_and_hides_none() {
    let (dir, other) = (shop(false), shop(true));
    let found = reasons(dir.path());
    let copies: Vec<&String> = found.iter().filter(|reason| *reason != "kept").collect();
    // The shorter URL of two of the same text stands for both.
    assert_eq!(copies, ["dup.exact", "dup.near"], "{found:?}");
    assert_eq!((&found[4][..], &found[30][..]), ("dup.exact", "dup.near"));
    assert_eq!(reasons(other.path()), found, "the order of captures matters");
}

#[test]
fn similar_finds_copies_and_shows_what_differs() {
    let dir = shop(false);
    let ask = |args: &[&str]| in_shop(dir.path(), &[&["similar"], args].concat());
    let found = ask(&["http://shop.test/page/03", "--json"]).ends(0, &[]).json();
    let best = &found["similar"][0];
    assert_eq!(best["url"], "http://shop.test/page/03/print", "{found}");
    assert!(best["resemblance"].as_f64().unwrap() > 0.8, "{found}");
    assert_eq!(found["similar"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["copy_of"], Value::Null);
    let copy = ask(&["shop.test/page/03/print", "--json"]).ends(0, &[]).json();
    assert_eq!(
        (&copy["copy_of"], &copy["exact"]),
        (&"http://shop.test/page/03".into(), &false.into())
    );
    let shown = ask(&["shop.test/page/03/print", "--diff"]).ends(0, &[]).out;
    assert!(shown.contains("[-own3x30-] {+<script>alert(1)</script>+} own3x31"), "{shown}");
    assert!(shown.contains("… own3x18") && !shown.contains("notice7"), "{shown}");
    ask(&["shop.test/page/20"]).ends(1, &["nothing in the collection resembles it"]);
    ask(&["http://shop.test/never"]).ends(1, &["no document", "fyke why"]);
    ask(&["mailto:x"]).ends(2, &["neither a file nor a URL"]);
}

#[test]
fn similar_compares_files_without_a_collection() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let first = file("a.txt", &words("w", 400));
    let second = file("b c.txt", &words("w", 400).replace("w200 ", "other "));
    let ask = |args: &[&str]| fyke(&[&["similar", arg(&first), arg(&second)], args].concat());
    let found = ask(&["--json"]).ends(0, &[]).json();
    let method = |name: &str| found["methods"][name].clone();
    assert_eq!(method("jaccard")["value"], 395.0 / 401.0);
    assert_eq!(
        (&method("checksum")["value"], &method("checksum")["near"]),
        (&0.0.into(), &false.into())
    );
    for name in ["0-mod-p", "minhash", "sketch", "simhash-384"] {
        let value = method(name)["value"].as_f64().unwrap();
        assert!(value > 0.9 && method(name)["near"] == true, "{name}: {found}");
    }
    assert_eq!(
        ask(&[]).ends(0, &[]).out.lines().count(),
        found["methods"].as_object().unwrap().len()
    );
    assert!(ask(&["--diff"]).ends(0, &[]).out.contains("w199 [-w200-] {+other+} w201"));
    let parts = ask(&["--diff", "--json"]).ends(0, &[]).json();
    assert_eq!(parts["parts"][1], serde_json::json!({"side": "first", "text": "w200"}));
    fyke(&["similar", arg(dir.path()), arg(&first)]).ends(2, &[arg(dir.path())]);
}

#[test]
fn the_site_shows_copies_and_differences_escaped() {
    let dir = shop(false);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(["-C", arg(dir.path()), "serve", "--bind", "127.0.0.1:0"]);
    let (_running, port) = start(&mut command, "stderr", "http://127.0.0.1:");
    let get = |path: &str, status: u16| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    let json = |path: &str| -> Value { serde_json::from_str(&get(path, 200)).unwrap() };
    let copy = json("/api/v1/similar?url=http://shop.test/page/03/print");
    let (key, of) = (copy["key"].as_str().unwrap(), copy["copy_of"].as_str().unwrap());
    assert_eq!(copy["similar"][0]["key"], of, "{copy}");
    assert_eq!(json(&format!("/api/v1/similar?key={key}&limit=1")), copy);
    get("/api/v1/similar?url=http://shop.test/none", 404);
    get("/api/v1/similar", 404);
    let escaped = "<ins>&#60;script&#62;alert(1)&#60;/script&#62;</ins>";
    for path in [format!("/document/{key}"), format!("/similar/{key}/{of}")] {
        let page = get(&path, 200);
        assert!(page.contains("<del>own3x30</del>") && page.contains(escaped), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
    let page = get(&format!("/document/{of}"), 200);
    assert!(page.contains(&format!("copies</dt><dd><a href=\"/document/{key}\"")), "{page}");
    let page = get(&format!("/similar/{of}"), 200);
    assert!(page.contains(&format!("/similar/{of}/{key}")), "{page}");
    get("/similar/none", 404);
}
