//! Titles by host, in everything that shows them: search, the document, the corpus.

use crate::{capture, commit, id, new_collection, run};
use fyke_derive::whole::titles::TITLES;
use fyke_derive::{Eagerness, document, kept};
use fyke_index::{Index, SearchOptions};
use fyke_store::{Collection, StoreError};

const FISH: [&str; 6] = ["eel", "pike", "carp", "tench", "roach", "perch"];

/// A manual whose pages have its name in their titles, and lists of members with one title for all.
fn manual() -> (tempfile::TempDir, Collection) {
    let (dir, collection) = new_collection();
    let mut captures = Vec::new();
    for (time, fish) in (1..).zip(FISH) {
        let words: String = (0..30).map(|n| format!("{fish}word{n} ")).collect();
        let page = format!("<title>Rivers: API Guide: {fish} class</title><p>{words}");
        captures.push(capture(&format!("http://a.test/class_{fish}.html"), time, &page));
        let calls: String = (0..30).map(|n| format!("{fish}call{n} ")).collect();
        let list = format!(
            "<title>Rivers: API Guide: Member List</title><div class=title>{fish} Member List</div>\
             <p>members of {calls}"
        );
        captures.push(capture(&format!("http://a.test/{fish}-all.html"), time, &list));
    }
    captures.push(capture(
        "http://b.test/x",
        9,
        "<title>Rivers: API Guide: alone</title><p>alone here",
    ));
    commit(&collection, &captures);
    (dir, collection)
}

fn title(collection: &Collection, url: &str) -> String {
    document(collection, id(url)).unwrap().unwrap().title
}

#[test]
fn a_title_is_without_what_the_host_s_titles_share_and_no_other_page_s() {
    let (_dir, collection) = manual();
    run(&collection, Eagerness::Exact, None);
    assert_eq!(title(&collection, "http://a.test/class_eel.html"), "eel class");
    assert_eq!(title(&collection, "http://a.test/eel-all.html"), "eel Member List");
    assert_eq!(title(&collection, "http://b.test/x"), "Rivers: API Guide: alone");
    let mut shown = Vec::new();
    kept::each::<StoreError>(
        &collection,
        |_, _| true,
        |kept| {
            shown.push(kept.document.title);
            Ok(())
        },
    )
    .unwrap();
    assert!(shown.iter().all(|title| !title.starts_with("Rivers: API Guide: M")), "{shown:?}");
    let index = Index::open_to_read(&collection.index_dir(), &fyke_derive::FACTS).unwrap();
    let found = index.search(&index.query("members pikecall3"), &SearchOptions::default()).unwrap();
    assert_eq!(found.hits.first().map(|hit| hit.title.as_str()), Some("pike Member List"));
}

#[test]
fn titles_of_pages_that_came_one_after_the_other_are_those_of_all_at_once() {
    let (_dir, collection) = manual();
    run(&collection, Eagerness::Usual, None);
    let page =
        "<title>Rivers: API Guide: bream class</title><p>bream words here and there and so on";
    commit(&collection, &[capture("http://a.test/class_bream.html", 20, page)]);
    run(&collection, Eagerness::Usual, None);
    assert_eq!(title(&collection, "http://a.test/class_bream.html"), "bream class");
    // A title that the page alone has needs no cell.
    assert_eq!(collection.cells().get(&TITLES, id("http://b.test/x")).unwrap(), None);
}

/// Pages of a manual that say the same of two commands but for their names, and the first of them in print.
#[test]
fn pages_that_differ_in_little_but_their_names_are_documents_of_their_own() {
    let (_dir, collection) = new_collection();
    let words: String = (0..200).map(|n| format!("sentence{n} ")).collect();
    let page = |path: &str, name: &str, title: &str, time| {
        let page = format!("<title>{title}</title><p>{words} with {name} at the end of it");
        capture(&format!("http://a.test/{path}.html"), time, &page)
    };
    commit(
        &collection,
        &[
            page("find_eel", "find_eel", "find_eel — Rivers", 1),
            page("find_pike", "find_pike", "find_pike — Rivers", 2),
            page("find_eel_print", "find_eel today", "find_eel — Rivers (print)", 3),
        ],
    );
    run(&collection, Eagerness::Exact, None);
    let index = Index::open_to_read(&collection.index_dir(), &fyke_derive::FACTS).unwrap();
    let found = |words: &str| -> Vec<String> {
        let found = index.search(&index.query(words), &SearchOptions::default()).unwrap();
        found.hits.into_iter().map(|hit| hit.url).collect()
    };
    let [eel, pike] = ["http://a.test/find_eel.html", "http://a.test/find_pike.html"];
    assert_eq!((&*found("find_eel")[0], &*found("find_pike")[0]), (eel, pike));
    assert_eq!(found("sentence7").len(), 2);
}
