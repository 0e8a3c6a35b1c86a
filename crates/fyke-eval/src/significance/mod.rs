//! Whether a difference over queries is more than luck: tests of paired differences (a row each),
//! how large the difference is, and corrections for several comparisons at once. The sources give
//! the reason: queries differ more than systems do (000 "Variance"), so two systems are compared
//! query by query.

pub mod correction;
pub mod distributions;
mod effect;
mod randomisation;
mod student;
mod wilcoxon;

pub use effect::Effect;

use serde::Serialize;

/// The share of intervals that hold the true figure.
pub(crate) const LEVEL: f64 = 0.95;

/// An interval that holds the true figure with [`LEVEL`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// A test of paired differences against "no difference", two-sided.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Name in tables and on the command line.
    pub name: &'static str,
    /// What it asks and what it takes for granted, in one line.
    pub what: &'static str,
    /// How likely a difference at least this large is by luck; None of too few queries. The seed
    /// matters where chances are sampled.
    pub compute: fn(&[f64], u64) -> Option<f64>,
    /// Differences and their p, which a test holds it to.
    pub example: (&'static [f64], f64),
}

/// Every test; to add one, write its file and name it above and here.
pub const TESTS: [Test; 3] = [randomisation::TEST, student::TEST, wilcoxon::TEST];

/// The mean of figures; 0 of none.
#[must_use]
pub fn mean(figures: &[f64]) -> f64 {
    figures.iter().fold(0.0, |sum, figure| sum + figure) / figures.len().max(1) as f64
}

/// The standard deviation in the population that the figures are a sample of; None of fewer than two.
#[must_use]
pub fn deviation(figures: &[f64]) -> Option<f64> {
    let mean = mean(figures);
    let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
    (figures.len() > 1).then(|| (squares / (figures.len() - 1) as f64).sqrt())
}

/// The interval of a mean by Student's t; None of fewer than two figures.
#[must_use]
pub fn mean_interval(figures: &[f64]) -> Option<Interval> {
    let error = deviation(figures)? / (figures.len() as f64).sqrt();
    let freedom = (figures.len() - 1) as f64;
    let reach = error * distributions::student_quantile((1.0 - LEVEL) / 2.0, freedom);
    let mean = mean(figures);
    Some(Interval { low: mean - reach, high: mean + reach })
}

/// Differences that are not 0 but for rounding: figures that were added up in another order.
fn unequal(differences: &[f64]) -> impl Iterator<Item = f64> {
    differences.iter().copied().filter(|difference| difference.abs() > SMALLEST)
}

/// Below this, figures of two runs are equal.
pub(crate) const SMALLEST: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn every_test_has_its_own_name_and_keeps_its_example() {
        let mut names = HashSet::new();
        for test in TESTS {
            assert!(names.insert(test.name) && !test.what.is_empty(), "{}", test.name);
            let found = (test.compute)(test.example.0, 1).unwrap();
            assert!((found - test.example.1).abs() < 1e-9, "{}: {found}", test.name);
            assert_eq!((test.compute)(&[0.0; 9], 1), Some(1.0), "{}", test.name);
            assert_eq!((test.compute)(&[0.3], 1), None, "{}", test.name);
        }
    }

    /// The share of experiments of 12 queries, with this true difference, whose p is at most 0.05.
    fn found(test: &Test, difference: f64) -> f64 {
        const EXPERIMENTS: u32 = 600;
        let mut random = Random::new(11);
        let noise = |random: &mut Random| {
            (0..6).map(|_| random.below(1001) as f64 / 500.0 - 1.0).sum::<f64>()
        };
        let mut experiment = || {
            let differences: Vec<f64> = (0..12).map(|_| difference + noise(&mut random)).collect();
            (test.compute)(&differences, 1).unwrap() <= 0.05
        };
        mean(&(0..EXPERIMENTS).map(|_| f64::from(u8::from(experiment()))).collect::<Vec<_>>())
    }

    #[test]
    fn luck_is_taken_for_a_difference_once_in_twenty_and_a_difference_is_found() {
        for test in TESTS {
            let (luck, planted) = (found(&test, 0.0), found(&test, 2.0));
            assert!((0.025..0.075).contains(&luck), "{}: {luck} found of nothing", test.name);
            assert!(planted > 0.95, "{}: {planted} found of a difference", test.name);
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_student() {
        let found = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((found.low - 1.036_756_838_522_439).abs() < 1e-9, "{found:?}");
        assert!((found.high - 4.963_243_161_477_561).abs() < 1e-9, "{found:?}");
        assert_eq!(mean_interval(&[1.0]), None);
    }

    proptest! {
        #[test]
        fn p_is_a_chance_and_blind_to_direction(
            differences in vec(-1.0..1.0f64, 2..18), seed: u64,
        ) {
            let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
            for test in TESTS {
                let found = (test.compute)(&differences, seed).unwrap();
                let other = (test.compute)(&turned, seed).unwrap();
                prop_assert!((0.0..=1.0).contains(&found), "{}: {found}", test.name);
                prop_assert!((found - other).abs() < 1e-9, "{}: {found} {other}", test.name);
            }
        }

        #[test]
        fn more_of_the_same_is_less_likely_luck(differences in vec(0.01..1.0f64, 3..9)) {
            let twice = [differences.clone(), differences.clone()].concat();
            for test in TESTS {
                let (once, twice) = ((test.compute)(&differences, 1), (test.compute)(&twice, 1));
                prop_assert!(twice <= once, "{}: {once:?} {twice:?}", test.name);
            }
        }
    }
}
