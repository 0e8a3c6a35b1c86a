//! Success at k: whether there is a relevant document among the first k.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "Success",
    trec: ["", "success"],
    what: "whether a relevant document is among the first k",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: success,
    example: MeasureExample::new("Success@5", &[0, 0, 1], &[], 1.0),
};

fn success(judged: &Judged, parameters: &Parameters) -> f64 {
    if judged.hits(parameters.cut) > 0 { 1.0 } else { 0.0 }
}
