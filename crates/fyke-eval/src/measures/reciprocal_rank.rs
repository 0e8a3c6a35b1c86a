//! Reciprocal rank: one over the rank of the first relevant document (003 §8.4.3).

use super::{Cut, Example, Judged, Measure};

pub(super) const MEASURE: Measure = Measure {
    name: "RR",
    trec: ["recip_rank", ""],
    what: "one over the rank of the first relevant document",
    cut: Cut::Maybe,
    compute: reciprocal_rank,
    example: Example(&[0, 0, 0, 1], &[1], usize::MAX, 0.25),
};

fn reciprocal_rank(judged: &Judged, cut: usize) -> f64 {
    judged.ranks(cut).next().map_or(0.0, |rank| 1.0 / rank as f64)
}
