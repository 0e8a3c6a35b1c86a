//! Agreement between judges (000 "Kappa measure"): how far they agree beyond chance. For pairs of
//! judges Cohen's kappa, plain and weighted, and the lecture's form with pooled chance; for more the
//! mean of the pairs, as the lecture has it, Fleiss' kappa and Krippendorff's alpha. With what they
//! disagree on, and whether it matters: what each judge makes of the systems.

mod bootstrap;
mod cohen;
mod disagreement;
mod effect;
mod fleiss;
mod krippendorff;
mod pairs;
mod ratings;
pub mod tau;

pub use cohen::{GradeWeights, kappa, weighted_kappa};
pub use disagreement::{Disagreement, disagreements};
pub use effect::{JudgeEffect, RankAgreement, judge_effect};
pub use fleiss::{fleiss_kappa, kappa_pooled};
pub use krippendorff::{Metric, alpha};
pub use pairs::Pair;
pub use ratings::{Ratings, TooManyGrades};

use crate::significance::Interval;
use serde::Serialize;

/// How far judges agree beyond chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coefficient {
    /// P(A): the share of judgements on which they agree (of weighted forms: how nearly).
    pub agreed: f64,
    /// P(E): the share on which they would agree by chance.
    pub expected: f64,
    /// (P(A) - P(E)) / (1 - P(E)): 1 for total agreement, 0 for chance.
    pub value: f64,
}

impl Coefficient {
    /// From P(A) and P(E); judges who never differ agree wholly, though chance would not differ.
    fn new(agreed: f64, expected: f64) -> Coefficient {
        let is_whole = 1.0 - agreed < 1e-12;
        let value = if is_whole { 1.0 } else { (agreed - expected) / (1.0 - expected) };
        Coefficient { agreed, expected, value }
    }
}

/// What a coefficient lets one conclude (000, after Carletta).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Conclusion {
    /// Above 0.8.
    Good,
    /// From 0.67 to 0.8: tentative conclusions.
    Tentative,
    /// Below 0.67.
    Doubtful,
}

impl Conclusion {
    /// The reading of a coefficient.
    #[must_use]
    pub fn of(value: f64) -> Conclusion {
        match value {
            _ if value > 0.8 => Conclusion::Good,
            _ if value >= 0.67 => Conclusion::Tentative,
            _ => Conclusion::Doubtful,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Conclusion::Good => "good",
            Conclusion::Tentative => "tentative",
            Conclusion::Doubtful => "doubtful",
        }
    }
}

/// A coefficient with what one may conclude from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AgreementEstimate {
    #[serde(flatten)]
    pub coefficient: Coefficient,
    /// None of too few documents.
    pub interval: Option<Interval>,
    pub reading: Conclusion,
    /// Documents it is of.
    pub documents: usize,
}

impl AgreementEstimate {
    fn new(
        coefficient: Coefficient,
        interval: Option<Interval>,
        documents: usize,
    ) -> AgreementEstimate {
        AgreementEstimate {
            coefficient,
            interval,
            reading: Conclusion::of(coefficient.value),
            documents,
        }
    }
}

/// All that is said of the agreement of judges.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Names of the judges.
    pub judges: Vec<String>,
    /// Documents judged by at least one, two, and all of them.
    pub documents: [usize; 3],
    /// Each two judges, in the order of `judges`, who judged a document in common.
    pub pairs: Vec<Pair>,
    /// The mean of the pairs' kappas: the lecture's figure for more than two judges.
    pub mean_kappa: Option<f64>,
    /// Fleiss' kappa, of the documents that all judged.
    pub fleiss: Option<AgreementEstimate>,
    /// Krippendorff's alpha of documents that at least two judged: grades as mere names …
    pub alpha_nominal: Option<AgreementEstimate>,
    /// … as an order …
    pub alpha_ordinal: Option<AgreementEstimate>,
    /// … and as numbers.
    pub alpha_interval: Option<AgreementEstimate>,
    /// What to settle together, the widest gap first.
    pub disagreements: Vec<Disagreement>,
}

