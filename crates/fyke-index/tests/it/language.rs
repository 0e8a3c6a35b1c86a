//! The query language against an index: what each operator and condition finds.

use fyke_index::{Entry, Facet, Facets, Fact, FactFacet, FactValue, Index, Query, SearchOptions};
use proptest::prelude::*;
use tempfile::TempDir;

const DAY_2023: i64 = 19_358;

const FACTS: &[Fact] = &[
    Fact {
        name: "topic",
        what: "what it is about",
        filter: true,
        facet: Some(FactFacet { title: "Topic", cuts: &[] }),
        ..Fact::LABEL
    },
    Fact { name: "price", what: "what it costs", filter: true, ..Fact::NUMBER },
];

fn parse(text: &str) -> Query {
    Query::parse_with(text, &["en"], FACTS)
}

/// Entries with every field that a query can ask for.
fn entries() -> Vec<Entry<'static>> {
    let page = Entry { language: "en", format: "html", host: "a.test", ..Entry::default() };
    vec![
        Entry {
            id: 1,
            url: "http://a.test/wind/turbines.html",
            title: "Turbines",
            body: "wind turns the blades of every turbine here",
            facts: &[
                ("topic", FactValue::Labels("energy/wind\nSea")),
                ("price", FactValue::Number(2.5)),
            ],
            date: Some(DAY_2023),
            ..page
        },
        Entry {
            id: 2,
            url: "http://b.test/report.pdf",
            host: "b.test",
            format: "pdf",
            title: "Report",
            body: "a turbine needs no sun but much wind and much turbulence",
            anchors: "yearly figures",
            date: Some(DAY_2023 + 400),
            ..page
        },
        Entry {
            id: 3,
            url: "http://a.test/sun",
            title: "The sun",
            body: "cells and light",
            own_anchors: "solar figures",
            facts: &[
                ("price", FactValue::Number(-0.0)),
                ("topic", FactValue::Labels("energy/sun")),
            ],
            date: Some(DAY_2023 - 5_000),
            ..page
        },
        Entry {
            id: 4,
            url: "http://c.test/",
            host: "c.test",
            language: "sl",
            body: "veter",
            ..page
        },
    ]
}

fn index() -> (Index, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open_with(dir.path(), FACTS).unwrap();
    let mut writer = index.writer().unwrap();
    entries().iter().for_each(|entry| writer.put(entry).unwrap());
    writer.commit("").unwrap();
    (index, dir)
}

/// Checks which ids a query finds, by a search and by looking at each entry alone.
fn check(index: &Index, text: &str, expected: &[u64]) {
    let query = parse(text);
    let results = index.search(&query, &SearchOptions::default()).unwrap();
    let mut found: Vec<u64> = results.hits.iter().map(|hit| hit.id).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{text}");
    let alone = entries().into_iter().filter(|entry| query.matches(entry));
    assert_eq!(alone.map(|entry| entry.id).collect::<Vec<_>>(), expected, "{text}, alone");
}

#[test]
fn operators_find_what_logic_says() {
    let (index, _dir) = index();
    check(&index, "wind AND blades", &[1]);
    check(&index, "blades OR veter", &[1, 4]);
    check(&index, "wind NOT blades", &[2]);
    check(&index, "wind AND NOT blades", &[2]);
    check(&index, "(wind AND sun) OR veter", &[2, 4]);
    check(&index, "(blades OR sun) AND (wind OR light)", &[1, 2, 3]);
    check(&index, "NOT (wind OR veter)", &[3]);
    check(&index, "-(wind veter)", &[3]);
    check(&index, "NOT (wind AND sun)", &[1, 3, 4]);
    check(&index, "light OR NOT wind", &[3, 4]);
    check(&index, "veter (blades OR sun)", &[1, 2, 3]);
    check(&index, "+(veter blades) wind", &[1, 4]);
    check(&index, "wind AND veter", &[]);
    check(&index, "NOT NOT veter", &[4]);
}

