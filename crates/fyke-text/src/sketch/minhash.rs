//! Minhash by the formula of 001 "Sketch of a document": for each of 200 permutations the least value
//! that it gives to a shingle of the text. Two texts agree at a place with the probability of their
//! Jaccard coefficient.
//!
//! This is what the sketch that we store (`similarity.rs`) is held to; it costs 200 products for
//! every word.

use super::{HashedText, SketchMethod, shingle_set};
use crate::eight::{ODD, mix};

/// How many permutations, as the sources have it.
pub const PERMUTATIONS: usize = 200;

pub(super) const MINHASH: SketchMethod = SketchMethod {
    name: "minhash",
    what: "200 permutations, of each the least shingle; the share of places where two texts agree",
    formula: "sketch[i] = min over shingles s of π_i(f(s)), π_i(x) = a_i x + b_i mod 2^64, a_i odd",
    make: minhash,
    compare: agreement,
    least: |coefficient| coefficient,
};

fn minhash(text: &HashedText<'_>) -> Vec<u64> {
    let set = shingle_set(&text.words);
    let place = |n: u64| {
        let (factor, term) = (mix(2 * n + 1, ODD) | 1, mix(2 * n + 2, ODD));
        least(&set, |shingle| shingle.wrapping_mul(factor).wrapping_add(term))
    };
    (0..PERMUTATIONS as u64).map_while(place).collect()
}

/// The least value that a permutation gives to a member of a set; none for the empty set.
pub fn least(set: &[u64], permutation: impl Fn(u64) -> u64) -> Option<u64> {
    set.iter().map(|&member| permutation(member)).min()
}

/// The share of places at which two sketches agree; 0 if one is of no words.
pub(super) fn agreement(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() || a.len() != b.len() {
        return 0.0;
    }
    let equal = a.iter().zip(b).filter(|(a, b)| a == b).count();
    equal as f64 / a.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::jaccard;

    /// The example of 001 "Min-Hash sketches": rows 1 to 5, three columns, three permutations. A
    /// permutation is the order of the rows; the sketch holds the first row with a one.
    #[test]
    fn the_example_of_the_sources_gives_its_signatures() {
        let columns: [&[u64]; 3] = [&[1, 3, 4], &[2, 5], &[1, 2, 4]];
        let orders = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 4, 5, 1, 2]];
        let first = |set: &[u64], order: &[u64; 5]| {
            let place = |row: u64| order.iter().position(|&r| r == row).unwrap() as u64;
            order[least(set, place).unwrap() as usize]
        };
        let sketches = columns.map(|set| orders.map(|order| first(set, &order)));
        assert_eq!(sketches, [[1, 4, 3], [2, 5, 5], [1, 4, 4]]);
        let check = |a: usize, b: usize, exact: f64, estimate: f64| {
            assert_eq!(jaccard(columns[a], columns[b]), exact);
            assert_eq!(agreement(&sketches[a], &sketches[b]), estimate);
        };
        check(0, 1, 0.0, 0.0);
        check(0, 2, 0.5, 2.0 / 3.0);
        check(1, 2, 0.25, 0.0);
    }
}
