//! What rank-biased precision could still gain if all that was not judged were relevant; 0 if all
//! that was retrieved was judged.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "rbp_resid",
    trec: ["rbp_resid", ""],
    what: "what rank-biased precision could gain if everything unjudged were relevant",
    at: Cutoff::Nothing,
    keys: &[("p", 0.9)],
    mean: Mean::Arithmetic,
    scale: Scale::Open,
    compute: rbp_residual,
    // what comes behind the last, 0.5², and 0.5 · 0.5
    example: MeasureExample::new("rbp_resid(p=0.5)", &[1, -1], &[], 0.5),
};

fn rbp_residual(judged: &Judged, parameters: &Parameters) -> f64 {
    let persistence = parameters.number().clamp(0.0, 1.0);
    let (mut seen, mut unjudged) = (1.0, 0.0);
    for &grade in &judged.grades {
        unjudged += if grade < 0 { seen } else { 0.0 };
        seen *= persistence;
    }
    if unjudged > 0.0 { seen + (1.0 - persistence) * unjudged } else { 0.0 }
}
