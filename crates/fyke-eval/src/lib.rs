//! Runs and judgements to figures: the referee. Scores anybody's engine alike and depends on
//! nothing of ours. Pure: no I/O, no clock, no log.

pub mod agreement;
pub mod evaluate;
pub mod extraction;
pub mod formats;
pub mod measures;
mod qrels;
mod run;
mod table;

pub use agreement::{Kappa, SetScores, kappa};
pub use evaluate::{Evaluation, UnknownMeasure, evaluate};
pub use formats::{ParseError, Topic};
pub use measures::{MEASURES, Measure};
pub use qrels::Qrels;
pub use run::Run;
