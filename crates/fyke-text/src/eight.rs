//! Many bytes at a time: where the words of a text stand, and what their hashes are. Every page
//! fetched and every document kept pays for these, so nothing here looks at one byte alone.

use crate::sixteen::Sixteen;

/// The top bit of each of eight bytes.
const TOPS: u64 = 0x8080_8080_8080_8080;
/// The bit that makes an ASCII letter lower case, and leaves a digit as it is.
const LOWER: u64 = 0x2020_2020_2020_2020;
/// An odd number without pattern (the golden ratio's fraction).
pub(crate) const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Which of the 64 bytes at `at` belong to words, the first in the lowest bit: ASCII letters and
/// digits, and everything beyond ASCII. What is behind the end does not.
#[inline]
pub(crate) fn word_bytes(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    match rest.first_chunk::<64>() {
        Some(block) => sixteens(block.as_chunks().0),
        None => last_word_bytes(rest),
    }
}

/// As [`word_bytes`] where there are fewer than 64.
#[cold]
fn last_word_bytes(rest: &[u8]) -> u64 {
    let mut filled = [0; 64];
    filled[..rest.len()].copy_from_slice(rest);
    sixteens(filled.as_chunks().0)
}

#[inline(always)]
fn sixteens(blocks: &[[u8; 16]]) -> u64 {
    let bits = |block: &[u8; 16]| u64::from(Sixteen::of(*block).of_words());
    blocks.iter().rev().fold(0, |all, block| all << 16 | bits(block))
}

/// The eight bytes at `at`, the first in the lowest place, zeros behind the end.
#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    if let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        return u64::from_le_bytes(*eight);
    }
    match bytes.last_chunk() {
        Some(eight) => u64::from_le_bytes(*eight) >> ((at + 8 - bytes.len()) * 8),
        None => bytes[at..].iter().rev().fold(0, |eight, &b| eight << 8 | u64::from(b)),
    }
}

/// Whether a word is of ASCII.
#[inline]
pub(crate) fn is_ascii(bytes: &[u8], from: usize, to: usize) -> bool {
    (from..to).step_by(8).all(|at| load(bytes, at) & low_bytes(to - at) & TOPS == 0)
}

/// Whether there are capitals among some ASCII letters and digits.
#[inline]
pub(crate) fn has_capitals(bytes: &[u8], from: usize, to: usize) -> bool {
    (from..to).step_by(8).any(|at| {
        let eight = load(bytes, at) & low_bytes(to - at);
        // Letters have the bit above that of lower case, digits do not.
        (eight >> 1 & !eight) & LOWER != 0
    })
}

/// The hash of a word of ASCII that is the first `length` of eight bytes, as `hash` makes it; none for a
/// longer one and others.
#[inline(always)]
pub(crate) fn short_hash(eight: [u8; 8], length: usize) -> Option<u64> {
    let eight = u64::from_le_bytes(eight);
    let here = u64::MAX.checked_shr(64_u32.wrapping_sub(8 * length as u32))?;
    (eight & here & TOPS == 0).then(|| mix(ODD ^ (eight | LOWER) & here, ODD))
}

/// The hash of a word, ASCII letters in lower case.
pub(crate) fn hash(bytes: &[u8], from: usize, to: usize) -> u64 {
    let mut hash = ODD;
    for at in (from..to).step_by(8) {
        let here = low_bytes(to - at);
        let eight = load(bytes, at) & here;
        // A byte beyond ASCII stays as it is.
        let lower = LOWER & !((eight & TOPS) >> 2) & here;
        hash = mix(hash ^ (eight | lower), ODD);
    }
    hash
}

/// Ones in the first `count` bytes, at most eight.
#[inline]
fn low_bytes(count: usize) -> u64 {
    if count >= 8 { u64::MAX } else { (1 << (count * 8)) - 1 }
}

/// Every bit of the product moves both halves, which are laid over each other.
#[inline]
pub(crate) fn mix(value: u64, by: u64) -> u64 {
    let product = u128::from(value ^ 0xD6E8_FEB8_6659_FD93) * u128::from(by);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The bits of a block against the plain rule, at every place of the text.
        #[test]
        fn the_bytes_of_words_are_those_of_the_rule(bytes in prop::collection::vec(any::<u8>(), 1..150)) {
            for at in 0..bytes.len() {
                let found = word_bytes(&bytes, at);
                for place in 0..64 {
                    let inside = |b: &u8| b.is_ascii_alphanumeric() || !b.is_ascii();
                    let expected = bytes.get(at + place).is_some_and(inside);
                    prop_assert_eq!(found >> place & 1 == 1, expected);
                }
            }
        }
    }
}
