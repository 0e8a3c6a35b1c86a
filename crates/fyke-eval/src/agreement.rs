//! Agreement between judges (000 "Kappa measure"), and precision, recall and F of sets.

use crate::qrels::Qrels;
use serde::Serialize;
use std::collections::BTreeMap;

/// How far two judges agree beyond chance: above 0.8 good, from 0.67 to 0.8 tentative (000).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Kappa {
    /// P(A): the share of documents on which they agree.
    pub agreed: f64,
    /// P(E): the share on which they would agree by chance.
    pub expected: f64,
    /// (P(A) - P(E)) / (1 - P(E)): 1 for total agreement, 0 for chance.
    pub kappa: f64,
}

/// Cohen's kappa of pairs of judgements, one pair a document; chance from each judge's own shares.
#[must_use]
pub fn kappa<T: Ord>(pairs: &[(T, T)]) -> Option<Kappa> {
    rate(pairs, |first, second| first * second)
}

/// Kappa as the lecture works it out: chance from the shares of both judges together.
#[must_use]
pub fn kappa_pooled<T: Ord>(pairs: &[(T, T)]) -> Option<Kappa> {
    rate(pairs, |first, second| ((first + second) / 2.0).powi(2))
}

/// Grades by two judges of the documents that both judged.
#[must_use]
pub fn judged_by_both(first: &Qrels, second: &Qrels) -> Vec<(i32, i32)> {
    let mut pairs = Vec::new();
    for (query, document, grade) in first.iter() {
        pairs.extend(second.grade(query, document).map(|other| (grade, other)));
    }
    pairs
}

/// `chance` gives the part of P(E) of one category from its share with each judge.
fn rate<T: Ord>(pairs: &[(T, T)], chance: fn(f64, f64) -> f64) -> Option<Kappa> {
    let mut shares: BTreeMap<&T, (f64, f64)> = BTreeMap::new();
    let total = pairs.len() as f64;
    for (first, second) in pairs {
        shares.entry(first).or_default().0 += 1.0 / total;
        shares.entry(second).or_default().1 += 1.0 / total;
    }
    let equal = pairs.iter().filter(|(first, second)| first == second).count();
    let agreed = equal as f64 / total;
    let expected: f64 = shares.values().map(|&(first, second)| chance(first, second)).sum();
    let kappa = if equal == pairs.len() { 1.0 } else { (agreed - expected) / (1.0 - expected) };
    (!pairs.is_empty()).then_some(Kappa { agreed, expected, kappa })
}

/// Precision and recall of a set of answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SetScores {
    /// Share of the found that is right; 0 if nothing was found.
    pub precision: f64,
    /// Share of the right that was found; 0 if nothing was right.
    pub recall: f64,
}

impl SetScores {
    /// Scores of `found` answers of which `hits` are among the `relevant`.
    #[must_use]
    pub fn new(hits: usize, found: usize, relevant: usize) -> SetScores {
        let share = |whole: usize| if whole == 0 { 0.0 } else { hits as f64 / whole as f64 };
        SetScores { precision: share(found), recall: share(relevant) }
    }

    /// The weighted harmonic mean of both; `beta` above 1 weighs recall more.
    #[must_use]
    pub fn f(&self, beta: f64) -> f64 {
        let (p, r, b) = (self.precision, self.recall, beta * beta);
        if p + r == 0.0 { 0.0 } else { (b + 1.0) * p * r / (b * p + r) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Counts of documents: both relevant, neither, the first only, the second only.
    fn pairs(both: usize, neither: usize, first: usize, second: usize) -> Vec<(bool, bool)> {
        let rows = [(both, (true, true)), (neither, (false, false))];
        let rows = rows.into_iter().chain([(first, (true, false)), (second, (false, true))]);
        rows.flat_map(|(count, pair)| vec![pair; count]).collect()
    }

    #[track_caller]
    fn check(found: Option<Kappa>, expected: [f64; 3]) {
        let found = found.unwrap();
        for (figure, expected) in [found.agreed, found.expected, found.kappa].iter().zip(expected) {
            assert!((figure - expected).abs() < 5e-4, "{found:?}");
        }
    }

    #[test]
    fn the_example_of_the_lecture_gives_776() {
        let pairs = pairs(300, 70, 20, 10);
        check(kappa(&pairs), [0.925, 0.665, 0.776]);
        check(kappa_pooled(&pairs), [0.925, 0.665, 0.776]);
    }

    #[test]
    fn the_quiz_of_the_lecture_is_hardly_above_chance() {
        let pairs = pairs(200, 80, 100, 120);
        check(kappa(&pairs), [0.56, 0.528, 0.068]);
        check(kappa_pooled(&pairs), [0.56, 0.529, 0.066]);
    }

    #[test]
    fn judges_who_never_differ_agree_wholly_and_none_say_nothing() {
        check(kappa(&[(3, 3), (3, 3)]), [1.0, 1.0, 1.0]);
        assert_eq!(kappa::<i32>(&[]), None);
    }

    #[test]
    fn only_documents_judged_by_both_are_paired() {
        let first = Qrels::parse("1 0 a 1\n1 0 b 2\n2 0 a 0").unwrap();
        let second = Qrels::parse("1 0 b 3\n1 0 c 1\n3 0 a 1").unwrap();
        assert_eq!(judged_by_both(&first, &second), [(2, 3)]);
    }

    #[test]
    fn f_is_the_harmonic_mean() {
        let scores = SetScores::new(2, 4, 8);
        assert_eq!((scores.precision, scores.recall), (0.5, 0.25));
        assert!((scores.f(1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!((scores.f(2.0) - 0.2778).abs() < 1e-4);
        assert_eq!(SetScores::new(0, 0, 0).f(1.0), 0.0);
    }

    proptest! {
        #[test]
        fn kappa_is_at_most_the_agreement_and_symmetric(pairs in vec((0..4, 0..4), 1..50)) {
            let found = kappa(&pairs).unwrap();
            let swapped: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            prop_assert!(found.kappa <= found.agreed + 1e-9);
            prop_assert!((found.kappa - kappa(&swapped).unwrap().kappa).abs() < 1e-9);
        }
    }
}
