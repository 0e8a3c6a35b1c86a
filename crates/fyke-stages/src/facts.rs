//! Rankers and queries with the facts that derivations declare for the index.

use fyke_derive::FACTS;
use fyke_index::{Query, Ranker};

/// Reads a ranker, in which every fact that is a signal can be dialled.
///
/// # Errors
/// What is not known, in words.
pub fn ranker(text: &str) -> Result<Ranker, String> {
    Ranker::parse_with(text, &FACTS)
}

/// Understands a text in no index's languages, in which every fact that is a filter can be asked for.
#[must_use]
pub fn query(text: &str) -> Query {
    Query::parse_with(text, &["en"], &FACTS)
}
