//! Freshness: what is fetched can be searched before the stages have run, and a rebuilt index takes
//! the place of the one before without a moment between.

use crate::fixture::{arg, fyke};
use crate::pond::small_collection;
use fyke_derive::FACTS;
use fyke_index::{Index, Query, SearchOptions};
use fyke_stages::config::load;
use fyke_store::Collection;
use std::sync::atomic::{AtomicBool, Ordering};

fn total(index: &Index) -> usize {
    let found = index.search(&Query::parse("the"), &SearchOptions::default());
    found.unwrap().total
}

#[test]
fn searches_during_a_rebuild_never_meet_an_empty_index() {
    let dir = small_collection();
    let folder = dir.path().join("index");
    let index = Index::open_to_read(&folder, &FACTS).unwrap();
    let before = total(&index);
    assert!(before > 0);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let searches = scope.spawn(|| {
            let mut searches = 0;
            while !is_over.load(Ordering::Relaxed) {
                // One reader that stays, one that comes anew.
                assert_eq!(total(&index), before);
                assert_eq!(total(&Index::open_to_read(&folder, &FACTS).unwrap()), before);
                searches += 1;
            }
            searches
        });
        for _ in 0..2 {
            fyke(&["-q", "-C", arg(dir.path()), "rebuild"]).ends(0, &[]);
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(searches.join().unwrap() > 0);
    });
    assert!(!dir.path().join("index.new").exists());
}

#[test]
fn what_is_fetched_can_be_searched_before_the_stages_run() {
    let dir = small_collection();
    let config = load(Some(dir.path()), std::iter::empty(), &[]).unwrap().config;
    let collection = Collection::open(dir.path()).unwrap();
    let index = fyke_stages::open_index(&collection).unwrap();
    let (before, documents) = (total(&index), index.len().unwrap());
    drop(collection);
    for name in ["documents", "columns", "index"] {
        std::fs::remove_dir_all(dir.path().join(name)).unwrap();
    }
    let collection = Collection::open(dir.path()).unwrap();
    let index = fyke_stages::open_index(&collection).unwrap();
    assert_eq!(total(&index), 0);
    // Copies are known only to the stages.
    let fresh = fyke_stages::freshen(&collection, &config).unwrap();
    assert!(fresh >= documents, "{fresh} of {documents}");
    assert_eq!(index.len().unwrap(), fresh);
    assert!(total(&index) >= before);
    assert_eq!(fyke_stages::freshen(&collection, &config).unwrap(), 0);
    let made = fyke_stages::run(&collection, &config, &mut |_| ()).unwrap();
    assert_eq!((made.captures, made.indexed), (0, documents));
    assert_eq!((total(&index), index.len().unwrap()), (before, documents));
}
