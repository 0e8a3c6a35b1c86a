//! What the log says of rankers and ranks: the result of each experiment in it, and the
//! clickthrough of all searches (000 "A/B testing", "clickthrough on first result").

use super::{Searched, Setup};
use fyke_eval::clicks::{Clickthrough, ShownResults, clickthrough};
use fyke_eval::interleave::{self, InterleavedDocument, Team};
use fyke_eval::outcome::ExperimentOutcome;
use fyke_eval::split::{self, SPLIT, SplitOutcome};
use fyke_stages::show::count;
use serde::Serialize;
use std::collections::BTreeMap;

/// Ranks told.
const RANKS: usize = 10;

/// The warning that belongs to clickthrough by rank.
pub const POSITION_BIAS: &str = "\
People open what stands first, whatever it is (position bias): compare a rank with itself over time,
not with other ranks.";

/// All that the log says of rankers and ranks.
#[derive(Clone, Debug, Serialize)]
pub struct SearchFindings {
    /// The latest first. Another method or another ranker is another experiment.
    pub experiments: Vec<ExperimentResult>,
    /// Those by diverted traffic, the latest first.
    pub splits: Vec<SplitResult>,
    pub traffic: Traffic,
}

/// The result of an experiment by diverted traffic.
#[derive(Clone, Debug, Serialize)]
pub struct SplitResult {
    #[serde(flatten)]
    pub setup: Setup,
    pub first: String,
    pub latest: String,
    #[serde(flatten)]
    pub outcome: SplitOutcome,
    pub winner: Option<Team>,
    pub still_needed: Option<u64>,
}

/// The result of one experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentResult {
    #[serde(flatten)]
    pub setup: Setup,
    /// Minutes of its first and its latest search.
    pub first: String,
    pub latest: String,
    #[serde(flatten)]
    pub outcome: ExperimentOutcome,
    /// Searches for which both rankers showed the same: they cannot but tie.
    pub alike: u64,
    /// Who is better, if the test at 5 % says so.
    pub winner: Option<Team>,
    /// Searches still to come before there are as many as needed.
    pub still_needed: Option<u64>,
    /// Of the interleaved lists.
    pub clickthrough: Vec<Clickthrough>,
}

/// All searches, of experiments or not.
#[derive(Clone, Debug, Serialize)]
pub struct Traffic {
    pub searches: u64,
    pub without_results: u64,
    /// Searches with a click at least.
    pub clicked: u64,
    pub clickthrough: Vec<Clickthrough>,
}

impl SearchFindings {
    #[must_use]
    pub fn of(searches: &[Searched]) -> SearchFindings {
        SearchFindings {
            experiments: experiments(searches),
            splits: splits(searches),
            traffic: traffic(searches),
        }
    }
}

impl SplitResult {
    fn of(setup: &Setup, searches: &[&Searched]) -> SplitResult {
        let seen =
            |searched: &&Searched| (split::arm(searched.search.id), searched.clicks.contains(&1));
        let outcome = SplitOutcome::of(&searches.iter().map(seen).collect::<Vec<_>>());
        let times = || searches.iter().map(|searched| &searched.search.time);
        SplitResult {
            setup: setup.clone(),
            first: times().min().cloned().unwrap_or_default(),
            latest: times().max().cloned().unwrap_or_default(),
            winner: outcome.winner(),
            still_needed: outcome.still_needed(),
            outcome,
        }
    }

    /// What it comes to, in a sentence.
    #[must_use]
    pub fn verdict(&self) -> String {
        verdict(self.winner, (self.outcome.needed, self.still_needed))
    }
}

