//! A fact declared in one place ranks, narrows and is a facet: here one like spam, and a genre.

use fyke_index::{
    Entry, Fact, FactFacet, FactSignal, FactValue, Index, IndexError, Query, Ranker, SearchOptions,
    StandardWeight, trials, tune, weights,
};
use tempfile::TempDir;

/// All that the recipe of CONTRIBUTING asks for: the declaration …
const SPAM: Fact = Fact {
    name: "spam",
    what: "how likely the page is spam, from 0 to 1",
    signal: Some(FactSignal { weight: 2.0, curve: |spam| -spam as f32 }),
    filter: true,
    facet: Some(FactFacet { title: "Spam", cuts: &[0.2, 0.5] }),
    ..Fact::NUMBER
};

const GENRE: Fact = Fact {
    name: "genre",
    what: "what manner of page it is",
    filter: true,
    facet: Some(FactFacet { title: "Genre", cuts: &[] }),
    ..Fact::LABEL
};

/// … a line in the table …
const FACTS: &[Fact] = &[SPAM, GENRE];

/// … and a value for each document.
fn index() -> (Index, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open_with(dir.path(), FACTS).unwrap();
    let mut writer = index.writer().unwrap();
    let rows = [(1, 0.9, "shop"), (2, 0.1, "forum/thread"), (3, 0.2, "forum"), (4, 0.5, "Blog")];
    for (id, spam, genre) in rows {
        let facts = [(SPAM.name, FactValue::Number(spam)), (GENRE.name, FactValue::Labels(genre))];
        writer.put(&Entry { id, body: "eel trap", facts: &facts, ..Entry::default() }).unwrap();
    }
    writer.put(&Entry { id: 5, body: "eel trap", ..Entry::default() }).unwrap();
    let not_known = [(SPAM.name, FactValue::Number(f64::NAN))];
    writer.put(&Entry { id: 6, body: "a net", facts: &not_known, ..Entry::default() }).unwrap();
    writer.commit("").unwrap();
    (index, dir)
}

fn ids(index: &Index, query: &str, options: &SearchOptions) -> Vec<u64> {
    let found = index.search(&index.query(query), options).unwrap();
    found.hits.iter().map(|hit| hit.id).collect()
}

#[test]
fn a_signal_ranks_is_explained_and_can_be_dialled() {
    let (index, _dir) = index();
    let check = |ranker: &str, expected: &[u64]| {
        let weights = Ranker::parse_with(ranker, FACTS).unwrap().weights;
        let options = SearchOptions { explain: true, weights, ..SearchOptions::default() };
        assert_eq!(ids(&index, "eel", &options), expected, "{ranker}");
        for hit in index.search(&index.query("eel"), &options).unwrap().hits {
            let sum: f32 = hit.explain.iter().map(|(_, amount)| amount).sum();
            assert!((sum - hit.score).abs() < 1e-3, "{ranker}: {hit:?}");
            let told = hit.explain.iter().any(|(name, _)| name == "spam");
            assert_eq!(told, ranker != "spam=0" && hit.id != 5, "{ranker}: {hit:?}");
        }
    };
    check("", &[5, 2, 3, 4, 1]);
    check("spam=5", &[5, 2, 3, 4, 1]);
    check("spam=0", &[1, 2, 3, 4, 5]);
    assert!(Ranker::parse("spam=0").is_err());
    assert!(Ranker::parse_with("genre=1", FACTS).is_err());
}

#[test]
fn a_signal_is_listed_and_tuned_with_the_others() {
    let spam = StandardWeight { name: SPAM.name, what: SPAM.what, standard: 2.0 };
    assert!(weights(FACTS).any(|row| row == spam));
    assert!(trials(FACTS) > trials(&[]));
    let spam = |ranker: &Ranker| ranker.weights.facts[0].unwrap_or(2.0);
    let found = tune(FACTS, &mut |ranker| Some(-f64::from((spam(ranker) - 8.0).abs())));
    assert_eq!(found.name, "spam=8");
    let again = Ranker::parse_with(&found.name, FACTS).unwrap();
    assert_eq!(spam(&again), 8.0);
}

