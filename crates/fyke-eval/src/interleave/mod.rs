//! Interleaving: two rankings shown as one, so that the same person judges both by clicking (000
//! "A/B testing"; Joachims 2002, Radlinski, Kurup and Joachims 2008). A file and a row for each
//! way. The rankings are those of an old system A and of a new one B.

mod balanced;
mod team_draft;

use crate::random::Random;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One of the two rankers compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Team {
    /// The old system.
    A,
    /// The new one.
    B,
}

/// A document in the list that people see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterleavedDocument {
    /// The document's id.
    pub document: u64,
    /// Whose pick it is; of nobody where both would have picked it, or where there are no picks.
    pub team: Option<Team>,
    /// Its rank, from 1, with A and with B; none where a ranking does not have it.
    pub ranks: [Option<usize>; 2],
}

/// Who did better in the eyes of one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterleaveVerdict {
    /// The clicks speak for one of the two.
    Won(Team),
    /// There were clicks, and they speak for both alike.
    Tied,
    /// Nothing was clicked.
    Unclicked,
}

/// A document, and whose pick it is.
type Pick = (u64, Option<Team>);

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Interleaving {
    /// Name in settings and logs.
    pub name: &'static str,
    /// What it does, in one line.
    pub what: &'static str,
    /// The list made of A and B, without repetitions, as long as wanted.
    merge: fn(&[u64], &[u64], usize, &mut Random) -> Vec<Pick>,
    /// Clicks that count for A and for B, by places (from 0) that were clicked.
    credit: fn(&[InterleavedDocument], &[usize]) -> [usize; 2],
}

/// Every way to interleave; to add one, write its file and name it above and here.
pub const INTERLEAVINGS: [Interleaving; 2] = [team_draft::ROW, balanced::ROW];

/// The row of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Interleaving> {
    INTERLEAVINGS.iter().find(|row| row.name == name)
}

impl Interleaving {
    /// The first `depth` places of the list made of two rankings. The same seed gives the same
    /// list, and a deeper list begins with the shallower one.
    #[must_use]
    pub fn interleave(
        &self,
        a: &[u64],
        b: &[u64],
        depth: usize,
        seed: u64,
    ) -> Vec<InterleavedDocument> {
        let ranks = [a, b].map(ranks);
        let picks = (self.merge)(a, b, depth, &mut Random::new(seed));
        let place = |(document, team)| {
            let ranks = ranks.each_ref().map(|ranks| ranks.get(&document).copied());
            InterleavedDocument { document, team, ranks }
        };
        picks.into_iter().take(depth).map(place).collect()
    }

    /// What the clicks on a list say, by ranks from 1. A second click on a result, and one on a
    /// rank that was not shown, say nothing.
    #[must_use]
    pub fn judge(&self, shown: &[InterleavedDocument], clicks: &[usize]) -> InterleaveVerdict {
        let mut places: Vec<usize> = clicks.iter().filter_map(|rank| rank.checked_sub(1)).collect();
        places.retain(|&place| place < shown.len());
        places.sort_unstable();
        places.dedup();
        let [a, b] = (self.credit)(shown, &places);
        match a.cmp(&b) {
            _ if places.is_empty() => InterleaveVerdict::Unclicked,
            std::cmp::Ordering::Greater => InterleaveVerdict::Won(Team::A),
            std::cmp::Ordering::Less => InterleaveVerdict::Won(Team::B),
            std::cmp::Ordering::Equal => InterleaveVerdict::Tied,
        }
    }
}

/// Where each document stands; the first place counts.
fn ranks(ranking: &[u64]) -> HashMap<u64, usize> {
    (0..ranking.len()).rev().map(|at| (ranking[at], at + 1)).collect()
}

