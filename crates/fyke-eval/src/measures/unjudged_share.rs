//! Unjudged at k: the share of the first k documents that nobody judged; what a ranking is short of
//! k counts as judged.

use super::{At, Example, Judged, Mean, Measure, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "unj",
    trec: ["", "unj"],
    what: "share of the first k documents that was not judged",
    at: At::Rank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: unjudged_share,
    example: Example::new("unj_4", &[0, -1, 2], &[], 0.25),
};

fn unjudged_share(judged: &Judged, parameters: &Parameters) -> f64 {
    ratio(judged.unjudged(parameters.cut) as f64, parameters.cut)
}
