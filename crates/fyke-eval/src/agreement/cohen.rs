//! Cohen's kappa of two judges, with chance from each judge's own shares; plain, and weighted, where a
//! near miss counts as nearly agreed. Weights go by the grades as numbers.

use super::{AgreementEstimate, Coefficient};
use crate::significance::distributions::normal_quantile;
use crate::significance::{Interval, LEVEL};
use std::collections::BTreeMap;

/// How much two different grades count as agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeWeights {
    /// Not at all.
    Equal,
    /// Less by the distance between them.
    Linear,
    /// Less by the square of the distance.
    Quadratic,
}

impl GradeWeights {
    /// 1 for the same grade, 0 for the two farthest apart.
    fn agreed(self, distance: f64, farthest: f64) -> f64 {
        let share = if farthest > 0.0 { distance / farthest } else { 0.0 };
        match self {
            GradeWeights::Equal => f64::from(u8::from(distance == 0.0)),
            GradeWeights::Linear => 1.0 - share,
            GradeWeights::Quadratic => 1.0 - share * share,
        }
    }
}

/// Cohen's kappa of pairs of judgements, one pair a document; chance from each judge's own shares.
#[must_use]
pub fn kappa<T: Copy + Into<i32>>(pairs: &[(T, T)]) -> Option<Coefficient> {
    weighted_kappa(pairs, GradeWeights::Equal)
}

/// Cohen's kappa where grades that are near each other count as partly agreed.
#[must_use]
pub fn weighted_kappa<T: Copy + Into<i32>>(
    pairs: &[(T, T)],
    weights: GradeWeights,
) -> Option<Coefficient> {
    Some(PairTable::new(pairs, weights)?.coefficient())
}

/// Weighted kappa with its interval by the formula of Fleiss, Cohen and Everitt.
pub(super) fn estimate(pairs: &[(i32, i32)], weights: GradeWeights) -> Option<AgreementEstimate> {
    let table = PairTable::new(pairs, weights)?;
    let coefficient = table.coefficient();
    let reach = normal_quantile((1.0 - LEVEL) / 2.0) * table.error();
    let (low, high) = (coefficient.value - reach, (coefficient.value + reach).min(1.0));
    let interval = reach.is_finite().then_some(Interval { low, high });
    Some(AgreementEstimate::new(coefficient, interval, pairs.len()))
}

/// Shares of the pairs of grades, with the weight of each.
struct PairTable {
    count: f64,
    /// First grade, second grade: share of the documents.
    cells: BTreeMap<(i32, i32), f64>,
    /// Each grade's share as chance has it, with each judge.
    shares: BTreeMap<i32, (f64, f64)>,
    weights: GradeWeights,
    farthest: f64,
}

impl PairTable {
    fn new<T: Copy + Into<i32>>(pairs: &[(T, T)], weights: GradeWeights) -> Option<PairTable> {
        let count = pairs.len() as f64;
        let mut cells = BTreeMap::new();
        let mut shares: BTreeMap<i32, (f64, f64)> = BTreeMap::new();
        for (first, second) in pairs.iter().map(|&(first, second)| (first.into(), second.into())) {
            *cells.entry((first, second)).or_insert(0.0) += 1.0 / count;
            shares.entry(first).or_default().0 += 1.0 / count;
            shares.entry(second).or_default().1 += 1.0 / count;
        }
        let farthest = distance(*shares.first_key_value()?.0, *shares.last_key_value()?.0);
        Some(PairTable { count, cells, shares, weights, farthest })
    }

    fn agreed(&self, first: i32, second: i32) -> f64 {
        self.weights.agreed(distance(first, second), self.farthest)
    }

    fn coefficient(&self) -> Coefficient {
        let each = self.cells.iter();
        let agreed = each.map(|(&(a, b), share)| share * self.agreed(a, b)).sum();
        let by_first = self.shares.iter().map(|(&a, (share, _))| share * self.by_chance(a).0);
        Coefficient::new(agreed, by_first.sum())
    }

    /// How far a grade of the first judge agrees by chance with the second, and the other way round.
    fn by_chance(&self, grade: i32) -> (f64, f64) {
        self.shares.iter().fold((0.0, 0.0), |sums, (&other, (first, second))| {
            let agreed = self.agreed(grade, other);
            (sums.0 + second * agreed, sums.1 + first * agreed)
        })
    }

