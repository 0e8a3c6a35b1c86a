//! Naive Bayes over n-grams: a lane's score is the sum over the n-grams of a text of
//! `ln(1 + p / FLOOR)`, which is the logarithm of the smoothed probability up to what is the same
//! for all lanes. N-grams that a lane does not keep weigh nothing.

use super::ngrams::ngrams;
use super::table::{LANES, NgramTable};

/// The probability below which an n-gram is as good as unseen.
pub const FLOOR: f64 = 2.5e-5;
/// Weights are kept in parts of one natural logarithm.
pub(crate) const UNIT: f64 = 28.0;

/// The weight of an n-gram that makes up this share of a text.
pub fn weight(share: f64) -> u8 {
    ((share / FLOOR).ln_1p() * UNIT).round() as u8
}

/// Adds the weights of the n-grams of `text` to the scores of the lanes; how many there are.
pub fn weigh(table: &NgramTable, text: &str, scores: &mut [u32; LANES]) -> u32 {
    let mut seen = 0;
    ngrams(text, |key| {
        seen += 1;
        table.add(key, scores, u32::from);
    });
    seen
}
