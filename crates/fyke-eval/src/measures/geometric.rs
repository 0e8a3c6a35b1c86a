//! Geometric means over queries: one query that fails costs more than one that succeeds gains. A
//! figure below [`LEAST`] counts as that, since one 0 would make all 0.

use super::average_precision::average_precision;
use super::bpref::bpref;
use super::{Cutoff, Mean, Measure, MeasureExample, Scale};

/// The least figure of a query in a geometric mean, as in trec_eval.
pub const LEAST: f64 = 0.00001;

pub(super) const MAP: Measure = Measure {
    name: "GMAP",
    trec: ["gm_map", ""],
    what: "average precision, with the geometric mean over queries",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Geometric,
    scale: Scale::Share,
    compute: average_precision,
    example: MeasureExample::new("GMAP", &[0, 1], &[1], 0.25),
};

pub(super) const BPREF: Measure = Measure {
    name: "gm_bpref",
    trec: ["gm_bpref", ""],
    what: "bpref, with the geometric mean over queries",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Geometric,
    scale: Scale::Share,
    compute: bpref,
    example: MeasureExample::new("gm_bpref", &[1, 0, 1], &[0], 0.75),
};
