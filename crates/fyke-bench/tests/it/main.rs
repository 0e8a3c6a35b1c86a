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
fn the_first_word_fyke_is_the_program_itself() {
    let said = bench(&["fyke", "url", "HTTP://a.test:80/x?b&a"]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(said.status.success() && text.contains("http://a.test/"), "{text}");
}
