//! Help with queries: suggestions while typing, spelling, related searches.

use crate::corpus::{Corpus, corpus};

const TOWN: &str = "
    1 a.test en New York harbour: the new york harbour and the yacht you see
    2 a.test en York minster: the minster of york in the north
    3 a.test en Yachts: your yacht in the harbour when you sail
    4 b.test en Yeast: you and your bread need yeast
    5 b.test en New bread: new bread when you bake with yeast you like
    6 b.test en Young yeast: young dough for you
";

fn check(corpus: &Corpus, typed: &str, expected: &[&str]) {
    assert_eq!(corpus.index.suggest(typed, 4).unwrap(), expected, "{typed}");
}

#[test]
fn the_last_word_is_ended_in_view_of_the_words_before() {
    let town = corpus(TOWN);
    check(&town, "yea", &["yeast", "Young yeast"]);
    check(&town, "Harb", &["harbour", "New York harbour"]);
    let ended = town.index.suggest("new yo", 3).unwrap();
    assert_eq!(ended[0], "new york", "{ended:?}");
    let ended = town.index.suggest("bake y", 3).unwrap();
    assert_eq!(ended[0], "bake yeast", "{ended:?}");
}

#[test]
fn after_a_space_titles_with_the_words_are_suggested() {
    let town = corpus(TOWN);
    check(&town, "york ", &["York minster", "New York harbour"]);
    check(&town, "young yeas", &["young yeast"]);
    check(&town, "Young yeast", &[]);
    check(&town, "", &[]);
    check(&town, " ", &[]);
    check(&town, "\"( ~", &[]);
    check(&town, "zebra cro", &[]);
}

#[test]
fn suggestions_are_no_more_than_asked_for() {
    let text: String = (0..300).map(|n| format!("{n} a.test en wa{n}: wa{n} way\n")).collect();
    let many = corpus(&text);
    for limit in [0, 1, 7, 1_000] {
        assert!(many.index.suggest("wa", limit).unwrap().len() <= limit.min(50), "{limit}");
    }
}

fn meant(corpus: &Corpus, typed: &str, expected: Option<&str>) {
    assert_eq!(corpus.index.spelling(typed).unwrap().as_deref(), expected, "{typed}");
}

#[test]
fn a_mistyped_word_is_set_right_from_the_collections_own_words() {
    let town = corpus(TOWN);
    meant(&town, "harbuor", Some("harbour"));
    meant(&town, "Minstre of York", Some("minster of York"));
    meant(&town, "+haarbour -yeats site:a.test", Some("+harbour -yeats site:a.test"));
    meant(&town, "newyork harbour", Some("new york harbour"));
    meant(&town, "yorkharbour", Some("york harbour"));
    meant(&town, "breadharbour", None);
    meant(&town, "harbour", None);
    meant(&town, "harbours", None);
    meant(&town, "the yrk", None);
    meant(&town, "zeppelin", None);
    meant(&town, "\"harbuor\"", None);
    meant(&town, "", None);
}

#[test]
fn of_two_corrections_the_one_that_stands_with_the_other_words_is_meant() {
    let mut text = String::new();
    for n in 0..40 {
        text += &format!("{n} a.test en x: the castle stands on a hill with a tower\n");
    }
    for n in 40..60 {
        text += &format!("{n} a.test en x: the cattle graze in a meadow with clover\n");
    }
    let land = corpus(&text);
    meant(&land, "cattle", None);
    meant(&land, "catle tower", Some("castle tower"));
    meant(&land, "meadow catle", Some("meadow cattle"));
}
