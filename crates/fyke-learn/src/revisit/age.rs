//! Age and freshness of a page's copy (003 §3.2.3): a copy has age 0 until the page changes, and from then on the
//! time since that change. Changes come as a Poisson process.

/// Below this rate × time the formulas lose their digits, and the first terms of their series are exact.
const SMALL: f64 = 1e-3;

/// Expected age of a copy `time` after its visit: t − (1 − e^(−λt))/λ.
#[must_use]
pub fn age(rate: f64, time: f64) -> f64 {
    let x = rate * time;
    if x < SMALL {
        return time * (x / 2.0 - x * x / 6.0);
    }
    time + (-x).exp_m1() / rate
}

/// The mean of that over the time between two visits: I/2 − 1/λ + (1 − e^(−λI))/(λ²I).
#[must_use]
pub fn mean_age(rate: f64, interval: f64) -> f64 {
    let x = rate * interval;
    if x < SMALL {
        return interval * (x / 6.0 - x * x / 24.0);
    }
    interval * (0.5 - (1.0 + (-x).exp_m1() / x) / x)
}

/// The part of the time between two visits in which the copy is what the page is: (1 − e^(−λI))/(λI).
#[must_use]
pub fn mean_freshness(rate: f64, interval: f64) -> f64 {
    let x = rate * interval;
    if x < SMALL { 1.0 - x / 2.0 + x * x / 6.0 } else { -(-x).exp_m1() / x }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1e-6), "{found} {expected}");
    }

    #[test]
    fn a_page_that_changes_weekly_is_2_6_days_old_after_a_week() {
        // 003 §3.2.3, figure 3.7.
        assert_eq!(format!("{:.1}", age(1.0 / 7.0, 7.0)), "2.6");
        check(age(1.0 / 7.0, 7.0), 7.0 * (-1f64).exp());
    }

    #[test]
    fn the_mean_age_is_the_mean_of_the_ages() {
        for (rate, interval) in [(0.2, 3.0), (5.0, 7.0), (1e-4, 2.0), (1e-6, 1.0)] {
            let steps = 100_000;
            let step = interval / f64::from(steps);
            let sum: f64 = (0..steps).map(|n| age(rate, (f64::from(n) + 0.5) * step)).sum();
            check(mean_age(rate, interval), sum / f64::from(steps));
        }
    }

    #[test]
    fn series_and_formulas_meet() {
        for f in [age, mean_age, mean_freshness] {
            let (below, above) = (f(0.999_999 * SMALL, 1.0), f(1.000_001 * SMALL, 1.0));
            assert!((below / above - 1.0).abs() < 1e-5, "{below} {above}");
        }
    }

    #[test]
    fn a_copy_of_a_page_that_always_changes_is_never_fresh_and_still_has_an_age() {
        assert!(mean_freshness(1e6, 1.0) < 1e-5);
        check(mean_age(1e6, 1.0), 0.5 - 1e-6);
    }
}
