//! The experiment that is on: which searches take part, and the list they are shown.

use super::Setup;
use fyke_eval::interleave::{self, InterleavedDocument, Interleaving};
use fyke_index::Ranker;
use fyke_stages::config::ExperimentKeys;
use fyke_stages::search;

/// Two rankers, a way to interleave them, and a share of the searches.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub setup: Setup,
    method: &'static Interleaving,
    pub a: Ranker,
    pub b: Ranker,
    share: f64,
}

impl Experiment {
    /// The experiment of the settings; none when it has no share, or is none the settings' own
    /// rules would let pass.
    #[must_use]
    pub fn of(keys: &ExperimentKeys) -> Option<Experiment> {
        let (a, b) = (search::ranker(&keys.a).ok()?, search::ranker(&keys.b).ok()?);
        let method = interleave::find(&keys.method)?;
        let setup = Setup { method: method.name.into(), a: a.name.clone(), b: b.name.clone() };
        (keys.share > 0.0).then_some(Experiment { setup, method, a, b, share: keys.share })
    }

    /// Whether the search of this id takes part. Ids are random, so they are the lot that is drawn:
    /// every page of a search falls alike.
    #[must_use]
    pub fn takes(&self, id: u64) -> bool {
        (id as f64) < self.share * u64::MAX as f64 || self.share >= 1.0
    }

    /// The list shown for the search of this id, `depth` long, from the rankings of A and B.
    #[must_use]
    pub fn list(&self, a: &[u64], b: &[u64], depth: usize, id: u64) -> Vec<InterleavedDocument> {
        self.method.interleave(a, b, depth, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(share: f64) -> ExperimentKeys {
        ExperimentKeys { share, b: "no-nearness title=5".into(), ..ExperimentKeys::default() }
    }

    #[test]
    fn a_share_of_the_searches_takes_part() {
        assert!(Experiment::of(&keys(0.0)).is_none());
        let taking = |share: f64| {
            let experiment = Experiment::of(&keys(share)).unwrap();
            (0..1_000_u64).filter(|n| experiment.takes(n * (u64::MAX / 999))).count()
        };
        assert_eq!(taking(1.0), 1_000);
        assert!((240..260).contains(&taking(0.25)), "{}", taking(0.25));
    }

    #[test]
    fn rankers_are_named_as_they_were_asked_for() {
        let experiment = Experiment::of(&keys(1.0)).unwrap();
        assert_eq!(experiment.setup.b, "no-nearness title=5");
        assert_eq!(experiment.b.weights.signals[0], 0.0);
        assert_eq!(experiment.setup.method, "team-draft");
    }
}