#[test]
fn conditions_look_at_format_date_url_and_anchors() {
    let (index, _dir) = index();
    check(&index, "type:pdf", &[2]);
    check(&index, "turbine filetype:html", &[1]);
    check(&index, "-type:html", &[2]);
    check(&index, "type:pdf type:html sun", &[2, 3]);
    check(&index, "topic:energy", &[1, 3]);
    check(&index, "Topic:Energy/Wind", &[1]);
    check(&index, "topic:sea OR type:pdf", &[1, 2]);
    check(&index, "topic:sea topic:energy/sun", &[1, 3]);
    check(&index, "-topic:energy wind", &[2]);
    check(&index, "topic:wind", &[]);
    check(&index, "date:2023", &[1]);
    check(&index, "date:2023..2024", &[1, 2]);
    check(&index, "date:>2023", &[2]);
    check(&index, "date:<2023-01-02", &[1, 3]);
    check(&index, "date:2010.. date:<2024", &[1]);
    check(&index, "date:2024..2023", &[]);
    check(&index, "-date:>=1970", &[4]);
    check(&index, "url:wind", &[1]);
    check(&index, "url:b.test/report.pdf", &[2]);
    check(&index, "inanchor:figures", &[2, 3]);
    check(&index, "inanchor:solar", &[3]);
    check(&index, "site:b.test OR lang:sl", &[2, 4]);
    check(&index, "wind OR veter site:a.test", &[1]);
}

#[test]
fn beginnings_and_near_words_are_found() {
    let (index, _dir) = index();
    check(&index, "turbu*", &[2]);
    check(&index, "turb* -turbu*", &[1]);
    check(&index, "title:turb*", &[1]);
    check(&index, "\"turbine wind\"~5", &[1, 2]);
    check(&index, "\"turbine wind\"~4", &[]);
    check(&index, "wind NEAR/5 turbine", &[1, 2]);
    check(&index, "sun NEAR/2 turbine", &[2]);
    check(&index, "sun NEAR/1 turbine", &[]);
}

#[test]
fn facets_count_all_matches() {
    let (index, _dir) = index();
    let facets = |text: &str| {
        let options = SearchOptions { facets: true, limit: 1, ..SearchOptions::default() };
        index.search(&parse(text), &options).unwrap().facets.unwrap()
    };
    let list = |values: &[(&str, usize)]| {
        let facet =
            |(value, count): &(&str, usize)| Facet { value: (*value).into(), count: *count };
        values.iter().map(facet).collect::<Vec<_>>()
    };
    let expected = Facets {
        hosts: list(&[("a.test", 2), ("b.test", 1)]),
        languages: list(&[("en", 3)]),
        formats: list(&[("html", 2), ("pdf", 1)]),
        facts: [("topic", list(&[("energy/sun", 1), ("energy/wind", 1)]))].into(),
        years: list(&[("2024", 1), ("2023", 1), ("2009", 1)]),
        counted: 3,
        sampled: false,
    };
    assert_eq!(facets("wind sun"), expected);
    assert_eq!(facets("nothing"), Facets::default());
    let none = index.search(&parse("wind"), &SearchOptions::default()).unwrap();
    assert_eq!(none.facets, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_search_finds_just_what_matches_alone(
        texts in proptest::collection::vec(
            concat!(
                "((wind|sun|turbine|turb[*]|veter|blades|\"much wind\"|\"wind turbine\"~9|title:sun|",
                "site:a[.]test|type:pdf|topic:energy|topic:sea|price:>1|price:0[.][.]2|price:0|date:>2023|inanchor:figures|lang:sl|\\(|\\)|[+]|-|NOT ){1,3}",
                "( | AND | OR )){0,6}",
            ),
            20,
        ),
    ) {
        static INDEX: std::sync::OnceLock<(Index, TempDir)> = std::sync::OnceLock::new();
        let (index, _) = INDEX.get_or_init(index);
        for text in texts {
            let query = parse(&text);
            let results = index.search(&query, &SearchOptions::default()).unwrap();
            let mut found: Vec<u64> = results.hits.iter().map(|hit| hit.id).collect();
            found.sort_unstable();
            let alone = entries().into_iter().filter(|entry| query.matches(entry));
            prop_assert_eq!(alone.map(|entry| entry.id).collect::<Vec<_>>(), found, "{}", text);
        }
    }
}

#[test]
fn the_newest_documents_are_those_of_the_latest_dates_that_have_come() {
    let (index, _dir) = index();
    let check = |until: i64, limit: usize, expected: &[(i64, u64)]| {
        let found = index.newest(until, limit).unwrap();
        let found: Vec<_> = found.iter().map(|(day, hit)| (*day, hit.id)).collect();
        assert_eq!(found, expected, "{until} {limit}");
    };
    let (first, second, third) = ((DAY_2023 + 400, 2), (DAY_2023, 1), (DAY_2023 - 5_000, 3));
    check(i64::MAX, 10, &[first, second, third]);
    check(i64::MAX, 1, &[first]);
    check(DAY_2023, 2, &[second, third]);
    check(0, 10, &[]);
    check(i64::MAX, 0, &[]);
}
