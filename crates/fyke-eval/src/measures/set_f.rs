//! F: the weighted harmonic mean of the precision and the recall of a set (000 "A combined measure:
//! F"); `beta` above 1 weighs recall more.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};
use crate::sets::SetScores;

pub(super) const MEASURE: Measure = Measure {
    name: "SetF",
    trec: ["set_F", ""],
    what: "weighted harmonic mean of the precision and the recall of all retrieved documents",
    at: Cutoff::Nothing,
    keys: &[("beta", 1.0)],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: set_f,
    // precision 1/2, recall 1/4: 5 · 1/8 / (4 · 1/2 + 1/4)
    example: MeasureExample::new("SetF(beta=2)", &[1, 0], &[1, 1, 1], 0.2778),
};

fn set_f(judged: &Judged, parameters: &Parameters) -> f64 {
    let hits = judged.ranks().len();
    SetScores::new(hits, judged.retrieved(), judged.relevant()).f(parameters.number())
}
