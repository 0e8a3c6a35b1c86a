//! Papers of a collection: which documents are papers, and what they are taken apart into.

use crate::{capture, commit, id, new_collection, run};
use fyke_derive::Eagerness;
use fyke_derive::asked::papers as asked;
use fyke_derive::page::papers::{PAPERS, PARTS};
use fyke_derive::whole::citations::{self, NameKind, PLACES};
use fyke_derive::{FACTS, facts_of};
use fyke_index::{Index, SearchOptions};
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

#[test]
fn references_are_grouped_into_papers_that_are_held_or_not() {
    let (_dir, collection) = literature();
    let cells = collection.cells();
    let figures = citations::last(&cells).unwrap().unwrap();
    assert_eq!((figures.held, figures.cited, figures.unnamed), (5, 2, 0));
    let all: Vec<usize> = small::PAPERS.iter().flat_map(|paper| paper.cites).copied().collect();
    assert_eq!(figures.citations, all.len() as u64);
    let place = |url: &str| cells.get(&PLACES, id(url)).unwrap().unwrap();
    for (at, paper) in small::PAPERS.iter().enumerate() {
        let here = place(paper.url);
        let times = all.iter().filter(|cited| **cited == at).count();
        assert_eq!((here.cited as usize, here.year), (times, Some(paper.year)), "{}", paper.url);
        for (nth, cited) in paper.cites.iter().enumerate() {
            let named = here.references[nth].unwrap();
            let entry = asked::paper(&cells, named).unwrap().unwrap();
            let title = small::cited(*cited).title;
            assert_eq!(entry.fields.title.to_lowercase(), title.to_lowercase());
            assert_eq!(entry.documents.is_empty(), *cited >= small::PAPERS.len(), "{title}");
        }
    }
    let first = asked::paper(&cells, figures.most_cited[0]).unwrap().unwrap();
    assert_eq!(first.cited_by.len(), 4);
    assert_eq!(figures.authors[0].slug, "hooker-b");
    assert!(figures.venues.iter().any(|venue| venue.slug == "journal-tidal-research"));
}

#[test]
fn a_paper_is_shown_with_what_stands_around_it() {
    let (_dir, collection) = literature();
    let cells = collection.cells();
    let nets = asked::of_document(&cells, id(small::PAPERS[0].url)).unwrap().unwrap();
    let paper = asked::paper(&cells, nets).unwrap().unwrap();
    let citing = asked::citing(&cells, (nets, &paper), (0, 10)).unwrap();
    assert_eq!(citing.len(), 4);
    for citing in &citing {
        let sentence = &citing.sentences[0];
        assert!(sentence.contains("The work of Fisher [1]"), "{sentence}");
    }
    let beside = asked::co_cited(&cells, (nets, &paper), 3).unwrap();
    assert_eq!((beside.len(), beside[0].times), (3, 3), "{beside:?}");
    assert!(!asked::coupled(&cells, (nets, &paper), 9).unwrap().is_empty());
    let references = asked::references(&cells, id(small::PAPERS[1].url)).unwrap();
    assert_eq!(references[0].paper, Some(nets));
    assert!(references[1].sentences[0].contains("[2]"));
    let hooker = asked::named(&cells, NameKind::Author, "hooker-b", 10).unwrap().unwrap();
    assert_eq!((hooker.name.as_str(), hooker.papers.len()), ("Bob Hooker", 3));
    assert_eq!(asked::named(&cells, NameKind::Venue, "nowhere", 10).unwrap(), None);
    let graph = asked::graph(&cells, false).unwrap();
    assert_eq!(
        (graph.entries().len(), asked::graph(&cells, true).unwrap().entries().len()),
        (7, 5)
    );
}

#[test]
fn the_index_knows_papers_by_their_authors_years_and_citations() {
    let (_dir, collection) = literature();
    let index = Index::open_to_read(&collection.index_dir(), &FACTS).unwrap();
    let found = |query: &str| {
        let hits = index.search(&index.query(query), &SearchOptions::default()).unwrap().hits;
        let mut urls: Vec<String> = hits.into_iter().map(|hit| hit.url).collect();
        urls.sort();
        urls
    };
    let url = |at: usize| small::PAPERS[at].url.to_owned();
    assert_eq!(found("paper:yes year:1994..1996"), [url(0), url(1)]);
    assert_eq!(found("paper:yes author:netter"), [url(1), url(4)]);
    assert_eq!(found("river cited:>=3"), [url(0), url(1)]);
    assert_eq!(found("paper:yes venue:journal-tidal-research"), [url(2), url(0)]);
    let nets = asked::of_document(&collection.cells(), id(&url(0))).unwrap().unwrap();
    assert_eq!(found(&format!("paper:yes cites:{}", citations::key(nets))).len(), 4);
    let others = facts_of(&collection.cells(), id("http://river.test/")).unwrap();
    assert!(others.iter().all(|fact| fact.name != "paper" && fact.name != "cited"), "{others:?}");
}

#[test]
fn what_is_deleted_is_made_again() {
    let (dir, collection) = literature();
    let before = (citations::last(&collection.cells()).unwrap(), dump_papers(&collection));
    assert!(before.0.is_some());
    drop(collection);
    std::fs::remove_dir_all(dir.path().join("columns")).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    run(&collection, Eagerness::Exact, None);
    assert_eq!(before, (citations::last(&collection.cells()).unwrap(), dump_papers(&collection)));
}

fn dump_papers(collection: &Collection) -> Vec<String> {
    let cells = collection.cells();
    let papers = cells.all(&citations::CITED).map(|paper| format!("{:?}", paper.unwrap()));
    papers.chain(cells.all(&PAPERS).map(|paper| format!("{:?}", paper.unwrap()))).collect()
}

#[test]
fn of_very_many_references_only_so_many_are_kept() {
    let (_dir, collection) = new_collection();
    let html = small::pages()[0].html.clone();
    let (head, _) = html.split_once("<h2>References").unwrap();
    let many = |n: usize| format!("<p>[{n}] A. Fisher. Nets of kind {n}. Tides, 1999.");
    let list: String = (1..=1_500).map(many).collect();
    // The text is long enough for a list of this length.
    let text = "<p>The nets of the river were known to all people of the harbour.".repeat(1_200);
    let html = format!("{head}<h2>4 More</h2>{text}<h2>References</h2>{list}");
    commit(&collection, &[capture("http://a.test/many", 1, &html)]);
    run(&collection, Eagerness::Exact, None);
    let cells = collection.cells();
    let judged = cells.get(&PAPERS, id("http://a.test/many")).unwrap().unwrap();
    assert!(judged.verdict.is_paper, "{:?}", judged.verdict);
    assert!(judged.notes.iter().any(|note| note.contains("more references")), "{:?}", judged.notes);
    let parts = cells.get(&PARTS, id("http://a.test/many")).unwrap().unwrap();
    assert_eq!(parts.references.len(), 1_000);
}
