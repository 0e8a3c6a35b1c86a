//! `fyke sim` on small universities made here, and on a collection.

use crate::fixture::{Ran, arg, collection, fyke};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// A department with courses and with people who have papers, a page a line.
fn department(host: &str, size: usize) -> String {
    let page = |path: &str, class: &str, html: String| {
        let url = format!("http://{host}/{path}");
        json!({ "url": url, "class": class, "headers": "HTTP/1.0 200 OK", "html": html })
            .to_string()
    };
    let list = |one: &dyn Fn(usize) -> String| (0..size).map(one).collect::<String>();
    let courses = list(&|n| format!("<li><a href=/course/{n}.html>Course {n}</a>"));
    let people = list(&|n| format!("<li><a href=/people/{n}/>Publications of person {n}</a>"));
    let mut lines = vec![page("", "department", format!("<ul>{courses}{people}</ul>"))];
    for n in 0..size {
        let notes = list(&|m| format!("<a href=/course/{n}-{m}.html>Homework {m}</a> "));
        lines.push(page(&format!("course/{n}.html"), "course", notes));
        let papers = list(&|m| format!("<li><a href=paper{m}.ps.Z>Paper {m}</a>, PostScript"));
        lines.push(page(&format!("people/{n}/"), "staff", format!("<h2>Papers</h2>{papers}")));
    }
    lines.join("\n")
}

fn write(dir: &Path, name: &str, lines: &str) {
    let file = std::fs::File::create(dir.join(name)).unwrap();
    let mut file = GzEncoder::new(file, Compression::fast());
    file.write_all(lines.as_bytes()).unwrap();
    file.finish().unwrap();
}

fn universities() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "eel.jsonl.gz", &department("cs.eel.edu", 6));
    write(dir.path(), "tench.jsonl.gz", &department("cs.tench.edu", 8));
    let no_site = format!("{}\n{}", department("cs.a.edu", 1), department("cs.b.edu", 1));
    write(dir.path(), "misc.jsonl.gz", &no_site);
    dir
}

fn needed(result: &Value, guide: &str, share: &str) -> f64 {
    let guides = result["guides"].as_array().unwrap();
    let row = guides.iter().find(|row| row["guide"] == guide).unwrap();
    row["needed"][share].as_f64().unwrap()
}

#[test]
fn a_spider_that_learned_at_one_university_finds_papers_at_another() {
    let dir = universities();
    let svg = dir.path().join("curves.svg");
    let args = ["-q", "--json", "sim", "--data", arg(dir.path()), "--svg", arg(&svg)];
    let result = fyke(&args).ends(0, &[]).json();
    let names: Vec<_> =
        result["recordings"].as_array().unwrap().iter().map(|r| &r["name"]).collect();
    assert_eq!(names, ["eel", "tench"]);
    assert_eq!(result["recordings"][0]["targets"], 36);
    let breadth_first = needed(&result, "breadth-first", "75");
    assert!(needed(&result, "future-plain", "75") < 0.7 * breadth_first);
    assert!(needed(&result, "future", "75") < 0.7 * breadth_first);
    assert!(std::fs::read_to_string(svg).unwrap().contains("breadth-first"));
}

#[test]
fn the_table_has_a_row_for_each_guide_that_was_asked_for() {
    let dir = universities();
    let both = ["--guide", "future", "--guide", "breadth-first"];
    let ran = fyke(&[&["-q", "sim", "--data", arg(dir.path())], &both[..]].concat()).ends(0, &[]);
    let rows: Vec<_> = ran.out.lines().map(|line| line.split_whitespace().next()).collect();
    let expected = ["recording", "eel", "tench", "", "links", "guide", "future", "breadth-first"];
    assert_eq!(rows.iter().map(|word| word.unwrap_or_default()).collect::<Vec<_>>(), expected);
}

#[test]
fn what_cannot_be_replayed_is_refused_with_advice() {
    let dir = universities();
    let sim = |args: &[&str]| fyke(&[&["-q", "sim", "--data", arg(dir.path())], args].concat());
    sim(&["--guide", "futur"]).ends(2, &["did you mean \"future\"?"]);
    let empty = tempfile::tempdir().unwrap();
    fyke(&["sim", "--data", arg(empty.path())]).ends(1, &["no file *.jsonl.gz"]);
    write(empty.path(), "bad.jsonl.gz", "{\"url\": 1}");
    fyke(&["sim", "--data", arg(empty.path())]).ends(1, &["cannot read", "bad.jsonl.gz"]);
}

