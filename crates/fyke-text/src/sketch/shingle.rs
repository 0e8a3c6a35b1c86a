//! Shingles: the word n-grams of a text as a set, and the Jaccard coefficient of two such sets
//! (001 "Computing similarity", 003 §3.7 step 2).

use crate::eight::mix;

/// Words in a shingle of ours; a shorter text is one shingle.
pub const SHINGLE: usize = 3;

/// Hashes of the shingles of `size` words in a row of words, in order, with repetitions.
#[must_use]
pub fn shingles(words: &[u64], size: usize) -> Vec<u64> {
    let size = size.min(words.len()).max(1);
    words.windows(size).map(join).collect()
}

/// One hash of some words in their order.
#[inline]
fn join(words: &[u64]) -> u64 {
    let turned = |hash: u64, word: &u64| hash.rotate_left(21) ^ word;
    words.iter().fold(0, turned)
}

/// The shingles of a text as a set: sorted, each once.
#[must_use]
pub fn shingle_set(words: &[u64]) -> Vec<u64> {
    let mut set = shingles(words, SHINGLE);
    sort_hashes(&mut set);
    set.dedup();
    set
}

/// Sorts numbers that are spread as evenly as hashes are: each goes to one of as many drawers by its
/// highest bits, and drawers are sorted. However they are spread, the result is the same.
pub(super) fn sort_hashes(all: &mut Vec<u64>) {
    // A drawer of more is sorted as any other slice.
    const FEW: usize = 16;
    if u32::try_from(all.len()).is_err() {
        return all.sort_unstable();
    }
    let bits = all.len().max(2).ilog2().min(24);
    let drawer = |hash: u64| (hash >> (u64::BITS - bits)) as usize;
    let mut ends = vec![0_u32; 1 << bits];
    all.iter().for_each(|&hash| ends[drawer(hash)] += 1);
    let mut before = 0;
    for end in &mut ends {
        before += std::mem::replace(end, before);
    }
    let mut sorted = vec![0; all.len()];
    for &hash in all.iter() {
        let end = &mut ends[drawer(hash)];
        sorted[*end as usize] = hash;
        *end += 1;
    }
    let mut from = 0;
    for end in ends {
        let part = &mut sorted[from..end as usize];
        if part.len() > FEW {
            part.sort_unstable();
        } else if part.len() > 1 {
            insertion_sort(part);
        }
        from = end as usize;
    }
    *all = sorted;
}

fn insertion_sort(few: &mut [u64]) {
    for end in 1..few.len() {
        let value = few[end];
        let mut at = end;
        while at > 0 && few[at - 1] > value {
            few[at] = few[at - 1];
            at -= 1;
        }
        few[at] = value;
    }
}

/// Size of the intersection over size of the union of two sorted sets; 0 if one is empty.
#[must_use]
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let common = common(a, b);
    common as f64 / (a.len() + b.len() - common) as f64
}

/// How many values two sorted sets share.
pub(super) fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut at, mut other, mut common) = (0, 0, 0);
    while at < a.len() && other < b.len() {
        common += usize::from(a[at] == b[other]);
        let (left, right) = (a[at], b[other]);
        at += usize::from(left <= right);
        other += usize::from(right <= left);
    }
    common
}

/// The `n`th of a family of hash functions.
#[inline]
pub(super) fn nth_hash(value: u64, n: u64) -> u64 {
    let key = mix(n.wrapping_add(1), crate::eight::ODD);
    mix(value ^ key, key | 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::HashedText;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn a_rose_is_a_rose_has_three_shingles_of_four_words() {
        let words = HashedText::read("a rose is a rose is a rose").words;
        let all = shingles(&words, 4);
        assert_eq!(all.len(), 5);
        assert_eq!((all[0], all[1]), (all[3], all[4]), "a rose is a, rose is a rose");
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 3);
    }

    #[test]
    fn a_short_text_is_one_shingle() {
        let check = |words: &[u64], count: usize| assert_eq!(shingles(words, 3).len(), count);
        check(&[], 0);
        check(&[1], 1);
        check(&[1, 2], 1);
        check(&[1, 2, 3, 4], 2);
    }

    /// The columns of 001 "Set similarity": two rows of type A among five that are not of type D.
    #[test]
    fn the_coefficient_is_that_of_the_sources() {
        assert_eq!(jaccard(&[2, 3, 5], &[1, 3, 5, 6]), 0.4);
        assert_eq!(jaccard(&[], &[]), 0.0);
        assert_eq!(jaccard(&[7], &[7]), 1.0);
    }

    proptest! {
        #[test]
        fn hashes_are_sorted_however_they_are_spread(
            spread in prop::collection::vec(any::<u64>(), 0..300),
            close in prop::collection::vec(0u64..50, 0..100),
        ) {
            for mut all in [spread.clone(), close.clone(), [spread, close].concat()] {
                let mut expected = all.clone();
                expected.sort_unstable();
                sort_hashes(&mut all);
                prop_assert_eq!(all, expected);
            }
        }

        #[test]
        fn the_coefficient_is_that_of_sets_and_symmetric(a in prop::collection::btree_set(0u64..60, 0..40), b in prop::collection::btree_set(0u64..60, 0..40)) {
            let (union, both) = (a.union(&b).count(), a.intersection(&b).count());
            let expected = if a.is_empty() || b.is_empty() { 0.0 } else { both as f64 / union as f64 };
            let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(jaccard(&a, &b), expected);
            prop_assert_eq!(jaccard(&b, &a), expected);
        }
    }
}
