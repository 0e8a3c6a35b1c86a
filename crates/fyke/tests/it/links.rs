//! What links say: ranks, anchor texts, authorities, and the sizes that words let one estimate, on a small
//! web in a string.

use crate::fixture::{Ran, arg, collection, fyke};
use serde_json::Value;
use std::path::Path;

/// Pages behind `//- URL`; the first line below may say where one redirects to.
const WEB: &str = "\
//- http://hub.test/
<p>Places about fish that we like: <a href=http://good.test/>the sturgeon handbook</a>,
<a href=http://old.test/moved>moved place</a>, <a rel=nofollow href=http://spam.test/>cheap watches</a>,
<a href=http://never.test/>never fetched</a> <a href=#top>top</a> <a href=/>this page</a>
//- http://second.test/
<p>The <b>caviar lexicon</b> is elsewhere. <a href=http://mirror.test/copy/of/good>mirrored handbook</a>
//- http://good.test/
<p>Long fish with plates of bone. <a href=/inside>inside</a>
//- http://mirror.test/copy/of/good
<p>Long fish with plates of bone. <a href=/inside>inside</a>
//- http://good.test/inside
<meta name=description content='rivers of roe'><p>More about long fish. <a href=/>home page</a>
//- http://spam.test/
<p>Buy now. <a href=http://good.test/>irrelevant</a>
//- http://old.test/moved
-> http://good.test/inside
";

/// The web as a collection.
fn web() -> tempfile::TempDir {
    let dir = collection("");
    let mut file = String::new();
    for page in WEB.split("//- ").skip(1) {
        let (url, text) = page.split_once('\n').unwrap();
        let block = match text.strip_prefix("-> ") {
            Some(target) => format!("HTTP/1.1 301 Moved\r\nLocation: {}\r\n\r\n", target.trim()),
            None => {
                let name = if text.contains("plates") { "good" } else { url };
                let own: String = (0..60).map(|n| format!("{}{n} ", name.len())).collect();
                format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}</p><p>{own}</p>")
            }
        };
        file += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: \
             2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    let path = dir.path().join("web.warc");
    std::fs::write(&path, file).unwrap();
    inside(dir.path(), &["-q", "import", arg(&path)]).ends(0, &[]);
    dir
}

fn inside(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

fn json(dir: &Path, args: &[&str]) -> Value {
    inside(dir, &[&["--json"], args].concat()).ends(0, &[]).json()
}

/// The URLs that a search finds.
fn found(dir: &Path, query: &str) -> Vec<String> {
    let hits = json(dir, &["search", query]);
    let url = |hit: &Value| hit["url"].as_str().unwrap().to_owned();
    hits["hits"].as_array().unwrap().iter().map(url).collect()
}

#[test]
fn links_to_copies_and_redirects_count_for_what_stands_for_them_and_nofollow_does_not() {
    let dir = web();
    let figures = json(dir.path(), &["stats", "graph"]);
    for (name, expected) in
        [("documents", 5), ("domains", 4), ("links", 6), ("dangling", 1), ("nofollow", 1)]
    {
        assert_eq!(figures[name], expected, "{name}: {figures:#}");
    }
    let best = figures["ranks"].as_array().unwrap();
    assert_eq!(best.len(), 5);
    let sum: f64 = best.iter().map(|page| page["value"].as_f64().unwrap()).sum();
    assert!((sum - 5.0).abs() < 1e-6, "{sum}");
    let two = [best[0]["url"].as_str().unwrap(), best[1]["url"].as_str().unwrap()];
    assert!(two.contains(&"http://good.test/") && two.contains(&"http://good.test/inside"));
    assert_eq!(figures["authorities"][0]["url"], "http://good.test/");
    assert_eq!(figures["in_degrees"][0]["documents"], 3);

    inside(dir.path(), &["-q", "rebuild"]).ends(0, &[]);
    assert_eq!(json(dir.path(), &["stats", "graph"]), figures);
    let told = inside(dir.path(), &["stats", "graph"]).ends(0, &[]).out;
    assert!(told.contains("links between documents") && told.contains("hubs"), "{told}");
}

#[test]
fn pages_are_found_by_what_links_call_them_by_what_stands_out_and_by_what_they_say_of_themselves() {
    let dir = web();
    let check = |query: &str, expected: &[&str]| {
        assert_eq!(found(dir.path(), query), expected, "{query}");
    };
    check("mirrored", &["http://second.test/", "http://good.test/"]);
    check("\"home page\"", &["http://good.test/inside", "http://good.test/"]);
    check("roe", &["http://good.test/inside"]);
    // What a link with nofollow says is said by its page alone.
    check("watches", &["http://hub.test/"]);
}

#[test]
fn a_query_has_authorities_and_hubs_of_its_own() {
    let dir = web();
    let around = json(dir.path(), &["stats", "graph", "caviar"]);
    assert_eq!((&around["root"], &around["base"]), (&1.into(), &2.into()), "{around:#}");
    // A surfer who always comes back to it gets no further than its links lead.
    assert_eq!(around["ranks"].as_array().unwrap().len(), 3, "{around:#}");
    assert_eq!(around["authorities"][0]["url"], "http://good.test/");
    assert_eq!(around["hubs"][0]["url"], "http://second.test/");
    let nothing = json(dir.path(), &["stats", "graph", "xyzzy"]);
    assert_eq!((&nothing["root"], &nothing["ranks"]), (&0.into(), &Value::Array(vec![])));
    let told = inside(dir.path(), &["stats", "graph", "caviar"]).ends(0, &[]).out;
    assert!(told.starts_with("1 results, 2 documents"), "{told}");
}

#[test]
fn sizes_are_estimated_beside_the_truth_and_other_figures_take_no_words() {
    let dir = web();
    let sizes = json(dir.path(), &["stats", "size", "long", "fish"]);
    assert_eq!((&sizes["documents"], &sizes["results"]), (&5.into(), &2.into()), "{sizes:#}");
    assert_eq!(sizes["by_pairs"], 2.0);
    let told = inside(dir.path(), &["stats", "size", "long", "fish", "roe"]).ends(0, &[]).out;
    assert!(told.contains("collection by long and fish"), "{told}");
    inside(dir.path(), &["stats", "size", "fish"]).ends(2, &["two words"]);
    inside(dir.path(), &["stats", "hosts", "fish"]).ends(2, &["only graph and size"]);
}