#[test]
fn what_was_learned_can_be_kept_and_says_from_what() {
    let dir = universities();
    let model = dir.path().join("papers.model");
    let sim = |args: &[&str]| {
        let always = ["-q", "--json", "sim", "--data", arg(dir.path()), "--guide", "breadth-first"];
        fyke(&[&always, args].concat())
    };
    sim(&["--save", arg(&model)]).ends(0, &[]);
    let result = sim(&["--model", arg(&model)]).ends(0, &[]).json();
    let what = result["guides"][1]["what"].as_str().unwrap();
    assert!(what.contains("eel (") && what.contains("tench ("), "{what}");
    assert!(needed(&result, "model", "75") < 0.7 * needed(&result, "breadth-first", "75"));
    std::fs::write(&model, "no model").unwrap();
    sim(&["--model", arg(&model)]).ends(2, &["not a model"]);
}

/// A collection with a seed, two pages and two documents that they lead to.
fn pages() -> tempfile::TempDir {
    let dir = collection("[seeds]\nurls = [\"http://a.test/\"]\n");
    let web = [
        ("http://a.test/", "<a href=/news>news</a> <a href=/moved>eels</a> <a href=/gone>gone</a>"),
        ("http://a.test/news", "<a href=/news/1>first</a>"),
        ("http://a.test/eels", "<a href=/eels/long.pdf>long eels</a>"),
        ("http://a.test/eels/long.pdf", "<p>The electric eel is long."),
        ("http://a.test/news/1", "<p>Nothing new."),
    ];
    let mut file = warc("http://a.test/moved", "HTTP/1.1 301 Moved\r\nLocation: /eels\r\n\r\n");
    for (url, html) in web {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        file += &warc(url, &format!("{head}{html}"));
    }
    let path = dir.path().join("web.warc");
    std::fs::write(&path, file).unwrap();
    inside(dir.path(), &["-q", "import", arg(&path)]).ends(0, &[]);
    dir
}

fn warc(url: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: \
         2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn inside(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

#[test]
fn a_collection_is_a_closed_web_of_what_it_captured() {
    let dir = pages();
    let check = |args: &[&str], wanted: u64| {
        let args = [&["-q", "--json", "sim", "--guide", "breadth-first"], args].concat();
        let result = inside(dir.path(), &args).ends(0, &[]).json();
        assert_eq!(result["recordings"][0]["targets"], wanted, "{args:?}");
        let reached = &result["guides"][0]["recordings"][0];
        assert_eq!((&reached["followed"], &reached["found"]), (&json!(6), &json!(wanted)));
    };
    check(&["--targets", "*.pdf"], 1);
    check(&["--keywords", "Electric Eel,none"], 1);
    check(&[], 5);
    let nothing = ["-q", "sim", "--targets", "*.doc"];
    inside(dir.path(), &nothing).ends(2, &["has no targets"]);
}

#[test]
fn a_crawl_begins_with_what_a_replay_learned_and_a_replay_with_what_a_crawl_did() {
    let dir = universities();
    let model = dir.path().join("papers.model");
    let sim = ["-q", "--json", "sim", "--data", arg(dir.path()), "--guide", "breadth-first"];
    fyke(&[&sim[..], &["--save", arg(&model)]].concat()).ends(0, &[]);
    let settings = format!(
        "[seeds]\nurls = [\"http://127.0.0.1:9/\"]\nsitemaps = \"off\"\n[scope]\nmode = \"focused\"\n\
         deny = [\"**\"]\n[focus]\nkeywords = [\"papers\"]\nmodel = '{}'\n",
        model.display()
    );
    let crawled = collection(&settings);
    inside(crawled.path(), &["-q", "crawl"]).ends(4, &["nothing could be fetched"]);
    let learned = crawled.path().join("guide.model");
    let result = fyke(&[&sim[..], &["--model", arg(&learned)]].concat()).ends(0, &[]).json();
    let needed = |guide: &str| needed(&result, guide, "75");
    assert!(needed("model") < 0.7 * needed("breadth-first"), "it went through the crawl");
    std::fs::write(&model, "no model").unwrap();
    let message = ["focus.model", "not a model that this version of fyke wrote"];
    inside(crawled.path(), &["-q", "crawl"]).ends(2, &message);
}
