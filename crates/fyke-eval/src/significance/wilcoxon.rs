//! Wilcoxon's signed-rank test: differences by size, the ranks of the gains against those of the
//! losses. Queries without a difference are left out (as Wilcoxon does); equal sizes share the mean
//! of their ranks. Exact, ties included, up to [`MOST_EXACT`] queries that differ; beyond that the
//! normal distribution, corrected for ties and for steps.

use super::distributions::normal_tail;
use super::{SMALLEST, Test, unequal};

pub(super) const TEST: Test = Test {
    name: "wilcoxon",
    what: "signed-rank test: the ranks of gains against those of losses; needs no normal curve",
    compute,
    // Ranks of losses: 1; of all: 1 + … + 6 = 21; 4 of 64 ways are as far out.
    example: (&[0.3, -0.1, 0.2, 0.5, 0.4, 0.6, 0.0], 4.0 / 64.0),
};

/// Queries up to which every way the signs could fall is counted.
const MOST_EXACT: usize = 100;

fn compute(differences: &[f64], _seed: u64) -> Option<f64> {
    if differences.len() < 2 {
        return None;
    }
    let SignedRanks { gains, losses, ranks } = signed_ranks(differences);
    match ranks.len() {
        0 => Some(1.0),
        1..=MOST_EXACT => Some(exact(&ranks, gains.min(losses))),
        _ => Some(approximate(&ranks, gains.min(losses))),
    }
}

/// Ranks of differences by their size, each twice: whole numbers, since a shared rank is a half at the most.
#[derive(Debug)]
pub(super) struct SignedRanks {
    /// The sum of those of gains.
    pub(super) gains: u64,
    /// The sum of those of losses.
    pub(super) losses: u64,
    pub(super) ranks: Vec<u64>,
}

pub(super) fn signed_ranks(differences: &[f64]) -> SignedRanks {
    let mut by_size: Vec<f64> = unequal(differences).collect();
    by_size.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (mut gains, mut losses, mut ranks) = (0, 0, Vec::new());
    for tied in by_size.chunk_by(|a, b| (a.abs() - b.abs()).abs() <= SMALLEST) {
        let rank = (2 * ranks.len() + tied.len() + 1) as u64;
        let ups = tied.iter().filter(|difference| **difference > 0.0).count() as u64;
        gains += ups * rank;
        losses += (tied.len() as u64 - ups) * rank;
        ranks.extend(tied.iter().map(|_| rank));
    }
    SignedRanks { gains, losses, ranks }
}

/// The share of all ways to give signs whose smaller sum is at most `least`.
fn exact(ranks: &[u64], least: u64) -> f64 {
    let mut chances = vec![0.0; ranks.iter().sum::<u64>() as usize + 1];
    chances[0] = 1.0;
    for &rank in ranks {
        let rank = rank as usize;
        for sum in (0..chances.len()).rev() {
            let with = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = (chances[sum] + with) / 2.0;
        }
    }
    let tail: f64 = chances.iter().take(least as usize + 1).sum();
    (2.0 * tail).min(1.0)
}

fn approximate(ranks: &[u64], least: u64) -> f64 {
    let whole: f64 = ranks.iter().map(|rank| *rank as f64 / 2.0).sum();
    // Each rank is in or out by the toss of a coin; the squares of shared ranks bring the ties in.
    let variance: f64 = ranks.iter().map(|rank| (*rank as f64 / 2.0).powi(2)).sum::<f64>() / 4.0;
    let distance = (whole / 2.0 - least as f64 / 2.0 - 0.5).max(0.0);
    (2.0 * normal_tail(distance / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(differences: &[f64], expected: f64) {
        let found = compute(differences, 0).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn the_maize_plants_give_the_published_figure() {
        // Darwin's plants in pairs (Fisher, The Design of Experiments): smaller sum 24 of 15 pairs.
        let heights =
            [49., -67., 8., 16., 6., 23., 28., 41., 14., 29., 56., 24., 75., 60., -48.].as_slice();
        check(heights, 0.041_259_765_625);
    }

    #[test]
    fn ties_are_counted_exactly() {
        // Ranks 1.5 1.5 3.5 3.5 5: the losses have 1.5; 6 of 32 ways are as far out.
        check(&[0.1, -0.1, 0.2, 0.2, 0.3], 6.0 / 32.0);
    }

    #[test]
    fn many_queries_are_near_to_the_exact_figure() {
        let differences: Vec<f64> =
            (1..=90).map(|n| f64::from(n) * [1.0, 1.0, -1.0][n as usize % 3]).collect();
        let SignedRanks { gains, losses, ranks } = signed_ranks(&differences);
        let (exact, near) =
            (exact(&ranks, gains.min(losses)), approximate(&ranks, gains.min(losses)));
        assert!((exact - near).abs() < 1e-3, "{exact} {near}");
    }
}