/// Who is better, and how many searches it takes to know.
fn verdict(winner: Option<Team>, searches: (Option<u64>, Option<u64>)) -> String {
    let needs = |needed| format!("an effect like this needs {} searches", count(needed));
    let more = match searches {
        (Some(needed), Some(0)) => format!("{}, and has them", needs(needed)),
        (Some(needed), Some(still)) => format!("{}, {} more", needs(needed), count(still)),
        _ => "nothing speaks for either so far".to_owned(),
    };
    match winner {
        Some(Team::A) => format!("A is better; {more}"),
        Some(Team::B) => format!("B is better; {more}"),
        None => format!("not told apart; {more}"),
    }
}

impl ExperimentResult {
    /// What it comes to, in a sentence.
    #[must_use]
    pub fn verdict(&self) -> String {
        verdict(self.winner, (self.outcome.needed, self.still_needed))
    }
}

fn experiments(searches: &[Searched]) -> Vec<ExperimentResult> {
    let mut results: Vec<_> =
        by_setup(searches).into_iter().filter_map(|(setup, of_it)| result(setup, &of_it)).collect();
    results.sort_by(|a, b| b.latest.cmp(&a.latest));
    results
}

fn splits(searches: &[Searched]) -> Vec<SplitResult> {
    let of_setups = by_setup(searches).into_iter().filter(|(setup, _)| setup.method == SPLIT);
    let mut results: Vec<_> =
        of_setups.map(|(setup, of_it)| SplitResult::of(setup, &of_it)).collect();
    results.sort_by(|a, b| b.latest.cmp(&a.latest));
    results
}

fn by_setup(searches: &[Searched]) -> BTreeMap<&Setup, Vec<&Searched>> {
    let mut by_setup: BTreeMap<&Setup, Vec<&Searched>> = BTreeMap::new();
    for searched in searches {
        if let Some(setup) = &searched.search.setup {
            by_setup.entry(setup).or_default().push(searched);
        }
    }
    by_setup
}

/// None for a method that we do not know: a later version's.
fn result(setup: &Setup, searches: &[&Searched]) -> Option<ExperimentResult> {
    let method = interleave::find(&setup.method)?;
    let verdict = |searched: &&Searched| {
        let placed: Vec<InterleavedDocument> =
            searched.search.shown.iter().map(super::ShownResult::placed).collect();
        let clicks: Vec<usize> = searched.clicks.iter().copied().collect();
        method.judge(&placed, &clicks)
    };
    let outcome = ExperimentOutcome::of(&searches.iter().map(verdict).collect::<Vec<_>>());
    let is_alike = |searched: &&&Searched| {
        searched.search.shown.iter().all(|shown| shown.ranks[0] == shown.ranks[1])
    };
    let times = || searches.iter().map(|searched| &searched.search.time);
    Some(ExperimentResult {
        setup: setup.clone(),
        first: times().min().cloned().unwrap_or_default(),
        latest: times().max().cloned().unwrap_or_default(),
        winner: outcome.winner(),
        still_needed: outcome.still_needed(),
        alike: searches.iter().filter(is_alike).count() as u64,
        outcome,
        clickthrough: by_rank(searches.iter().copied()),
    })
}

fn traffic(searches: &[Searched]) -> Traffic {
    let those = |holds: fn(&Searched) -> bool| searches.iter().filter(|s| holds(s)).count() as u64;
    Traffic {
        searches: searches.len() as u64,
        without_results: those(|searched| searched.search.total == 0),
        clicked: those(|searched| !searched.clicks.is_empty()),
        clickthrough: by_rank(searches.iter()),
    }
}

fn by_rank<'a>(searches: impl Iterator<Item = &'a Searched>) -> Vec<Clickthrough> {
    let of = |searched: &Searched| ShownResults {
        shown: searched.search.shown.len(),
        clicks: searched.clicks.iter().copied().collect(),
    };
    clickthrough(&searches.map(of).collect::<Vec<_>>(), RANKS)
}

#[cfg(test)]
mod tests {
    use super::super::{LoggedSearch, ShownResult};
    use super::*;

