//! What was stopped goes on, and what was deleted is made again.

use crate::{commit, dump, new_collection, pages, run};
use fyke_derive::Eagerness;
use fyke_store::Collection;
use std::path::Path;

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}

/// Stops between two publishes, by putting the folders before back, and goes on.
fn check(goes_back: &[&str]) {
    let (dir, collection) = new_collection();
    let all = pages(30);
    commit(&collection, &all[..20]);
    run(&collection, Eagerness::Usual, None);
    drop(collection);
    let kept = tempfile::tempdir().unwrap();
    for name in goes_back {
        copy(&dir.path().join(name), &kept.path().join(name));
    }
    let collection = Collection::open(dir.path()).unwrap();
    commit(&collection, &all[20..]);
    run(&collection, Eagerness::Usual, None);
    let expected = dump(&collection);
    drop(collection);
    for name in goes_back {
        copy(&kept.path().join(name), &dir.path().join(name));
    }
    let collection = Collection::open(dir.path()).unwrap();
    run(&collection, Eagerness::Exact, None);
    assert_eq!(dump(&collection), expected, "{goes_back:?} went back");
}

#[test]
fn whichever_was_written_last_the_next_run_goes_on_from_the_older() {
    check(&[]);
    check(&["documents"]);
    check(&["columns"]);
    check(&["documents", "columns"]);
}

#[test]
fn derived_folders_that_are_deleted_are_made_again_the_same() {
    for names in [&["documents"][..], &["columns"], &["documents", "columns"]] {
        let (dir, collection) = new_collection();
        commit(&collection, &pages(30));
        run(&collection, Eagerness::Usual, None);
        let expected = dump(&collection);
        drop(collection);
        for name in names {
            std::fs::remove_dir_all(dir.path().join(name)).unwrap();
        }
        let collection = Collection::open(dir.path()).unwrap();
        run(&collection, Eagerness::Usual, None);
        assert_eq!(dump(&collection), expected, "{names:?}");
    }
}

#[test]
fn pages_are_made_a_publish_at_a_time_and_each_is_a_place_to_go_on_from() {
    let (dir, collection) = new_collection();
    let all = pages(30);
    for some in all.chunks(3) {
        commit(&collection, some);
        fyke_derive::derive_pages(&collection, |_| ()).unwrap();
    }
    drop(collection);
    let collection = Collection::open(dir.path()).unwrap();
    run(&collection, Eagerness::Usual, None);
    let (_other, straight) = new_collection();
    commit(&straight, &all);
    run(&straight, Eagerness::Usual, None);
    assert_eq!(dump(&collection), dump(&straight));
}

#[test]
fn pages_are_made_once_when_threads_ask_for_them_together() {
    let (_dir, collection) = new_collection();
    commit(&collection, &pages(300));
    let made = std::thread::scope(|scope| {
        let derive = || fyke_derive::derive_pages(&collection, |_| ()).unwrap();
        [0; 3].map(|_| scope.spawn(derive)).map(|thread| thread.join().unwrap())
    });
    assert_eq!(made.iter().sum::<u64>(), 300, "{made:?}");
    assert_eq!(fyke_derive::totals(&collection.cells()).unwrap().documents, 300);
}
