//! Average precision of a set: precision times recall, since every relevant document that was
//! retrieved counts the precision of the set.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "SetAP",
    trec: ["set_map", ""],
    what: "precision times recall of all retrieved documents",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: set_average_precision,
    example: MeasureExample::new("SetAP", &[1, 0], &[1], 0.25),
};

fn set_average_precision(judged: &Judged, _: &Parameters) -> f64 {
    let hits = judged.ranks().len() as f64;
    ratio(hits * hits, judged.retrieved() * judged.relevant())
}
