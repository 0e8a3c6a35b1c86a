//! Reciprocal rank: one over the rank of the first relevant document (003 §8.4.3).

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "RR",
    trec: ["recip_rank", ""],
    what: "one over the rank of the first relevant document",
    at: Cutoff::MaybeRank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: reciprocal_rank,
    example: MeasureExample::new("RR", &[0, 0, 0, 1], &[], 0.25),
};

fn reciprocal_rank(judged: &Judged, parameters: &Parameters) -> f64 {
    let first = judged.ranks().first().filter(|&&rank| rank <= parameters.cut);
    first.map_or(0.0, |&rank| 1.0 / rank as f64)
}
