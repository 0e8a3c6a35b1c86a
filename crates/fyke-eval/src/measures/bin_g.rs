//! G of relevant or not: the mean over relevant documents of one over log2(2 + how many that are not
//! relevant come before).

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, add, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "binG",
    trec: ["binG", ""],
    what: "mean over relevant documents of 1 / log2(2 + nonrelevant ones before)",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: bin_g,
    // (1 + 1/log2(4)) / 2
    example: MeasureExample::new("binG", &[1, 0, -1, 1], &[], 0.75),
};

fn bin_g(judged: &Judged, _: &Parameters) -> f64 {
    let parts =
        (1..).zip(judged.ranks()).map(|(hits, rank)| 1.0 / ((2 + rank - hits) as f64).log2());
    ratio(parts.fold(0.0, add), judged.relevant())
}
