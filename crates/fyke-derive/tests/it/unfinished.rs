//! A page that ends the program, or that never ends, is begun twice at most.

use crate::{capture, commit, id, new_collection};
use fyke_derive::{derive_in_place, derive_pages};
use fyke_store::{Collection, Reason};
use std::path::Path;

const BAD: &str = "http://a.test/bad";
const GOOD: &str = "http://a.test/good";

/// What a process leaves that is killed while it reads a page.
fn leave_under_way(root: &Path, url: &str) {
    std::fs::write(root.join("ledger/underway"), id(url).0.to_le_bytes()).unwrap();
}

fn reason(collection: &Collection, url: &str) -> Reason {
    collection.ledger.get(id(url)).unwrap().unwrap().reason
}

#[test]
fn a_page_that_was_begun_twice_and_never_finished_gets_a_reason_and_the_others_their_documents() {
    let (dir, collection) = new_collection();
    commit(&collection, &[capture(BAD, 1, "<p>worse than it looks"), capture(GOOD, 2, "<p>eel")]);
    drop(collection);
    for _ in 0..2 {
        leave_under_way(dir.path(), BAD);
        drop(Collection::open(dir.path()).unwrap());
    }
    let collection = Collection::open(dir.path()).unwrap();
    derive_pages(&collection, |_| ()).unwrap();
    let is_document = |url| collection.documents.get(id(url)).unwrap().is_some();
    assert!(!is_document(BAD) && is_document(GOOD));
    assert_eq!(reason(&collection, BAD), Reason::Unfinished);
    assert_eq!(reason(&collection, GOOD), Reason::Kept);
    drop(collection);
    // It stays so in every later run, until somebody takes the note away.
    let collection = Collection::open(dir.path()).unwrap();
    derive_in_place(&collection, |_| ()).unwrap();
    assert_eq!(reason(&collection, BAD), Reason::Unfinished);
    drop(collection);
    std::fs::remove_file(dir.path().join("ledger/unfinished")).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    derive_in_place(&collection, |_| ()).unwrap();
    assert_eq!(reason(&collection, BAD), Reason::Kept);
    assert!(collection.documents.get(id(BAD)).unwrap().is_some());
}

#[test]
fn a_page_that_was_begun_once_is_read_as_any_other() {
    let (dir, collection) = new_collection();
    commit(&collection, &[capture(BAD, 1, "<p>better than it looks")]);
    drop(collection);
    leave_under_way(dir.path(), BAD);
    let collection = Collection::open(dir.path()).unwrap();
    collection.underway.skip_trial_wait();
    derive_pages(&collection, |_| ()).unwrap();
    assert!(collection.documents.get(id(BAD)).unwrap().is_some());
    assert_eq!(reason(&collection, BAD), Reason::Kept);
    drop(collection);
    // Nothing of it is left: another kill counts as the first.
    leave_under_way(dir.path(), BAD);
    let collection = Collection::open(dir.path()).unwrap();
    collection.underway.skip_trial_wait();
    derive_in_place(&collection, |_| ()).unwrap();
    assert_eq!(reason(&collection, BAD), Reason::Kept);
}

#[test]
fn a_page_that_may_have_ended_the_program_is_begun_again_only_after_a_while() {
    let (dir, collection) = new_collection();
    commit(&collection, &[capture(BAD, 1, "<p>better than it looks"), capture(GOOD, 2, "<p>eel")]);
    drop(collection);
    leave_under_way(dir.path(), BAD);
    // A process that is ended a moment after it began has not begun that page: it counts no second time.
    let collection = Collection::open(dir.path()).unwrap();
    let place = collection.underway.place();
    assert!(place.is_doubtful(id(BAD)) && !place.is_doubtful(id(GOOD)));
    assert!(!place.trial_wait().is_zero());
    collection.underway.skip_trial_wait();
    assert!(place.trial_wait().is_zero());
}