    /// The standard error of kappa in large samples.
    fn error(&self) -> f64 {
        let Coefficient { agreed, expected, .. } = self.coefficient();
        let means: BTreeMap<i32, _> =
            self.shares.keys().map(|&grade| (grade, self.by_chance(grade))).collect();
        let squares: f64 = self
            .cells
            .iter()
            .map(|(&(a, b), share)| {
                let by_chance = means[&a].0 + means[&b].1;
                let part = self.agreed(a, b) * (1.0 - expected) - by_chance * (1.0 - agreed);
                share * part * part
            })
            .sum();
        let square = (agreed * expected - 2.0 * expected + agreed).powi(2);
        let variance = (squares - square).max(0.0) / self.count;
        variance.sqrt() / (1.0 - expected).powi(2)
    }
}

fn distance(first: i32, second: i32) -> f64 {
    f64::from(first.abs_diff(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::kappa_pooled;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Pairs from a square table of counts: rows are the first judge's grades.
    fn pairs<const N: usize>(table: [[usize; N]; N]) -> Vec<(i32, i32)> {
        let cells = (0..N).flat_map(|row| (0..N).map(move |column| (row, column)));
        let cell =
            |(row, column): (usize, usize)| vec![(row as i32, column as i32); table[row][column]];
        cells.flat_map(cell).collect()
    }

    #[track_caller]
    fn check(found: Option<Coefficient>, expected: [f64; 3]) {
        let found = found.unwrap();
        for (figure, expected) in [found.agreed, found.expected, found.value].iter().zip(expected) {
            assert!((figure - expected).abs() < 5e-4, "{found:?}");
        }
    }

    #[test]
    fn the_example_of_the_lecture_gives_776() {
        let pairs = pairs([[70, 10], [20, 300]]);
        check(kappa(&pairs), [0.925, 0.665, 0.776]);
        check(kappa_pooled(&pairs), [0.925, 0.665, 0.776]);
    }

    #[test]
    fn the_quiz_of_the_lecture_is_hardly_above_chance() {
        let pairs = pairs([[80, 120], [100, 200]]);
        check(kappa(&pairs), [0.56, 0.528, 0.068]);
        check(kappa_pooled(&pairs), [0.56, 0.529, 0.066]);
    }

    #[test]
    fn judges_who_never_differ_agree_wholly_and_none_say_nothing() {
        check(kappa(&[(3, 3), (3, 3)]), [1.0, 1.0, 1.0]);
        assert_eq!(kappa::<i32>(&[]), None);
        assert_eq!(estimate(&[(3, 3)], GradeWeights::Equal).unwrap().interval, None);
    }

    #[test]
    fn figures_and_intervals_are_those_of_statsmodels() {
        let pairs = pairs([[44, 5, 1], [7, 20, 3], [9, 5, 6]]);
        let check = |weights, expected: [f64; 3]| {
            let found = estimate(&pairs, weights).unwrap();
            let interval = found.interval.unwrap();
            let figures = [found.coefficient.value, interval.low, interval.high];
            let near = figures.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(near, "{figures:?}, not {expected:?}");
        };
        check(GradeWeights::Equal, [0.491_525_424, 0.350_158_201, 0.632_892_646]);
        check(GradeWeights::Linear, [0.473_684_211, 0.322_808_320, 0.624_560_101]);
        check(GradeWeights::Quadratic, [0.454_545_455, 0.270_348_632, 0.638_742_277]);
    }

    proptest! {
        #[test]
        fn kappa_is_at_most_the_agreement_and_symmetric(pairs in vec((0..4, 0..4), 1..50)) {
            let swapped: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            for weights in [GradeWeights::Equal, GradeWeights::Linear, GradeWeights::Quadratic] {
                let found = weighted_kappa(&pairs, weights).unwrap();
                prop_assert!(found.value <= found.agreed + 1e-9);
                let other = weighted_kappa(&swapped, weights).unwrap();
                prop_assert!((found.value - other.value).abs() < 1e-9);
            }
        }

        #[test]
        fn with_two_grades_all_weights_are_one(pairs in vec((0..2, 0..2), 1..50)) {
            let found = kappa(&pairs).unwrap().value;
            for weights in [GradeWeights::Linear, GradeWeights::Quadratic] {
                prop_assert!((weighted_kappa(&pairs, weights).unwrap().value - found).abs() < 1e-9);
            }
        }
    }
}
