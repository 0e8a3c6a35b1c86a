//! Interpolated precision at a recall: the best precision at this recall or a higher one (000
//! "Interpolated precision"); the points of the precision–recall curve.

use super::{Cutoff, Judged, Mean, Measure, MeasureExample, Parameters, RecallPoint, Scale};

pub(super) const MEASURE: Measure = Measure {
    name: "IPrec",
    trec: ["", "iprec_at_recall"],
    what: "best precision at a share of the relevant documents or a larger one",
    at: Cutoff::Number,
    keys: &[],
    mean: Mean::Arithmetic,
    scale: Scale::Share,
    compute: |judged, parameters| interpolated(judged, parameters.number(), parameters),
    // the second of four relevant documents is at rank 4, the third at 5
    example: MeasureExample::new("IPrec@0.5", &[1, 0, 0, 1, 1], &[1], 0.6),
};

/// The largest precision at `recall` and to the right of it; 0 where the ranking never gets there.
pub(super) fn interpolated(judged: &Judged, recall: f64, parameters: &Parameters) -> f64 {
    let share = recall * judged.relevant() as f64;
    let needed = match parameters.recall {
        // 0.7 of ten is 7.000000000000001 of them to the processor.
        RecallPoint::Reached => (share - 1e-9).ceil(),
        RecallPoint::Nearest => share.round(),
    };
    let precisions = (1..).zip(judged.ranks()).skip(needed.max(1.0) as usize - 1);
    precisions.map(|(hits, &rank)| f64::from(hits) / rank as f64).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::find;

    /// Interpolated precision where of two relevant documents one is at rank 1 and one at rank 4.
    fn check(recall: f64, point: RecallPoint, expected: f64) {
        let mut judged = Judged::new(vec![1, 0, 0, 1], [1, 0, 0, 1]);
        judged.set_level(1);
        let mut parameters = find("IPrec@0.5").unwrap().parameters;
        parameters.recall = point;
        assert_eq!(interpolated(&judged, recall, &parameters), expected, "{recall}, {point:?}");
    }

    #[test]
    fn it_is_the_maximum_to_the_right_at_each_of_the_eleven_points() {
        for (recall, expected) in [(0.0, 1.0), (0.5, 1.0), (0.6, 0.5), (0.9, 0.5), (1.0, 0.5)] {
            check(recall, RecallPoint::Reached, expected);
        }
        check(0.6, RecallPoint::Nearest, 1.0);
        check(0.8, RecallPoint::Nearest, 0.5);
    }
}
