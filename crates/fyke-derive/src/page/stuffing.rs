//! The recipe of CONTRIBUTING followed, for tests alone: a fact like spam, which ranks, filters and is a facet,
//! in one file (this) and two lines (`mod` in `page/mod.rs`, the row in `table.rs`). It tells how much of a
//! page is its most frequent word.

use super::PageRun;
use crate::facts::{DerivedFact, FoundFact};
use crate::table::{Derivation, Tier};
use fyke_index::{Fact, FactFacet, FactSignal};
use fyke_store::{CellBatch, Column};
use std::collections::HashMap;

pub const ROW: Derivation = Derivation {
    name: "stuffing",
    what: "the share of each document that is its most frequent word",
    code: 63,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[STUFFING.declaration()],
    facts: &[DerivedFact {
        fact: FACT,
        value: |cells, id| Ok(cells.get(&STUFFING, id)?.map(FoundFact::Number)),
    }],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

const STUFFING: Column<f64> = Column::new("stuffing", 1);

const FACT: Fact = Fact {
    name: "stuffing",
    what: "how much of the page is its most frequent word, from 0 to 1",
    signal: Some(FactSignal { weight: 2.0, curve: |share| -share as f32 }),
    filter: true,
    facet: Some(FactFacet { title: "Stuffing", cuts: &[0.5] }),
    ..Fact::NUMBER
};

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match run.document {
        Some(document) => batch.put(&STUFFING, run.id, &share(&document.text)),
        None if run.is_known => batch.delete(&STUFFING, run.id),
        None => {}
    }
}

fn share(text: &str) -> f64 {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    text.split_whitespace().for_each(|word| *counts.entry(word).or_default() += 1);
    let (most, all) = (counts.values().max().unwrap_or(&0), counts.values().sum::<u32>().max(1));
    f64::from(*most) / f64::from(all)
}

#[cfg(test)]
mod tests {
    use crate::{DeriveSettings, Eagerness, FACTS, Orders};
    use fyke_index::{Index, Ranker, SearchOptions};
    use fyke_store::{Collection, Reason, Round, Row};
    use fyke_web::{Capture, Url};

    const PAGES: [(&str, &str); 2] = [
        ("http://a.test/stuffed", "eel eel eel eel eel eel eel eel traps"),
        ("http://a.test/plain", "an eel is caught in a trap with wings"),
    ];

    fn capture((url, text): (&str, &str)) -> Capture {
        Capture {
            url: Url::parse(url).unwrap(),
            time: 1,
            status: 200,
            headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
            payload: format!("<title>t</title><p>{text}</p>").into_bytes(),
            truncated: None,
        }
    }

    fn collection() -> (tempfile::TempDir, Collection) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("fyke.toml"), "").unwrap();
        let collection = Collection::open(dir.path()).unwrap();
        let captures: Vec<Capture> = PAGES.into_iter().map(capture).collect();
        let row = |capture: &Capture| Row::new(capture.url.as_str(), Reason::Kept, 1);
        let rows = captures.iter().map(|capture| (capture.url.id(), row(capture))).collect();
        let captures = captures.into_iter().map(|capture| (Vec::new(), capture)).collect();
        collection.commit(Round { captures, rows, hosts: Vec::new() }).unwrap();
        let settings = DeriveSettings { near_duplicate: 0.9, ..DeriveSettings::default() };
        let (pace, observe) = (Eagerness::Usual, &mut |_| ());
        crate::run(&collection, &mut Orders { settings: &settings, pace, only: None, observe })
            .unwrap();
        (dir, collection)
    }

    /// The paths of what is found.
    fn found(index: &Index, query: &str, ranker: &str) -> Vec<String> {
        let weights = Ranker::parse_with(ranker, &FACTS).unwrap().weights;
        let options = SearchOptions { weights, ..SearchOptions::default() };
        let hits = index.search(&index.query(query), &options).unwrap().hits;
        hits.into_iter().map(|hit| hit.url.replace("http://a.test/", "")).collect()
    }

    #[test]
    fn a_new_fact_ranks_filters_is_a_facet_and_stands_in_the_row() {
        let (_dir, collection) = collection();
        let index = Index::open_to_read(&collection.index_dir(), &FACTS).unwrap();
        assert_eq!(found(&index, "eel", "stuffing=0"), ["stuffed", "plain"]);
        assert_eq!(found(&index, "eel", "stuffing=20"), ["plain", "stuffed"]);
        assert_eq!(found(&index, "eel stuffing:>0.5", ""), ["stuffed"]);
        assert_eq!(found(&index, "eel -stuffing:>0.5", ""), ["plain"]);
        let options = SearchOptions { facets: true, ..SearchOptions::default() };
        let facets = index.search(&index.query("eel"), &options).unwrap().facets.unwrap();
        let counted = facets.facts["stuffing"].iter().map(|facet| (&*facet.value, facet.count));
        assert_eq!(counted.collect::<Vec<_>>(), [("<0.5", 1), (">=0.5", 1)]);
        let id = Url::parse(PAGES[0].0).unwrap().id();
        let row = crate::row(&collection, id, None).unwrap().unwrap();
        let cell = row.cells.iter().find(|cell| cell.column == "stuffing").unwrap();
        assert_eq!(cell.value, 8.0 / 9.0);
    }
}
