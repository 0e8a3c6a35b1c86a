//! R-precision: precision of the first R documents, where R is how many are relevant (000).

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Rprec",
    trec: ["Rprec", ""],
    what: "precision at the rank that equals the number of relevant documents",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: r_precision,
    example: MeasureExample::new("Rprec", &[0, 1, 1, 0, 1], &[], 2.0 / 3.0),
};

fn r_precision(judged: &Judged, _: &Parameters) -> f64 {
    ratio(judged.hits(judged.relevant()) as f64, judged.relevant())
}
