//! Which characters are letters, as `char::is_alphabetic` has it. That searches its tables for every character beyond
//! ASCII, which was half of the time of telling languages; here a block of 256 characters is asked for once.

use std::sync::OnceLock;

/// Characters of a block.
const BLOCK: u32 = 256;

/// A bit a character.
type BlockBits = [u64; 4];

/// The blocks of the basic plane, made when their first character comes.
static BLOCKS: [OnceLock<BlockBits>; 256] = [const { OnceLock::new() }; 256];

/// Whether a character is a letter.
#[inline]
pub fn is_letter(c: char) -> bool {
    let number = u32::from(c);
    if number < 0x80 {
        return c.is_ascii_alphabetic();
    }
    match BLOCKS.get((number / BLOCK) as usize) {
        Some(block) => {
            let bits = block.get_or_init(|| bits(number / BLOCK * BLOCK));
            bits[(number % BLOCK / 64) as usize] >> (number % 64) & 1 == 1
        }
        None => c.is_alphabetic(),
    }
}

/// The letters of the block that begins with a number.
fn bits(first: u32) -> BlockBits {
    let mut bits = [0; 4];
    for number in first..first + BLOCK {
        let is_letter = char::from_u32(number).is_some_and(char::is_alphabetic);
        bits[((number - first) / 64) as usize] |= u64::from(is_letter) << (number % 64);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphabetic(), "{c:?}");
        }
    }
}
