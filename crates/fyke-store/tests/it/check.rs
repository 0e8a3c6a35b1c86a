//! A whole collection verified: whatever is harmed is found, in its part, with what to do.

use crate::{new_collection, round, url, warc};
use fyke_store::{CheckDepth, Checkup, Collection, Column, MadePage, Reason};
use std::fs;
use std::path::{Path, PathBuf};

const SQUARES: Column<u64> = Column::new("square", 1);
const ROUNDS: u64 = 8;

/// A collection with some of everything, closed.
fn filled() -> tempfile::TempDir {
    let (dir, collection) = new_collection();
    (0..ROUNDS).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    let made: Vec<_> = (0..ROUNDS).map(|n| MadePage::new(url(n).id(), None, Vec::new())).collect();
    collection.documents.put(&made, collection.captures.end()).unwrap();
    let mut batch = collection.cells.batch(1);
    (0..ROUNDS).for_each(|n| batch.put(&SQUARES, url(n).id(), &(n * n)));
    collection.cells.publish(batch).unwrap();
    collection.settle().unwrap();
    dir
}

fn check(root: &Path) -> Checkup {
    Checkup::of_store(root, &mut |_, _, _| ()).unwrap()
}

/// The only file of a folder that ends so.
fn file(root: &Path, folder: &str, end: &str) -> PathBuf {
    let mut files = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.to_string_lossy().ends_with(end)).unwrap()
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x04;
    fs::write(path, bytes).unwrap();
}

fn cut(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

#[test]
fn a_good_collection_has_no_troubles() {
    let dir = filled();
    let found = check(dir.path());
    assert_eq!(found.troubles, []);
    assert_eq!((found.captures, found.urls, found.cells), (ROUNDS, 3 * ROUNDS, ROUNDS));
}

/// A harm, and the part whose trouble it is.
type Harm = (&'static str, fn(&Path));

#[test]
fn every_harm_is_found_in_its_part() {
    let harms: [Harm; 11] = [
        ("captures", |root| fs::remove_file(warc(root)).unwrap()),
        ("captures", |root| cut(&warc(root))),
        ("captures", |root| flip(&warc(root))),
        ("captures", |root| {
            let collection = Collection::open(root).unwrap();
            let other = |row: &mut fyke_store::Row| {
                row.digest = Some([7; 16]);
                true
            };
            collection.ledger.update(url(1).id(), other).unwrap();
            collection.sync().unwrap();
        }),
        ("ledger", |root| flip(&file(root, "ledger/log", ".log"))),
        ("ledger", |root| cut(&file(root, "ledger/log", ".log"))),
        ("ledger", |root| flip(&file(root, "ledger/urls", ".run"))),
        ("ledger", |root| fs::remove_dir_all(root.join("ledger")).unwrap()),
        ("documents", |root| flip(&file(root, "documents/log", ".log"))),
        ("columns", |root| flip(&file(root, "columns", ".tablet"))),
        ("columns", |root| fs::remove_file(file(root, "columns", ".tablet")).unwrap()),
    ];
    for (number, (part, harm)) in harms.into_iter().enumerate() {
        let dir = filled();
        harm(dir.path());
        let found = check(dir.path()).troubles;
        assert!(found.iter().any(|flaw| flaw.part == part), "harm {number} of {part}: {found:?}");
        assert!(found.iter().all(|flaw| flaw.advice.len() > 20), "{found:?}");
    }
}

#[test]
fn urls_whose_captures_are_gone_are_queued_again_and_then_all_is_well() {
    let dir = filled();
    cut(&warc(dir.path()));
    let collection = Collection::open(dir.path()).unwrap();
    let missing = collection.missing_captures(CheckDepth::Lengths).unwrap();
    assert!((1..ROUNDS as usize).contains(&missing.urls.len()), "{missing:?}");
    assert!(missing.words().unwrap().contains("00000.warc.gz"), "{missing:?}");
    let queued = collection.queue_missing().unwrap();
    assert_eq!(queued as usize, missing.urls.len());
    for id in &missing.urls {
        let row = collection.ledger.get(*id).unwrap().unwrap();
        assert_eq!((row.reason, row.capture, row.digest), (Reason::Queued, None, None));
    }
    assert_eq!(collection.queue_missing().unwrap(), 0);
    drop(collection);
    let found = check(dir.path());
    assert_eq!(found.troubles, []);
    assert_eq!((found.captures, found.unneeded), (ROUNDS - queued, 1));
}
