//! From captures to cells: documents, and all facts that are derived from them, as rows of one table
//! ([`DERIVATIONS`]) over typed columns. Two tiers: per page, once, when its document is made; and for
//! the whole collection, from columns to columns. Staleness, marks, the log of changes and kill safety are
//! written here once.

pub mod asked;
mod changes;
mod check;
mod derive;
mod error;
mod facts;
mod feeds;
pub mod index;
pub mod kept;
mod large;
mod mend;
pub mod page;
mod pages;
mod raw;
mod reading;
mod row;
mod run;
mod stale;
mod state;
mod table;
pub mod whole;

pub use changes::{LogStart, Totals, totals};
pub use check::{CollectionCheck, check};
pub use derive::{
    Derived, Grounds, JudgedCapture, UrlFate, derive, derive_noted, derive_ruled, document_of,
    judge, judge_status,
};
pub use error::DeriveError;
pub use facts::{DerivedFact, FACTS, FoundFact, NamedFact, facts_of};
pub use pages::{derive_in_place, derive_pages, store_pages};
pub use reading::{ReadLimits, Unread, read_noted, read_within};
pub use row::{ShownCell, ShownRow, row};
pub use run::{Made, Orders, Step, cpu_micros, run, run_row};
pub use stale::{DerivedMark, Due, Eagerness, due, mark_of};
pub use state::{DerivationState, states};
pub use table::{DERIVATIONS, Derivation, DeriveSettings, Tier};
pub use whole::reasons::alone;
pub use whole::titles::document;
