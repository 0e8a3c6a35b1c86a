//! R-precision: precision of the first R documents, where R is how many are relevant (000).

use super::{Cut, Example, Judged, Measure, ratio};

pub(super) const MEASURE: Measure = Measure {
    name: "Rprec",
    trec: ["Rprec", ""],
    what: "precision at the rank that equals the number of relevant documents",
    cut: Cut::Never,
    compute: r_precision,
    example: Example(&[0, 1, 1, 0, 1], &[1, 1, 1], usize::MAX, 2.0 / 3.0),
};

fn r_precision(judged: &Judged, _: usize) -> f64 {
    ratio(judged.hits(judged.ideal.len()) as f64, judged.ideal.len())
}
