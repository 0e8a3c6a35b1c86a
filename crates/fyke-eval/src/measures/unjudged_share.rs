//! Unjudged at k: the share of the first k documents that nobody judged; what a ranking is short of
//! k counts as judged.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "unj",
    trec: ["", "unj"],
    what: "share of the first k documents that was not judged",
    at: Cutoff::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: unjudged_share,
    example: MeasureExample::new("unj_4", &[0, -1, 2], &[], 0.25),
};

fn unjudged_share(judged: &Judged, parameters: &Parameters) -> f64 {
    ratio(judged.unjudged(parameters.cut) as f64, parameters.cut)
}
