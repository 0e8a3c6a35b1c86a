//! Discounted cumulative gain: grades divided by log2(rank + 1) and added up (003 §8.4.3).

use super::gains::dcg;
use super::{At, Example, Mean, Measure, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "DCG",
    trec: ["dcg", ""],
    what: "gain of the grades, discounted by rank, not normalised",
    at: At::MaybeRank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: dcg,
    // 2/1 + 3/log2(4)
    example: Example::new("DCG", &[2, 0, 3], &[1], 3.5),
};
