//! α-nDCG with groups of near-copies: marginal relevance, what a document adds to those before it
//! (000 "Relevance vs. marginal relevance"). Each copy seen before takes the share α off the gain:
//! with α = 1 a text counts once, with α = 0 this is nDCG. Without groups no document has a copy.

use super::gains::discounted;
use super::{Copies, Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};
use std::collections::HashMap;

pub(super) const MEASURE: Measure = Measure {
    name: "alpha_nDCG",
    trec: ["alpha_ndcg", "alpha_ndcg_cut"],
    what: "nDCG where a near-copy of a document seen before gains less (alpha=1: nothing)",
    at: Cutoff::MaybeRank,
    keys: &[("alpha", 0.5)],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: alpha_ndcg,
    // (1 + 0/log2(3) + 1/log2(4)) / (1 + 1/log2(3)): the second is a copy of the first
    example: MeasureExample {
        groups: &[1, 1, 0],
        ..MeasureExample::new("alpha_nDCG(alpha=1)", &[1, 1, 1], &[], 0.9197)
    },
};

fn alpha_ndcg(judged: &Judged, parameters: &Parameters) -> f64 {
    let none = Copies::default();
    let copies = judged.copies.as_ref().unwrap_or(&none);
    let left = 1.0 - parameters.number().clamp(0.0, 1.0);
    let groups = copies.ranking.iter().copied().chain(std::iter::repeat(0));
    let found = marginal(judged.grades.iter().copied().zip(groups), left);
    let alone = || judged.levels.iter().flat_map(|&(grade, count)| vec![(grade, 0); count]);
    let mut all = if copies.judged.is_empty() { alone().collect() } else { copies.judged.clone() };
    // The best order shows the best of each group first; then what each adds is independent.
    all.sort_unstable_by(|a, b| b.cmp(a));
    let mut best = marginal(all.into_iter(), left);
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    let ideal = discounted(best.into_iter().take(parameters.cut));
    let gained = discounted(found.into_iter().take(parameters.cut));
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

/// What each document adds to those before it.
fn marginal(documents: impl Iterator<Item = (i32, u32)>, left: f64) -> Vec<f64> {
    let mut seen: HashMap<u32, i32> = HashMap::new();
    let gains = documents.map(|(grade, group)| {
        if grade <= 0 || group == 0 {
            return f64::from(grade.max(0));
        }
        let before = seen.entry(group).or_default();
        *before += 1;
        f64::from(grade) * left.powi(*before - 1)
    });
    gains.collect()
}
