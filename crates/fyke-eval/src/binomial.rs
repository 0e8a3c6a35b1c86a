//! The binomial distribution, exact: the sign test, an interval of a share that agrees with it, and
//! how many trials a test needs. For counts of clicks, where nothing is normal until there is much.

use crate::significance::distributions::normal_quantile;

/// P(X ≤ `most`) of `trials` that succeed with `chance` each.
#[must_use]
pub fn at_most(most: u64, trials: u64, chance: f64) -> f64 {
    if most >= trials || chance <= 0.0 {
        return 1.0;
    }
    if chance >= 1.0 {
        return 0.0;
    }
    if most as f64 > chance * trials as f64 {
        // The shorter tail is summed up: its terms fall from the first on.
        return 1.0 - at_most(trials - most - 1, trials, 1.0 - chance);
    }
    let mut term = ln_choose(trials, most);
    term += most as f64 * chance.ln() + (trials - most) as f64 * (-chance).ln_1p();
    let (mut term, mut sum) = (term.exp(), 0.0);
    for successes in (0..=most).rev() {
        sum += term;
        let falls = successes as f64 / (trials - successes + 1) as f64;
        term *= falls * (1.0 - chance) / chance;
        if term < sum * 1e-16 {
            break;
        }
    }
    f64::min(sum, 1.0)
}

/// The sign test: how probable at least so uneven a division of wins is between two that are alike
/// (two-sided). Ties are no trials: leave them out, and say how many there were.
#[must_use]
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    f64::min(2.0 * at_most(wins.min(losses), wins + losses, 0.5), 1.0)
}

/// The shares that `successes` of `trials` do not speak against at level `alpha` (Clopper and
/// Pearson). It leaves out ½ exactly when the sign test is significant.
#[must_use]
pub fn interval(successes: u64, trials: u64, alpha: f64) -> [f64; 2] {
    let at_least = |chance| match successes.checked_sub(1) {
        Some(below) => 1.0 - at_most(below, trials, chance),
        None => 1.0,
    };
    let low = if successes == 0 { 0.0 } else { bisect(|c| at_least(c) < alpha / 2.0) };
    let high = match successes == trials {
        true => 1.0,
        false => bisect(|c| at_most(successes, trials, c) > alpha / 2.0),
    };
    [low, high]
}

/// Trials that a sign test at level `alpha` needs to find, with probability `power`, that one of two
/// wins with `chance`; none when there is nothing to find. By the normal approximation, with the
/// correction for whole numbers, without which the exact test falls short of the power.
#[must_use]
pub(crate) fn trials_needed(chance: f64, alpha: f64, power: f64) -> Option<u64> {
    let effect = (chance - 0.5).abs();
    let deviation = (chance * (1.0 - chance)).sqrt();
    let reach = normal_quantile(alpha / 2.0) * 0.5 + normal_quantile(1.0 - power) * deviation;
    let trials = (reach / effect).powi(2);
    let trials = (trials / 4.0 * (1.0 + (1.0 + 2.0 / (trials * effect)).sqrt()).powi(2)).ceil();
    // From six on a sign test can be significant at all (at 5 %).
    (effect > 0.0 && trials < 1e15).then_some((trials as u64).max(6))
}

/// Where in 0 to 1 something that holds at first ceases to.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

fn ln_choose(of: u64, chosen: u64) -> f64 {
    ln_factorial(of) - ln_factorial(chosen) - ln_factorial(of - chosen)
}

/// By Stirling's series where it is exact enough, by the product below that.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|factor| (factor as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found}, not {expected}");
    }

    #[test]
    fn the_sign_test_is_exact() {
        check(sign_test(8, 2), 112.0 / 1024.0, 1e-12);
        check(sign_test(2, 8), 112.0 / 1024.0, 1e-12);
        check(sign_test(5, 5), 1.0, 1e-12);
        check(sign_test(0, 0), 1.0, 1e-12);
        check(sign_test(6, 0), 0.03125, 1e-12);
        check(sign_test(60, 40), 0.056_888, 1e-6);
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        let [low, high] = interval(8, 10, 0.05);
        check(low, 0.443_904, 1e-5);
        check(high, 0.974_786, 1e-5);
        assert_eq!(interval(0, 0, 0.05), [0.0, 1.0]);
        let [low, high] = interval(0, 10, 0.05);
        check(low, 0.0, 1e-12);
        check(high, 0.308_497, 1e-5);
    }

    #[test]
    fn the_smaller_the_effect_the_more_trials() {
        assert_eq!(trials_needed(0.5, 0.05, 0.8), None);
        assert_eq!(trials_needed(0.6, 0.05, 0.8), Some(204));
        assert_eq!(trials_needed(0.4, 0.05, 0.8), Some(204));
        assert_eq!(trials_needed(1.0, 0.05, 0.8), Some(6));
        assert!(trials_needed(0.51, 0.05, 0.8) > Some(19_000));
    }

    /// Sums up every term by itself.
    fn plainly(most: u64, trials: u64, chance: f64) -> f64 {
        let term = |n: u64| {
            let ways: f64 = (0..n).map(|k| (trials - k) as f64 / (k + 1) as f64).product();
            ways * chance.powf(n as f64) * (1.0 - chance).powf((trials - n) as f64)
        };
        (0..=most.min(trials)).map(term).sum()
    }

    proptest! {
        #[test]
        fn tails_are_the_sums_of_their_terms(
            trials in 0..120u64, most in 0..130u64, chance in 0.0..=1.0f64,
        ) {
            let (found, expected) = (at_most(most, trials, chance), plainly(most, trials, chance));
            prop_assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        }

        #[test]
        fn the_interval_leaves_out_a_half_when_the_test_is_significant(
            wins in 0..400u64, losses in 0..400u64,
        ) {
            let [low, high] = interval(wins, wins + losses, 0.05);
            prop_assert!(low <= high && (0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
            prop_assert_eq!(sign_test(wins, losses) < 0.05, !(low..=high).contains(&0.5));
        }
    }
}
