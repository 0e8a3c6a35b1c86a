//! Checksums: exact copies have the same one (003 §3.7). The sum of bytes is that of the sources, for
//! which the order of the bytes does not matter; ours is of the words in their order.
//!
//! Checksums are stored: a change makes `fyke rebuild` necessary.

use super::{HashedText, SketchMethod};
use crate::eight::{ODD, mix};

pub(super) const SUM: SketchMethod = SketchMethod {
    name: "sum",
    what: "the simplest checksum: texts of the same bytes in any order are the same",
    formula: "sum of the bytes of the text",
    make: |text| vec![sum(text.raw.as_bytes())],
    compare: same,
    least: |_| 1.0,
};

pub(super) const CHECKSUM: SketchMethod = SketchMethod {
    name: "checksum",
    what: "texts of the same words in the same order are the same",
    formula: "c(0) = 0, c(i) = mix(c(i-1) xor hash of word i)",
    make: |text| vec![of_words(&text.words)],
    compare: same,
    least: |_| 1.0,
};

fn same(a: &[u64], b: &[u64]) -> f64 {
    f64::from(u8::from(a == b))
}

/// The sum of the bytes.
#[must_use]
pub fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte)).sum()
}

/// A checksum of the words of a text: equal for texts that differ only in case, punctuation or
/// white space.
#[must_use]
pub fn checksum(text: &str) -> u64 {
    of_words(&HashedText::read(text).words)
}

pub(super) fn of_words(words: &[u64]) -> u64 {
    words.iter().fold(0, |checksum, &word| mix(checksum ^ word, ODD))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of 003 §3.7, and what it says of it.
    #[test]
    fn the_sum_of_tropical_fish_is_508_and_blind_to_order() {
        assert_eq!(sum(b"Tropical fish"), 0x508);
        assert_eq!(sum(b"fish Tropical"), 0x508);
        assert_ne!(checksum("Tropical fish"), checksum("fish Tropical"));
    }

    #[test]
    fn a_checksum_sees_words_only() {
        assert_eq!(checksum("The net,\n holds!"), checksum("the NET holds"));
        assert_ne!(checksum("the net holds"), checksum("the nets hold"));
        assert_ne!(checksum("a bc"), checksum("ab c"));
        assert_ne!(checksum("a"), checksum("a a"));
    }
}
