//! The precision–recall curve of a run at eleven levels of recall (000 "Interpolated precision",
//! "11-point interpolated average precision"): at each level the best precision at that recall or a
//! higher one, averaged over queries.

use crate::significance::mean;
use crate::trec::{Qrels, Run};
use serde::Serialize;

/// How many levels of recall there are, from 0 to 1.
const LEVELS: usize = 11;

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
    #[must_use]
    pub fn new(name: &str, qrels: &Qrels, run: &Run) -> Curve {
        let mut sums = [0.0; LEVELS];
        for query in qrels.queries() {
            let precisions = precisions(qrels, run, query);
            sums.iter_mut().zip(precisions).for_each(|(sum, precision)| *sum += precision);
        }
        let means = sums.map(|sum| sum / qrels.queries().len().max(1) as f64);
        let points = means.iter().enumerate().map(|(level, mean)| (recall(level), *mean)).collect();
        Curve { name: name.to_owned(), points, average: mean(&means) }
    }
}

fn recall(level: usize) -> f64 {
    level as f64 / (LEVELS - 1) as f64
}

/// The best precision of one query at each level of recall or a higher one.
fn precisions(qrels: &Qrels, run: &Run, query: &str) -> [f64; LEVELS] {
    let relevant = qrels.grades(query).filter(|(_, grade)| *grade > 0).count();
    let ranked = (1..).zip(run.answers(query));
    let is_relevant = |document| qrels.grade(query, document).is_some_and(|grade| grade > 0);
    let ranks = ranked.filter(|(_, (document, _))| is_relevant(document)).map(|(rank, _)| rank);
    let mut best = [0.0; LEVELS];
    for (found, rank) in (1..).zip(ranks) {
        // Every level that this recall reaches.
        let reached = (0..LEVELS).filter(|level| level * relevant <= found * (LEVELS - 1));
        reached
            .for_each(|level| best[level] = f64::max(best[level], found as f64 / f64::from(rank)));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_the_best_at_that_recall_or_a_higher_one() {
        // Relevant at ranks 1, 3 and 4 of 4 relevant ones: 1, 2/3 and 3/4.
        let qrels = Qrels::parse("1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 1").unwrap();
        let run = Run::parse("1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n1 Q0 b 3 7 t\n1 Q0 c 4 6 t").unwrap();
        let found = Curve::new("mine", &qrels, &run);
        let precision: Vec<f64> = found.points.iter().map(|point| point.1).collect();
        let expected = [1.0, 1.0, 1.0, 0.75, 0.75, 0.75, 0.75, 0.75, 0.0, 0.0, 0.0];
        assert_eq!(precision, expected);
        assert_eq!(found.points[3].0, 0.3);
        assert!((found.average - mean(&expected)).abs() < 1e-12);
    }
}
