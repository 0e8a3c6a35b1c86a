//! Every policy on the same made pages, with the same number of requests: the figures of `fyke sim --revisit`.

use super::replay::{RevisitReplay, RevisitScore, made_pages, replay};
use super::{POLICIES, RevisitBounds, RevisitPolicy};

/// The pages and the requests of a trial. Times are in days.
#[derive(Clone, Copy, Debug)]
pub struct RevisitTrial {
    pub pages: usize,
    /// Changes a day of the slowest page, and the decades over which rates are spread, evenly by their logarithms.
    pub slowest: f64,
    pub decades: f64,
    /// Mean time between two visits to a page.
    pub every: f64,
    /// Visits a page before anything is measured, and while it is.
    pub before: f64,
    pub measured: f64,
}

impl Default for RevisitTrial {
    fn default() -> RevisitTrial {
        RevisitTrial {
            pages: 10_000,
            slowest: 0.001,
            decades: 4.0,
            every: 1.0,
            before: 10.0,
            measured: 10.0,
        }
    }
}

/// What a policy knows of the rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatesKnown {
    /// What its visits saw.
    Seen,
    /// That, and when the last change was, as servers tell it.
    Told,
    /// All.
    True,
}

/// A policy and what it knows.
#[derive(Clone, Copy, Debug)]
pub struct RevisitContender {
    pub policy: &'static RevisitPolicy,
    pub knows: RatesKnown,
}

impl RevisitContender {
    /// Every policy that visits by itself, by what its visits saw; the default also with more.
    pub fn all() -> impl Iterator<Item = RevisitContender> {
        let seen = POLICIES.iter().filter(|policy| policy.name != "sitemap");
        let seen = seen.map(|policy| RevisitContender { policy, knows: RatesKnown::Seen });
        let more = [RatesKnown::Told, RatesKnown::True];
        seen.chain(more.map(|knows| RevisitContender { policy: &POLICIES[0], knows }))
    }

    #[must_use]
    pub fn name(&self) -> String {
        let more = match self.knows {
            RatesKnown::Seen => "",
            RatesKnown::Told => ", Last-Modified told",
            RatesKnown::True => ", true rates known",
        };
        format!("{}{more}", self.policy.name)
    }
}

impl RevisitTrial {
    /// How a contender does on the pages of a seed.
    #[must_use]
    pub fn run(&self, contender: &RevisitContender, seed: u64) -> RevisitScore {
        let RevisitTrial { pages, slowest, decades, every, before, measured } = *self;
        let until = every * (before + measured);
        let pages = made_pages(pages, [slowest, decades], until, seed);
        let bounds = RevisitBounds { soonest: every / 1000.0, latest: 60.0 * every };
        let options = RevisitReplay {
            requests: pages.len() as f64 / every,
            from: every * before,
            until,
            bounds,
            usual: 30.0,
            knows_rates: contender.knows == RatesKnown::True,
            told: contender.knows == RatesKnown::Told,
        };
        replay(&pages, contender.policy, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_equal_requests_the_default_is_younger_than_turns_and_nearly_as_young_as_with_true_rates()
     {
        let trial = RevisitTrial { pages: 300, ..RevisitTrial::default() };
        let scores: Vec<(String, RevisitScore)> = RevisitContender::all()
            .map(|contender| (contender.name(), trial.run(&contender, 1)))
            .collect();
        let age =
            |name: &str| scores.iter().find(|(n, _)| n == name).expect("a contender").1.mean_age;
        assert!(age("age") < 0.65 * age("uniform"), "{scores:?}");
        // Of 300 pages chance may favour the one that has to find the rates out.
        assert!(age("age, true rates known") <= 1.1 * age("age"), "{scores:?}");
        assert!(
            scores.iter().all(|(_, score)| score.requests == scores[0].1.requests),
            "{scores:?}"
        );
    }
}
