//! Precision at k: the share of the first k documents that is relevant (000 "Precision-at-k"). A
//! ranking shorter than k counts as filled up with documents that are not.

use super::{Cut, Example, Judged, Measure, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "P",
    trec: ["", "P"],
    what: "share of the first k documents that is relevant",
    cut: Cut::Always,
    compute: precision,
    example: Example(&[1, 0, 2], &[2, 1, 1], 5, 0.4),
};

fn precision(judged: &Judged, cut: usize) -> f64 {
    ratio(judged.hits(cut) as f64, cut)
}
