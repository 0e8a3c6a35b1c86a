//! What a test collection and an engine put into files (000 "TREC"): judgements and runs.

mod qrels;
mod run;
mod table;

pub use crate::formats::ParseError;
pub use qrels::{Qrels, QrelsLine};
pub use run::Run;
pub(crate) use table::{Filling, NameIndex, TableRow, TwiceNamed};
