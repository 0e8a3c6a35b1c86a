//! The pieces of text that were seen on one host, in a filter of bounded size (Bloom's, two bits a piece): what of a
//! page is new there. A filter that is half full is made larger, or at its largest begun anew; then
//! everything is new for a while, which refuses nothing.

use fyke_text::TextPiece;
use serde::{Deserialize, Serialize};

/// Words of 64 bits at first, and at the most: 1 and 32 kB.
const FIRST: usize = 128;
const MOST: usize = 4_096;
/// So many new words are news, …
const NEWS: u32 = 8;
/// … or on a short page this part of its words.
const PART: u32 = 32;

/// The pieces seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SeenPieces {
    bits: Vec<u64>,
    /// Bits that are set.
    set: u32,
}

impl SeenPieces {
    /// Takes in a page's text; whether it says anything that was not seen before.
    pub(super) fn take(&mut self, pieces: &[TextPiece]) -> bool {
        let (mut words, mut new) = (0_u32, 0_u32);
        for piece in pieces {
            words += u32::from(piece.words);
            if self.insert(piece.hash) {
                new += u32::from(piece.words);
            }
        }
        new >= NEWS || new > 0 && new * PART >= words
    }

    /// Takes in a piece; whether it is new.
    fn insert(&mut self, hash: u32) -> bool {
        let bits = self.bits.len() * 64;
        if self.set as usize * 2 >= bits {
            let larger = (self.bits.len() * 2).clamp(FIRST, MOST);
            self.bits = vec![0; larger];
            self.set = 0;
        }
        // A power of two.
        let mask = self.bits.len() as u64 * 64 - 1;
        let mixed = u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (one, other) = (mixed >> 40, mixed >> 16);
        let is_new = [one, other].map(|place| self.set_bit(place & mask));
        is_new[0] || is_new[1]
    }

    /// Sets a bit; whether it was not set.
    fn set_bit(&mut self, place: u64) -> bool {
        let (word, bit) = ((place / 64) as usize, 1 << (place % 64));
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        self.set += u32::from(is_new);
        is_new
    }
}

/// A small sketch of a page's pieces, a byte for each eighth of them: pages of the same pieces, in any order, have
/// the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PieceSketch(u64);

impl PieceSketch {
    pub(super) fn of(pieces: &[TextPiece]) -> PieceSketch {
        let mut least = [u64::MAX; 8];
        for piece in pieces {
            let mixed = u64::from(piece.hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let place = &mut least[(mixed >> 61) as usize];
            *place = (*place).min(mixed << 3);
        }
        // The top bits of the least are few: those below tell pages apart.
        PieceSketch(u64::from_le_bytes(least.map(|least| (least >> 32) as u8)))
    }

    /// Whether two pages have all but a few of their pieces in common.
    pub(super) fn is_like(self, other: PieceSketch) -> bool {
        let differ = (self.0 ^ other.0).to_le_bytes().iter().filter(|byte| **byte != 0).count();
        differ <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(hash: u32, words: u16) -> TextPiece {
        TextPiece { hash: hash.wrapping_mul(0x9E37_79B1), words }
    }

    #[test]
    fn a_page_is_new_by_what_it_adds() {
        let mut seen = SeenPieces::default();
        let menu: Vec<TextPiece> = (0..100).map(|n| piece(n, 3)).collect();
        assert!(seen.take(&menu));
        assert!(!seen.take(&menu), "the same again");
        let mut sorted = menu.clone();
        sorted.reverse();
        assert!(!seen.take(&sorted), "in another order");
        let with = |hash, words| [menu.clone(), vec![piece(hash, words)]].concat();
        assert!(seen.take(&with(1_000, 8)), "a paragraph");
        assert!(!seen.take(&with(1_001, 5)), "one number in a long page");
        assert!(seen.take(&[piece(1, 3), piece(1_002, 2)]), "two words of five");
        assert!(!seen.take(&[]));
    }

    #[test]
    fn pages_of_the_same_pieces_are_alike_and_those_of_half_of_them_are_not() {
        let like = |n: u32, changed: u32| {
            let menu = |from: u32| (n + from..n + 60).map(|hash| piece(hash, 3));
            let other: Vec<_> =
                menu(changed).chain((0..changed).map(|hash| piece(!(n + hash), 3))).collect();
            PieceSketch::of(&menu(0).collect::<Vec<_>>()).is_like(PieceSketch::of(&other))
        };
        let alike = |changed| (0..500).filter(|n| like(n * 1_000, changed)).count();
        assert_eq!(alike(0), 500);
        assert!(alike(1) > 480, "{}", alike(1));
        assert!(alike(30) < 50, "{}", alike(30));
    }

    #[test]
    fn the_filter_is_bounded_and_errs_on_the_side_of_new() {
        let mut seen = SeenPieces::default();
        let new = (0..200_000).filter(|&n| seen.take(&[piece(n, 10)])).count();
        assert!(new > 170_000, "{new} of 200,000 different pages are new");
        assert!(seen.bits.len() <= MOST);
    }
}
