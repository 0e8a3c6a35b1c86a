//! Precision, recall and F of a set of answers (000 "Unranked retrieval evaluation").

use serde::Serialize;

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

    #[test]
    fn f_is_the_harmonic_mean() {
        let scores = SetScores::new(2, 4, 8);
        assert_eq!((scores.precision, scores.recall), (0.5, 0.25));
        assert!((scores.f(1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!((scores.f(2.0) - 0.2778).abs() < 1e-4);
        assert_eq!(SetScores::new(0, 0, 0).f(1.0), 0.0);
    }
}
