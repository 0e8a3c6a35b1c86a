//! Policies tried on pages whose changes are known, in simulated time: a request each so often, spent on the page that is
//! due first. What the visitor knows of a page is what its visits saw.

use super::policy::RevisitPolicy;
use super::{PRIOR_CHANGES, RatePrior, RevisitBounds, RevisitTally, VisitGap, estimate_rate};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Visits to a page that are remembered, as the ledger has them.
const REMEMBERED: usize = 16;
/// How often the threshold is set anew, in visits a page.
const ANEW: f64 = 0.25;

/// A page and the times at which it changes, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangingPage {
    pub rate: f64,
    pub changes: Vec<f64>,
}

/// What the visitor has and knows.
#[derive(Clone, Copy, Debug)]
pub struct RevisitReplay {
    /// Requests in a unit of time.
    pub requests: f64,
    /// Age and freshness are measured from one time to the other.
    pub from: f64,
    pub until: f64,
    pub bounds: RevisitBounds,
    /// Time between two changes of a page of which nothing is known.
    pub usual: f64,
    /// The true rates are known.
    pub knows_rates: bool,
    /// Servers say when a page changed last.
    pub told: bool,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RevisitScore {
    pub mean_age: f64,
    pub freshness: f64,
    pub requests: u64,
    /// Mean of the distance of estimated rates from true ones at the end, as a factor's logarithm to base 2.
    pub error: f64,
}

/// What is known of a page.
#[derive(Clone, Debug, Default)]
struct Watched {
    last: f64,
    /// Newest first.
    gaps: Vec<VisitGap>,
    rate: f64,
    /// Changes that came before the last visit.
    past: usize,
}

struct Visitor<'a> {
    pages: &'a [ChangingPage],
    policy: &'a RevisitPolicy,
    options: RevisitReplay,
    watched: Vec<Watched>,
    threshold: f64,
    /// Changes seen at visits, and the time between visits, of all pages.
    changes: f64,
    time: f64,
    /// Page × time in the time that is measured: that of age, and that of freshness.
    age: f64,
    fresh: f64,
}

/// Visits pages by a policy.
#[must_use]
pub fn replay(
    pages: &[ChangingPage],
    policy: &RevisitPolicy,
    options: RevisitReplay,
) -> RevisitScore {
    let mut visitor = Visitor {
        pages,
        policy,
        options,
        watched: vec![Watched::default(); pages.len()],
        threshold: 0.0,
        changes: 0.0,
        time: 0.0,
        age: 0.0,
        fresh: 0.0,
    };
    visitor.run()
}

impl Visitor<'_> {
    fn run(&mut self) -> RevisitScore {
        let RevisitReplay { requests, from, until, .. } = self.options;
        // All were visited at time 0.
        (0..self.pages.len()).for_each(|page| self.watched[page].rate = self.rate(page));
        let mut due = self.queue();
        let (all, mut count) = ((requests * until) as u64, 0);
        let turn = ((self.pages.len() as f64 * ANEW) as u64).max(1);
        for n in 1..=all {
            let now = n as f64 / requests;
            if n % turn == 0 {
                due = self.queue();
            }
            let Some(Reverse((_, page))) = due.pop() else { break };
            self.visit(page, now);
            count += u64::from(now >= from);
            due.push(Reverse((self.due(page), page)));
        }
        (0..self.pages.len()).for_each(|page| self.measure(page, until));
        let whole = self.pages.len() as f64 * (until - from);
        let error = |page: usize| (self.watched[page].rate / self.pages[page].rate).log2().abs();
        let error = (0..self.pages.len()).map(error).sum::<f64>() / self.pages.len() as f64;
        RevisitScore {
            mean_age: self.age / whole,
            freshness: self.fresh / whole,
            requests: count,
            error,
        }
    }

    /// Sets the threshold by what is known now, and all pages' times by it.
    fn queue(&mut self) -> BinaryHeap<Reverse<(OrderedTime, usize)>> {
        let mut tally = RevisitTally::default();
        self.watched.iter().for_each(|page| tally.add(page.rate, 1.0));
        let RevisitReplay { requests, bounds, .. } = self.options;
        self.threshold = tally.threshold(self.policy, requests, bounds);
        (0..self.pages.len()).map(|page| Reverse((self.due(page), page))).collect()
    }

    fn due(&self, page: usize) -> OrderedTime {
        let RevisitBounds { soonest, latest } = self.options.bounds;
        let Watched { last, rate, .. } = self.watched[page];
        OrderedTime(last + self.policy.interval(rate, 1.0, self.threshold, [soonest, latest]))
    }

    fn rate(&self, page: usize) -> f64 {
        if self.options.knows_rates {
            return self.pages[page].rate;
        }
        let usual = (self.options.usual + self.time) / (1.0 + self.changes);
        estimate_rate(
            &self.watched[page].gaps,
            RatePrior { changes: PRIOR_CHANGES, time: PRIOR_CHANGES * usual },
        )
    }

    fn visit(&mut self, page: usize, now: f64) {
        self.measure(page, now);
        let (times, told) = (&self.pages[page].changes, self.options.told);
        let watched = &mut self.watched[page];
        let seen = times[watched.past..].iter().take_while(|time| **time <= now).count();
        let length = now - watched.last;
        watched.past += seen;
        let since_change = (told && seen > 0).then(|| now - times[watched.past - 1]);
        watched.gaps.insert(0, VisitGap { length, changed: seen > 0, since_change });
        watched.gaps.truncate(REMEMBERED);
        watched.last = now;
        (self.changes, self.time) = (self.changes + f64::from(seen > 0), self.time + length);
        self.watched[page].rate = self.rate(page);
    }

    /// Counts the time since the page's last visit.
    fn measure(&mut self, page: usize, now: f64) {
        let Watched { last, past, .. } = self.watched[page];
        let begin = last.max(self.options.from);
        let now = now.min(self.options.until);
        if now <= begin {
            return;
        }
        let change = self.pages[page].changes.get(past).copied().unwrap_or(f64::INFINITY);
        let old = (now - change).max(0.0);
        let old_before = (begin - change).max(0.0);
        self.age += (old * old - old_before * old_before) / 2.0;
        self.fresh += (now.min(change) - begin).max(0.0);
    }
}