/// A toss of a fair coin.
fn toss(random: &mut Random) -> bool {
    random.bits() & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_its_own_name_and_is_found_by_it() {
        let names: HashSet<_> = INTERLEAVINGS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), INTERLEAVINGS.len());
        for row in INTERLEAVINGS {
            assert!(!row.what.is_empty());
            assert_eq!(find(row.name).map(|row| row.name), Some(row.name));
        }
        assert!(find("toss-up").is_none());
    }

    /// Two rankings with something in common, neither of them with repetitions.
    fn rankings() -> impl Strategy<Value = [Vec<u64>; 2]> {
        let shuffled = || Just((0..14u64).collect::<Vec<_>>()).prop_shuffle();
        (shuffled(), shuffled(), 0..15usize, 0..15usize).prop_map(|(mut a, mut b, n, m)| {
            a.truncate(n);
            b.truncate(m);
            [a, b]
        })
    }

    proptest! {
        #[test]
        fn a_list_is_the_union_without_repetitions(
            [a, b] in rankings(), depth in 0..32usize, seed in any::<u64>(),
        ) {
            let union: HashSet<u64> = a.iter().chain(&b).copied().collect();
            for row in INTERLEAVINGS {
                let list = row.interleave(&a, &b, depth, seed);
                let documents: HashSet<u64> = list.iter().map(|placed| placed.document).collect();
                prop_assert_eq!(documents.len(), list.len(), "{}: a repetition", row.name);
                prop_assert!(documents.is_subset(&union));
                prop_assert_eq!(list.len(), depth.min(union.len()), "{}", row.name);
                for placed in &list {
                    let rank = |ranking: &[u64]| {
                        ranking.iter().position(|&d| d == placed.document).map(|at| at + 1)
                    };
                    prop_assert_eq!(placed.ranks, [rank(&a), rank(&b)]);
                }
            }
        }

        #[test]
        fn a_deeper_list_begins_with_the_shallower(
            [a, b] in rankings(), depth in 0..20usize, seed in any::<u64>(),
        ) {
            for row in INTERLEAVINGS {
                let (short, long) =
                    (row.interleave(&a, &b, depth, seed), row.interleave(&a, &b, 40, seed));
                prop_assert_eq!(&long[..short.len()], &short[..], "{}", row.name);
            }
        }

        #[test]
        fn no_document_stands_lower_than_both_rankings_allow(
            [a, b] in rankings(), seed in any::<u64>(),
        ) {
            // Above a document there is at most what either ranking has above it, and the pick of
            // the other that came first in the same round.
            for row in INTERLEAVINGS {
                let list = row.interleave(&a, &b, 40, seed);
                for (rank, placed) in (1..).zip(&list) {
                    let best = placed.ranks.iter().flatten().min().copied().unwrap();
                    prop_assert!(rank <= 2 * best, "{}: {best} became {rank}", row.name);
                }
            }
        }

        #[test]
        fn equal_rankings_are_shown_as_they_are_and_tie(
            [a, _] in rankings(), clicks in prop::collection::vec(0..20usize, 0..6),
            seed in any::<u64>(),
        ) {
            for row in INTERLEAVINGS {
                let list = row.interleave(&a, &a, 40, seed);
                prop_assert!(list.iter().map(|placed| &placed.document).eq(&a));
                let verdict = row.judge(&list, &clicks);
                prop_assert!(!matches!(verdict, InterleaveVerdict::Won(_)), "{}: {verdict:?}", row.name);
            }
        }

        #[test]
        fn exchanged_rankings_get_exchanged_credit(
            [a, b] in rankings(), places in prop::collection::btree_set(0..10usize, 0..6),
            seed in any::<u64>(),
        ) {
            for row in INTERLEAVINGS {
                let list = row.interleave(&a, &b, 40, seed);
                let places: Vec<_> =
                    places.iter().copied().filter(|&place| place < list.len()).collect();
                let exchange = |placed: &InterleavedDocument| InterleavedDocument {
                    team: placed.team.map(|t| if t == Team::A { Team::B } else { Team::A }),
                    ranks: [placed.ranks[1], placed.ranks[0]],
                    ..*placed
                };
                let other: Vec<_> = list.iter().map(exchange).collect();
                let ([a, b], [c, d]) = ((row.credit)(&list, &places), (row.credit)(&other, &places));
                prop_assert_eq!([a, b], [d, c], "{}", row.name);
            }
        }
    }
}
