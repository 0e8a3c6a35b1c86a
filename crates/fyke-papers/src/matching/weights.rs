//! The score of two references. Its weights were learned from all 1,878 references to 185 papers of cora-matching, by
//! their authors, titles, venues, volumes and dates alone: `examples/train_matching.rs` prints the table, and
//! `cargo bench-fyke citations --data DIR` says what the same learning reaches on papers that it did not see.

use super::features::{FEATURES, pair_features};
use super::form::CitedForm;

/// The weights of the features, in their order.
pub const MATCHING: [f64; FEATURES] = [
    -12.6316, 5.8901, 0.8269, 0.0000, 0.0000, 0.7178, 0.0000, 2.8212, 0.6858, 0.8647, 0.0000,
    1.0682, 2.5528, 0.0000, 3.6533, 0.0000, 0.0000, 2.0823, 0.8895, -0.1308, 0.0000, 0.8044,
    -0.1197, 1.4800, -0.3512, 0.0000, 0.0000, 0.0000, 0.0000, 5.0506, 0.0000, 0.0000, 1.3416,
    1.7304,
];

/// How probably two references name the same paper, 0 to 1.
#[must_use]
pub fn score(weights: &[f64; FEATURES], a: &CitedForm, b: &CitedForm) -> f32 {
    let features = pair_features(a, b);
    let sum: f64 = features.iter().zip(weights).map(|(value, by)| f64::from(*value) * by).sum();
    (1.0 / (1.0 + (-sum).exp())) as f32
}
