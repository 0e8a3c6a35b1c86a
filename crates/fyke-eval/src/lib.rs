//! Runs and judgements to figures: the referee. Scores anybody's engine alike and depends on
//! nothing of ours. Pure: no I/O, no clock, no log.

pub mod agreement;
pub mod binomial;
pub mod clicks;
pub mod evaluate;
pub mod extraction;
pub mod interleave;
pub mod kinds;
pub mod measures;
pub mod outcome;
pub mod trec;

pub use agreement::{Kappa, SetScores, kappa};
pub use evaluate::{Evaluation, UnknownMeasure, evaluate};
pub use measures::{MEASURES, Measure};
pub use trec::{ParseError, Qrels, Run};
