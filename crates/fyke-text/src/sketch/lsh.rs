//! Which of many sketches may be near each other, without comparing all with all: locality sensitive
//! hashing by bands (001 "All signature pairs"). Two sketches meet when all rows of one band agree:
//! with r rows and b bands, at a resemblance of s, with probability 1 - (1 - s^r)^b.

use super::PLACES;
use super::similarity::resemblance;
use crate::eight::{ODD, mix};

/// Of a class of equal sketches so many are compared with others, the rest with the first only.
const EQUALS: usize = 8;
/// In a bucket each sketch is compared with so many that follow.
const NEIGHBOURS: usize = 16;
/// A pair at the threshold may be missed by the bands once in so many.
const MISSED: f64 = 1e-4;

/// How far an estimate may lie from the coefficient at the threshold: four standard errors.
#[must_use]
pub fn doubt(threshold: f64) -> f64 {
    4.0 * (threshold * (1.0 - threshold) / PLACES as f64).max(0.0).sqrt()
}

/// Two sketches that may be near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SketchPair {
    pub first: usize,
    /// Comes later than the first.
    pub second: usize,
    pub resemblance: f64,
}

/// Pairs of the sketches that may have the threshold's coefficient: their resemblance
/// reaches it but for [`doubt`]. Sorted; near-linear.
///
/// Large groups are not paired in full: of more than `EQUALS` equal sketches the later ones are
/// paired with the first only, and in a bucket each is compared with the next `NEIGHBOURS`. The
/// groups stay connected, so that the closure of the pairs is whole.
#[must_use]
pub fn pairs(sketches: &[&[u8]], threshold: f64) -> Vec<SketchPair> {
    let (mut found, open) = equal_sketches(sketches);
    let (rows, least) = (band_rows(threshold), threshold - doubt(threshold));
    for band in 0..PLACES / rows {
        let from = found.len();
        let key = |i: u32| key(&sketches[i as usize][band * rows..(band + 1) * rows]);
        each_bucket(&open, key, |bucket| {
            for (n, &(_, i)) in bucket.iter().enumerate() {
                for &(_, j) in bucket[n + 1..].iter().take(NEIGHBOURS) {
                    if resemblance(sketches[i as usize], sketches[j as usize]) >= least {
                        found.push((i, j));
                    }
                }
            }
        });
        if found.len() > from {
            found.sort_unstable();
            found.dedup();
        }
    }
    let rated = |(i, j): (u32, u32)| {
        let (first, second) = (i as usize, j as usize);
        let resemblance = resemblance(sketches[first], sketches[second]);
        SketchPair { first, second, resemblance }
    };
    found.into_iter().map(rated).collect()
}

/// The pairs of the classes of equal sketches beyond `EQUALS`, and the sketches left to compare.
fn equal_sketches(sketches: &[&[u8]]) -> (Vec<(u32, u32)>, Vec<u32>) {
    let filled: Vec<u32> =
        (0..sketches.len() as u32).filter(|&i| sketches[i as usize].len() == PLACES).collect();
    let mut pairs = Vec::new();
    let mut closed = vec![false; sketches.len()];
    each_bucket(
        &filled,
        |i| key(sketches[i as usize]),
        |class| {
            let first = class[0].1;
            for &(_, later) in class.iter().skip(EQUALS) {
                closed[later as usize] = sketches[first as usize] == sketches[later as usize];
                if closed[later as usize] {
                    pairs.push((first, later));
                }
            }
        },
    );
    (pairs, filled.into_iter().filter(|&i| !closed[i as usize]).collect())
}

/// Shows the members of `open` with equal keys, in order, where there is more than one.
fn each_bucket(open: &[u32], key: impl Fn(u32) -> u64, see: impl FnMut(&[(u64, u32)])) {
    let mut keyed: Vec<(u64, u32)> = open.iter().map(|&i| (key(i), i)).collect();
    keyed.sort_unstable();
    keyed.chunk_by(|a, b| a.0 == b.0).filter(|bucket| bucket.len() > 1).for_each(see);
}

fn key(places: &[u8]) -> u64 {
    let (eights, rest) = places.as_chunks::<8>();
    let last = rest.iter().fold(0, |eight, &byte| eight << 8 | u64::from(byte));
    let eights = eights.iter().map(|&eight| u64::from_le_bytes(eight)).chain([last]);
    eights.fold(0, |key, eight| mix(key ^ eight, ODD))
}

/// The most rows of a band with which a pair at the threshold is missed rarely enough.
fn band_rows(threshold: f64) -> usize {
    let missed = |rows: usize| (1.0 - threshold.powi(rows as i32)).powi((PLACES / rows) as i32);
    (1..=PLACES / 5).rev().find(|&rows| missed(rows) <= MISSED).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::tests::words;
    use crate::sketch::{HashedText, Sketch, jaccard, shingle_set, sketch};
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn paired(sketches: &[Sketch], threshold: f64) -> Vec<SketchPair> {
        pairs(&sketches.iter().map(|sketch| &sketch.0[..]).collect::<Vec<_>>(), threshold)
    }

    #[test]
    fn bands_have_as_many_rows_as_the_threshold_lets_them() {
        let check = |threshold: f64, rows: usize| assert_eq!(band_rows(threshold), rows);
        check(1.0, 40);
        check(0.9, 9);
        check(0.8, 6);
        check(0.5, 2);
        check(0.0, 1);
    }

    #[test]
    fn many_copies_give_few_pairs_and_stay_connected() {
        let copy = sketch(&words(0, 50));
        let near = sketch(&format!("{} end", words(0, 50)));
        let mut all = vec![copy; 10_000];
        all.push(near);
        let pairs = paired(&all, 0.8);
        assert!(pairs.len() < 11_000, "{} pairs", pairs.len());
        let reached: HashSet<usize> =
            pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
        assert_eq!(reached.len(), all.len());
    }

    #[test]
    fn no_pair_of_the_exact_coefficient_is_missed() {
        let texts: Vec<String> = (0..300)
            .map(|n| format!("{}{}", words(n / 3 * 1000, 200), words(n * 1000 + 500, n % 3 * 5)))
            .collect();
        let sketches: Vec<Sketch> = texts.iter().map(|text| sketch(text)).collect();
        let sets: Vec<_> =
            texts.iter().map(|text| shingle_set(&HashedText::read(text).words)).collect();
        let found: HashSet<_> =
            paired(&sketches, 0.75).into_iter().map(|pair| (pair.first, pair.second)).collect();
        let all = (0..300).flat_map(|i| (i + 1..300).map(move |j| (i, j)));
        let expected: HashSet<_> =
            all.filter(|&(i, j)| jaccard(&sets[i], &sets[j]) >= 0.75).collect();
        assert_eq!(expected.len(), 300);
        assert!(expected.is_subset(&found));
        assert!(found.iter().all(|(i, j)| i / 3 == j / 3), "strangers do not meet");
    }

    proptest! {
        #[test]
        fn equal_texts_are_always_paired(text in ".{0,100}[a-z]", other in ".{0,100}") {
            let all = [sketch(&text), sketch(&other), sketch(&text)];
            let expected = SketchPair { first: 0, second: 2, resemblance: 1.0 };
            prop_assert!(paired(&all, 0.9).contains(&expected));
        }
    }
}
