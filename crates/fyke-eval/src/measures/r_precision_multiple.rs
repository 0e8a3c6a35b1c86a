//! Precision at a multiple of R, how many documents are relevant: whether an engine is better early
//! or late.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Rprec_mult",
    trec: ["", "Rprec_mult"],
    what: "precision at a multiple of the number of relevant documents",
    at: Cutoff::Number,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: r_precision_multiple,
    // 3 × 0.4 is 1.2, and the first 2 hold 1
    example: MeasureExample::new("Rprec_mult_0.40", &[0, 1, 1, 0, 1], &[], 0.5),
};

fn r_precision_multiple(judged: &Judged, parameters: &Parameters) -> f64 {
    // Nearly rounded up, as trec_eval does.
    let cut = (parameters.number() * judged.relevant() as f64 + 0.9) as usize;
    ratio(judged.hits(cut) as f64, cut)
}
