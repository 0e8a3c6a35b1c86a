//! Sixteen bytes looked at in one go: which of them are a certain byte, which belong to words.

use wide::i8x16;

/// Sixteen bytes of a text. What is said of them is a bit each, the first in the lowest.
#[derive(Clone, Copy, Debug)]
pub struct Sixteen(i8x16);

impl Sixteen {
    #[inline(always)]
    #[must_use]
    pub fn of(bytes: [u8; 16]) -> Sixteen {
        Sixteen(i8x16::new(bytes.map(u8::cast_signed)))
    }

    /// The sixteen bytes at `at`; none where there are fewer.
    #[inline(always)]
    #[must_use]
    pub fn at(bytes: &[u8], at: usize) -> Option<Sixteen> {
        bytes.get(at..)?.first_chunk().copied().map(Sixteen::of)
    }

    /// Which of them are `byte`.
    #[inline(always)]
    #[must_use]
    pub fn equal(self, byte: u8) -> u32 {
        self.0.simd_eq(i8x16::splat(byte.cast_signed())).to_bitmask()
    }

    /// Which of them are ASCII and come after `byte`, which is.
    #[inline(always)]
    #[must_use]
    pub fn above(self, byte: u8) -> u32 {
        self.0.simd_gt(i8x16::splat(byte.cast_signed())).to_bitmask()
    }

    /// Which of them are not ASCII.
    #[inline(always)]
    #[must_use]
    pub fn beyond_ascii(self) -> u32 {
        self.0.to_bitmask()
    }

    /// Which of them belong to words: ASCII letters and digits, and everything beyond ASCII.
    #[inline(always)]
    #[must_use]
    pub fn of_words(self) -> u32 {
        let lower = self.0 | i8x16::splat(0x20);
        (last_of(lower, b'z', 26) | last_of(self.0, b'9', 10) | self.0).to_bitmask()
    }
}

/// Which bytes are of the `count` that end with `last`: where `last` is moved up to the greatest number
/// there is, only they are greater than the one before them.
#[inline(always)]
fn last_of(bytes: i8x16, last: u8, count: i8) -> i8x16 {
    let moved = bytes + i8x16::splat(i8::MAX - last.cast_signed());
    moved.simd_gt(i8x16::splat(i8::MAX - count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits(bytes: [u8; 16], is: impl Fn(u8) -> bool) -> u32 {
        bytes.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(is(byte)))
    }

    proptest! {
        #[test]
        fn bytes_are_what_the_rule_says(bytes: [u8; 16], other: u8) {
            let found = Sixteen::of(bytes);
            for byte in bytes.into_iter().chain([other]) {
                prop_assert_eq!(found.equal(byte), bits(bytes, |b| b == byte));
                let ascii = byte & 0x7F;
                prop_assert_eq!(found.above(ascii), bits(bytes, |b| b.is_ascii() && b > ascii));
            }
            prop_assert_eq!(found.beyond_ascii(), bits(bytes, |b| !b.is_ascii()));
            prop_assert_eq!(
                found.of_words(),
                bits(bytes, |b| b.is_ascii_alphanumeric() || !b.is_ascii())
            );
        }
    }

    #[test]
    fn every_byte_is_of_words_or_not() {
        for byte in 0..=255_u8 {
            let expected = byte.is_ascii_alphanumeric() || !byte.is_ascii();
            assert_eq!(Sixteen::of([byte; 16]).of_words(), u32::from(expected) * 0xFFFF, "{byte}");
        }
    }
}