/// All figures of the judges' agreement; the seed is for intervals that are drawn.
#[must_use]
pub fn agreement(ratings: &Ratings, seed: u64) -> Agreement {
    let pairs = pairs::pairs(ratings, seed);
    let kappas: Vec<f64> = pairs.iter().map(|pair| pair.kappa.coefficient.value).collect();
    let alpha = |metric| krippendorff::estimate(ratings, metric, seed);
    let judged_by = |least| ratings.units().filter(|unit| unit.judged() >= least).count();
    Agreement {
        judges: ratings.judges().to_vec(),
        documents: [1, 2, ratings.judges().len()].map(judged_by),
        mean_kappa: (!kappas.is_empty()).then(|| crate::significance::mean(&kappas)),
        pairs,
        fleiss: fleiss::estimate(ratings, seed),
        alpha_nominal: alpha(Metric::Nominal),
        alpha_ordinal: alpha(Metric::Ordinal),
        alpha_interval: alpha(Metric::Interval),
        disagreements: disagreements(ratings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trec::Qrels;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn qrels(grades: &[Option<i32>]) -> Qrels {
        let mut qrels = Qrels::default();
        for (document, grade) in grades.iter().enumerate() {
            if let Some(grade) = grade {
                qrels.insert(&(document / 4).to_string(), &document.to_string(), *grade);
            }
        }
        qrels
    }

    fn ratings(judges: &[Vec<Option<i32>>]) -> Ratings {
        let named = judges.iter().enumerate().map(|(n, grades)| (n.to_string(), qrels(grades)));
        Ratings::new(&named.collect::<Vec<_>>()).unwrap()
    }

    fn values(found: &Agreement) -> Vec<f64> {
        let all = [found.fleiss, found.alpha_nominal, found.alpha_ordinal, found.alpha_interval];
        let several = all.iter().flatten().map(|estimate| estimate.coefficient.value);
        several.chain(found.mean_kappa).collect()
    }

    #[test]
    fn the_reading_is_that_of_the_lecture() {
        let readings = [0.81, 0.8, 0.67, 0.66, -0.2].map(|value| Conclusion::of(value).name());
        assert_eq!(readings, ["good", "tentative", "tentative", "doubtful", "doubtful"]);
    }

    #[test]
    fn one_judge_agrees_with_nobody() {
        let found = agreement(&ratings(&[vec![Some(1), Some(0)]]), 1);
        assert_eq!((found.documents, values(&found)), ([2, 0, 2], vec![]));
    }

    proptest! {
        // Each case draws thousands of times.
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn the_order_of_judges_changes_nothing(
            judges in vec(vec(prop::option::weighted(0.8, 0..4i32), 12), 2..5),
        ) {
            let found = agreement(&ratings(&judges), 1);
            let turned: Vec<_> = judges.iter().rev().cloned().collect();
            let other = agreement(&ratings(&turned), 1);
            let (mine, others) = (values(&found), values(&other));
            prop_assert_eq!(mine.len(), others.len());
            for (one, two) in mine.iter().zip(others) {
                prop_assert!((one - two).abs() < 1e-9, "{} {}", one, two);
                prop_assert!(*one <= 1.0 + 1e-9);
            }
            prop_assert_eq!(found.disagreements.len(), other.disagreements.len());
        }

        #[test]
        fn judges_who_never_differ_agree_wholly(
            grades in vec(0..4i32, 2..20), judges in 2..5usize,
        ) {
            let alike: Vec<Option<i32>> = grades.into_iter().map(Some).collect();
            let found = agreement(&ratings(&vec![alike; judges]), 1);
            prop_assert!(values(&found).iter().all(|value| (value - 1.0).abs() < 1e-9));
            prop_assert!(values(&found).len() == 5 && found.disagreements.is_empty());
            for pair in &found.pairs {
                let all = [pair.kappa, pair.pooled, pair.linear, pair.quadratic];
                prop_assert!(all.iter().all(|one| one.coefficient.value > 1.0 - 1e-9));
            }
        }

        #[test]
        fn intervals_hold_their_coefficient(
            first in vec(0..3i32, 20..40), seed: u64,
        ) {
            let second: Vec<i32> = first.iter().rev().copied().collect();
            let both = [first, second].map(|judge| judge.into_iter().map(Some).collect());
            let found = agreement(&ratings(&both), seed);
            for estimate in found.pairs.iter().flat_map(|pair| [pair.kappa, pair.linear]) {
                let interval = estimate.interval.unwrap();
                let value = estimate.coefficient.value;
                prop_assert!(interval.low <= value + 1e-9 && value <= interval.high + 1e-9);
            }
        }
    }
}
