//! Rank-biased precision: a user goes on from each document to the next with the persistence p; the
//! gains seen, times 1 - p. Grades are divided by the highest where that is above 1.

use super::gains::gain;
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, add};

pub(super) const MEASURE: Measure = Measure {
    name: "RBP",
    trec: ["", ""],
    what: "gains that a user sees who goes on to the next document with the chance p",
    at: Cutoff::MaybeRank,
    keys: &[("p", 0.8)],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: rbp,
    // 0.2 · (1 + 0.8²)
    example: MeasureExample::new("RBP(p=0.8)", &[1, 0, 1], &[1], 0.328),
};

/// With the persistence that is usual in trec_eval.
pub(super) const TREC: Measure = Measure {
    name: "rbp",
    trec: ["rbp", ""],
    what: "rank-biased precision with the persistence 0.9, as trec_eval has it",
    keys: &[("p", 0.9)],
    // 0.1 · (1 + 0.5 · 0.9)
    example: MeasureExample::new("rbp", &[2, 1], &[], 0.145),
    ..MEASURE
};

fn rbp(judged: &Judged, parameters: &Parameters) -> f64 {
    let persistence = parameters.number().clamp(0.0, 1.0);
    let worth = |grade| gain(grade, parameters);
    let highest = judged.levels.iter().map(|(grade, _)| worth(*grade)).fold(1.0, f64::max);
    let mut seen = 1.0;
    let gains = judged.grades.iter().take(parameters.cut).map(|&grade| {
        let gained = worth(grade) / highest * seen;
        seen *= persistence;
        gained
    });
    (1.0 - persistence) * gains.fold(0.0, add)
}
