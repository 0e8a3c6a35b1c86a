//! The benchmarks as they are started: listed, refused, and run with the program in processes of their own.
#![allow(clippy::unwrap_used, reason = "what fails here fails its test")]

use serde_json::Value;
use std::process::{Command, Output};

fn bench(words: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("fyke-bench")).args(words).output().unwrap()
}

#[test]
fn without_words_the_benchmarks_are_listed_and_an_unknown_one_is_refused() {
    let listed = bench(&[]);
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.status.success() && text.contains("cargo bench-fyke whole"), "{text}");
    let refused = bench(&["crowl"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("did you mean \"crawl\"?"), "{said}");
}

#[test]
fn a_whole_crawl_is_measured_against_a_web_that_this_program_serves_too() {
    let done = bench(&["whole", "--pages", "100", "--hosts", "4", "--json"]);
    let trouble = String::from_utf8_lossy(&done.stderr);
    let report: Value = serde_json::from_slice(&done.stdout).expect(&trouble);
    assert_eq!(report["command"], "cargo bench-fyke whole --pages 100 --hosts 4 --json");
    assert_eq!(report["figures"]["pages"], 100, "{report}");
    assert_eq!(report["figures"]["errors"], 0, "{report}");
}

#[test]
fn no_command_takes_more_memory_on_hostile_pages_than_the_gate_allows() {
    let done = bench(&["attack", "--pages", "100", "--size", "300000", "--json"]);
    let trouble = String::from_utf8_lossy(&done.stderr);
    let report: Value = serde_json::from_slice(&done.stdout).expect(&trouble);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
    let gates: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let most = gates["attack"]["most"].as_table().unwrap();
    assert!(!most.is_empty());
    for (name, most) in most {
        let found = report["figures"][name].as_f64().unwrap();
        assert!(found <= most.as_integer().unwrap() as f64, "{name}: {found}; {report:#}");
    }
    // All of it was done: the pages of each kind, the first of each host, and what they lead to.
    let [pages, kinds] = ["pages", "kinds"].map(|name| report["figures"][name].as_u64().unwrap());
    assert!(pages >= kinds * (100 / kinds + 1), "{report:#}");
}

#[test]
fn the_first_word_fyke_is_the_program_itself() {
    let said = bench(&["fyke", "url", "HTTP://a.test:80/x?b&a"]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(said.status.success() && text.contains("http://a.test/"), "{text}");
}

#[test]
fn every_kind_of_site_is_crawled_whole() {
    let done = bench(&["kinds", "--json"]);
    let trouble = String::from_utf8_lossy(&done.stderr);
    let report: Value = serde_json::from_slice(&done.stdout).expect(&trouble);
    assert_eq!(report["figures"]["good_pages_refused"], 0.0, "{report}");
    let per_document = report["figures"]["requests_per_document"].as_f64().unwrap();
    assert!((1.0..2.5).contains(&per_document), "{report}");
}
