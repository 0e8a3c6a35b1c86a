//! G: a document gains by how far the ranking before it falls short of the ideal one, its gain over
//! log2(2 + ideal gain so far - gain so far); over all that there is to gain.

use super::gains::{each, gain, ideal};
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, add};

pub(super) const MEASURE: Measure = Measure {
    name: "G",
    trec: ["G", ""],
    what: "gains discounted by what the ranking falls short of the ideal one",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: g,
    // (1/log2(2 + 2 - 1) + 2/log2(2 + 3 - 3)) / 3
    example: MeasureExample::new("G", &[1, 2], &[], 0.8770),
};

fn g(judged: &Judged, parameters: &Parameters) -> f64 {
    let ideal = ideal(judged, parameters);
    let all = each(&ideal).fold(0.0, add);
    let (mut best, mut gained, mut sum) = (0.0, 0.0, 0.0);
    let ranking = judged.grades.iter().zip(each(&ideal).chain(std::iter::repeat(0.0)));
    for (&grade, possible) in ranking {
        let gain = gain(grade, parameters);
        gained += gain;
        // Behind the ideal ranking a rank still costs 1.
        best += f64::max(possible, 1.0);
        if gain != 0.0 {
            sum += gain / f64::log2(2.0 + best - gained);
        }
    }
    if all > 0.0 { sum / all } else { 0.0 }
}
