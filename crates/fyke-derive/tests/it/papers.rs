//! Papers of a collection: which documents are papers, and what they are taken apart into.

use crate::{capture, commit, id, new_collection, run};
use fyke_derive::Eagerness;
use fyke_derive::page::papers::{PAPERS, PARTS};
use fyke_papers::names::PersonName;
use fyke_papers::small;
use fyke_store::Collection;

/// A collection of the small literature.
pub fn literature() -> (tempfile::TempDir, Collection) {
    let (dir, collection) = new_collection();
    let pages = small::pages();
    let captures: Vec<_> = pages.iter().map(|page| capture(&page.url, 1_000, &page.html)).collect();
    commit(&collection, &captures);
    run(&collection, Eagerness::Exact, None);
    (dir, collection)
}

#[test]
fn papers_are_taken_apart_and_other_pages_say_why_not() {
    let (_dir, collection) = literature();
    let cells = collection.cells();
    for paper in small::PAPERS {
        let judged = cells.get(&PAPERS, id(paper.url)).unwrap().unwrap();
        assert!(judged.verdict.is_paper, "{}: {:?}", paper.url, judged.verdict);
        assert_eq!(judged.header.title, paper.title);
        let authors: Vec<String> = judged.header.authors.iter().map(PersonName::full).collect();
        assert_eq!(authors, paper.authors, "{}", paper.url);
        let parts = cells.get(&PARTS, id(paper.url)).unwrap().unwrap();
        assert_eq!(parts.references.len(), paper.cites.len(), "{:?}", parts.references);
        assert_eq!(parts.contexts.len(), paper.cites.len(), "{:?}", parts.contexts);
    }
    for (url, why) in
        [("http://fish.test/", "no abstract"), ("http://fish.test/course.html", "no abstract")]
    {
        let judged = cells.get(&PAPERS, id(url)).unwrap().unwrap();
        assert!(!judged.verdict.is_paper && judged.verdict.note.contains(why), "{judged:?}");
        assert_eq!(cells.get(&PARTS, id(url)).unwrap(), None);
    }
    assert_eq!(cells.get(&PAPERS, id("http://river.test/")).unwrap(), None, "not looked at");
}

#[test]
fn a_paper_that_becomes_something_else_is_none_any_more() {
    let (_dir, collection) = literature();
    let url = small::PAPERS[0].url;
    let gone = format!("<title>Moved</title><p>{}", "This paper has moved elsewhere. ".repeat(9));
    commit(&collection, &[capture(url, 2_000, &gone)]);
    run(&collection, Eagerness::Exact, None);
    let cells = collection.cells();
    assert_eq!(cells.get(&PAPERS, id(url)).unwrap(), None);
    assert_eq!(cells.get(&PARTS, id(url)).unwrap(), None);
}
