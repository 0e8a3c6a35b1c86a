//! Balanced interleaving (Joachims 2002): at every cut the list holds the best k of the one ranking
//! and the best k or k + 1 of the other; a coin tossed once says which goes ahead.
//!
//! Credit: of the lowest result clicked take the better of its two ranks, k; each ranker is counted
//! the clicks on its own best k. Known of it: where one ranking is the other with a document moved,
//! even clicks at random can speak for one of the two, which team draft does not do.

use super::{InterleavedDocument, Interleaving, Pick, toss};
use crate::random::Random;
use std::collections::HashSet;

pub(super) const ROW: Interleaving = Interleaving {
    name: "balanced",
    what: "the best k of both rankings at every cut; clicks go to who has them among its best k",
    merge,
    credit,
};

fn merge(a: &[u64], b: &[u64], depth: usize, random: &mut Random) -> Vec<Pick> {
    let [ahead, behind] = if toss(random) { [b, a] } else { [a, b] };
    let mut seen = HashSet::new();
    let longest = a.len().max(b.len());
    let in_turn = (0..longest).flat_map(|at| [ahead.get(at), behind.get(at)]);
    let fresh = in_turn.flatten().copied().filter(|&document| seen.insert(document));
    fresh.take(depth).map(|document| (document, None)).collect()
}

fn credit(shown: &[InterleavedDocument], places: &[usize]) -> [usize; 2] {
    let lowest = places.last().map(|&place| shown[place].ranks);
    let cut = lowest.into_iter().flatten().flatten().min().unwrap_or(0);
    let within = |ranker: usize| {
        let ranks = places.iter().filter_map(|&place| shown[place].ranks[ranker]);
        ranks.filter(|&rank| rank <= cut).count()
    };
    [within(0), within(1)]
}

#[cfg(test)]
mod tests {
    use super::super::{InterleaveVerdict, Team};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clicks_count_for_who_has_them_among_the_best_k() {
        let list = ROW.interleave(&[1, 2, 3, 4], &[2, 5, 1, 6], 10, 0);
        let rank = |document| list.iter().position(|p| p.document == document).unwrap() + 1;
        let check = |documents: &[u64], expected| {
            let clicks: Vec<_> = documents.iter().map(|&document| rank(document)).collect();
            assert_eq!(ROW.judge(&list, &clicks), expected, "{documents:?}");
        };
        check(&[], InterleaveVerdict::Unclicked);
        check(&[1], InterleaveVerdict::Won(Team::A));
        check(&[5], InterleaveVerdict::Won(Team::B));
        // The lowest is 5, second with B: both have 2 among their best two, only B has 5.
        check(&[2, 5], InterleaveVerdict::Won(Team::B));
        // The lowest is 3, third with A; among the best three A has 1, 2, 3 and B has 1 and 2.
        check(&[1, 2, 3], InterleaveVerdict::Won(Team::A));
        check(&[1, 2], InterleaveVerdict::Tied);
    }

    #[test]
    fn the_known_bias_is_there() {
        // B is A with its first document last. One click anywhere, by chance: for both orders of
        // the coin, two of the three places speak for B.
        for seed in 0..8 {
            let list = ROW.interleave(&[1, 2, 3], &[2, 3, 1], 3, seed);
            let wins = |team| {
                (1..4)
                    .filter(|&rank| ROW.judge(&list, &[rank]) == InterleaveVerdict::Won(team))
                    .count()
            };
            assert_eq!((wins(Team::A), wins(Team::B)), (1, 2));
        }
    }

    proptest! {
        #[test]
        fn every_cut_holds_the_best_of_both_in_balance(
            a in Just((0..12u64).collect::<Vec<_>>()).prop_shuffle(),
            b in Just((4..16u64).collect::<Vec<_>>()).prop_shuffle(),
            cut in 0..17usize, seed in any::<u64>(),
        ) {
            let shown: HashSet<u64> =
                ROW.interleave(&a, &b, cut, seed).iter().map(|p| p.document).collect();
            let tops = |k: usize, l: usize| a[..k].iter().chain(&b[..l]).copied().collect();
            let balanced = (0..=12).flat_map(|k| [(k, k), (k, k + 1), (k + 1, k)]);
            let mut balanced = balanced.filter(|&(k, l)| k <= 12 && l <= 12);
            prop_assert!(balanced.any(|(k, l)| shown == tops(k, l)));
        }
    }
}
