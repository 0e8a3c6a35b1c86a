//! Average precision: the mean, over all relevant documents, of the precision at the rank of each,
//! 0 for those not retrieved; its mean over queries is MAP (000 "Mean average precision").

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, add, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "AP",
    trec: ["map", "map_cut"],
    what: "mean of the precision at the rank of each relevant document",
    at: Cutoff::MaybeRank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: average_precision,
    // (1/1 + 2/3 + 0) / 3
    example: MeasureExample::new("AP", &[1, 0, 1, 0], &[1], 0.5556),
};

pub(super) fn average_precision(judged: &Judged, parameters: &Parameters) -> f64 {
    let ranks = judged.ranks().iter().take_while(|&&rank| rank <= parameters.cut);
    let precisions = (1..).zip(ranks).map(|(hits, &rank)| f64::from(hits) / rank as f64);
    ratio(precisions.fold(0.0, add), judged.relevant())
}
