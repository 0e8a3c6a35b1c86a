//! Fleiss' kappa: how often two of the judges of a document agree, against chance from the shares of
//! all grades together. Every document has the same number of judges; others are left out. Of two
//! judges it is kappa as the lecture works it out (000 "Kappa example").

use super::{AgreementEstimate, Coefficient, Ratings, bootstrap};
use std::collections::BTreeSet;

/// Fleiss' kappa of documents with how many judges gave each grade; None of fewer than two judges.
#[must_use]
pub fn fleiss_kappa(counts: &[Vec<f64>]) -> Option<Coefficient> {
    of_drawn(counts, &vec![1; counts.len()])
}

/// Kappa of two judges as the lecture has it: chance from the shares of both together.
#[must_use]
pub fn kappa_pooled<T: Copy + Into<i32>>(pairs: &[(T, T)]) -> Option<Coefficient> {
    fleiss_kappa(&counts(pairs))
}

/// The kappa of the documents that all judged.
pub(super) fn estimate(ratings: &Ratings, seed: u64) -> Option<AgreementEstimate> {
    estimated(&ratings.counts(ratings.judges().len()), seed)
}

/// The lecture's kappa, with its interval.
pub(super) fn estimate_pooled(pairs: &[(i32, i32)], seed: u64) -> Option<AgreementEstimate> {
    estimated(&counts(pairs), seed)
}

fn estimated(counts: &[Vec<f64>], seed: u64) -> Option<AgreementEstimate> {
    let whole = fleiss_kappa(counts)?;
    let drawn = |times: &[u32]| of_drawn(counts, times).map(|found| found.value);
    Some(AgreementEstimate::new(
        whole,
        bootstrap::interval(counts.len(), seed, drawn),
        counts.len(),
    ))
}

/// How many of the two gave each grade.
fn counts<T: Copy + Into<i32>>(pairs: &[(T, T)]) -> Vec<Vec<f64>> {
    let both = pairs.iter().map(|&(first, second)| [first.into(), second.into()]);
    let grades: BTreeSet<i32> = both.clone().flatten().collect();
    let count = |given: [i32; 2]| {
        let given_by = |grade: &i32| given.iter().filter(|other| *other == grade).count() as f64;
        grades.iter().map(given_by).collect()
    };
    both.map(count).collect()
}

/// Each document counts as often as it was drawn.
fn of_drawn(counts: &[Vec<f64>], times: &[u32]) -> Option<Coefficient> {
    let judges: f64 = counts.first()?.iter().sum();
    if judges < 2.0 {
        return None;
    }
    let mut shares = vec![0.0; counts.first()?.len()];
    let (mut agreed, mut documents) = (0.0, 0.0);
    for (unit, &times) in counts.iter().zip(times) {
        let times = f64::from(times);
        let alike: f64 = unit.iter().map(|count| count * (count - 1.0)).sum();
        agreed += times * alike / (judges * (judges - 1.0));
        documents += times;
        shares.iter_mut().zip(unit).for_each(|(share, count)| *share += times * count);
    }
    let by_chance = shares.iter().map(|share| (share / (documents * judges)).powi(2)).sum();
    Some(Coefficient::new(agreed / documents, by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_example_of_fourteen_judges_holds() {
        // Ten subjects, fourteen raters, five categories: P(A) 0.378, P(E) 0.213, kappa 0.210.
        let counts = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let counts: Vec<Vec<f64>> = counts.iter().map(|row| row.map(f64::from).to_vec()).collect();
        let found = fleiss_kappa(&counts).unwrap();
        assert!((found.agreed - 0.378).abs() < 5e-4, "{found:?}");
        assert!((found.expected - 0.213).abs() < 5e-4, "{found:?}");
        assert!((found.value - 0.210).abs() < 5e-4, "{found:?}");
    }

    #[test]
    fn nobody_and_one_judge_say_nothing() {
        assert_eq!(fleiss_kappa(&[]), None);
        assert_eq!(fleiss_kappa(&[vec![1.0, 0.0]]), None);
    }
}
