//! Inferred average precision, for pools of which a sample was judged: the precision at a relevant
//! document is estimated from the judged ones above it, and from how many above it were in the pool.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, POOLED, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "infAP",
    trec: ["infAP", ""],
    what: "average precision estimated where only a sample of the pool was judged",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: inferred,
    // (1 + (1/3 + 2/3 · 2/2 · 1/1)) / 2: the pooled one is taken for relevant as the one judged
    example: MeasureExample::new("infAP", &[1, POOLED, 1], &[], 1.0),
};

/// Keeps a share of nothing from being undefined, as in trec_eval.
const SMALL: f64 = 0.00001;

fn inferred(judged: &Judged, _: &Parameters) -> f64 {
    let (mut relevant, mut nonrelevant, mut pooled, mut sum) = (0.0, 0.0, 0.0, 0.0);
    for (above, &grade) in judged.grades.iter().enumerate() {
        if grade == POOLED {
            pooled += 1.0;
        } else if judged.is_relevant(grade) {
            let rank = above as f64 + 1.0;
            let in_pool = (relevant + nonrelevant + pooled) / rank;
            let share = (relevant + SMALL) / (relevant + nonrelevant + 2.0 * SMALL);
            sum += 1.0 / rank + in_pool * share;
            relevant += 1.0;
        } else if grade >= 0 {
            nonrelevant += 1.0;
        }
    }
    ratio(sum, judged.relevant())
}
