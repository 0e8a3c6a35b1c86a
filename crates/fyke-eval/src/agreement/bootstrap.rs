//! The interval of a figure for which there is no formula: documents are drawn again and again from
//! those at hand, and the middle of the figures so found is kept.

use crate::random::Random;
use crate::significance::{Interval, LEVEL};

/// How often documents are drawn.
const DRAWS: usize = 1_000;
/// Fewer documents say nothing of their spread.
const FEWEST: usize = 5;

/// The interval of `figure` over `units`; the figure is asked with how often each unit was drawn.
pub(super) fn interval(
    units: usize,
    seed: u64,
    figure: impl Fn(&[u32]) -> Option<f64>,
) -> Option<Interval> {
    if units < FEWEST {
        return None;
    }
    let mut random = Random::new(seed);
    let mut found: Vec<f64> =
        (0..DRAWS).filter_map(|_| figure(&draw(units, &mut random))).collect();
    found.sort_unstable_by(f64::total_cmp);
    let outside = (found.len() as f64 * (1.0 - LEVEL) / 2.0) as usize;
    let high = found.len().checked_sub(1 + outside)?;
    Some(Interval { low: *found.get(outside)?, high: *found.get(high)? })
}

/// How often each unit is drawn when as many are drawn as there are.
fn draw(units: usize, random: &mut Random) -> Vec<u32> {
    let mut times = vec![0; units];
    (0..units).for_each(|_| times[random.below(units)] += 1);
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_near_the_formula() {
        // 60 of 200: 0.3 ± 1.96 √(0.3 · 0.7 / 200) = 0.236 to 0.364.
        let share = |times: &[u32]| Some(f64::from(times[..60].iter().sum::<u32>()) / 200.0);
        let found = interval(200, 1, share).unwrap();
        assert!((found.low - 0.236).abs() < 0.01 && (found.high - 0.364).abs() < 0.01, "{found:?}");
        assert_eq!(interval(200, 1, share), Some(found));
        assert_eq!(interval(4, 1, share), None);
        assert_eq!(interval(9, 1, |_| None), None);
    }
}
