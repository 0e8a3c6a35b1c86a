//! nDCG averaged over the relevant documents: its value at the rank of each, and at the end for those
//! not retrieved.

use super::gains::{discounted, each, gain, ideal};
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "ndcg_rel",
    trec: ["ndcg_rel", ""],
    what: "nDCG averaged at the ranks of the relevant documents",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: ndcg_at_relevant,
    // one of two relevant documents, at rank 2: (0.6309/1.6309 + 0.6309/1.6309) / 2
    example: MeasureExample::new("ndcg_rel", &[0, 1], &[1], 0.3869),
};

fn ndcg_at_relevant(judged: &Judged, parameters: &Parameters) -> f64 {
    let ideal = ideal(judged, parameters);
    let relevant: usize = ideal.iter().map(|level| level.count).sum();
    let (mut best, mut gained, mut sum, mut found) = (0.0, 0.0, 0.0, 0);
    let ranking = judged.grades.iter().zip(each(&ideal).chain(std::iter::repeat(0.0)));
    for (place, (&grade, possible)) in (2..).zip(ranking) {
        let (gain, discount) = (gain(grade, parameters), f64::from(place).log2());
        gained += gain / discount;
        best += possible / discount;
        if gain > 0.0 {
            sum += gained / best;
            found += 1;
        }
    }
    let all = discounted(each(&ideal));
    let rest = if all > 0.0 { relevant.saturating_sub(found) as f64 * gained / all } else { 0.0 };
    ratio(sum + rest, relevant)
}
