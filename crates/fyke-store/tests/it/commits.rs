//! What a commit promises: all of a round or nothing, and the same after opening again.

use crate::{check_counts, check_holds, new_collection, round, row, url};
use fyke_store::{Collection, Reason, Round, StoreError};
use proptest::prelude::*;
use std::fs;

#[test]
fn rounds_are_the_same_after_opening_again() {
    let (dir, collection) = new_collection();
    for n in 0..5 {
        collection.commit(round(n)).unwrap();
        check_holds(&collection, n + 1);
    }
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    check_holds(&collection, 5);
    let hosts: Vec<_> = collection.ledger.hosts().map(Result::unwrap).collect();
    assert_eq!((hosts.len(), hosts[0].0.as_str(), hosts[0].1.pages), (1, "a.test", 5));
    assert_eq!(collection.index_dir(), dir.path().join("index"));
    assert_eq!(collection.root(), dir.path());
}

#[test]
fn a_captured_row_gets_its_place_and_digest() {
    let (_dir, collection) = new_collection();
    let places = collection.commit(round(3)).unwrap();
    let row = collection.ledger.get(url(3).id()).unwrap().unwrap();
    assert_eq!(row.capture, Some(places[0]));
    let digest = fyke_store::warc::payload_digest(&crate::capture(3).payload);
    assert_eq!(row.digest, Some(digest));
    assert_eq!(collection.ledger.get(url(1_006).id()).unwrap().unwrap().capture, None);
}

/// URLs with their new reasons and priorities; some more than once.
fn changes() -> impl Strategy<Value = Vec<(u64, usize, u8)>> {
    prop::collection::vec((0u64..20, 0usize..5, 0u8..3), 0..20)
}

proptest! {
    #![proptest_config(crate::captures::cases(4))]
    #[test]
    fn counts_and_queue_agree_with_a_scan(
        rounds in prop::collection::vec(changes(), 1..10)
    ) {
        let (dir, collection) = new_collection();
        let mut last = std::collections::BTreeMap::new();
        for changes in rounds {
            let rows = changes.iter().map(|&(n, reason, priority)| {
                let mut row = row(n, Reason::ALL[reason]);
                row.priority = priority;
                last.insert(url(n).id(), row.clone());
                (url(n).id(), row)
            });
            let rows = rows.collect();
            collection.commit(Round { rows, ..Round::default() }).unwrap();
            check_counts(&collection);
        }
        drop(collection);
        let collection = Collection::open(dir.path()).unwrap();
        check_counts(&collection);
        let mut rows: Vec<_> = collection.ledger.rows().map(Result::unwrap).collect();
        rows.sort_by_key(|(id, _)| *id);
        prop_assert_eq!(rows, last.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_held_collection_names_its_holder() {
    let (dir, collection) = new_collection();
    let error = Collection::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Held(..)));
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    drop(collection);
    Collection::open(dir.path()).unwrap();
}

#[test]
fn a_folder_without_settings_is_no_collection() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Collection::open(dir.path()), Err(StoreError::Missing(_))));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_ledger_of_an_earlier_version_is_refused_with_a_way_out() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("fyke.toml"), "").unwrap();
    fs::create_dir_all(dir.path().join("ledger/table/keyspaces")).unwrap();
    fs::create_dir_all(dir.path().join("captures")).unwrap();
    fs::write(crate::warc(dir.path()), "captures").unwrap();
    let error = Collection::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("earlier version") && error.contains("crawl again"), "{error}");
    assert_eq!(fs::read(crate::warc(dir.path())).unwrap(), b"captures");
}

#[test]
fn a_ledger_that_lost_acknowledged_commits_is_noticed() {
    let (dir, collection) = new_collection();
    collection.commit(round(0)).unwrap();
    collection.commit(round(1)).unwrap();
    drop(collection);
    let log = dir.path().join("ledger/log/00000.log");
    let file = fs::OpenOptions::new().write(true).open(&log).unwrap();
    file.set_len(file.metadata().unwrap().len() - 1).unwrap();
    let error = Collection::open(dir.path()).unwrap_err();
    assert!(error.to_string().contains("ends with commit 1, but more was"), "{error}");
    fs::remove_file(dir.path().join("ledger/acknowledged")).unwrap();
    check_holds(&Collection::open(dir.path()).unwrap(), 1);
}

#[test]
fn after_a_failed_write_nothing_is_acknowledged_until_the_next_opening() {
    let (dir, collection) = new_collection();
    let path = crate::warc(dir.path());
    fs::create_dir(&path).unwrap();
    assert!(matches!(collection.commit(round(0)), Err(StoreError::Io { .. })));
    fs::remove_dir(&path).unwrap();
    let refused = collection.commit(round(1)).unwrap_err();
    assert!(refused.to_string().contains("open the collection again"), "{refused}");
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    check_holds(&collection, 0);
    collection.commit(round(0)).unwrap();
    check_holds(&collection, 1);
}
