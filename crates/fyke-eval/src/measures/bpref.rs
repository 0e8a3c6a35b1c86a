//! bpref: how many of the first R documents judged not relevant come behind each of the R relevant
//! ones. What was not judged is not looked at, so that an old pool can judge a new engine.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Bpref",
    trec: ["bpref", ""],
    what: "share of judged nonrelevant documents behind each relevant one; unjudged ones are passed",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: bpref,
    // (1 + 1/2) / 2: one of two nonrelevant documents is before the second
    example: MeasureExample::new("Bpref", &[1, -1, 0, 1], &[0], 0.75),
};

pub(super) fn bpref(judged: &Judged, _: &Parameters) -> f64 {
    let (relevant, nonrelevant) = (judged.relevant(), judged.nonrelevant());
    let (mut before, mut sum) = (0, 0.0);
    for &(_, grade) in &judged.seen {
        if judged.is_relevant(grade) {
            sum += 1.0 - ratio(before.min(relevant) as f64, nonrelevant.min(relevant));
        } else {
            before += 1;
        }
    }
    ratio(sum, relevant)
}
