//! How often a page changes, from what visits at irregular times saw: the maximum of the likelihood of a Poisson
//! process, with a gamma prior (Cho and Garcia-Molina, "Estimating frequency of change", 2003, for the likelihood).

/// What is believed of a rate before anything is seen: as if so many changes had been counted in so much time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatePrior {
    pub changes: f64,
    pub time: f64,
}

/// Changes that what is believed of a page counts for; chosen on made pages of a seed that no figure uses.
pub const PRIOR_CHANGES: f64 = 0.25;

/// The time between two visits, and what the second of them saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitGap {
    pub length: f64,
    pub changed: bool,
    /// How long before the second visit the last change was, where the server says so.
    pub since_change: Option<f64>,
}

/// Turns of the search for the maximum at most.
const TURNS: usize = 60;

/// The likeliest rate. With counts alone it is changes by time; where only "it has changed, at least once" is known of a
/// gap, the root of the derivative is looked for, which falls from above zero to below.
#[must_use]
pub fn estimate_rate(gaps: &[VisitGap], prior: RatePrior) -> f64 {
    let (mut counted, mut time) = (prior.changes.max(1e-9), prior.time.max(1e-9));
    for gap in gaps {
        match (gap.changed, gap.since_change) {
            // The last change is known: before it there may have been others, after it there was none.
            (true, Some(since)) => {
                counted += 1.0;
                time += since.clamp(0.0, gap.length);
            }
            (true, None) => {}
            (false, _) => time += gap.length.max(0.0),
        }
    }
    let unsure = || gaps.iter().filter(|gap| gap.changed && gap.since_change.is_none());
    let unsure = || unsure().map(|gap| gap.length.max(1e-9));
    let number = unsure().count() as f64;
    if number == 0.0 {
        return counted / time;
    }
    // λ times the derivative. Each of the terms lies between 0 and 1.
    let slope = |rate: f64| {
        let term = |length: f64| rate * length / (rate * length).exp_m1();
        counted - rate * time + unsure().map(term).sum::<f64>()
    };
    let (mut low, mut high) = ((counted / time).ln(), ((counted + number) / time).ln());
    for _ in 0..TURNS {
        if high - low < 1e-4 {
            break;
        }
        let middle = f64::midpoint(low, high);
        if slope(middle.exp()) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high).exp()
}

/// The rate by `visits` at regular gaps of which `changed` saw a change, without a prior:
/// −ln((n − X + ½)/(n + ½))/Δ, which is finite when all saw one.
#[must_use]
pub fn regular_rate(visits: u32, changed: u32, gap: f64) -> f64 {
    let (visits, changed) = (f64::from(visits), f64::from(changed));
    -((visits - changed + 0.5) / (visits + 0.5)).ln() / gap
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEAK: RatePrior = RatePrior { changes: 0.05, time: 0.05 };

    fn gaps(length: f64, changed: usize, all: usize) -> Vec<VisitGap> {
        let gap = |n| VisitGap { length, changed: n < changed, since_change: None };
        (0..all).map(gap).collect()
    }

    #[test]
    fn regular_visits_give_what_the_closed_form_gives() {
        for (changed, all, length) in [(3, 10, 1.0), (10, 40, 0.5), (1, 12, 7.0), (28, 30, 2.0)] {
            let found = estimate_rate(&gaps(length, changed, all), WEAK);
            let expected = regular_rate(all as u32, changed as u32, length);
            assert!(
                (found / expected - 1.0).abs() < 0.12,
                "{changed} of {all}: {found} {expected}"
            );
        }
    }

    #[test]
    fn a_page_that_never_changed_is_taken_for_slower_the_longer_it_was_watched() {
        let rates: Vec<f64> = (1..6).map(|n| estimate_rate(&gaps(10.0, 0, n), WEAK)).collect();
        assert!(rates.windows(2).all(|pair| pair[1] < pair[0]) && rates[0] > 0.0, "{rates:?}");
    }

    #[test]
    fn a_time_of_change_that_is_told_says_more_than_that_there_was_one() {
        // Visited every ten days, changed an hour before each visit: it changes all the time.
        let told = VisitGap { length: 10.0, changed: true, since_change: Some(0.04) };
        let untold = VisitGap { since_change: None, ..told };
        let (told, untold) = (estimate_rate(&[told; 5], WEAK), estimate_rate(&[untold; 5], WEAK));
        assert!(told > 10.0 * untold, "{told} {untold}");
    }

    #[test]
    fn estimates_from_irregular_visits_come_near_the_rate_that_made_them() {
        let mut state = 17u64;
        let mut part = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 44) as f64 + 0.5) / f64::from(1 << 20)
        };
        for rate in [0.01f64, 0.3, 4.0] {
            let gaps: Vec<VisitGap> = (0..400)
                .map(|_| {
                    let length = (0.2 + 2.0 * part()) / rate;
                    let changed = part() < -(-rate * length).exp_m1();
                    VisitGap { length, changed, since_change: None }
                })
                .collect();
            let found = estimate_rate(&gaps, WEAK);
            assert!((found / rate - 1.0).abs() < 0.15, "{found} {rate}");
        }
    }

    #[test]
    fn nothing_breaks_it() {
        let odd = [
            VisitGap { length: 0.0, changed: true, since_change: None },
            VisitGap { length: -3.0, changed: false, since_change: None },
            VisitGap { length: 1e12, changed: true, since_change: Some(-5.0) },
        ];
        let rate = estimate_rate(&odd, RatePrior { changes: 0.0, time: 0.0 });
        assert!(rate.is_finite() && rate > 0.0, "{rate}");
    }
}
