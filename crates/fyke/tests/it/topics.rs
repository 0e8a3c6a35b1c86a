//! `fyke topics` and its page on a collection of texts whose topics are known.

use crate::client::{ask, between, get};
use crate::fixture::{Ran, arg, collection, fyke};
use crate::lab::serve;
use std::fs;
use std::path::Path;

const TOML: &str =
    "[topics]\n\"sea/tides\" = [\"tidal\"] # mine\n\"sea/fish\" = [\"trout\"]\nsky = [\"cloud\"]\n";

/// The words of each topic, the keyword first; words of nothing last.
const WORDS: [&str; 4] = [
    "tidal turbine current estuary barrage ebb flood moon spring neap channel harbour",
    "trout salmon net river spawn angler scale gill hatchery bait weir stream",
    "cloud rain wind storm thunder forecast front pressure sunshine fog humid gale",
    "paper chair window bread music ledger corner pencil carpet lantern kettle basket",
];

/// The text of the nth document: of topic `n % 4`, with its keyword in every third.
fn text(n: usize) -> String {
    let words: Vec<&str> = WORDS[n % 4].split(' ').collect();
    let plain: Vec<&str> = WORDS[3].split(' ').collect();
    let own = (0..14).map(|k| words[1 + (n * 5 + k * 7 + k * k) % 11]);
    let other = (0..10).map(|k| plain[(n * 3 + k * 5) % 12]);
    let keyword = (n / 4).is_multiple_of(3).then_some(words[0]);
    let unique = format!("word{n} note{n} mark{n}");
    let all: Vec<&str> = keyword.into_iter().chain(own).chain(other).chain([&*unique]).collect();
    all.join(" ")
}

/// A collection of such documents with this topics.toml.
fn texts(toml: &str) -> tempfile::TempDir {
    let dir = collection("[corpus]\nmin_words = 1\nnear_duplicate = 1.0\n");
    let folder = dir.path().join("texts");
    fs::create_dir(&folder).unwrap();
    for n in 0..120 {
        fs::write(folder.join(format!("{n}.txt")), text(n)).unwrap();
    }
    fs::write(dir.path().join("topics.toml"), toml).unwrap();
    run(dir.path(), &["-q", "import", arg(&folder)]).ends(0, &[]);
    dir
}

