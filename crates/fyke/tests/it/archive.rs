//! Other people's archive tools read our captures: warcio every record and digest, pywb the CDXJ and
//! the pages, served by its own server.

use crate::fixture::{arg, collection, fyke};
use crate::pond::Served;
use std::process::Command;

#[test]
fn warcio_and_pywb_read_the_captures() {
    let tools = std::env::var("FYKE_TEST_PYTHONPATH")
        .expect("this test needs warcio and pywb: run the tests with cargo xtask test");
    let served = Served::start();
    let dir = collection(&served.toml());
    // Made-up paths that hosts are asked for are captures too, and count as no pages.
    let sitemaps = ["--set", "seeds.sitemaps=off", "--set", "seeds.feeds=off"];
    let only_pages = [&sitemaps[..], &["--set", "fetch.made_up_paths=false"]].concat();
    let crawl = ["-C", arg(dir.path()), "crawl", "--pages", "60"];
    fyke(&[&crawl[..], &only_pages].concat()).ends(3, &[]);
    // Once more: all are due, and most are as they were.
    let [soonest, every, latest] =
        ["revisit.soonest=1ms", "revisit.every=1ms", "revisit.latest=2ms"];
    let due = ["--set", soonest, "--set", every, "--set", latest, "--set", "budget.pages=60"];
    let again = ["-C", arg(dir.path()), "crawl"];
    fyke(&[&again[..], &due, &only_pages].concat());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/archive.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(dir.path().join("captures"))
        .arg(&served.seeds()[0])
        .env("PYTHONPATH", tools)
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{trouble}");
    assert!(said.contains("60 pages read by warcio"), "{said}\n{trouble}");
    assert!(said.contains("pages found unchanged"), "{said}\n{trouble}");
    assert!(said.contains("replayed by pywb"), "{said}\n{trouble}");
}
