//! Fisher's randomisation test: were the systems alike, each query's difference could as well have
//! the other sign. How many ways to give signs have a mean as far from 0? Takes nothing for granted
//! about how differences are spread. Every way is tried up to [`MOST_EXACT`] queries that differ;
//! beyond, [`SAMPLES`] drawn ones, the observed way among them, so that p is never 0.

use super::{Test, unequal};
use crate::random::Random;

pub(super) const TEST: Test = Test {
    name: "randomisation",
    what: "share of all ways to swap the systems that differ as much; takes nothing for granted",
    compute,
    // Of 16 ways only all signs alike reach the sum of 10 or -10.
    example: (&[1.0, 2.0, 3.0, 4.0], 2.0 / 16.0),
};

const MOST_EXACT: usize = 20;
const SAMPLES: u32 = 20_000;

fn compute(differences: &[f64], seed: u64) -> Option<f64> {
    if differences.len() < 2 {
        return None;
    }
    // Queries without a difference have no sign to swap.
    let moved: Vec<f64> = unequal(differences).collect();
    let sum: f64 = moved.iter().sum();
    let size: f64 = moved.iter().map(|difference| difference.abs()).sum();
    // Equal sums that were added up in another order count as equal.
    let least = sum.abs() - 1e-9 * size;
    Some(if moved.len() <= MOST_EXACT {
        exact(&moved, least)
    } else {
        sampled(&moved, least, seed)
    })
}

/// One sign after the other is turned, so that each way is one step from the last (Gray code). The
/// last sign stays: the ways with it turned are the mirror images.
fn exact(moved: &[f64], least: f64) -> f64 {
    let ways = 1u64 << moved.len().saturating_sub(1);
    let mut signed = moved.to_vec();
    let mut sum: f64 = signed.iter().sum();
    let mut reached = u64::from(sum.abs() >= least);
    for way in 1..ways {
        let turned = way.trailing_zeros() as usize;
        sum -= 2.0 * signed[turned];
        signed[turned] = -signed[turned];
        reached += u64::from(sum.abs() >= least);
    }
    reached as f64 / ways as f64
}

fn sampled(moved: &[f64], least: f64, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let sums = (0..SAMPLES).map(|_| signed_sum(moved, &mut random));
    let reached = sums.filter(|sum| sum.abs() >= least).count();
    (reached + 1) as f64 / f64::from(SAMPLES + 1)
}

/// The sum with every sign drawn anew.
fn signed_sum(moved: &[f64], random: &mut Random) -> f64 {
    let mut sum = 0.0;
    for chunk in moved.chunks(64) {
        let signs = random.bits();
        for (place, difference) in chunk.iter().enumerate() {
            sum += if signs >> place & 1 == 1 { *difference } else { -difference };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gains and losses of which `gains` queries of `all` are gains, of different sizes.
    fn differences(all: u32, gains: u32) -> Vec<f64> {
        let size = |n: u32| 0.1 + f64::from(n * 7 % 11) / 20.0;
        (0..all).map(|n| if n < gains { size(n) } else { -size(n) }).collect()
    }

    #[test]
    fn samples_come_near_to_every_way() {
        for gains in [10, 13, 15] {
            let moved = differences(20, gains);
            let least = moved.iter().sum::<f64>().abs() - 1e-9;
            let (exact, sampled) = (exact(&moved, least), sampled(&moved, least, 5));
            let error = (exact * (1.0 - exact) / f64::from(SAMPLES)).sqrt();
            assert!((exact - sampled).abs() < 4.0 * error + 1e-4, "{exact} {sampled}");
        }
    }

    #[test]
    fn a_seed_gives_one_figure_and_p_is_never_0() {
        let moved = differences(300, 300);
        assert_eq!(compute(&moved, 3), Some(1.0 / f64::from(SAMPLES + 1)));
        let moved = differences(60, 36);
        assert_eq!(compute(&moved, 3), compute(&moved, 3));
        assert!((0..9).any(|seed| compute(&moved, seed) != compute(&moved, 3)));
    }

    #[test]
    fn darwins_plants_give_fishers_figure() {
        // Fisher counts 863 of 32,768 ways whose sum is at least 314 inches eighths: p = 0.05267.
        let heights = [49., -67., 8., 16., 6., 23., 28., 41., 14., 29., 56., 24., 75., 60., -48.];
        let found = compute(&heights, 0).unwrap();
        assert!((found - 2.0 * 863.0 / 32_768.0).abs() < 1e-9, "{found}");
    }
}
