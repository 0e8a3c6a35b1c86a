//! Killed at any moment, the collection opens again with every acknowledged round and no other.

use crate::{check_holds, new_collection, round, warc};
use fyke_store::{Collection, Spot, StoreError};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const CHILD: &str = "FYKE_STORE_TEST_COLLECTION";

/// The child: goes on where the collection ends, says what is acknowledged, until it is killed.
fn commit_for_ever(root: &Path) {
    let collection = Collection::open(root).unwrap();
    for n in collection.captures.from(Spot::START).count() as u64.. {
        collection.commit(round(n)).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "acknowledged {n}").and_then(|()| out.flush()).unwrap();
    }
}

/// Runs the child until it has acknowledged some rounds, kills it, and returns the last of them.
fn kill_after(root: &Path, rounds: usize) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crashes::acknowledged_rounds_outlive_a_kill", "--nocapture"])
        .env(CHILD, root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut numbers =
        lines.filter_map(|line| line.rsplit_once("acknowledged ")?.1.parse::<u64>().ok());
    let last = numbers.by_ref().take(rounds).last().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    numbers.last().unwrap_or(last)
}

#[test]
fn captures_whose_ledger_is_missing_are_not_thrown_away() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    drop(collection);
    let before = std::fs::read(warc(dir.path())).unwrap();
    std::fs::remove_dir_all(dir.path().join("ledger")).unwrap();
    let refused = Collection::open(dir.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    assert_eq!(std::fs::read(warc(dir.path())).unwrap(), before);
}

#[test]
fn acknowledged_rounds_outlive_a_kill() {
    if let Some(root) = std::env::var_os(CHILD) {
        return commit_for_ever(Path::new(&root));
    }
    let (dir, collection) = new_collection();
    drop(collection);
    for rounds in [1, 7, 2, 12, 3] {
        let last = kill_after(dir.path(), rounds);
        let collection = Collection::open(dir.path()).unwrap();
        let held = collection.captures.from(Spot::START).count() as u64;
        // One more round may have become durable without anyone having heard of it.
        assert!(held == last + 1 || held == last + 2, "{held} rounds, {last} acknowledged");
        check_holds(&collection, held);
    }
}

#[test]
fn a_round_whose_ledger_part_was_lost_is_gone_whole() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    drop(collection);
    let copy = tempfile::tempdir().unwrap();
    copy_folder(dir.path(), copy.path());
    let collection = Collection::open(dir.path()).unwrap();
    collection.commit(round(1)).unwrap();
    drop(collection);
    // The captures reached the disk, the ledger did not.
    std::fs::copy(warc(dir.path()), warc(copy.path())).unwrap();
    let collection = Collection::open(copy.path()).unwrap();
    check_holds(&collection, 1);
    collection.commit(round(1)).unwrap();
    check_holds(&collection, 2);
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
