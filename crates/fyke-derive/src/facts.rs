//! The facts that the index takes: each is declared by the derivation that finds it out, with how its value
//! is read. It then ranks, narrows or is a facet as it says, in searches, on the site and in the API.

use crate::table::DERIVATIONS;
use fyke_index::{Fact, FactValue};
use fyke_store::{Cells, StoreError};
use fyke_web::UrlId;
use std::sync::LazyLock;

/// A fact, and what it is for a document.
#[derive(Debug)]
pub struct DerivedFact {
    pub fact: Fact,
    /// None where it is not known.
    pub value: fn(&Cells, UrlId) -> Result<Option<FoundFact>, StoreError>,
}

/// What was found out of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum FoundFact {
    Number(f64),
    /// One to a line, the main one first.
    Labels(String),
}

impl FoundFact {
    /// As the index takes it.
    #[must_use]
    pub fn value(&self) -> FactValue<'_> {
        match self {
            FoundFact::Number(number) => FactValue::Number(*number),
            FoundFact::Labels(labels) => FactValue::Labels(labels),
        }
    }
}

/// Every fact, in the order of the derivations.
pub static FACTS: LazyLock<Vec<Fact>> =
    LazyLock::new(|| declared().map(|declared| declared.fact).collect());

fn declared() -> impl Iterator<Item = &'static DerivedFact> {
    DERIVATIONS.iter().flat_map(|row| row.facts)
}

/// What was found out of a document, with the name of the fact.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFact {
    pub name: &'static str,
    pub found: FoundFact,
}

/// What is known of a document.
///
/// # Errors
/// When the cells cannot be read.
pub fn facts_of(cells: &Cells, id: UrlId) -> Result<Vec<NamedFact>, StoreError> {
    let mut found = Vec::new();
    for declared in declared() {
        if let Some(fact) = (declared.value)(cells, id)? {
            found.push(NamedFact { name: declared.fact.name, found: fact });
        }
    }
    Ok(found)
}
