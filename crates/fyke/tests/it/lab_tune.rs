//! Learning weights from judgements by the command of a user.

use crate::fixture::{arg, collection, fyke};
use std::fmt::Write as _;
use std::fs;

#[test]
fn weights_are_learnt_and_measured_on_topics_they_were_not_learnt_from() {
    let dir = collection("[corpus]\nnear_duplicate = 1.0\n");
    let words = ["eel", "weir", "tide", "mast", "grain", "rope"];
    let (mut pages, mut topics, mut qrels) = (String::new(), String::new(), String::new());
    for (at, word) in words.iter().enumerate() {
        writeln!(topics, "{at}\t{word}").unwrap();
        writeln!(qrels, "{at} 0 {at}-title 1").unwrap();
        for (kind, title, times) in [("title", *word, 1), ("text", "page", 9)] {
            let other = words[(at + 1) % words.len()];
            let text = format!("{word} {other} and much of the harbour {kind}{at}");
            let text = format!("{text} {}", format!("{word} ").repeat(times));
            let (id, url) = (format!("{at}-{kind}"), format!("http://a.test/{at}/{kind}"));
            let page = serde_json::json!({ "id": id, "url": url, "title": title, "text": text });
            writeln!(pages, "{page}").unwrap();
        }
    }
    let [docs, asked, judged] =
        ["docs.jsonl", "topics.tsv", "qrels"].map(|name| dir.path().join(name));
    fs::write(&docs, pages).unwrap();
    fs::write(&asked, topics).unwrap();
    fs::write(&judged, qrels).unwrap();
    fyke(&["-C", arg(dir.path()), "-q", "import", arg(&docs)]).ends(0, &[]);
    let tuned = ["lab", "tune", "--topics", arg(&asked), "--qrels", arg(&judged), "--folds", "2"];
    let told = fyke(&[&["-C", arg(dir.path()), "-q", "--json"], &tuned[..]].concat()).ends(0, &[]);
    let told = told.json();
    assert_eq!(told["topics"], 6, "{told}");
    let figure = |name: &str| told[name].as_f64().unwrap();
    assert!(figure("held_out") >= figure("standard") && figure("standard") > 0.0, "{told}");
}
