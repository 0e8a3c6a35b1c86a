//! The stemmers and stop lists of the settings: what is found by them, what is said of them, and what is
//! said of wrong ones.

use crate::fixture::{Ran, arg, collection, fyke};
use crate::import::warc;
use std::fs;

#[test]
fn searches_and_exports_find_by_the_stemmers_and_stop_lists_of_the_settings() {
    let dir = collection("[corpus]\nnear_duplicate = 1.0\nmin_words = 0\n");
    let root = arg(dir.path());
    let file = dir.path().join("pages.warc");
    let body =
        "and the boats of the harbour wait there for the tide in the morning while it is dark";
    let texts = [format!("marketing {body}"), format!("markets {body} too")];
    warc(&file, 1, &[("one", texts[0].as_str()), ("two", texts[1].as_str())]);
    fyke(&["-C", root, "-q", "import", arg(&file)]).ends(0, &[]);
    let found = |more: &[&str], query: &str| {
        let Ran { out, .. } =
            fyke(&[&["-C", root][..], more, &["search", query, "--explain"]].concat());
        out
    };
    let usual = found(&[], "market");
    assert!(
        usual.starts_with("2 found") && usual.contains("words: en: stemmer porter2, "),
        "{usual}"
    );
    let krovetz = found(&["--set", "search.stemmers={en = \"krovetz\"}"], "market");
    assert!(krovetz.starts_with("1 found") && krovetz.contains("en: stemmer krovetz"), "{krovetz}");

    // In the file, with a list of one's own; nothing is rebuilt.
    fs::write(dir.path().join("stop.txt"), "# ours\nmarkets\n").unwrap();
    let toml = dir.path().join("fyke.toml");
    let text = fs::read_to_string(&toml).unwrap();
    let more = "[search.stemmers]\nen = \"none\"\n[search.stop_words]\nen = \"stop.txt\"\n";
    fs::write(&toml, format!("{text}\n{more}")).unwrap();
    let none = found(&[], "market");
    assert!(none.starts_with("0 found"), "{none}");
    let stopped = found(&[], "markets marketing");
    assert!(stopped.starts_with("1 found"), "{stopped}");
    assert!(stopped.contains("stemmer none, 1 stop words as set"), "{stopped}");
    let exported =
        fyke(&["-C", root, "export", "jsonl", "--out", "-", "--where", "markets marketing"]);
    assert_eq!(exported.out.lines().count(), 1, "{}", exported.out);
    let told = fyke(&["-C", root, "config", "--explain", "search.stemmers"]).out;
    assert!(told.contains("now {") && told.contains("(fyke.toml:"), "{told}");

    fs::remove_file(dir.path().join("stop.txt")).unwrap();
    let missing = fyke(&["-C", root, "search", "tide"]);
    missing.ends(2, &["search.stop_words", "stop.txt"]);
}
