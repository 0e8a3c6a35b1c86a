//! Runs and judgements to figures: the referee. Scores anybody's engine alike and depends on
//! nothing of ours. Pure: no I/O, no clock, no log.

pub mod agreement;
pub mod binomial;
pub mod clicks;
pub mod compare;
pub mod curves;
pub mod evaluate;
pub mod extraction;
pub mod formats;
pub mod gate;
pub mod interleave;
pub mod kinds;
pub mod measures;
pub mod outcome;
pub mod random;
pub mod sets;
pub mod significance;
pub mod split;
pub mod spread;
pub mod trec;
pub mod trec_eval;

pub use agreement::{Agreement, Coefficient, Ratings, kappa};
pub use compare::{Comparison, compare};
pub use curves::Curve;
pub use evaluate::{EvalOptions, Evaluation, UnknownMeasure, evaluate, evaluate_with};
pub use formats::Topic;
pub use gate::gate;
pub use measures::{MEASURES, Measure};
pub use sets::SetScores;
pub use spread::Spread;
pub use trec::{ParseError, Qrels, QrelsLine, Run};
