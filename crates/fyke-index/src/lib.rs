//! Documents to hits: fields, query language, ranking and snippets (003 §4–5, 000 "indexing").
//!
//! The index keeps folded word forms with their positions, one posting list per field. Stems are
//! found at query time: a word's forms stand together in the sorted dictionary, so one index
//! answers exact phrases and stemmed words alike, and a document's analysis needs no language.
//! The ranking is a function of the live entries alone: neither the order of commits nor deleted
//! entries nor the number of segments shows in a score.

mod alike;
mod analysis;
mod build;
mod diversity;
mod error;
mod estimate;
mod facets;
mod fact;
#[cfg(test)]
mod faults;
mod gone;
mod guard;
mod index;
mod keywords;
mod languages;
mod matches;
mod newest;
mod query;
mod rank;
mod reading;
mod related;
mod run;
mod schema;
mod section;
mod snippet;
mod spell;
mod suggest;
mod summary;
mod together;
mod wholes;
mod writer;
pub mod yardstick;

pub use error::IndexError;
pub use estimate::{CollectionSize, Sizes, by_independence, by_pairs, by_sample, collection_size};
pub use facets::{Facet, Facets};
pub use fact::{Fact, FactFacet, FactKind, FactSignal, FactValue};
pub use index::{Hit, Index, Results, SearchOptions};
pub use query::{Clause, ClauseScope, Form, LeftOut, Occur, Query, typed_url};
pub use rank::budget::{CutOff, QueryBudget};
pub use rank::rankers::{RANKERS, Ranker, StandardWeight, weights};
pub use rank::rehearsal::Rehearsal;
pub use rank::tuning::{trials, tune};
pub use rank::weights::{FieldWeight, WEIGHTS, Weights};
pub use section::{EntrySection, HitSection};
pub use snippet::{Fragment, mark};
pub use summary::static_summary;
pub use writer::{DocumentWriter, Entry};
