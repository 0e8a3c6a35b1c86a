//! The facts that the index takes by name, a line each. A fact is declared beside what finds it out; with
//! its line here it is kept in the index, and ranks, narrows or is a facet as it declares, in searches,
//! on the site and in the API. `stages/index.rs` gives each document its values.

use fyke_index::{Fact, FactFacet, Query, Ranker};

/// Every fact.
pub const FACTS: &[Fact] = &[TOPIC];

/// The topics as the index knows them, by their paths.
pub const TOPIC: Fact = Fact {
    name: "topic",
    what: "what the page is about, by the tree of topics.toml",
    filter: true,
    facet: Some(FactFacet { title: "Topic", cuts: &[] }),
    ..Fact::LABEL
};

/// Reads a ranker, in which every fact that is a signal can be dialled.
///
/// # Errors
/// What is not known, in words.
pub fn ranker(text: &str) -> Result<Ranker, String> {
    Ranker::parse_with(text, FACTS)
}

/// Understands a text in no index's languages, in which every fact that is a filter can be asked for.
#[must_use]
pub fn query(text: &str) -> Query {
    Query::parse_with(text, &["en"], FACTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_index::Index;

    #[test]
    fn every_fact_can_be_taken_by_an_index() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Index::open_with(dir.path(), FACTS).unwrap().facts().len(), FACTS.len());
    }
}