    /// A search whose first result was A's pick and whose second was B's.
    fn searched(b: &str, minute: u32, clicks: &[usize]) -> Searched {
        let shown = |(document, team, ranks)| ShownResult {
            document,
            url: format!("http://a.test/{document}"),
            team: Some(team),
            ranks,
        };
        let ranks = [[Some(1), Some(2)], [Some(2), Some(1)]];
        let shown = [(1, Team::A, ranks[0]), (2, Team::B, ranks[1])].map(shown).to_vec();
        let setup =
            |b: &str| Setup { method: "team-draft".into(), a: "standard".into(), b: b.into() };
        let search = LoggedSearch {
            id: u64::from(minute),
            time: format!("2026-11-16T06:{minute:02}Z"),
            query: "eels".into(),
            start: 0,
            total: 2,
            shown,
            setup: Some(b).filter(|b| !b.is_empty()).map(setup),
        };
        Searched { search, clicks: clicks.iter().copied().collect() }
    }

    #[test]
    fn each_experiment_has_its_own_result() {
        let mut searches: Vec<_> = (0..12).map(|minute| searched("flat", minute, &[2])).collect();
        searches.extend([searched("flat", 12, &[1, 2]), searched("flat", 13, &[])]);
        searches.extend([searched("no-nearness", 20, &[1]), searched("", 21, &[])]);
        let results = experiments(&searches);
        let [latest, flat] = &results[..] else { panic!("{results:?}") };
        assert_eq!(
            (&*latest.setup.b, latest.winner, latest.outcome.wins_a),
            ("no-nearness", None, 1)
        );
        let outcome = &flat.outcome;
        assert_eq!((outcome.impressions, outcome.wins_b, outcome.ties), (14, 12, 1));
        assert_eq!((flat.winner, flat.still_needed, flat.alike), (Some(Team::B), Some(0), 0));
        assert_eq!(
            flat.verdict(),
            "B is better; an effect like this needs 7 searches, and has them"
        );
        assert_eq!(
            latest.verdict(),
            "not told apart; an effect like this needs 6 searches, 5 more"
        );
        assert_eq!((&*flat.first, &*flat.latest), ("2026-11-16T06:00Z", "2026-11-16T06:13Z"));
        assert_eq!((flat.clickthrough[1].shown, flat.clickthrough[1].clicked), (14, 13));
        let all = traffic(&searches);
        assert_eq!((all.searches, all.clicked, all.without_results), (16, 14, 0));
    }

    #[test]
    fn diverted_traffic_is_compared_by_clicks_on_the_first_result() {
        let mut searches: Vec<_> = (0..60).map(|minute| searched("flat", minute, &[])).collect();
        for searched in &mut searches {
            searched.search.setup.as_mut().unwrap().method = SPLIT.into();
            let is_new = split::arm(searched.search.id) == Team::B;
            searched.clicks = if is_new { [1].into() } else { [2].into() };
        }
        let found = SearchFindings::of(&searches);
        let [split] = &found.splits[..] else { panic!("{found:?}") };
        assert!(found.experiments.is_empty());
        assert_eq!(split.outcome.a.searches + split.outcome.b.searches, 60);
        assert_eq!((split.outcome.a.clicked, split.outcome.b.share), (0, 1.0));
        assert_eq!((split.winner, split.still_needed), (Some(Team::B), Some(0)));
        assert!(split.verdict().starts_with("B is better; an effect like this needs"));
    }

    #[test]
    fn searches_that_both_rankers_answer_alike_are_told() {
        let mut searches = [searched("flat", 1, &[1]), searched("flat", 2, &[])];
        searches[0].search.shown.iter_mut().for_each(|shown| shown.ranks[1] = shown.ranks[0]);
        searches[1].search.shown.clear();
        assert_eq!(experiments(&searches)[0].alike, 2);
    }

    #[test]
    fn an_experiment_of_a_later_version_is_left_out() {
        let mut one = searched("flat", 1, &[1]);
        one.search.setup.as_mut().unwrap().method = "multileave".into();
        assert!(experiments(&[one]).is_empty());
    }
}
