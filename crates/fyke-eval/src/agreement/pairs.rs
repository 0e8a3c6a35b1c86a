//! Each two judges: their kappas, with intervals.

use super::{AgreementEstimate, GradeWeights, Ratings, cohen, fleiss};
use serde::Serialize;

/// What two judges make of the documents that both judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    pub first: String,
    pub second: String,
    /// Cohen's kappa.
    pub kappa: AgreementEstimate,
    /// Kappa with the lecture's pooled chance.
    pub pooled: AgreementEstimate,
    /// Near misses count as nearly agreed, by their distance …
    pub linear: AgreementEstimate,
    /// … or by its square.
    pub quadratic: AgreementEstimate,
}

/// Every pair of judges with documents in common.
pub(super) fn pairs(ratings: &Ratings, seed: u64) -> Vec<Pair> {
    let count = ratings.judges().len();
    let places = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    places.filter_map(|(first, second)| pair(ratings, first, second, seed)).collect()
}

fn pair(ratings: &Ratings, first: usize, second: usize, seed: u64) -> Option<Pair> {
    let pairs = ratings.pairs(first, second);
    let name = |judge: usize| ratings.judges().get(judge).cloned();
    Some(Pair {
        first: name(first)?,
        second: name(second)?,
        kappa: cohen::estimate(&pairs, GradeWeights::Equal)?,
        pooled: fleiss::estimate_pooled(&pairs, seed)?,
        linear: cohen::estimate(&pairs, GradeWeights::Linear)?,
        quadratic: cohen::estimate(&pairs, GradeWeights::Quadratic)?,
    })
}
