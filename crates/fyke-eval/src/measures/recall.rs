//! Recall at k: the share of the relevant documents that is among the first k (000 "Recall"). Of a
//! pool it is a lower bound: relevant documents that no engine found are not known.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "R",
    trec: ["", "recall"],
    what: "share of the relevant documents that is among the first k",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: recall,
    example: MeasureExample::new("R@3", &[1, 0, 2, 1], &[1], 0.5),
};

fn recall(judged: &Judged, parameters: &Parameters) -> f64 {
    ratio(judged.hits(parameters.cut) as f64, judged.relevant())
}
