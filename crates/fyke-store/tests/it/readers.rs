//! Readers beside the writer: one state each, whatever the writer does meanwhile.

use crate::{capture, check_view, new_collection, round, url};
use fyke_store::{Collection, Reader, Reason, Row, StoreError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn reader(root: &Path) -> Reader {
    Collection::reader(root).unwrap()
}

/// Every file of a folder with its length and time.
fn listing(dir: &Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let (path, meta) =
                entry.map(|entry| (entry.path(), entry.metadata().unwrap())).unwrap();
            match meta.is_dir() {
                true => folders.push(path),
                false => found.push((path, meta.len(), meta.modified().unwrap())),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_reader_sees_what_was_committed_and_a_newer_state_when_it_looks() {
    let (dir, collection) = new_collection();
    let reader = reader(dir.path());
    check_view(&reader.view(), 0);
    for n in 0..20 {
        let before = reader.view();
        collection.commit(round(n)).unwrap();
        check_view(&before, n);
        assert!(reader.refresh().unwrap());
        check_view(&reader.view(), n + 1);
        check_view(&before, n);
        assert!(!reader.refresh().unwrap());
    }
    // What is put and not committed is nobody's business.
    let row = Row::new("http://b.test/", Reason::Queued, 7);
    collection.ledger.find(url(9_999).id(), &row).unwrap();
    assert!(!reader.refresh().unwrap());
    check_view(&self::reader(dir.path()).view(), 20);
    drop(collection);
    check_view(&self::reader(dir.path()).view(), 20);
}

#[test]
fn a_reader_writes_nothing_and_needs_no_folder_but_the_collection() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Collection::reader(dir.path()), Err(StoreError::Missing(_))));
    std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
    let before = listing(dir.path());
    check_view(&reader(dir.path()).view(), 0);
    assert_eq!(listing(dir.path()), before);

    let (dir, collection) = new_collection();
    (0..5).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    collection.settle().unwrap();
    collection.commit(round(5)).unwrap();
    drop(collection);
    let before = listing(dir.path());
    check_view(&reader(dir.path()).view(), 6);
    assert_eq!(listing(dir.path()), before);
}

#[test]
fn a_state_stays_whole_while_sieves_settle_and_the_writer_opens_anew() {
    let (dir, collection) = new_collection();
    (0..5).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    let reader = reader(dir.path());
    let first = reader.view();
    collection.settle().unwrap();
    (5..9).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    collection.settle().unwrap();
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    collection.commit(round(9)).unwrap();
    check_view(&first, 5);
    assert!(reader.refresh().unwrap());
    check_view(&reader.view(), 10);
    check_view(&first, 5);
}

#[test]
fn a_lost_or_torn_note_of_the_last_commit_is_no_trouble() {
    let (dir, collection) = new_collection();
    (0..4).for_each(|n| drop(collection.commit(round(n)).unwrap()));
    drop(collection);
    let noted = dir.path().join("ledger/acknowledged");
    let bytes = std::fs::read(&noted).unwrap();
    for left in [0, 3, 8, bytes.len() - 1] {
        std::fs::write(&noted, &bytes[..left]).unwrap();
        check_view(&reader(dir.path()).view(), 4);
    }
    std::fs::remove_file(&noted).unwrap();
    check_view(&reader(dir.path()).view(), 4);
}

#[test]
fn the_second_writer_is_told_of_the_first() {
    let (dir, _collection) = new_collection();
    let told = Collection::open(dir.path()).unwrap_err().to_string();
    assert!(told.contains(&format!("process {}: ", std::process::id())), "{told}");
    assert!(told.contains(", since 20"), "{told}");
}

/// Sums agree in every state that any reader ever sees, and no state goes back.
#[test]
fn four_readers_meet_only_whole_states_while_one_writes() {
    const ROUNDS: u64 = 120;
    let (dir, collection) = new_collection();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let is_over = &is_over;
        let readers: Vec<_> = (0..4)
            .map(|number| {
                let root = dir.path().to_owned();
                scope.spawn(move || {
                    let mut reader = reader(&root);
                    let (mut seen, mut states) = (0, 0);
                    loop {
                        let is_last = is_over.load(Ordering::SeqCst);
                        match number % 2 {
                            0 => drop(reader.refresh().unwrap()),
                            _ => reader = self::reader(&root),
                        }
                        let view = reader.view();
                        let now = view.ledger.counts().unwrap().get(&Reason::Kept).copied();
                        let now = now.unwrap_or(0);
                        assert!(now >= seen, "{now} after {seen}");
                        assert_eq!(view.ledger.len(), 3 * now);
                        if let Some(last) = now.checked_sub(1) {
                            let row = view.ledger.get(url(last).id()).unwrap().unwrap();
                            let place = row.capture.unwrap();
                            assert_eq!(view.captures.read(place).unwrap(), capture(last));
                        }
                        assert_eq!(view.ledger.get(url(now).id()).unwrap(), None);
                        (seen, states) = (now, states + u64::from(now > seen));
                        if is_last {
                            check_view(&view, ROUNDS);
                            return states;
                        }
                    }
                })
            })
            .collect();
        for n in 0..ROUNDS {
            collection.commit(round(n)).unwrap();
            if n % 17 == 0 {
                collection.settle().unwrap();
            }
        }
        is_over.store(true, Ordering::SeqCst);
        let states: u64 = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        assert!(states > 8, "{states} states were seen");
    });
}
