//! Normalised discounted cumulative gain: grades divided by log2(rank + 1) and added up, over the
//! same sum of the best possible ranking, both cut at k (003 §8.4.3). The gain of a document is its
//! grade, as in trec_eval.

use super::gains::{dcg, discounted, each, ideal};
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "nDCG",
    trec: ["ndcg", "ndcg_cut"],
    what: "gain of the grades, discounted by rank, against the best possible ranking",
    at: Cutoff::MaybeRank,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: ndcg,
    // (2/1 + 3/log2(4)) / (3/1 + 2/log2(3) + 1/log2(4))
    example: MeasureExample::new("nDCG@3", &[2, 0, 3], &[1], 0.7350),
};

fn ndcg(judged: &Judged, parameters: &Parameters) -> f64 {
    let best = discounted(each(&ideal(judged, parameters)).take(parameters.cut));
    if best > 0.0 { dcg(judged, parameters) / best } else { 0.0 }
}
