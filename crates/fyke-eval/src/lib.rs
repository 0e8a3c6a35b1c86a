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
pub mod random;
pub mod sets;
pub mod significance;
pub mod trec;

pub use agreement::{Agreement, Coefficient, Ratings, kappa};
pub use evaluate::{Evaluation, UnknownMeasure, evaluate};
pub use measures::{MEASURES, Measure};
pub use sets::SetScores;
pub use trec::{ParseError, Qrels, Run};
