//! The difference of two systems: query by query, its mean with an interval, tests, and its size.

use super::Compared;
use crate::evaluate::Evaluation;
use crate::significance::correction::{benjamini_hochberg, holm};
use crate::significance::{Effect, Interval, SMALLEST, TESTS, mean, mean_interval};
use serde::Serialize;

/// What one query gains or loses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    pub query: String,
    /// The baseline's figure.
    pub before: f64,
    pub after: f64,
    /// After less before.
    pub gain: f64,
}

/// How likely the difference is by luck, by one test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    pub test: &'static str,
    pub p: f64,
    /// Corrected for all comparisons of the same table, all its measures and systems.
    pub holm: f64,
    pub benjamini_hochberg: f64,
}

/// A system less the baseline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub mean: f64,
    pub interval: Option<Interval>,
    /// Queries that are better, worse and equal.
    pub better: usize,
    pub worse: usize,
    pub equal: usize,
    #[serde(flatten)]
    pub effect: Effect,
    /// None of a test that needs more queries.
    pub tests: Vec<Tested>,
    /// Every query, the largest gain first.
    pub gains: Vec<Gain>,
}

impl Difference {
    /// The difference that these queries make.
    #[must_use]
    pub fn new(mut gains: Vec<Gain>, seed: u64) -> Difference {
        let differences: Vec<f64> = gains.iter().map(|gain| gain.gain).collect();
        let tested = |test: &crate::significance::Test| {
            let p = (test.compute)(&differences, seed)?;
            Some(Tested { test: test.name, p, holm: p, benjamini_hochberg: p })
        };
        gains.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let (better, worse) = (count(&gains, 1.0), count(&gains, -1.0));
        Difference {
            mean: mean(&differences),
            interval: mean_interval(&differences),
            better,
            worse,
            equal: gains.len() - better - worse,
            effect: Effect::new(&differences),
            tests: TESTS.iter().filter_map(tested).collect(),
            gains,
        }
    }

    /// What a test says, by its name.
    #[must_use]
    pub fn tested(&self, test: &str) -> Option<Tested> {
        self.tests.iter().copied().find(|tested| tested.test == test)
    }

    /// The queries that lose most, worst first.
    pub fn losses(&self) -> impl Iterator<Item = &Gain> {
        self.gains.iter().rev().filter(|gain| gain.gain < -SMALLEST)
    }
}

/// How many gains have this sign.
fn count(gains: &[Gain], sign: f64) -> usize {
    gains.iter().filter(|gain| gain.gain * sign > SMALLEST).count()
}

/// What each query gains from one evaluation to another by the measure at `place`.
#[must_use]
pub fn gains(before: &Evaluation, after: &Evaluation, place: usize) -> Vec<Gain> {
    let both = before.queries.iter().filter_map(|(query, figures)| {
        let (before, after) = (figures[place], after.queries.get(query)?[place]);
        Some(Gain { query: query.clone(), before, after, gain: after - before })
    });
    both.collect()
}

/// Corrects the p of each test for all comparisons in the table.
pub(super) fn correct(measures: &mut [Compared]) {
    for test in TESTS {
        let mut family: Vec<&mut Tested> = measures
            .iter_mut()
            .flat_map(|compared| &mut compared.systems)
            .filter_map(|system| system.difference.as_mut())
            .flat_map(|difference| &mut difference.tests)
            .filter(|tested| tested.test == test.name)
            .collect();
        let ps: Vec<f64> = family.iter().map(|tested| tested.p).collect();
        let corrected = holm(&ps).into_iter().zip(benjamini_hochberg(&ps));
        for (tested, (holm, hochberg)) in family.iter_mut().zip(corrected) {
            (tested.holm, tested.benjamini_hochberg) = (holm, hochberg);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_counted_and_ordered_by_what_they_gain() {
        let gain = |query: &str, before: f64, after: f64| Gain {
            query: query.to_owned(),
            before,
            after,
            gain: after - before,
        };
        let gains =
            [gain("a", 0.5, 0.25), gain("b", 0.1, 0.9), gain("c", 1.0, 1.0), gain("d", 0.75, 0.0)];
        let found = Difference::new(gains.to_vec(), 1);
        assert_eq!((found.better, found.worse, found.equal), (1, 2, 1));
        let order: Vec<&str> = found.gains.iter().map(|gain| gain.query.as_str()).collect();
        assert_eq!(order, ["b", "c", "a", "d"]);
        let losses: Vec<&str> = found.losses().map(|gain| gain.query.as_str()).collect();
        assert_eq!(losses, ["d", "a"]);
        assert!(found.tested("t").is_some() && found.tested("x").is_none());
    }

    #[test]
    fn one_query_is_no_test() {
        let only = Gain { query: "a".to_owned(), before: 0.0, after: 1.0, gain: 1.0 };
        let found = Difference::new(vec![only], 1);
        assert_eq!((found.tests.len(), found.interval, found.mean), (0, None, 1.0));
    }
}
