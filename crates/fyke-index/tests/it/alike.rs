//! Documents like one, hits unlike each other, searches that go on from one.

use fyke_index::{Query, SearchOptions};

use crate::corpus::corpus;

const SHORE: &str = "
    1 a.test en Eel traps: a trap of willow for the eel, set in the weir at night
    2 a.test en Weirs: the eel swims into the weir, where a willow trap waits
    3 b.test en Willow: willow branches for baskets
    4 b.test en Bread: flour and yeast for bread
    5 b.test en Dough: yeast in the dough, flour on the table
    6 a.test en Eel traps: a trap of willow for the eel, set in the weir at night
";

#[test]
fn documents_with_the_same_rare_words_are_alike() {
    let shore = corpus(SHORE);
    let alike = |id| {
        let hits = shore.index.alike(id, 3).unwrap();
        hits.iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(alike(1), [6, 2, 3]);
    assert_eq!(alike(4), [5]);
    assert_eq!(alike(99), [0; 0]);
    assert_eq!(shore.index.alike(1, 1).unwrap().len(), 1);
    assert_eq!(shore.index.alike(1, 0).unwrap().len(), 0);
}

#[test]
fn an_entry_is_got_by_its_id() {
    let shore = corpus(SHORE);
    assert_eq!(shore.index.get(3).unwrap().unwrap().title, "Willow");
    assert!(shore.index.get(99).unwrap().is_none());
}

#[test]
fn diversity_puts_a_copy_behind_other_documents() {
    let shore = corpus(SHORE);
    let found = |diversity| {
        let options = SearchOptions { diversity, ..SearchOptions::default() };
        let results = shore.index.search(&Query::parse("eel trap willow"), &options).unwrap();
        results.hits.iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(found(None), [1, 6, 2, 3]);
    assert_eq!(found(Some(0.0)), [1, 6, 2, 3]);
    assert_eq!(found(Some(0.7)).last(), Some(&6));
    assert_eq!(found(Some(f32::NAN)), [1, 6, 2, 3]);
}

#[test]
fn a_related_search_has_a_word_more_that_the_hits_have_in_common() {
    let shore = corpus(SHORE);
    let related = |text: &str| shore.index.related(text, 2).unwrap();
    assert_eq!(related("yeast")[0], "yeast flour");
    let of_eels = related("eel -bread");
    assert!(of_eels.iter().all(|text| text.starts_with("eel -bread ")), "{of_eels:?}");
    assert_eq!(of_eels.len(), 2);
    assert_eq!(related("nothing"), [""; 0]);
    assert_eq!(related("site:a.test"), [""; 0]);
}
