//! Questions as people type them: things in one piece, options of commands, whole names, repeated words,
//! very many words, authors, sections.

use crate::corpus::{corpus, shown};
use fyke_index::{Entry, EntrySection, Index, Ranker, SearchOptions};

#[test]
fn what_is_written_in_one_piece_is_found_however_it_is_joined() {
    let shop = corpus(
        "1 a.test en Auctions: an e-bay for cars
         2 a.test en Auctions again: the ebay of old
         3 a.test en Cars: the RX-7 is a car
         4 a.test en More cars: an rx7 too
         5 a.test en Water: a bay of the sea",
    );
    let found = |query: &str| {
        let mut ids: Vec<u64> = shop.hits(query).iter().map(|hit| hit.id).collect();
        ids.truncate(2);
        ids.sort_unstable();
        ids
    };
    assert_eq!(found("ebay"), [1, 2]);
    assert_eq!(found("e-bay"), [1, 2]);
    assert_eq!(found("rx7"), [3, 4]);
    assert_eq!(found("RX-7"), [3, 4]);
    // In quotes it is found only as it is written.
    shop.check("\"ebay\"", &[2]);
    assert_eq!(shown(&shop.hits("ebay +cars")[0].snippet), "an [e-bay] for [cars]");
}

#[test]
fn a_whole_counts_more_than_its_parts() {
    let names = corpus(
        "1 a.test en Parts: a type of build that make does and a build type of make and cmake
         2 a.test en Whole: set CMAKE_BUILD_TYPE here
         3 a.test en Other: vector and std and more std and vector
         4 a.test en Standard: a std::vector holds it",
    );
    assert_eq!(names.hits("CMAKE_BUILD_TYPE")[0].id, 2);
    assert_eq!(names.hits("cmake_build_type")[0].id, 2);
    assert_eq!(names.hits("std::vector")[0].id, 4);
    assert_eq!(names.hits("std::vector").len(), 2);
}

#[test]
fn an_option_is_found_and_not_forbidden() {
    let git = corpus(
        "1 git.test en git-commit: record changes; --amend replaces the tip of the branch
         2 git.test en git-log: show a log of every commit
         3 git.test en find: run a program with -exec
         4 git.test en jobs: turbine jobs
         5 git.test en turbines: turbine news",
    );
    let ids = |text: &str| {
        let query = git.index.query(text);
        let results = git.index.search(&query, &SearchOptions::default()).unwrap();
        results.hits.iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("git commit --amend")[0], 1);
    // The documents know the option.
    assert_eq!(ids("find -exec"), [3]);
    assert_eq!(ids("turbine -jobs"), [5]);
    assert_eq!(git.index.query("turbine -jobs").left_out()[0].undo, "turbine jobs");
}

#[test]
fn what_says_what_an_option_is_comes_before_what_mentions_it() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    let page = Entry { language: "en", ..Entry::default() };
    let mention = "to haul by night try --wings or -w; --wings twice, --wings thrice";
    let manual = "how to haul\n-w, --wings\nThe funnels come in before the bag does.";
    writer.put(&Entry { id: 1, url: "http://a.test/1", body: mention, ..page }).unwrap();
    writer.put(&Entry { id: 2, url: "http://a.test/2", body: manual, ..page }).unwrap();
    for id in 3..100 {
        let url = format!("http://a.test/{id}");
        writer.put(&Entry { id, url: &url, body: "other pages of the club", ..page }).unwrap();
    }
    writer.commit("").unwrap();
    let first = |query: &str, ranker: &str| {
        let weights = Ranker::parse(ranker).unwrap().weights;
        let options = SearchOptions { weights, ..SearchOptions::default() };
        index.search(&index.query(query), &options).unwrap().hits[0].id
    };
    assert_eq!(first("haul --wings", ""), 2);
    assert_eq!(first("haul -w", ""), 2);
    // Else the page that names it oftener is first, as it is for words.
    assert_eq!(first("haul --wings", "option=0"), 1);
    assert_eq!(first("haul wings", ""), 1);
}

