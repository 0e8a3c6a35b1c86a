//! How large a difference is, whatever the number of queries: Cohen's d of pairs, and the rank
//! biserial of matched pairs.

use super::wilcoxon::{SignedRanks, signed_ranks};
use super::{SMALLEST, deviation, mean};
use serde::Serialize;

/// The size of a difference; 0 is none, the sign is that of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Cohen's d: the mean difference in standard deviations of the differences (0.2 small, 0.5
    /// medium, 0.8 large). None if they do not vary.
    pub d: Option<f64>,
    /// Rank biserial: the share of ranks with gains minus that with losses, from -1 to 1.
    pub rank_biserial: f64,
}

impl Effect {
    /// The size of these differences.
    #[must_use]
    pub fn new(differences: &[f64]) -> Effect {
        let deviation = deviation(differences).filter(|deviation| *deviation > SMALLEST);
        let SignedRanks { gains, losses, .. } = signed_ranks(differences);
        let all = (gains + losses).max(1) as f64;
        Effect {
            d: deviation.map(|deviation| mean(differences) / deviation),
            rank_biserial: (gains as f64 - losses as f64) / all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(differences: &[f64], d: Option<f64>, rank_biserial: f64) {
        let found = Effect::new(differences);
        assert_eq!(found.d.map(|d| (d * 1e4).round() / 1e4), d, "{found:?}");
        assert!((found.rank_biserial - rank_biserial).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn effects_have_a_size_and_a_sign() {
        check(&[1.0, 2.0, 3.0], Some(2.0), 1.0);
        check(&[-1.0, -2.0, -3.0], Some(-2.0), -1.0);
        check(&[1.0, 2.0, -3.0], Some(0.0), 0.0);
        check(&[0.0, 0.0], None, 0.0);
        check(&[0.5, 0.5], None, 1.0);
        check(&[], None, 0.0);
    }
}
