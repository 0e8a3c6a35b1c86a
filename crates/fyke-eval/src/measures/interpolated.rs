//! Interpolated precision at a recall: the best precision at this recall or a higher one (000
//! "Interpolated precision"); the points of the precision–recall curve.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "IPrec",
    trec: ["", "iprec_at_recall"],
    what: "best precision at a share of the relevant documents or a larger one",
    at: Cutoff::Number,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: |judged, parameters| interpolated(judged, parameters.number()),
    // the second of four relevant documents is at rank 4, the third at 5
    example: MeasureExample::new("IPrec@0.5", &[1, 0, 0, 1, 1], &[1], 0.6),
};

/// Recall is met by a whole number of documents, rounded as trec_eval does.
pub(super) fn interpolated(judged: &Judged, recall: f64) -> f64 {
    let needed = (recall * judged.relevant() as f64).round().max(1.0) as usize;
    let precisions = (1..).zip(judged.ranks()).skip(needed - 1);
    precisions.map(|(hits, &rank)| f64::from(hits) / rank as f64).fold(0.0, f64::max)
}