fn run(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

#[test]
fn documents_are_placed_by_a_keyword_each_and_found_by_topic() {
    let dir = texts(TOML);
    let tree = run(dir.path(), &["topics", "show", "--json"]).ends(0, &[]).json();
    let count = |name: &str| {
        let all = tree["topics"].as_array().unwrap();
        all.iter().find(|topic| topic["name"] == name).unwrap()["documents"].as_u64().unwrap()
    };
    for (name, expected) in [("sea", 60), ("sea/tides", 30), ("sea/fish", 30), ("sky", 30)] {
        assert!(count(name).abs_diff(expected) <= expected / 6, "{name}: {}", count(name));
    }
    let found = |query: &str| {
        run(dir.path(), &["search", query, "--json"]).ends(0, &[]).json()["total"].as_u64().unwrap()
    };
    assert_eq!(found("topic:sea"), count("sea"));
    assert_eq!(found("topic:sea/fish salmon"), found("salmon topic:sea/fish"));
    assert!(found("topic:sky -topic:sea") > 20);
    assert!(run(dir.path(), &["topics", "suggest"]).ends(0, &[]).out.contains("sky"));
    let shown = run(dir.path(), &["topics", "show", "sea/fish"]).ends(0, &[]).out;
    assert!(shown.contains("trout") && shown.contains("salmon"), "{shown}");
    let file = dir.path().join("texts/2.txt");
    let placed = run(dir.path(), &["topics", "apply", arg(&file), "--json"]).ends(0, &[]).json();
    assert_eq!(placed["topics"][0]["name"], "sky");
    run(dir.path(), &["topics", "apply", "-q"]).ends(0, &[]);
    let exported = run(dir.path(), &["export", "jsonl", "--where", "topic:sea", "--out", "-"]);
    let lines = exported.ends(0, &[]).out.lines().count();
    assert_eq!(lines as u64, count("sea"));
    fs::remove_file(dir.path().join("topics.toml")).unwrap();
    run(dir.path(), &["-q", "rebuild"]).ends(0, &[]);
    assert_eq!(found("topic:sea"), 0);
}

#[test]
fn what_is_wrong_with_the_file_or_the_command_ends_with_2() {
    let dir = texts(TOML);
    run(dir.path(), &["topics", "show", "sea/fihs"]).ends(2, &["did you mean \"sea/fish\"?"]);
    fs::write(dir.path().join("topics.toml"), "[topic]\na = [\"x\"]\n").unwrap();
    let says = ["topics.toml:1:2: unknown section \"topic\"; did you mean \"topics\"?"];
    run(dir.path(), &["topics", "train"]).ends(2, &says);
    fs::remove_file(dir.path().join("topics.toml")).unwrap();
    run(dir.path(), &["topics", "train"]).ends(2, &["there is no topics.toml"]);
    let empty = collection("");
    run(empty.path(), &["topics", "show"]).ends(2, &["fyke topics train"]);
}

#[test]
fn a_rebuild_places_every_document_as_before() {
    let dir = texts(TOML);
    let tree = || {
        let mut tree = run(dir.path(), &["topics", "show", "--json"]).ends(0, &[]).json();
        tree["trained"].take();
        tree
    };
    let before = tree();
    run(dir.path(), &["-q", "rebuild"]).ends(0, &[]);
    assert_eq!(tree(), before);
}

#[test]
fn keywords_are_tried_without_a_trace_and_saved_only_from_our_own_page() {
    let dir = texts(TOML);
    let file = dir.path().join("topics.toml");
    let (_site, port) = serve(dir.path(), &["serve"]);
    let page = get(port, "/topics?topic=sea%2Ffish");
    assert!(page.contains("salmon") && page.contains("confused") || page.contains("trout"));
    let token = between(&page, "name=\"token\" value=\"", "\"");
    let post = |what: &str, headers: &str, token: &str, keywords: &str| {
        let body = format!("token={token}&topic=sea%2Ffish&keywords={keywords}");
        ask(port, &format!("POST /topics/{what} HTTP/1.1\r\n{headers}"), &body)
    };
    let ours = "Host: localhost\r\nOrigin: http://localhost";
    let (status, tried) = post("preview", ours, &token, "trout%2C+%3Cb%3E+storm");
    assert_eq!(status, 200, "{tried}");
    assert!(tried.contains("Nothing is saved yet") && !tried.contains("<b> storm"), "{tried}");
    assert_eq!(fs::read_to_string(&file).unwrap(), TOML);
    for (headers, token, keywords, status) in [
        ("Host: localhost\r\nOrigin: http://evil.test", &*token, "eel", 403),
        ("Host: localhost\r\nSec-Fetch-Site: cross-site", &token, "eel", 403),
        (ours, "0123456789abcdef0123456789abcdef", "eel", 403),
        (ours, &token, &"x".repeat(90), 400),
    ] {
        assert_eq!(post("save", headers, token, keywords).0, status, "{headers} {keywords}");
    }
    assert_eq!(post("explode", ours, &token, "eel").0, 404);
    assert_eq!(fs::read_to_string(&file).unwrap(), TOML);
    assert_eq!(post("save", ours, &token, "trout%2C+salmon").0, 303);
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains("\"sea/fish\" = [\"trout\", \"salmon\"]") && saved.contains("# mine"));
    assert!(get(port, "/topics?topic=sea%2Ffish").contains("trout, salmon"));
    let tree: serde_json::Value = serde_json::from_str(&get(port, "/api/v1/topics")).unwrap();
    assert_eq!(tree["topics"].as_array().unwrap().len(), 4);
    assert_eq!(ask(port, "GET /topics?topic=none HTTP/1.1\r\nHost: localhost", "").0, 404);
}
