//! What a query may cost: a hostile one is answered from a part of the documents, and says so.

use fyke_index::{CutOff, Entry, Index, Query, QueryBudget, Results, SearchOptions};

const DOCUMENTS: u64 = 12_000;

/// Documents that all have the same forty words, in several segments, some of them deleted.
fn frequent() -> (tempfile::TempDir, Index) {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let words: Vec<String> = (0..40).map(|word| format!("word{word}")).collect();
    let body = words.join(" ");
    for part in 0..2 {
        let mut writer = index.writer().unwrap();
        for id in (0..DOCUMENTS).filter(|id| id % 2 == part) {
            let title = format!("number{id}");
            let (title, body) = (title.as_str(), body.as_str());
            writer.put(&Entry { id, title, body, ..Entry::default() }).unwrap();
        }
        writer.commit("").unwrap();
    }
    let mut writer = index.writer().unwrap();
    (0..DOCUMENTS).step_by(100).for_each(|id| writer.delete(id).unwrap());
    writer.commit("").unwrap();
    (dir, index)
}

fn search(index: &Index, query: &str, steps: u64) -> Results {
    let budget = QueryBudget { steps };
    let options = SearchOptions { facets: true, explain: true, budget, ..SearchOptions::default() };
    index.search(&Query::parse(query), &options).unwrap()
}

#[test]
fn a_query_that_asks_for_too_much_is_answered_from_a_part_of_the_documents_and_says_so() {
    let (_dir, index) = frequent();
    let live = index.len().unwrap();
    let words: Vec<String> = (0..40).map(|word| format!("word{word}")).collect();
    let near: Vec<String> = (1..30).map(|word| format!("\"word0 word{word}\"~100")).collect();
    let demands: Vec<String> = words.iter().map(|word| format!("+{word}")).collect();
    for query in [
        words.join(" OR "),
        near.join(" "),
        demands.join(" "),
        format!("-number0 {}", near.join(" ")),
        format!("word1* {}", words.join(" ")),
    ] {
        let whole = search(&index, &query, u64::MAX);
        assert_eq!((whole.cut, whole.total as u64), (None, live), "{query}");
        let part = search(&index, &query, 120_000);
        let Some(CutOff { looked_at, documents, .. }) = part.cut else {
            panic!("{query}: not cut")
        };
        assert!((1..live).contains(&looked_at) && documents == live, "{query}: {looked_at}");
        assert_eq!(part.total as u64, looked_at, "{query}");
        assert_eq!(part.hits.len(), 10, "{query}");
        assert_eq!(part.facets.unwrap().counted as u64, looked_at, "{query}");
        let again = search(&index, &query, 120_000);
        let ids = |hits: &[fyke_index::Hit]| hits.iter().map(|hit| hit.id).collect::<Vec<_>>();
        assert_eq!((again.cut, ids(&again.hits)), (part.cut, ids(&part.hits)), "{query}");
    }
}

#[test]
fn what_a_cut_query_finds_is_what_it_would_have_found_among_those_documents() {
    let (_dir, index) = frequent();
    let some = "+word1 -number4 word2 \"word3 word4\"";
    let part = search(&index, some, 18_000);
    let cut = part.cut.expect("cut");
    assert_eq!(part.total as u64 + 1, cut.looked_at, "all but one: {cut:?}");
    // The rare word costs nothing, so nothing of its documents is left out.
    let rare = search(&index, "number4999 number11999", 18_000);
    assert_eq!((rare.cut, rare.total), (None, 2));
}

#[test]
fn an_ordinary_query_is_never_cut() {
    let (_dir, index) = frequent();
    let results =
        search(&index, "word1 word2 \"word3 word4\" number7*", QueryBudget::default().steps);
    assert_eq!((results.cut, results.total as u64), (None, index.len().unwrap()));
    let related = index.related("word1 word2", 5).unwrap();
    assert!(related.len() <= 5);
}
