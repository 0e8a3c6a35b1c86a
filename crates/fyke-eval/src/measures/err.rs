//! Expected reciprocal rank: a user goes down the ranking and is satisfied at a document with the
//! chance (2^grade - 1) / 2^max; the mean of one over the rank where that happens. The highest grade
//! is 4 unless `max` says otherwise, as in ir_measures and gdeval.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "ERR",
    trec: ["err", "err_cut"],
    what: "mean of one over the rank where a user is satisfied, who stops at good documents",
    at: Cutoff::MaybeRank,
    keys: &[("max", 4.0)],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: err,
    // 1/2 + 1/2 · 1/2 · 0 + 1/3 · 1/2 · 1/2
    example: MeasureExample::new("ERR(max=1)@3", &[1, 0, 1], &[], 0.5 + 1.0 / 12.0),
};

fn err(judged: &Judged, parameters: &Parameters) -> f64 {
    let most = parameters.number().clamp(0.0, 100.0);
    let (mut looking, mut sum) = (1.0, 0.0);
    for (rank, &grade) in (1..).zip(&judged.grades).take(parameters.cut) {
        if grade > 0 {
            let grade = f64::from(grade).min(most);
            let satisfied = (grade.exp2() - 1.0) / most.exp2();
            sum += looking * satisfied / f64::from(rank);
            looking *= 1.0 - satisfied;
        }
    }
    sum
}
