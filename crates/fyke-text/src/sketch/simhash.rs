//! Simhash (Charikar 2002; 003 §3.7, figure 3.15): a fingerprint of B bits in which similar texts
//! agree in most. The features are words weighted by their frequency, so that the share of equal
//! bits follows the cosine of the two texts' words.
//!
//! Departure: words that are common in a language are not left out, since the text may be in any.

use super::shingle::nth_hash;
use super::{HashedText, SketchMethod};

/// Bits of a block of the fingerprint.
const BLOCK: usize = 64;
/// In the large study that 003 tells of, pages are near copies where more than 372 bits of 384 are equal: at most
/// eleven differ.
const LEAST: f64 = 1.0 - 11.0 / 384.0;

pub(super) const SIMHASH_64: SketchMethod = SketchMethod {
    name: "simhash-64",
    what: "64 bits that follow the cosine of word frequencies",
    formula: "V[i] = Σ over words of weight × (bit i of h(word) is 1 ? 1 : -1); bit i = V[i] > 0",
    make: |text| simhash(text, 1),
    compare: equal_bits,
    least: |_| LEAST,
};

pub(super) const SIMHASH_384: SketchMethod = SketchMethod {
    name: "simhash-384",
    what: "384 bits that follow the cosine of word frequencies",
    make: |text| simhash(text, 6),
    ..SIMHASH_64
};

/// The fingerprint of a text in so many blocks of 64 bits; empty without words.
#[must_use]
pub fn simhash(text: &HashedText<'_>, blocks: usize) -> Vec<u64> {
    let block = |block: usize| {
        let hash = |&word: &u64| (nth_hash(word, block as u64), 1);
        bits(&vector(text.words.iter().map(hash)))
    };
    let blocks = if text.words.is_empty() { 0 } else { blocks };
    (0..blocks).map(block).collect()
}

/// The vector V: each feature's weight is added where its hash has a one, and taken off elsewhere.
fn vector(features: impl Iterator<Item = (u64, i64)>) -> [i64; BLOCK] {
    let mut vector = [0; BLOCK];
    for (hash, weight) in features {
        for (bit, component) in vector.iter_mut().enumerate() {
            *component += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    vector
}

/// One where the component is positive.
fn bits(vector: &[i64; BLOCK]) -> u64 {
    let bit = |(at, &component): (usize, &i64)| u64::from(component > 0) << at;
    vector.iter().enumerate().map(bit).sum()
}

/// The share of bits in which two fingerprints agree; 0 if one is of no words.
fn equal_bits(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let differ: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
    1.0 - f64::from(differ) / (a.len() * BLOCK) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words, weights and hashes of figure 3.15; bit 0 is the leftmost there.
    const FEATURES: &[(&str, i64, &str)] = &[
        ("tropical", 2, "01100001"),
        ("fish", 2, "10101011"),
        ("include", 1, "11100110"),
        ("found", 1, "00011110"),
        ("environments", 1, "00101101"),
        ("around", 1, "10001011"),
        ("world", 1, "00101010"),
        ("including", 1, "11000000"),
        ("both", 1, "10101110"),
        ("freshwater", 1, "00111111"),
        ("salt", 1, "10110101"),
        ("water", 1, "00100101"),
        ("species", 1, "11101110"),
    ];

    #[test]
    fn figure_3_15_gives_its_vector_and_its_fingerprint() {
        let read = |text: &str| {
            let bit = |(at, c): (usize, char)| u64::from(c == '1') << at;
            text.chars().enumerate().map(bit).sum::<u64>()
        };
        let vector = vector(FEATURES.iter().map(|&(_, weight, hash)| (read(hash), weight)));
        assert_eq!(vector[..8], [1, -5, 9, -9, 3, 1, 3, 3]);
        assert_eq!(bits(&vector) & 0xFF, read("10101111"));
    }

    #[test]
    fn near_copies_have_more_than_372_equal_bits_of_384() {
        let zeros = [0_u64; 6];
        let with = |bits: u32| {
            let mut other = zeros;
            (0..bits).for_each(|bit| other[bit as usize / 64] |= 1 << (bit % 64));
            equal_bits(&zeros, &other) >= (SIMHASH_384.least)(0.8)
        };
        assert!(with(384 - 373) && !with(384 - 372));
    }

    #[test]
    fn similar_texts_agree_in_most_bits_and_others_in_half() {
        let words = |from: usize| (from..from + 300).map(|n| format!("w{n} ")).collect::<String>();
        let check = |a: &str, b: &str, least: f64, most: f64| {
            for blocks in [1, 6] {
                let [a, b] = [a, b].map(|text| simhash(&HashedText::read(text), blocks));
                let equal = equal_bits(&a, &b);
                assert!((least..=most).contains(&equal), "{equal} of {} bits", blocks * 64);
            }
        };
        check(&words(0), &words(0), 1.0, 1.0);
        check(&words(0), &words(10), 0.8, 0.99);
        check(&words(0), &words(5_000), 0.3, 0.7);
        check("", "", 0.0, 0.0);
    }
}
