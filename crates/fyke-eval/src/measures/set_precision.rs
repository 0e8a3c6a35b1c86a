//! Precision of a set: the share of all retrieved documents that is relevant, tp / (tp + fp) (000
//! "Unranked retrieval evaluation").

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "SetP",
    trec: ["set_P", ""],
    what: "share of all retrieved documents that is relevant",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: set_precision,
    example: MeasureExample::new("SetP", &[1, 0, 1, -1], &[1], 0.5),
};

fn set_precision(judged: &Judged, _: &Parameters) -> f64 {
    ratio(judged.ranks().len() as f64, judged.retrieved())
}