#[test]
fn who_types_a_whole_name_gets_what_bears_it() {
    let filler = "lookup tables and the tables of lookups, lookup after lookup, table after table";
    let text = format!(
        "1 a.test en A history of lookup tables and others: {filler}
         2 a.test en Lookup tables — the manual: short
         3 a.test en Other: {filler}"
    );
    assert_eq!(corpus(&text).hits("lookup tables")[0].id, 2);
}

#[test]
fn a_word_counts_as_often_as_it_stands_in_the_query() {
    let fish = corpus(
        "1 a.test en one: eel eel eel trap
         2 a.test en two: eel trap trap trap",
    );
    assert_eq!(fish.hits("eel trap trap trap")[0].id, 2);
    assert_eq!(fish.hits("eel eel eel trap")[0].id, 1);
}

#[test]
fn of_very_many_words_the_last_is_found_too() {
    let fish = corpus("1 a.test en one: eel\n2 a.test en two: weir");
    let words: String = (0..300).map(|n| format!("word{n} ")).collect();
    fish.check(&format!("{words}weir"), &[2]);
    fish.check(&format!("{words}weir eel -weir"), &[1]);
}

#[test]
fn one_rare_word_in_one_document_stays_first() {
    let mut text =
        String::from("1 a.test en one: a quokka in a field of grass and grass and grass\n");
    for id in 2..40 {
        text += &format!("{id} a.test en page {id}: grass field meadow hay grass field meadow\n");
    }
    let found = corpus(&text);
    let options = SearchOptions { explain: true, ..SearchOptions::default() };
    let results = found.index.search(&found.index.query("quokka grass field"), &options).unwrap();
    assert_eq!(results.hits[0].id, 1);
    let told = results.feedback.unwrap();
    assert!(told.starts_with("feedback: not used") && told.contains("quokka"), "{told}");
    let results = found.index.search(&found.index.query("grass field"), &options).unwrap();
    let told = results.feedback.unwrap();
    assert!(told.starts_with("feedback: used"), "{told}");
}

#[test]
fn authors_keywords_titles_of_links_and_sections_are_fields() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    let sections = [
        EntrySection { start: 0, level: 2, heading: "Names", anchor: "names" },
        EntrySection { start: 10, level: 2, heading: "Options", anchor: "options" },
    ];
    let (url, language) = ("http://a.test/page.html", "en");
    let page = Entry { url, language, body: "of eels\n\nof traps and weirs", ..Entry::default() };
    let headings = "Names\nOptions";
    let author = "Jane Doe";
    let (keywords, link_titles) = ("creels\nbaskets", "how a wattle is woven");
    let named = Entry { author, headings, sections: &sections, ..page };
    writer.put(&Entry { id: 1, keywords, link_titles, ..named }).unwrap();
    writer.put(&Entry { id: 2, headings: "jane, doe", ..page }).unwrap();
    writer.commit("").unwrap();
    let hits =
        |query: &str| index.search(&index.query(query), &SearchOptions::default()).unwrap().hits;
    let ids = |query: &str| hits(query).iter().map(|hit| hit.id).collect::<Vec<_>>();
    assert_eq!(ids("author:\"jane doe\""), [1]);
    assert_eq!(ids("keyword:creel"), [1]);
    assert_eq!(ids("keyword:traps"), [] as [u64; 0]);
    assert_eq!(ids("baskets"), [1]);
    assert_eq!(ids("wattle"), [1]);
    let section = |query: &str| hits(query)[0].section.clone().map(|section| section.url);
    assert_eq!(
        section("author:jane traps weirs").as_deref(),
        Some("http://a.test/page.html#options")
    );
    assert_eq!(section("options").as_deref(), Some("http://a.test/page.html#options"));
    assert_eq!(section("doe -author:jane"), None);
}
