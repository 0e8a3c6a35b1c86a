//! Recall of a set: the share of the relevant documents that was retrieved, tp / (tp + fn) (000
//! "Unranked retrieval evaluation"). Of a pool it is a lower bound.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "SetR",
    trec: ["set_recall", ""],
    what: "share of the relevant documents that was retrieved",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: set_recall,
    example: MeasureExample::new("SetR", &[1, 0, 1], &[1, 1], 0.5),
};

fn set_recall(judged: &Judged, _: &Parameters) -> f64 {
    ratio(judged.ranks().len() as f64, judged.relevant())
}
