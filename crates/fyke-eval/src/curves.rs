//! The precision–recall curve of a run at eleven levels of recall (000 "Interpolated precision",
//! "11-point interpolated average precision"): at each level the best precision at that recall or a
//! higher one, averaged over queries.

use crate::evaluate::{UnknownMeasure, evaluate};
use crate::significance::mean;
use crate::trec::{Qrels, Run};
use serde::Serialize;

/// The levels, as measures.
const LEVELS: [&str; 11] = [
    "IPrec@0",
    "IPrec@0.1",
    "IPrec@0.2",
    "IPrec@0.3",
    "IPrec@0.4",
    "IPrec@0.5",
    "IPrec@0.6",
    "IPrec@0.7",
    "IPrec@0.8",
    "IPrec@0.9",
    "IPrec@1",
];

/// A run's curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    pub name: String,
    /// Recall from 0 to 1 in tenths, and precision there.
    pub points: Vec<(f64, f64)>,
    /// The mean of the eleven: 11-point interpolated average precision.
    pub average: f64,
}

impl Curve {
    /// The curve of a run; a query without an answer counts 0 at every level.
    ///
    /// # Errors
    /// Never, while the table has a row for interpolated precision.
    pub fn new(name: &str, qrels: &Qrels, run: &Run) -> Result<Curve, UnknownMeasure> {
        let means = evaluate(qrels, run, &LEVELS)?.means;
        let average = mean(&means);
        let recall = (0..LEVELS.len()).map(|level| level as f64 / 10.0);
        Ok(Curve { name: name.to_owned(), points: recall.zip(means).collect(), average })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_the_best_at_that_recall_or_a_higher_one() {
        // Relevant at ranks 1, 3 and 4 of 4 relevant ones: 1, 2/3 and 3/4.
        let qrels = Qrels::parse("1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 1").unwrap();
        let run = Run::parse("1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n1 Q0 b 3 7 t\n1 Q0 c 4 6 t").unwrap();
        let found = Curve::new("mine", &qrels, &run).unwrap();
        let precision: Vec<f64> = found.points.iter().map(|point| point.1).collect();
        let expected = [1.0, 1.0, 1.0, 0.75, 0.75, 0.75, 0.75, 0.75, 0.0, 0.0, 0.0];
        assert_eq!(precision, expected);
        assert_eq!(found.points[3].0, 0.3);
        assert!((found.average - mean(&expected)).abs() < 1e-12);
    }
}
