//! The mean of the interpolated precision at the recalls 0, 0.1 … 1 (000 "11-point interpolated
//! average precision"), or at other recalls.

use super::interpolated::interpolated;
use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, add, ratio};

const POINTS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

pub(super) const MEASURE: Measure = Measure {
    name: "11pt_avg",
    trec: ["11pt_avg", ""],
    what: "mean of the interpolated precision at the recalls 0, 0.1 … 1",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: eleven_point,
    // of two relevant documents the first gives the recalls up to 0.5, the second those above
    example: MeasureExample::new("11pt_avg", &[1, 0, 0, 1], &[], (6.0 + 5.0 * 0.5) / 11.0),
};

fn eleven_point(judged: &Judged, parameters: &Parameters) -> f64 {
    let points: &[f64] = if parameters.numbers.is_empty() { &POINTS } else { &parameters.numbers };
    let sum = points.iter().map(|&recall| interpolated(judged, recall, parameters)).fold(0.0, add);
    ratio(sum, points.len())
}
