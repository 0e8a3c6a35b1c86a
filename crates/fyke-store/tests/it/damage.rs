//! Damage in the middle of things: it is named, the rest is read, and no capture is destroyed.

use crate::{check_holds, new_collection, round, warc};
use fyke_store::{Collection, MadePage, Rest, Spot, WarcRecord, WarcRecords};
use std::fs;
use std::path::{Path, PathBuf};

fn log(root: &Path) -> PathBuf {
    root.join("ledger/log/00000.log")
}

/// A collection of so many rounds, closed.
fn closed(rounds: u64) -> tempfile::TempDir {
    let (dir, collection) = new_collection();
    (0..rounds).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    collection.settle().unwrap();
    dir
}

/// What a user does who is told that the ledger has lost its end.
fn go_on_with_what_is_left(root: &Path) {
    fs::remove_file(root.join("ledger/acknowledged")).unwrap();
    for name in ["urls", "hosts"] {
        fs::remove_dir_all(root.join("ledger").join(name)).unwrap();
    }
}

/// Captures in all WARC files, whether they count or not.
fn captures_on_disk(root: &Path) -> usize {
    let files = fs::read_dir(root.join("captures")).unwrap().map(|entry| entry.unwrap().path());
    let warcs = files.filter(|path| path.to_string_lossy().ends_with(".warc.gz"));
    let records = warcs.flat_map(|path| WarcRecords::open(&path, 0, u64::MAX).unwrap());
    records.filter(|found| found.record.as_ref().is_ok_and(WarcRecord::is_response)).count()
}

#[test]
fn garbage_in_mid_log_loses_what_stood_there_and_nothing_else() {
    let dir = closed(60);
    let before = fs::read(warc(dir.path())).unwrap();
    let mut bytes = fs::read(log(dir.path())).unwrap();
    let middle = bytes.len() / 2;
    // Every fourth byte begins what claims to be the largest of records.
    let garbage = [0xff, 0xff, 0xff, 0x03].into_iter().cycle().take(4 << 10);
    bytes.splice(middle..middle + (4 << 10), garbage);
    fs::write(log(dir.path()), &bytes).unwrap();
    go_on_with_what_is_left(dir.path());
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(fs::read(warc(dir.path())).unwrap(), before, "captures were cut");
    assert_eq!(fs::read(log(dir.path())).unwrap(), bytes, "the log was cut");
    let rows = collection.ledger.rows().filter(Result::is_ok).count();
    assert!(rows > 120, "{rows} of 180 rows are left");
}

#[test]
fn captures_that_a_damaged_ledger_does_not_acknowledge_are_kept_aside() {
    let dir = closed(12);
    let bytes = fs::read(log(dir.path())).unwrap();
    fs::write(log(dir.path()), &bytes[..bytes.len() / 2]).unwrap();
    assert!(Collection::open(dir.path()).is_err());
    go_on_with_what_is_left(dir.path());
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(collection.ledger.rest(), Rest::Keep);
    let left = collection.captures.from(Spot::START).count() as u64;
    assert!((1..12).contains(&left), "{left}");
    check_holds(&collection, left);
    assert_eq!(captures_on_disk(dir.path()), 12);
    // A commit later the ledger knows again what is acknowledged.
    collection.commit(round(left)).unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    check_holds(&collection, left + 1);
    assert_eq!(collection.ledger.rest(), Rest::Cut);
}

#[test]
fn a_damaged_last_commit_is_taken_from_its_copy() {
    let dir = closed(5);
    let mut bytes = fs::read(log(dir.path())).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 0x01;
    fs::write(log(dir.path()), &bytes).unwrap();
    for n in 5..7 {
        let collection = Collection::open(dir.path()).unwrap();
        check_holds(&collection, n);
        collection.commit(round(n)).unwrap();
    }
    // A damaged copy does no harm to a good log.
    let path = dir.path().join("ledger/acknowledged");
    let mut bytes = fs::read(&path).unwrap();
    bytes[3] ^= 0x01;
    fs::write(&path, bytes).unwrap();
    check_holds(&Collection::open(dir.path()).unwrap(), 7);
}

#[test]
fn documents_that_were_torn_are_cut_off_there_and_what_stands_before_stays() {
    let dir = closed(3);
    let collection = Collection::open(dir.path()).unwrap();
    let path = dir.path().join("documents/log/00000.log");
    let mut lengths = Vec::new();
    for n in 0..3 {
        let made = [MadePage::new(crate::url(n).id(), None, Vec::new())];
        collection.documents.put(&made, Spot::new(0, n + 1)).unwrap();
        lengths.push(fs::metadata(&path).unwrap().len());
    }
    let mut batch = collection.cells.batch(1);
    batch.mark("some", b"mark");
    collection.cells.publish(batch).unwrap();
    drop(collection);
    let mut bytes = fs::read(&path).unwrap();
    bytes[lengths[0] as usize + 10] ^= 0x01;
    fs::write(&path, bytes).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(collection.documents.mark().unwrap(), Spot::new(0, 1));
    assert_eq!(collection.documents.all_links().map(Result::unwrap).count(), 1);
    assert_eq!(collection.cells().mark("some"), Some(&b"mark"[..]));
}

/// Every file of a sieve, flipped in its middle and deleted.
fn spoil(root: &Path, mut check: impl FnMut(&str)) {
    let folders = ["ledger/urls", "ledger/hosts", "documents/index", "documents/log"];
    let files = folders.iter().flat_map(|folder| {
        let files = fs::read_dir(root.join(folder)).unwrap();
        files.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    });
    for path in files.collect::<Vec<_>>() {
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 4;
        bytes[middle] ^= 0x20;
        fs::write(&path, &bytes).unwrap();
        check(&format!("{} flipped", path.display()));
        fs::remove_file(&path).unwrap();
        check(&format!("{} deleted", path.display()));
    }
}

#[test]
fn what_is_derived_is_made_again_at_the_next_opening_at_the_latest() {
    let dir = closed(30);
    let documents = |collection: &Collection| {
        let made = |n| MadePage::new(crate::url(n).id(), None, Vec::new());
        let made: Vec<_> = (0..30).map(made).collect();
        collection.documents.put(&made, collection.captures.end()).unwrap();
    };
    let read = |collection: &Collection| {
        let (ledger, store) = (&collection.ledger, &collection.documents);
        (0..30).all(|n| ledger.get(crate::url(n).id()).is_ok_and(|row| row.is_some()))
            && ledger.hosts().all(|host| host.is_ok())
            && store.all_links().all(|links| links.is_ok())
    };
    let collection = Collection::open(dir.path()).unwrap();
    documents(&collection);
    collection.settle().unwrap();
    drop(collection);
    spoil(dir.path(), |what| {
        // The first may find the damage too late to go on.
        read(&Collection::open(dir.path()).unwrap());
        let collection = Collection::open(dir.path()).unwrap();
        assert!(read(&collection), "{what}");
        check_holds(&collection, 30);
        documents(&collection);
        collection.settle().unwrap();
    });
}
