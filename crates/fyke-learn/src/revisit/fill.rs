//! From a number of requests to a threshold: pages are counted by rate and weight in a table whose size does not depend
//! on how many there are, and the threshold is looked for at which their visits add up to the requests.

use super::policy::RevisitPolicy;
use super::{mean_age, mean_freshness};

/// Bins for each doubling of the rate.
const FINE: f64 = 4.0;
/// The slowest rate that has a bin of its own, as a power of two, and bins in all: up to 2^24.
const SLOWEST: f64 = -24.0;
const BINS: usize = 192;
/// Weights, by half powers of two below 1.
const WEIGHTS: usize = 16;

/// Pages by rate and weight.
#[derive(Clone, Debug, PartialEq)]
pub struct RevisitTally {
    counts: Vec<f64>,
}

/// How far apart two visits of a page may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevisitBounds {
    pub soonest: f64,
    pub latest: f64,
}

impl Default for RevisitTally {
    fn default() -> RevisitTally {
        RevisitTally { counts: vec![0.0; BINS * WEIGHTS] }
    }
}

impl RevisitTally {
    /// Counts a page.
    pub fn add(&mut self, rate: f64, weight: f64) {
        let bin = ((rate.max(1e-12).log2() - SLOWEST) * FINE).round().clamp(0.0, BINS as f64 - 1.0);
        let light =
            (-2.0 * weight.clamp(1e-6, 1.0).log2()).round().clamp(0.0, WEIGHTS as f64 - 1.0);
        self.counts[light as usize * BINS + bin as usize] += 1.0;
    }

    /// Pages counted.
    #[must_use]
    pub fn pages(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The kinds of pages there are: rate, weight, number.
    fn kinds(&self) -> impl Iterator<Item = PageKind> {
        let kind = |(place, &pages): (usize, &f64)| PageKind {
            rate: ((place % BINS) as f64 / FINE + SLOWEST).exp2(),
            weight: (-((place / BINS) as f64) / 2.0).exp2(),
            pages,
        };
        self.counts.iter().enumerate().filter(|(_, pages)| **pages > 0.0).map(kind)
    }

    /// The threshold at which a policy makes so many requests in a unit of time; fewer where the bounds leave no room
    /// for them.
    #[must_use]
    pub fn threshold(&self, policy: &RevisitPolicy, requests: f64, bounds: RevisitBounds) -> f64 {
        let (mut low, mut high) = (-80f64, 80f64);
        while high - low > 1e-3 {
            let middle = f64::midpoint(low, high);
            if self.requests(policy, middle.exp(), bounds) > requests {
                low = middle;
            } else {
                high = middle;
            }
        }
        high.exp()
    }

    /// Requests in a unit of time at a threshold.
    #[must_use]
    pub fn requests(&self, policy: &RevisitPolicy, threshold: f64, bounds: RevisitBounds) -> f64 {
        let RevisitBounds { soonest, latest } = bounds;
        let often = |kind: PageKind| {
            kind.pages / policy.interval(kind.rate, kind.weight, threshold, [soonest, latest])
        };
        self.kinds().map(often).sum()
    }

    /// Mean age and freshness that visits at this threshold keep up.
    #[must_use]
    pub fn outlook(
        &self,
        policy: &RevisitPolicy,
        threshold: f64,
        bounds: RevisitBounds,
    ) -> RevisitOutlook {
        let RevisitBounds { soonest, latest } = bounds;
        let (mut sum, pages) = (RevisitOutlook::default(), self.pages().max(1.0));
        for PageKind { rate, weight, pages } in self.kinds() {
            let interval = policy.interval(rate, weight, threshold, [soonest, latest]);
            sum.age += pages * mean_age(rate, interval);
            sum.freshness += pages * mean_freshness(rate, interval);
        }
        RevisitOutlook { age: sum.age / pages, freshness: sum.freshness / pages }
    }
}

/// Pages of about one rate and weight.
#[derive(Clone, Copy, Debug)]
struct PageKind {
    rate: f64,
    weight: f64,
    pages: f64,
}

/// What a threshold keeps up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RevisitOutlook {
    pub age: f64,
    pub freshness: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revisit::POLICIES;

    const BOUNDS: RevisitBounds = RevisitBounds { soonest: 1e-4, latest: 1e4 };

    fn tally() -> RevisitTally {
        let mut tally = RevisitTally::default();
        for n in 0..1000 {
            tally.add(0.01 * 10f64.powf(4.0 * f64::from(n) / 1000.0), 1.0);
        }
        tally
    }

    #[test]
    fn at_its_threshold_each_policy_makes_the_requests_it_was_given() {
        for policy in POLICIES.iter().filter(|policy| policy.name != "sitemap") {
            for requests in [50.0, 700.0, 20_000.0] {
                let threshold = tally().threshold(policy, requests, BOUNDS);
                let found = tally().requests(policy, threshold, BOUNDS);
                assert!(
                    (found / requests - 1.0).abs() < 0.02,
                    "{}: {found} {requests}",
                    policy.name
                );
            }
        }
    }

    #[test]
    fn by_age_copies_are_younger_and_by_freshness_more_are_fresh_than_by_any_other_policy() {
        let tally = tally();
        let outlook = |name: &str| {
            let policy = crate::revisit::policy_named(name).expect("a policy");
            tally.outlook(policy, tally.threshold(policy, 500.0, BOUNDS), BOUNDS)
        };
        let (age, fresh) = (outlook("age"), outlook("freshness"));
        for policy in &POLICIES {
            let other = outlook(policy.name);
            assert!(age.age <= other.age * 1.001, "{} is younger", policy.name);
            assert!(fresh.freshness >= other.freshness * 0.999, "{} is fresher", policy.name);
        }
        let uniform = outlook("uniform");
        assert!(age.age < 0.9 * uniform.age, "{age:?} {uniform:?}");
    }

    #[test]
    fn a_page_in_a_hurry_is_still_not_visited_before_its_time() {
        let bounds = RevisitBounds { soonest: 1.0, latest: 10.0 };
        let policy = &POLICIES[0];
        let threshold = tally().threshold(policy, 1e9, bounds);
        assert!((tally().requests(policy, threshold, bounds) - 1000.0).abs() < 1.0);
    }
}
