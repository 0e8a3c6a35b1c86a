//! Discounted cumulative gain: grades divided by log2(rank + 1) and added up (003 §8.4.3).

use super::gains::dcg;
use super::{Cutoff, Mean, Measure, MeasureExample, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "DCG",
    trec: ["dcg", ""],
    what: "gain of the grades, discounted by rank, not normalised",
    at: Cutoff::MaybeRank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: dcg,
    // 2/1 + 3/log2(4)
    example: MeasureExample::new("DCG", &[2, 0, 3], &[1], 3.5),
};
