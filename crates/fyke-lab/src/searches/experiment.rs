//! The experiment that is on: which searches take part, and the list they are shown.

use super::Setup;
use fyke_eval::interleave::{self, InterleavedDocument, Interleaving, Team};
use fyke_eval::split::{self, SPLIT};
use fyke_index::Ranker;
use fyke_stages::config::ExperimentKeys;
use fyke_stages::search;

/// How two rankers are shown.
#[derive(Clone, Copy, Debug)]
enum ExperimentMethod {
    Interleaved(&'static Interleaving),
    /// Each search sees one of them.
    Split,
}

/// Two rankers, a way to show them, and a share of the searches.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub setup: Setup,
    method: ExperimentMethod,
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
        let method = match keys.method.as_str() {
            SPLIT => ExperimentMethod::Split,
            name => ExperimentMethod::Interleaved(interleave::find(name)?),
        };
        let setup = Setup { method: keys.method.clone(), a: a.name.clone(), b: b.name.clone() };
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
        let own_list = || {
            let team = split::arm(id);
            let rank = |list: &[u64], id| list.iter().position(|own| *own == id).map(|at| at + 1);
            let placed = |&document| InterleavedDocument {
                document,
                team: Some(team),
                ranks: [rank(a, document), rank(b, document)],
            };
            let list = if team == Team::A { a } else { b };
            list.iter().take(depth).map(placed).collect()
        };
        match self.method {
            ExperimentMethod::Interleaved(method) => method.interleave(a, b, depth, id),
            ExperimentMethod::Split => own_list(),
        }
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
    fn a_search_of_a_split_sees_the_list_of_one_ranker_and_always_of_the_same() {
        let keys = ExperimentKeys { method: "split".into(), ..keys(1.0) };
        let experiment = Experiment::of(&keys).unwrap();
        let (a, b) = ([1, 2, 3], [3, 2, 4]);
        for id in 0..20 {
            let list = experiment.list(&a, &b, 2, id);
            let documents: Vec<u64> = list.iter().map(|placed| placed.document).collect();
            let (team, expected) = match split::arm(id) {
                Team::A => (Team::A, [1, 2]),
                Team::B => (Team::B, [3, 2]),
            };
            assert_eq!(documents, expected);
            assert!(list.iter().all(|placed| placed.team == Some(team)));
        }
    }

    #[test]
    fn rankers_are_named_as_they_were_asked_for() {
        let experiment = Experiment::of(&keys(1.0)).unwrap();
        assert_eq!(experiment.setup.b, "no-nearness title=5");
        assert_eq!(experiment.b.weights.signals[0], 0.0);
        assert_eq!(experiment.setup.method, "team-draft");
    }
}
