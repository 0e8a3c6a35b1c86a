//! Average precision: the mean, over all relevant documents, of the precision at the rank of each,
//! 0 for those not retrieved; its mean over queries is MAP (000 "Mean average precision").

use super::{Cut, Example, Judged, Measure, add, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "AP",
    trec: ["map", "map_cut"],
    what: "mean of the precision at the rank of each relevant document",
    cut: Cut::Maybe,
    compute: average_precision,
    // (1/1 + 2/3 + 0) / 3
    example: Example(&[1, 0, 1, 0], &[1, 1, 1], usize::MAX, 0.5556),
};

fn average_precision(judged: &Judged, cut: usize) -> f64 {
    let precisions = (1..).zip(judged.ranks(cut)).map(|(hits, rank)| f64::from(hits) / rank as f64);
    ratio(precisions.fold(0.0, add), judged.ideal.len())
}
