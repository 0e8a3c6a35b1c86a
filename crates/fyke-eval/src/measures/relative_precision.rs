//! Precision at k against the best possible at k: precision up to R, recall beyond.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "relative_P",
    trec: ["", "relative_P"],
    what: "precision of the first k documents against the best possible",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: relative_precision,
    example: MeasureExample::new("relative_P@5", &[1, 0, 0], &[1], 0.5),
};

fn relative_precision(judged: &Judged, parameters: &Parameters) -> f64 {
    ratio(judged.hits(parameters.cut) as f64, parameters.cut.min(judged.relevant()))
}
