//! A corpus collected by queries, from the command line: the index of another collection is asked, whose pages a
//! pond serves.

use crate::browser::start;
use crate::client::get;
use crate::fixture::{arg, collection, fyke};
use crate::pond::Served;
use crate::site_api::{get_json, site};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_corpus_of_a_language_is_collected_shown_judged_and_told_of() {
    let served = Served::start();
    let crawled = collection(&served.toml());
    fyke(&["-q", "-C", arg(crawled.path()), "crawl", "--pages", "60"]).ends(3, &[]);
    let dir = collection(&served.toml());
    let root = arg(dir.path());
    let begin = ["-q", "--json", "-C", root, "collect", "--lang", "en", "--from"];
    let words = ["--words", "the of and water", "--wanted", "12"];
    let ran = fyke(&[&begin[..], &[arg(crawled.path())], &words].concat()).ends(0, &[]);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["event"], "start");
    let end = &lines[lines.len() - 1];
    assert_eq!((&end["event"], &end["now"]["end"]), (&"end".into(), &end["end"]));
    assert!(end["now"]["found"].as_u64().unwrap() >= 12, "{end}");
    assert!(lines.iter().any(|line| line["event"] == "query" && line["hits"] != 0));

    let more = fyke(&["-q", "--json", "-C", root, "collect", "--wanted", "15"]).ends(0, &[]);
    assert!(!more.out.contains("\"event\":\"start\""), "it continues: {}", more.out);
    assert!(more.out.lines().last().unwrap().contains("as many documents"), "{}", more.out);

    let found = fyke(&["-C", root, "search", "lang:en"]).ends(0, &[]);
    assert!(found.out.contains(".test"), "{found:?}");
    let (_running, port) = site(dir.path());
    let page = get(port, "/collect");
    for part in
        ["Collecting by queries", "Ended: as many documents", "</svg>", "Words of the language"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<script src=\"/crawl") && !page.contains("http-equiv=\"refresh\""));

    let sample = fyke(&["-C", root, "collect", "--sample", "5"]).ends(0, &[]).out;
    assert_eq!(sample.lines().filter(|line| line.split('\t').nth(1) == Some("?")).count(), 5);
    let judged = dir.path().join("judged.tsv");
    std::fs::write(&judged, sample.replacen("\t?\t", "\tno\t", 1).replace("\t?\t", "\tyes\t"))
        .unwrap();
    let ran = fyke(&["-C", root, "collect", "--judged", arg(&judged)]).ends(0, &[]);
    assert!(ran.out.starts_with("4 of a random sample of 5"), "{ran:?}");
    let wrong = sample.lines().next().unwrap().split('\t').next().unwrap();
    let why = fyke(&["-C", root, "why", wrong]);
    assert!(why.out.contains("lang"), "{why:?}");

    let out = dir.path().join("out.jsonl");
    fyke(&["-C", root, "export", "jsonl", "--out", arg(&out)]).ends(0, &[]);
    let card = std::fs::read_to_string(dir.path().join("out.jsonl.README.md")).unwrap();
    assert!(
        card.contains("## How it was made") && card.contains("begun with | the of and water"),
        "{card}"
    );
    assert!(card.contains("4 of a random sample of 5"), "{card}");
}

#[test]
fn what_is_collected_can_be_searched_while_the_run_goes_on() {
    let served = Served::start();
    let crawled = collection(&served.toml());
    fyke(&["-q", "-C", arg(crawled.path()), "crawl", "--pages", "60"]).ends(3, &[]);
    let dir = collection(&served.toml());
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    command.args(["-C", arg(dir.path()), "collect", "--lang", "en", "--serve", "127.0.0.1:0"]);
    command.args(["--from", arg(crawled.path()), "--words", "the of and water"]);
    command.args(["--set", "politeness.floor=2s"]);
    let (_running, port) = start(&mut command, "stderr", "http://127.0.0.1:");
    let found = (0..300).find_map(|_| {
        std::thread::sleep(Duration::from_millis(200));
        let found = get_json(port, "/api/v1/search?q=lang:en");
        let page = get(port, "/collect");
        assert!(!page.contains("Ended:"), "it ended before anything was found: {page}");
        found["total"].as_u64().filter(|total| *total > 0)
    });
    assert!(found.is_some(), "nothing could be found in a minute");
}

#[test]
fn what_cannot_be_begun_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("new");
    fyke(&["-C", arg(&root), "collect"]).ends(2, &["--lang and --from"]);
    assert!(!root.exists());
    let engine = "http://127.0.0.1:9/?q={query}";
    let begin = ["-C", arg(&root), "collect", "--lang", "x-none", "--from", engine, "--allowed"];
    fyke(&begin).ends(2, &["--words", "--documents"]);
    let with = |words| [&begin[..], &["--words", words]].concat();
    fyke(&with("-in -the")).ends(2, &["all of them are excluded"]);
    fyke(&with("blim blam")).ends(3, &["run the same command again"]);
    fyke(&["-C", arg(&root), "collect", "--lang", "sl"])
        .ends(2, &["began in another way", "--again"]);
    fyke(&["-C", arg(&root), "collect", "--topic", "tides"]).ends(2, &["[focus] keywords"]);
    fyke(&["-C", arg(&root), "collect", "--sample"]).ends(2, &["no document"]);
    let judged = dir.path().join("x.tsv");
    std::fs::write(&judged, "http://a.test/\t?\n").unwrap();
    fyke(&["-C", arg(&root), "collect", "--judged", arg(&judged)]).ends(2, &["yes or no"]);
}
