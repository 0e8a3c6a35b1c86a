//! Normalised discounted cumulative gain: grades divided by log2(rank + 1) and added up, over the
//! same sum of the best possible ranking, both cut at k (003 §8.4.3). The gain of a document is its
//! grade, as in trec_eval.

use super::{Cut, Example, Judged, Measure, add};

pub(super) const MEASURE: Measure = Measure {
    name: "nDCG",
    trec: ["ndcg", "ndcg_cut"],
    what: "gain of the grades, discounted by rank, against the best possible ranking",
    cut: Cut::Maybe,
    compute: ndcg,
    // (2/1 + 3/log2(4)) / (3/1 + 2/log2(3) + 1/log2(4))
    example: Example(&[2, 0, 3], &[3, 2, 1], 3, 0.7350),
};

fn ndcg(judged: &Judged, cut: usize) -> f64 {
    let best = dcg(&judged.ideal, cut);
    if best > 0.0 { dcg(&judged.grades, cut) / best } else { 0.0 }
}

fn dcg(grades: &[i32], cut: usize) -> f64 {
    let ranked = (2..).zip(grades).take(cut).filter(|&(_, &grade)| grade > 0);
    ranked.map(|(place, &grade)| f64::from(grade) / f64::from(place).log2()).fold(0.0, add)
}
