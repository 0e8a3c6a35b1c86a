//! `fyke check`, and what becomes of a collection whose captures are missing, whose derived files are damaged or
//! whose clock was wrong.

use crate::fixture::{Ran, arg, collection, fyke};
use crate::pond::Served;
use fyke_store::{Collection, HostRow, Reason, RobotsCopy};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const PAGES: &str = "40";

/// A part of the pond, crawled and indexed.
fn crawled(served: &Served) -> tempfile::TempDir {
    let dir = collection(&served.toml());
    run(dir.path(), &["-q", "crawl", "--pages", PAGES]).ends(3, &[]);
    dir
}

fn run(dir: &Path, args: &[&str]) -> Ran {
    fyke(&[&["-C", arg(dir)], args].concat())
}

fn warc(dir: &Path) -> PathBuf {
    dir.join("captures/00000.warc.gz")
}

fn documents(dir: &Path) -> u64 {
    let collection = Collection::open(dir).unwrap();
    collection.documents.all().map(Result::unwrap).count() as u64
}

fn troubles(dir: &Path) -> Vec<String> {
    let ran = run(dir, &["-q", "check", "--json"]);
    let found = ran.json();
    let troubles = found["troubles"].as_array().unwrap().clone();
    assert_eq!(ran.exit, i32::from(!troubles.is_empty()), "{ran:?}");
    assert!(troubles.iter().all(|flaw| flaw["advice"].as_str().unwrap().len() > 20), "{ran:?}");
    troubles.iter().map(|flaw| format!("{} {}", flaw["part"], flaw["what"])).collect()
}

#[test]
fn a_good_collection_is_read_from_end_to_end_and_is_well() {
    let served = Served::start();
    let dir = crawled(&served);
    let ran = run(dir.path(), &["check"]).ends(0, &[]);
    assert!(ran.out.contains("all is well"), "{ran:?}");
    let found = run(dir.path(), &["-q", "check", "--json"]).ends(0, &[]).json();
    for part in ["captures", "urls", "documents", "cells", "indexed"] {
        assert!(found[part].as_u64().unwrap() > 5, "{part}: {found}");
    }
}

#[test]
fn missing_captures_stop_a_rebuild_and_are_fetched_again_when_asked_for() {
    let served = Served::start();
    let dir = crawled(&served);
    let (dir, before) = (dir.path(), documents(dir.path()));
    fs::remove_file(warc(dir)).unwrap();
    let found = troubles(dir);
    assert!(found.iter().any(|flaw| flaw.contains("00000.warc.gz")), "{found:?}");
    run(dir, &["-q", "rebuild"])
        .ends(1, &["captures are missing or damaged", "fyke crawl --missing", "--keep"]);
    assert_eq!(documents(dir), before);
    let ran = run(dir, &["-q", "export", "warc"]).ends(1, &["their captures are missing"]);
    assert!(ran.out.contains(": 0 documents"), "{ran:?}");
    run(dir, &["-q", "rebuild", "--keep"]).ends(0, &[]);
    assert_eq!(documents(dir), before);
    run(dir, &["crawl", "--missing"]).ends(0, &["queued again"]);
    assert_eq!(troubles(dir), [""; 0]);
    run(dir, &["-q", "rebuild"]).ends(0, &[]);
    assert!(documents(dir) >= before);
    run(dir, &["-q", "export", "warc"]).ends(0, &[]);
}

#[test]
fn captures_that_are_cut_or_flipped_stop_a_rebuild_too() {
    let served = Served::start();
    let dir = crawled(&served);
    let (dir, before) = (dir.path(), documents(dir.path()));
    let whole = fs::read(warc(dir)).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    for (harmed, says) in
        [(&whole[..whole.len() / 3], "missing"), (&flipped[..], "missing or damaged")]
    {
        fs::write(warc(dir), harmed).unwrap();
        let found = troubles(dir);
        assert!(
            found.iter().all(|flaw| flaw.contains("captures")) && !found.is_empty(),
            "{found:?}"
        );
        run(dir, &["-q", "rebuild"]).ends(1, &[says, "--keep"]);
        assert_eq!(documents(dir), before);
    }
    fs::write(warc(dir), &whole).unwrap();
    run(dir, &["-q", "rebuild"]).ends(0, &[]);
    assert_eq!(documents(dir), before);
}

/// Harms the largest file of a folder in its middle.
fn harm(dir: &Path) -> PathBuf {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let largest = files.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
    let mut bytes = fs::read(&largest).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle..middle + 16].fill(0xa5);
    fs::write(&largest, bytes).unwrap();
    largest
}

#[test]
fn damaged_derived_files_are_named_and_a_crawl_makes_them_again() {
    let served = Served::start();
    let dir = crawled(&served);
    let dir = dir.path();
    for (folder, part) in
        [("index", "index"), ("columns", "columns"), ("documents/log", "documents")]
    {
        harm(&dir.join(folder));
        let found = troubles(dir);
        assert!(found.iter().any(|flaw| flaw.contains(part)), "{folder}: {found:?}");
        let ran = run(dir, &["crawl", "--exact", "--pages", "3"]);
        assert!([0, 3].contains(&ran.exit) && !ran.err.contains("panicked"), "{folder}: {ran:?}");
        run(dir, &["-q", "rebuild"]).ends(0, &[]);
        assert_eq!(troubles(dir), [""; 0], "{folder}");
    }
}

#[test]
fn a_run_with_the_clock_a_year_ahead_does_not_freeze_a_collection() {
    let served = Served::start();
    let dir = collection(&served.toml());
    run(dir.path(), &["-q", "crawl", "--pages", "5"]).ends(3, &[]);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    let later = now + 365 * 24 * 3_600_000;
    let collection = Collection::open(dir.path()).unwrap();
    let hosts: Vec<_> = collection.ledger.hosts().map(|host| host.unwrap().0).collect();
    for name in hosts {
        let robots = Some(RobotsCopy {
            fetched: later,
            status: 200,
            body: b"User-agent: *\nDisallow: /\n".to_vec(),
        });
        let known = collection.ledger.host(&name).unwrap().unwrap();
        let row = HostRow { not_before: later, waits: "Retry-After".into(), robots, ..known };
        collection.ledger.put_host(&name, &row).unwrap();
    }
    collection.sync().unwrap();
    let before = collection.ledger.counts().unwrap()[&Reason::Kept];
    drop(collection);
    run(dir.path(), &["-q", "crawl", "--pages", "10"]).ends(3, &[]);
    let collection = Collection::open(dir.path()).unwrap();
    assert!(collection.ledger.counts().unwrap()[&Reason::Kept] > before);
}