#[test]
fn a_filter_is_part_of_the_query_language() {
    let (index, _dir) = index();
    let check = |query: &str, expected: &[u64]| {
        let mut found = ids(&index, query, &SearchOptions::default());
        found.sort_unstable();
        assert_eq!(found, expected, "{query}");
        let parsed = index.query(query);
        assert_eq!(index.query(&parsed.describe()), parsed, "{query}");
    };
    check("eel spam:>0.5", &[1]);
    check("eel spam:>=0.5", &[1, 4]);
    check("spam:<0.2", &[2]);
    check("eel -spam:>0.15", &[2, 5]);
    check("spam:0.1..0.2", &[2, 3]);
    check("spam:0.1..<0.2", &[2]);
    check("spam:>0.1 spam:<0.5", &[3]);
    check("SPAM:0.9", &[1]);
    check("net spam:>=0", &[]);
    check("genre:forum", &[2, 3]);
    check("genre:forum/thread", &[2]);
    check("genre:forum genre:shop", &[1, 2, 3]);
    check("eel -genre:forum", &[1, 4, 5]);
    check("genre:BLOG OR spam:>0.8", &[1, 4]);
    // What is no number is words, and so is the name where nobody declares it.
    check("spam:high", &[]);
    assert_eq!(index.query("spam:high").describe(), "spam high");
    assert_eq!(Query::parse("spam:>0.5").describe(), Query::parse("spam 0.5").describe());
}

#[test]
fn a_facet_is_counted_and_its_values_are_filters() {
    let (index, _dir) = index();
    let options = SearchOptions { facets: true, ..SearchOptions::default() };
    let facets = index.search(&index.query("eel"), &options).unwrap().facets.unwrap();
    let counts = |name: &str| -> Vec<(&str, usize)> {
        facets.facts[name].iter().map(|facet| (&*facet.value, facet.count)).collect()
    };
    assert_eq!(counts("spam"), [("<0.2", 1), ("0.2..<0.5", 1), (">=0.5", 2)]);
    assert_eq!(counts("genre"), [("blog", 1), ("forum", 1), ("forum/thread", 1), ("shop", 1)]);
    for (value, count) in counts("spam") {
        let narrowed = index.query(&format!("eel spam:{value}"));
        let found = index.search(&narrowed, &SearchOptions::default()).unwrap();
        assert_eq!(found.total, count, "{value}");
    }
}

#[test]
fn another_table_makes_an_index_old_and_other_weights_do_not() {
    const HEAVIER: &[Fact] = &[Fact { signal: None, filter: false, facet: None, ..SPAM }, GENRE];
    const NEWER: &[Fact] = &[Fact { version: 2, ..SPAM }, GENRE];
    const OTHER: &[Fact] = &[Fact { name: "ham", ..SPAM }, GENRE];
    const FEWER: &[Fact] = &[SPAM];
    let (_, dir) = index();
    assert_eq!(Index::open_with(dir.path(), HEAVIER).unwrap().len().unwrap(), 6);
    for facts in [NEWER, OTHER, FEWER, &[]] {
        assert!(matches!(Index::open_with(dir.path(), facts), Err(IndexError::Old(_))));
        assert!(matches!(Index::open_to_read(dir.path(), facts), Err(IndexError::Old(_))));
    }
}

#[test]
fn facts_that_cannot_be_are_refused() {
    const TWICE: &[Fact] = &[SPAM, SPAM];
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Index::open_with(dir.path(), TWICE), Err(IndexError::Facts(_))));
    let (index, _dir) = index();
    let mut writer = index.writer().unwrap();
    let mut check = |facts: &[(&'static str, FactValue)]| {
        let put = writer.put(&Entry { id: 7, facts, ..Entry::default() });
        assert!(matches!(put, Err(IndexError::Facts(_))), "{facts:?}");
    };
    check(&[("ham", FactValue::Number(1.0))]);
    check(&[(SPAM.name, FactValue::Labels("much"))]);
    check(&[(SPAM.name, FactValue::Number(1.0)), (SPAM.name, FactValue::Number(0.0))]);
}
