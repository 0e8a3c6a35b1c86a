//! Accuracy: the share of all documents that are rightly retrieved or rightly left out, (tp + tn) / all
//! (000 "Should we instead use the accuracy measure?"). It says little: nearly everything is to be left
//! out, so an engine that finds nothing ("Snoogle") is very accurate. If it is not known how many
//! documents there are, those are counted that were judged or retrieved.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "SetAccuracy",
    trec: ["accuracy", ""],
    what: "share of all documents that are rightly retrieved or rightly not",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: accuracy,
    // one rightly retrieved and two rightly not, of five
    example: MeasureExample::new("SetAccuracy", &[1, -1], &[0, 0, 1], 0.6),
};

fn accuracy(judged: &Judged, _: &Parameters) -> f64 {
    let hits = judged.ranks().len();
    let known = judged.relevant() + judged.nonrelevant() + judged.unjudged(usize::MAX);
    let all = judged.collection.unwrap_or(known).max(known);
    let wrong = judged.retrieved() - hits + judged.relevant() - hits;
    ratio(all.saturating_sub(wrong) as f64, all)
}
