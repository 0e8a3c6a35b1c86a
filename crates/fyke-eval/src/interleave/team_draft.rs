//! Team draft (Radlinski, Kurup and Joachims 2008): as two captains choose their teams. In every
//! round both name the best document that is not yet in the list, and a coin says whose is placed
//! first. A click counts for the team of the document clicked.
//!
//! Where both captains name the same document, here it goes to nobody: to give it away by the coin,
//! as the first description does, adds chance to the credit and nothing else. So each round's two
//! documents do not depend on the coin, each team stands at every rank as often as the other, and
//! equal rankings always tie. What only one ranking has, once the other has ended, is nobody's too.

use super::{InterleavedDocument, Interleaving, Pick, Team, toss};
use crate::random::Random;
use std::collections::HashSet;

pub(super) const ROW: Interleaving = Interleaving {
    name: "team-draft",
    what: "both rankers pick in turn, a coin says who begins each round; clicks go to who picked",
    merge,
    credit,
};

fn merge(a: &[u64], b: &[u64], depth: usize, random: &mut Random) -> Vec<Pick> {
    let mut list: Vec<Pick> = Vec::with_capacity(depth);
    let mut seen = HashSet::new();
    let (mut a, mut b) = (a.iter().copied(), b.iter().copied());
    while list.len() < depth {
        let [x, y] = [&mut a, &mut b].map(|ranking| ranking.find(|next| !seen.contains(next)));
        match (x, y) {
            (Some(x), Some(y)) if x != y => {
                let mut round = [(x, Some(Team::A)), (y, Some(Team::B))];
                if toss(random) {
                    round.reverse();
                }
                list.extend(round);
            }
            (None, None) => break,
            (x, y) => list.extend(x.or(y).map(|document| (document, None))),
        }
        seen.extend(x.into_iter().chain(y));
    }
    list
}

fn credit(shown: &[InterleavedDocument], places: &[usize]) -> [usize; 2] {
    let team = |team| places.iter().filter(|&&place| shown[place].team == Some(team)).count();
    [Team::A, Team::B].map(team)
}

#[cfg(test)]
mod tests {
    use super::super::InterleaveVerdict;
    use super::*;
    use proptest::prelude::*;

    fn teams(a: &[u64], b: &[u64], seed: u64) -> Vec<(u64, Option<Team>)> {
        let list = ROW.interleave(a, b, 10, seed);
        list.into_iter().map(|placed| (placed.document, placed.team)).collect()
    }

    #[test]
    fn captains_pick_in_turn_and_what_both_name_is_nobodys() {
        let (first, second) = ((2, Some(Team::A)), (3, Some(Team::B)));
        let rest = [(4, None), (5, None)];
        let orders = [[first, second], [second, first]];
        let mut met = HashSet::new();
        for seed in 0..20 {
            let list = teams(&[1, 2, 3, 4], &[1, 3, 2, 4, 5], seed);
            assert_eq!((list[0], &list[3..]), ((1, None), &rest[..]));
            met.insert(orders.iter().position(|order| order[..] == list[1..3]).expect("an order"));
        }
        assert_eq!(met.len(), 2, "the coin never fell on the other side");
    }

    #[test]
    fn a_click_counts_once_and_for_the_team_that_picked() {
        let list = ROW.interleave(&[1, 2, 9], &[3, 4, 9], 10, 5);
        let rank = |document| list.iter().position(|p| p.document == document).unwrap() + 1;
        let check = |clicks: &[usize], expected| assert_eq!(ROW.judge(&list, clicks), expected);
        check(&[], InterleaveVerdict::Unclicked);
        check(&[0, 99], InterleaveVerdict::Unclicked);
        check(&[rank(9)], InterleaveVerdict::Tied);
        check(&[rank(1), rank(3)], InterleaveVerdict::Tied);
        check(&[rank(4), rank(4), rank(9)], InterleaveVerdict::Won(Team::B));
        check(&[rank(4), rank(4), rank(1), rank(2)], InterleaveVerdict::Won(Team::A));
    }

    proptest! {
        #[test]
        fn teams_are_even_at_every_cut(
            a in Just((0..12u64).collect::<Vec<_>>()).prop_shuffle(),
            b in Just((4..16u64).collect::<Vec<_>>()).prop_shuffle(), seed in any::<u64>(),
        ) {
            let mut sizes = [0_i32; 2];
            for placed in ROW.interleave(&a, &b, 40, seed) {
                if let Some(team) = placed.team {
                    sizes[team as usize] += 1;
                }
                prop_assert!((sizes[0] - sizes[1]).abs() <= 1, "{sizes:?}");
            }
        }
    }
}
