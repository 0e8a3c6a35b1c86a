//! Precision of a set against the best that a set of its size can have.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "SetRelP",
    trec: ["set_relative_P", ""],
    what: "precision of all retrieved documents against the best possible",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: set_relative_precision,
    example: MeasureExample::new("SetRelP", &[1, 0, 0], &[1], 0.5),
};

fn set_relative_precision(judged: &Judged, _: &Parameters) -> f64 {
    ratio(judged.ranks().len() as f64, judged.retrieved().min(judged.relevant()))
}
