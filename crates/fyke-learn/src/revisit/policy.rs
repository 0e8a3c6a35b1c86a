//! Which page to visit next: a row a policy. Each gives a page an index that grows with the time since its last visit;
//! whoever has a request to spend visits the page with the highest. So a page's visits lie as far apart as it takes its
//! index to reach a threshold, and the threshold is set by the requests there are (`fill`).

/// Below this rate × time the formulas lose their digits.
const SMALL: f64 = 1e-2;

/// A way to spread requests over pages.
#[derive(Clone, Copy, Debug)]
pub struct RevisitPolicy {
    pub name: &'static str,
    pub what: &'static str,
    /// Of a page of this rate, so long after its visit.
    index: fn(f64, f64) -> f64,
}

/// Every policy; the first is the default.
pub const POLICIES: [RevisitPolicy; 5] = [
    RevisitPolicy {
        name: "age",
        what: "the mean age of the copies is as low as the requests allow",
        index: by_age,
    },
    RevisitPolicy {
        name: "uniform",
        what: "every page as often as any other",
        index: |_, time| time,
    },
    RevisitPolicy {
        name: "proportional",
        what: "a page as often as it changes",
        index: |rate, time| rate * time,
    },
    RevisitPolicy {
        name: "freshness",
        what: "as many copies as possible are fresh: pages that change too fast are given up",
        index: by_freshness,
    },
    RevisitPolicy {
        name: "sitemap",
        what: "only what a sitemap or a feed says has changed",
        index: |_, _| 0.0,
    },
];

/// What a visit now takes off the mean age: I²/2 + I·e^(−λI)/λ − (1 − e^(−λI))/λ².
fn by_age(rate: f64, time: f64) -> f64 {
    let x = rate * time;
    if x < SMALL {
        return time * time * (x / 3.0 - x * x / 8.0 + x * x * x / 30.0);
    }
    time * time * (0.5 + ((-x).exp() + (-x).exp_m1() / x) / x)
}

/// What a visit now adds to the freshness: (1 − e^(−λI))/λ − I·e^(−λI). It never exceeds 1/λ.
fn by_freshness(rate: f64, time: f64) -> f64 {
    let x = rate * time;
    if x < SMALL {
        return time * (x / 2.0 - x * x / 3.0 + x * x * x / 8.0);
    }
    -time * ((-x).exp_m1() / x + (-x).exp())
}

/// The policy of this name.
///
/// # Errors
/// The names there are, when there is none of this name.
pub fn policy_named(name: &str) -> Result<&'static RevisitPolicy, String> {
    POLICIES.iter().find(|policy| policy.name == name).ok_or_else(|| {
        let names: Vec<&str> = POLICIES.iter().map(|policy| policy.name).collect();
        format!("no policy is called {name:?}; there are {}", names.join(", "))
    })
}

impl RevisitPolicy {
    /// How much a visit is worth, `time` after the last, to a page of this rate and weight.
    #[must_use]
    pub fn index(&self, rate: f64, weight: f64, time: f64) -> f64 {
        weight * (self.index)(rate, time)
    }

    /// How long after its last visit a page's index reaches `threshold`, between the two times given; the later one when
    /// it never does.
    #[must_use]
    pub fn interval(&self, rate: f64, weight: f64, threshold: f64, [least, most]: [f64; 2]) -> f64 {
        let index = |time: f64| self.index(rate, weight, time);
        if index(most) <= threshold || most <= least {
            return most.max(least);
        }
        if index(least) >= threshold {
            return least;
        }
        let (mut low, mut high) = (least.ln(), most.ln());
        while high - low > 1e-4 {
            let middle = f64::midpoint(low, high);
            if index(middle.exp()) < threshold { low = middle } else { high = middle }
        }
        f64::midpoint(low, high).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revisit::{mean_age, mean_freshness};

    const BOUNDS: [f64; 2] = [1e-6, 1e6];

    #[test]
    fn each_policy_has_a_name_of_its_own_and_grows_with_time() {
        for policy in &POLICIES {
            assert_eq!(policy_named(policy.name).expect("itself").what, policy.what);
            let times = (1..200).map(|n| f64::from(n) * 0.05);
            for rate in [0.001, 0.1, 3.0] {
                let found: Vec<f64> =
                    times.clone().map(|time| policy.index(rate, 1.0, time)).collect();
                assert!(found.windows(2).all(|pair| pair[0] <= pair[1]), "{} {rate}", policy.name);
            }
        }
        assert!(policy_named("none").is_err_and(|what| what.contains("proportional")));
    }

    /// The index is what one more visit a unit of time takes off: the derivative by 1/I.
    fn check_derivative(index: fn(f64, f64) -> f64, cost: fn(f64, f64) -> f64) {
        for (rate, time) in [(0.2f64, 3.0f64), (4.0, 0.01), (1e-5, 2.0), (7.0, 9.0), (0.004, 2.6)] {
            let of = |often: f64| cost(rate, 1.0 / often);
            let (often, step) = (1.0 / time, 1e-4 / time);
            let expected = (of(often - step) - of(often + step)) / (2.0 * step);
            let found = index(rate, time);
            assert!((found - expected).abs() <= 2e-3 * expected.abs() + 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn the_indices_are_what_a_visit_takes_off_age_and_adds_to_freshness() {
        check_derivative(by_age, mean_age);
        check_derivative(by_freshness, |rate, time| -mean_freshness(rate, time));
    }

    #[test]
    fn the_series_meet_the_formulas() {
        for index in [by_age, by_freshness] {
            let (below, above) = (index(0.999_999 * SMALL, 1.0), index(1.000_001 * SMALL, 1.0));
            assert!((below / above - 1.0).abs() < 1e-4, "{below} {above}");
        }
    }

    #[test]
    fn by_freshness_a_fast_page_is_given_up_and_by_age_it_is_visited_most() {
        // 003 §3.2.3: whoever optimises freshness stops visiting a page that changes every minute.
        let interval = |name: &str, rate: f64| {
            let policy = policy_named(name).expect("a policy");
            // A threshold that a page of one change a day reaches after a day.
            policy.interval(rate, 1.0, policy.index(1.0, 1.0, 1.0), BOUNDS)
        };
        let [fast, daily] = [1440.0, 1.0];
        assert_eq!(interval("freshness", fast), BOUNDS[1]);
        assert!(interval("age", fast) < interval("age", daily));
        assert!((interval("freshness", daily) - 1.0).abs() < 1e-3);
        assert_eq!(interval("sitemap", daily), BOUNDS[1]);
    }

    #[test]
    fn a_page_of_more_weight_is_visited_more_often() {
        let policy = policy_named("age").expect("a policy");
        let interval = |weight| policy.interval(0.1, weight, 1.0, BOUNDS);
        assert!(interval(4.0) < interval(1.0) && interval(1.0) < interval(0.25));
    }
}
