//! Persons, places and organisations that pages name: looked for where that is set, asked for and counted by search.

use crate::{capture, commit, id, new_collection, settings};
use fyke_derive::whole::names::NAMES;
use fyke_derive::{DeriveSettings, Eagerness, FACTS, Orders};
use fyke_index::{Index, SearchOptions};
use fyke_store::Collection;
use std::fmt::Write as _;

const SMITH: &str =
    "Yesterday the fisher Fred Smith came from New York to London with nets and boats.";
const JONES: &str =
    "This morning Mrs. Helen Jones came with nets. He studies at the University of Dover.";

fn page(at: usize, text: &str) -> fyke_web::Capture {
    let mut more = String::new();
    for nth in 0..6 {
        let _ = write!(more, "There were {nth} boats of kind {at} and the nets were mended. ");
    }
    let html = format!("<title>Page {at}</title><p>{text} {more}</p>");
    capture(&format!("http://a.test/{at}"), 1_000 + at as i64, &html)
}

fn run(collection: &Collection, names: bool) {
    let settings = DeriveSettings { names, outline: None, near_duplicate: 0.99, ..settings() };
    let (pace, observe) = (Eagerness::Usual, &mut |_| ());
    let mut orders = Orders { settings: &settings, pace, only: None, observe };
    fyke_derive::run(collection, &mut orders).unwrap();
}

fn found(collection: &Collection, query: &str) -> Vec<String> {
    let index = Index::open_to_read(&collection.index_dir(), &FACTS).unwrap();
    let hits = index.search(&index.query(query), &SearchOptions::default()).unwrap().hits;
    let mut urls: Vec<String> = hits.into_iter().map(|hit| hit.url).collect();
    urls.sort();
    urls
}

#[test]
fn names_are_asked_for_and_counted_where_they_are_looked_for() {
    let (_dir, collection) = new_collection();
    commit(&collection, &[page(1, SMITH), page(2, JONES), page(3, "Nothing was said.")]);
    run(&collection, false);
    assert_eq!(collection.cells().all(&NAMES).count(), 0);
    assert_eq!(found(&collection, "boats person:\"Fred Smith\""), [""; 0]);

    run(&collection, true);
    let of_smith = collection.cells().get(&NAMES, id("http://a.test/1")).unwrap().unwrap();
    assert_eq!(of_smith.persons, ["Fred Smith"]);
    assert_eq!(found(&collection, "boats person:\"Fred Smith\""), ["http://a.test/1"]);
    assert_eq!(found(&collection, "place:london"), ["http://a.test/1"]);
    assert_eq!(found(&collection, "boats -place:\"new york\"").len(), 2);
    assert_eq!(found(&collection, "org:\"university of dover\""), ["http://a.test/2"]);
    let index = Index::open_to_read(&collection.index_dir(), &FACTS).unwrap();
    let options = SearchOptions { facets: true, ..SearchOptions::default() };
    let facets = index.search(&index.query("boats"), &options).unwrap().facets.unwrap();
    let persons: Vec<&str> = facets.facts["person"].iter().map(|facet| &*facet.value).collect();
    assert_eq!(persons, ["fred smith", "helen jones"]);

    run(&collection, false);
    assert_eq!(collection.cells().all(&NAMES).count(), 0);
    assert_eq!(found(&collection, "place:london"), [""; 0]);
}

#[test]
fn a_page_that_changes_names_others() {
    let (_dir, collection) = new_collection();
    commit(&collection, &[page(1, SMITH), page(2, JONES)]);
    run(&collection, true);
    let mut changed = page(1, JONES);
    changed.time = 5_000;
    commit(&collection, &[changed]);
    run(&collection, true);
    let names = collection.cells().get(&NAMES, id("http://a.test/1")).unwrap().unwrap();
    assert_eq!(names.persons, ["Helen Jones"]);
    assert_eq!(found(&collection, "place:london"), [""; 0]);
    assert_eq!(found(&collection, "person:\"helen jones\"").len(), 2);
}
