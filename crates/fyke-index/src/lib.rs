//! Documents to hits: fields, query language, ranking and snippets (003 §4–5, 000 "indexing").
//!
//! The index keeps folded word forms with their positions, one posting list per field. Stems are
//! found at query time: a word's forms stand together in the sorted dictionary, so one index
//! answers exact phrases and stemmed words alike, and a document's analysis needs no language.
//! The ranking is a function of the live entries alone: neither the order of commits nor deleted
//! entries nor the number of segments shows in a score.

mod analysis;
mod error;
mod index;
mod matches;
mod query;
mod rank;
mod schema;
mod snippet;
mod writer;

pub use error::IndexError;
pub use index::{Hit, Index, Results, SearchOptions};
pub use query::{Clause, Occur, Query, Scope};
pub use rank::rankers::{RANKERS, Ranker};
pub use rank::weights::{FieldWeight, WEIGHTS, Weights};
pub use snippet::{Fragment, mark};
pub use writer::{Entry, Writer};
