//! Utility: what each document is worth that was rightly retrieved (a), wrongly retrieved (b),
//! wrongly left out (c), rightly left out (d).

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "utility",
    trec: ["utility", ""],
    what: "sum of what each rightly or wrongly retrieved or missed document is worth",
    at: Cutoff::Nothing,
    keys: &[("a", 1.0), ("b", -1.0), ("c", 0.0), ("d", 0.0)],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: utility,
    example: MeasureExample::new("utility(a=2,c=-3)", &[1, 0, -1], &[1], -3.0),
};

fn utility(judged: &Judged, parameters: &Parameters) -> f64 {
    let hits = judged.ranks().len() as f64;
    let (retrieved, relevant) = (judged.retrieved() as f64, judged.relevant() as f64);
    let all = judged.collection.unwrap_or(0) as f64;
    let counts = [hits, retrieved - hits, relevant - hits, all + hits - retrieved - relevant];
    parameters.numbers.iter().zip(counts).map(|(worth, count)| worth * count).fold(0.0, super::add)
}
