//! A/B testing by diverted traffic (000 "A/B testing"): a small part of the traffic sees the new system, another
//! the old one, and the clickthrough on the first result is compared. The test is Fisher's exact one; the searches
//! still needed follow from the two shares seen so far (Fleiss 1981, without continuity).

use crate::binomial::interval;
use crate::interleave::Team;
use crate::outcome::ALPHA;
use crate::random::Random;
use serde::Serialize;

/// The name of the method in settings and logs.
pub const SPLIT: &str = "split";
/// Quantiles of the normal distribution for a test at 5 % on both sides, and for a power of 80 %.
const QUANTILES: f64 = 1.959_964 + 0.841_621;

/// Which system a search of this id sees. Ids are random; whether a search takes part is told by their size, so
/// the toss is of other bits.
#[must_use]
pub fn arm(id: u64) -> Team {
    match Random::new(id).bits() & 1 {
        0 => Team::A,
        _ => Team::B,
    }
}

/// What became of the searches that saw one system.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SplitArm {
    pub searches: u64,
    /// Those in which the first result was opened.
    pub clicked: u64,
    pub share: f64,
    /// The 95 % interval of that share.
    pub interval: [f64; 2],
}

/// The figures of an experiment by diverted traffic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SplitOutcome {
    pub a: SplitArm,
    pub b: SplitArm,
    /// Probability of at least so uneven a result if both were alike (Fisher's exact test, two-sided).
    pub p: f64,
    /// Searches that both arms need together, for a test at 5 % to find such a difference four times of five; none
    /// while there is no difference.
    pub needed: Option<u64>,
}

impl SplitArm {
    fn of(searches: &[(Team, bool)], team: Team) -> SplitArm {
        let of_it = searches.iter().filter(|search| search.0 == team);
        let clicked = of_it.clone().filter(|search| search.1).count() as u64;
        let searches = of_it.count() as u64;
        let share = clicked as f64 / searches.max(1) as f64;
        SplitArm { searches, clicked, share, interval: interval(clicked, searches, ALPHA) }
    }
}

impl SplitOutcome {
    /// The figures of searches, each with the system it saw and whether its first result was opened.
    #[must_use]
    pub fn of(searches: &[(Team, bool)]) -> SplitOutcome {
        let [a, b] = [Team::A, Team::B].map(|team| SplitArm::of(searches, team));
        let p = fisher([a.clicked, a.searches - a.clicked], [b.clicked, b.searches - b.clicked]);
        let difference = a.share - b.share;
        let is_told = a.searches > 0 && b.searches > 0 && difference != 0.0;
        let needed = is_told.then(|| {
            let mean = f64::midpoint(a.share, b.share);
            let each = 2.0 * mean * (1.0 - mean) * (QUANTILES / difference).powi(2);
            2 * each.ceil().max(1.0) as u64
        });
        SplitOutcome { a, b, p, needed }
    }

    /// Who is better, if the test says so.
    #[must_use]
    pub fn winner(&self) -> Option<Team> {
        let better = if self.a.share > self.b.share { Team::A } else { Team::B };
        (self.p < ALPHA).then_some(better)
    }

    /// Searches still to come before there are as many as needed.
    #[must_use]
    pub fn still_needed(&self) -> Option<u64> {
        self.needed.map(|needed| needed.saturating_sub(self.a.searches + self.b.searches))
    }
}

/// Fisher's exact test of two rows, two-sided: the sum of the probabilities of all tables with the same sums that
/// are not more probable than this one.
#[must_use]
pub fn fisher(first: [u64; 2], second: [u64; 2]) -> f64 {
    let [yes, no] = [first[0] + second[0], first[1] + second[1]];
    let row = first[0] + first[1];
    let (least, most) = (row.saturating_sub(no), row.min(yes));
    // From one table to the next by the ratio of their probabilities, on from the one in the middle.
    let ratio = |at: u64| {
        let (up, down) = ((yes - at) * (row - at), (at + 1) * (no + at + 1 - row));
        up as f64 / down as f64
    };
    let mut weights = vec![1.0_f64];
    let mode = ((row + 1) as f64 * (yes + 1) as f64 / (yes + no + 2) as f64) as u64;
    let middle = mode.clamp(least, most);
    for at in middle..most {
        weights.push(weights[weights.len() - 1] * ratio(at));
    }
    let mut below = vec![];
    let mut weight = 1.0;
    for at in (least..middle).rev() {
        weight /= ratio(at);
        below.push(weight);
    }
    below.reverse();
    let at = (first[0] - least) as usize;
    below.extend(weights);
    let limit = below[at] * (1.0 + 1e-7);
    let all: f64 = below.iter().sum();
    let tail: f64 = below.iter().filter(|weight| **weight <= limit).sum();
    (tail / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fishers_test_gives_the_figures_known_for_it() {
        // The lady who tastes tea (1935), and a table of R's help of fisher.test.
        assert!((fisher([3, 1], [1, 3]) - 0.485_714).abs() < 1e-6);
        assert!((fisher([2, 15], [10, 3]) - 0.000_536_7).abs() < 1e-6);
        assert_eq!(fisher([0, 0], [0, 0]), 1.0);
        assert_eq!(fisher([5, 0], [5, 0]), 1.0);
        assert!(fisher([40_000, 60_000], [41_000, 59_000]) < 1e-4);
        assert_eq!(fisher([7, 3], [2, 9]), fisher([2, 9], [7, 3]));
    }

    fn searches(a: [usize; 2], b: [usize; 2]) -> Vec<(Team, bool)> {
        let arm = |team, [clicked, all]: [usize; 2]| (0..all).map(move |at| (team, at < clicked));
        arm(Team::A, a).chain(arm(Team::B, b)).collect()
    }

    #[test]
    fn clickthrough_at_rank_1_of_each_arm_is_compared() {
        let found = SplitOutcome::of(&searches([200, 1_000], [300, 1_000]));
        assert_eq!((found.a.share, found.b.share), (0.2, 0.3));
        assert!(found.p < 1e-6 && found.winner() == Some(Team::B));
        // 2 · 0.25 · 0.75 · (2.8016 / 0.1)² in each arm.
        assert_eq!((found.needed, found.still_needed()), (Some(590), Some(0)));
        let few = SplitOutcome::of(&searches([2, 10], [3, 10]));
        assert_eq!((few.winner(), few.still_needed()), (None, Some(570)));
        let none = SplitOutcome::of(&[]);
        assert_eq!((none.p, none.winner(), none.needed), (1.0, None, None));
    }

    #[test]
    fn half_of_the_ids_see_either_system_whatever_their_size() {
        let of = |from: u64| (from..from + 2_000).filter(|id| arm(*id) == Team::A).count();
        for from in [0, u64::MAX / 2, u64::MAX - 2_000] {
            assert!((900..1_100).contains(&of(from)), "{}", of(from));
        }
    }
}
