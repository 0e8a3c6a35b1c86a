//! Judged at k: the share of the first k documents that somebody judged. Where it is low, the other
//! figures say little: they take what was not judged for not relevant.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Judged",
    trec: ["", "judged"],
    what: "share of the first k documents that was judged",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: judged_share,
    example: MeasureExample::new("Judged@4", &[0, -1, 2, -2], &[], 0.5),
};

fn judged_share(judged: &Judged, parameters: &Parameters) -> f64 {
    let seen = judged.retrieved().min(parameters.cut);
    ratio((seen - judged.unjudged(parameters.cut)) as f64, parameters.cut)
}
