//! Recall at k: the share of the relevant documents that is among the first k (000 "Recall").

use super::{Cut, Example, Judged, Measure, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "R",
    trec: ["", "recall"],
    what: "share of the relevant documents that is among the first k",
    cut: Cut::Always,
    compute: recall,
    example: Example(&[1, 0, 2, 1], &[2, 1, 1, 1], 3, 0.5),
};

fn recall(judged: &Judged, cut: usize) -> f64 {
    ratio(judged.hits(cut) as f64, judged.ideal.len())
}