/// A time that is a number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OrderedTime(f64);

impl Eq for OrderedTime {}

impl PartialOrd for OrderedTime {
    fn partial_cmp(&self, other: &OrderedTime) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedTime {
    fn cmp(&self, other: &OrderedTime) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Pages whose rates are spread evenly over decades from `slowest` on, with changes until a time.
#[must_use]
pub fn made_pages(
    count: usize,
    [slowest, decades]: [f64; 2],
    until: f64,
    seed: u64,
) -> Vec<ChangingPage> {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    let mut part = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed ^ mixed >> 31) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    let mut page = || {
        let rate = slowest * 10f64.powf(decades * part());
        let (mut time, mut changes) = (0.0, Vec::new());
        loop {
            time -= part().ln() / rate;
            if time > until {
                return ChangingPage { rate, changes };
            }
            changes.push(time);
        }
    };
    (0..count).map(|_| page()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revisit::{mean_age, mean_freshness, policy_named};

    fn options(requests: f64, from: f64, until: f64) -> RevisitReplay {
        let bounds = RevisitBounds { soonest: 1e-3, latest: 1e4 };
        let (usual, knows_rates, told) = (1.0, false, false);
        RevisitReplay { requests, from, until, bounds, usual, knows_rates, told }
    }

    #[test]
    fn pages_of_one_rate_visited_in_turn_have_the_age_that_the_formula_gives() {
        let pages = made_pages(400, [0.5, 0.0], 120.0, 3);
        let policy = policy_named("uniform").expect("a policy");
        let score = replay(&pages, policy, options(200.0, 20.0, 120.0));
        let (age, fresh) = (mean_age(0.5, 2.0), mean_freshness(0.5, 2.0));
        assert!((score.mean_age / age - 1.0).abs() < 0.03, "{} {age}", score.mean_age);
        assert!((score.freshness / fresh - 1.0).abs() < 0.03, "{} {fresh}", score.freshness);
        assert_eq!(score.requests, 20_001);
    }

    #[test]
    fn by_age_with_rates_it_has_to_find_out_copies_are_younger_than_by_turns() {
        let pages = made_pages(500, [0.01, 4.0], 60.0, 5);
        let score = |name: &str, knows_rates| {
            let options = RevisitReplay { knows_rates, ..options(200.0, 25.0, 60.0) };
            replay(&pages, policy_named(name).expect("a policy"), options)
        };
        let (age, uniform, known) =
            (score("age", false), score("uniform", false), score("age", true));
        assert!(age.mean_age < 0.9 * uniform.mean_age, "{age:?} {uniform:?}");
        assert!(known.mean_age <= age.mean_age, "{known:?} {age:?}");
        assert_eq!(age.requests, uniform.requests);
    }
}
