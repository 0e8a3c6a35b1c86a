//! Derivations from the command line: listed, made anew one by one, and the row of a URL.

use crate::fixture::{arg, collection, fyke};
use serde_json::Value;
use std::path::Path;

const ONE: &str = "<title>Eels</title><p>eels swim in rivers and lakes and in the sea at night</p>\
                   <a href='two.html'>all about nets</a>";
const TWO: &str =
    "<title>Nets</title><p>nets with wings gather fish in shallow water near banks</p>";

/// A collection of two pages, one of which links to the other.
fn imported() -> tempfile::TempDir {
    let dir = collection("");
    let pages = dir.path().join("pages");
    std::fs::create_dir(&pages).unwrap();
    std::fs::write(pages.join("one.html"), ONE).unwrap();
    std::fs::write(pages.join("two.html"), TWO).unwrap();
    fyke(&["-C", arg(dir.path()), "-q", "import", arg(&pages)]).ends(0, &[]);
    dir
}

fn states(dir: &Path) -> Vec<Value> {
    let listed = fyke(&["-C", arg(dir), "stats", "derivations", "--json"]).ends(0, &[]).json();
    listed.as_array().unwrap().clone()
}

#[test]
fn after_an_import_every_derivation_is_up_to_date_and_can_be_made_anew() {
    let dir = imported();
    let before = states(dir.path());
    assert!(before.len() > 8, "{before:?}");
    for row in &before {
        assert_eq!(row["state"], "up to date", "{row}");
        let name = row["name"].as_str().unwrap();
        fyke(&["-C", arg(dir.path()), "-q", "rebuild", "--only", name]).ends(0, &[]);
    }
    let found = fyke(&["-C", arg(dir.path()), "search", "eels", "--json"]).ends(0, &[]).json();
    assert_eq!(found["total"], 1, "{found}");
    let unknown = ["-C", arg(dir.path()), "rebuild", "--only", "nothing"];
    fyke(&unknown).ends(2, &["no derivation \"nothing\"", "print", "twins", "corpus"]);
}

#[test]
fn a_row_holds_text_title_anchors_by_source_and_facts_with_their_times() {
    let dir = imported();
    let url = format!("file://{}", dir.path().join("pages/two.html").display());
    let row = |more: &[&str]| {
        let args = [&["-C", arg(dir.path()), "row", &url, "--json"][..], more].concat();
        fyke(&args).ends(0, &[]).json()
    };
    let now = row(&[]);
    let cells = now["cells"].as_array().unwrap();
    let cell = |name: &str| cells.iter().find(|cell| cell["column"].as_str().unwrap() == name);
    assert_eq!(cell("title").unwrap()["value"], "Nets", "{now}");
    assert!(cell("text").unwrap()["value"].as_str().unwrap().contains("wings"), "{now}");
    let source = format!("anchor:file://{}", dir.path().join("pages/one.html").display());
    assert_eq!(cell(&source).unwrap()["value"]["text"], "all about nets", "{now}");
    assert!(cell("rank").unwrap()["time"].as_i64() > Some(0), "{now}");
    let then = row(&["--at", "1970-01-02"]);
    assert_eq!(then["cells"].as_array().unwrap().len(), 0, "{then}");
    assert_eq!(then["is_later"], true, "{then}");
    fyke(&["-C", arg(dir.path()), "row", "http://nowhere.test/"]).ends(1, &["never seen"]);
}
