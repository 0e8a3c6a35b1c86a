//! Precision at k: the share of the first k documents that is relevant (000 "Precision-at-k"). A
//! ranking shorter than k counts as filled up with documents that are not.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "P",
    trec: ["", "P"],
    what: "share of the first k documents that is relevant",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: precision,
    example: MeasureExample::new("P(rel=2)@5", &[3, 1, -1, 2], &[1], 0.4),
};

fn precision(judged: &Judged, parameters: &Parameters) -> f64 {
    ratio(judged.hits(parameters.cut) as f64, parameters.cut)
}
