//! What an experiment of interleaved rankings says: wins, losses, ties, a sign test, an interval,
//! and how many more searches it takes (000 "A/B testing": not very reliable for a single click,
//! pretty reliable in the aggregate).

use crate::binomial::{interval, sign_test, trials_needed};
use crate::interleave::{InterleaveVerdict, Team};
use serde::Serialize;

/// Level of the test and of the interval.
pub const ALPHA: f64 = 0.05;
/// Probability with which the searches needed are to be enough.
pub const POWER: f64 = 0.8;

/// The figures of an experiment; a tie is an impression whose clicks speak for both alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExperimentOutcome {
    /// Searches shown interleaved.
    pub impressions: u64,
    /// Those without a click.
    pub unclicked: u64,
    /// Those whose clicks speak for both alike; no part of the test.
    pub ties: u64,
    /// Those won by the old system.
    pub wins_a: u64,
    /// Those won by the new one.
    pub wins_b: u64,
    /// B's part of the impressions won by either.
    pub share_b: Option<f64>,
    /// The 95 % interval of that part.
    pub interval: [f64; 2],
    /// Probability of at least so uneven a result if both were alike (sign test, two-sided).
    pub p: f64,
    /// Impressions that an experiment with this share of wins needs in all, for a test at 5 % to
    /// find it four times of five; none while nothing speaks for either.
    pub needed: Option<u64>,
}

impl ExperimentOutcome {
    /// The figures of these verdicts, one an impression.
    #[must_use]
    pub fn of(verdicts: &[InterleaveVerdict]) -> ExperimentOutcome {
        let count = |wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count() as u64;
        let (wins_a, wins_b) =
            (count(InterleaveVerdict::Won(Team::A)), count(InterleaveVerdict::Won(Team::B)));
        let (impressions, decided) = (verdicts.len() as u64, wins_a + wins_b);
        let share_b = (decided > 0).then(|| wins_b as f64 / decided as f64);
        let trials = share_b.and_then(|share| trials_needed(share, ALPHA, POWER));
        let each = impressions as f64 / decided.max(1) as f64;
        ExperimentOutcome {
            impressions,
            unclicked: count(InterleaveVerdict::Unclicked),
            ties: count(InterleaveVerdict::Tied),
            wins_a,
            wins_b,
            share_b,
            interval: interval(wins_b, decided, ALPHA),
            p: sign_test(wins_a, wins_b),
            needed: trials.map(|trials| (trials as f64 * each).ceil() as u64),
        }
    }

    /// Who is better, if the test says so.
    #[must_use]
    pub fn winner(&self) -> Option<Team> {
        let better = if self.wins_a > self.wins_b { Team::A } else { Team::B };
        (self.p < ALPHA).then_some(better)
    }

    /// Impressions still to come before there are as many as needed.
    #[must_use]
    pub fn still_needed(&self) -> Option<u64> {
        self.needed.map(|needed| needed.saturating_sub(self.impressions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(a: usize, b: usize, tied: usize, unclicked: usize) -> ExperimentOutcome {
        let rows = [(a, InterleaveVerdict::Won(Team::A)), (b, InterleaveVerdict::Won(Team::B))];
        let rows = rows
            .into_iter()
            .chain([(tied, InterleaveVerdict::Tied), (unclicked, InterleaveVerdict::Unclicked)]);
        let verdicts: Vec<_> = rows.flat_map(|(count, row)| vec![row; count]).collect();
        ExperimentOutcome::of(&verdicts)
    }

    #[test]
    fn ties_and_silence_are_counted_and_not_tested() {
        let found = outcome(2, 8, 5, 85);
        assert_eq!((found.impressions, found.ties, found.unclicked), (100, 5, 85));
        assert_eq!(found.share_b, Some(0.8));
        assert_eq!(found.p, sign_test(2, 8));
        assert_eq!(found.winner(), None);
        // 23 wins of either, at one in ten impressions, a hundred of which are there.
        assert_eq!((found.needed, found.still_needed()), (Some(230), Some(130)));
    }

    #[test]
    fn a_clear_result_names_the_winner() {
        assert_eq!(outcome(60, 30, 0, 0).winner(), Some(Team::A));
        assert_eq!(outcome(30, 60, 0, 0).winner(), Some(Team::B));
        assert_eq!(outcome(30, 600, 0, 0).still_needed(), Some(0));
    }

    #[test]
    fn nothing_says_nothing() {
        for found in [outcome(0, 0, 0, 0), outcome(0, 0, 3, 4), outcome(7, 7, 0, 0)] {
            assert_eq!((found.winner(), found.needed, found.p), (None, None, 1.0));
        }
        assert_eq!(outcome(0, 0, 3, 4).share_b, None);
    }
}
