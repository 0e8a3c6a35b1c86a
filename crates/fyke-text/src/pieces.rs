//! The pieces of a page's text, each a run between two tags, by hashes of their words. A host's pages share
//! pieces: navigation, names in lists, teasers. Those of a page that no page before it had are what it
//! says that is new, whatever order a list was sorted into.

use crate::words::{TextPart, each_span, each_word};
use std::sync::LazyLock;

/// Pieces of one page that are kept; what comes after them says little about it.
const MOST_PIECES: usize = 1_024;

/// Room for so many is made at once.
const FEW_PIECES: usize = 128;

/// Names of months and days, and their usual abbreviations, a line a language.
const DATE_NAMES: &str = include_str!("../data/dates.txt");

static DATES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut hashes = Vec::new();
    let lines = DATE_NAMES.lines().filter(|line| !line.starts_with('#'));
    lines.for_each(|line| each_word(line, |hash, _| hashes.push(hash)));
    hashes.sort_unstable();
    hashes.dedup();
    hashes
});

/// A run of text, by its words in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPiece {
    pub hash: u32,
    pub words: u16,
}

/// The pieces of one page as they come.
#[derive(Clone, Debug, Default)]
pub struct TextPieces {
    pieces: Vec<TextPiece>,
    /// Numbers and the names of months and days are left out.
    blanks_dates: bool,
}

/// A piece that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenPiece {
    hash: u64,
    words: u32,
}

impl OpenPiece {
    #[inline(always)]
    pub(crate) fn push(&mut self, word: u64) {
        self.hash = self.hash.rotate_left(5) ^ word;
        self.words = self.words.wrapping_add(1);
    }
}

impl TextPieces {
    /// With `blanks_dates`, pages that differ in a date or a number alone have the same pieces.
    #[must_use]
    pub fn new(blanks_dates: bool) -> TextPieces {
        TextPieces { pieces: Vec::with_capacity(FEW_PIECES), blanks_dates }
    }

    /// Takes up a word of a piece by its hash and its first byte.
    #[inline(always)]
    pub fn push(&self, piece: &mut OpenPiece, hash: u64, first: u8) {
        if !self.blanks_dates || !is_of_date(hash, first) {
            piece.push(hash);
        }
    }

    /// Takes up the words of a piece, which `see` is shown as well.
    #[inline]
    pub(crate) fn read(&mut self, part: TextPart<'_>, mut see: impl FnMut(u64)) {
        let mut piece = OpenPiece::default();
        match self.blanks_dates {
            false => each_span(part, &mut |hash, _, _| {
                see(hash);
                piece.push(hash);
            }),
            true => each_span(part, &mut |hash, from, _| {
                see(hash);
                self.push(&mut piece, hash, part.byte(from));
            }),
        }
        self.add(piece);
    }

    /// Takes up a piece.
    #[inline]
    pub fn add(&mut self, piece: OpenPiece) {
        if piece.words > 0 && self.pieces.len() < MOST_PIECES {
            let hash = (piece.hash ^ piece.hash >> 32) as u32;
            let words = u16::try_from(piece.words).unwrap_or(u16::MAX);
            self.pieces.push(TextPiece { hash, words });
        }
    }

    /// The pieces, in the order of the page.
    #[must_use]
    pub fn finish(self) -> Vec<TextPiece> {
        self.pieces
    }
}

/// Whether a word may belong to a date: a number, or the name of a month or of a day.
fn is_of_date(hash: u64, first: u8) -> bool {
    first.is_ascii_digit() || DATES.binary_search(&hash).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::PageWordHashes;

    fn pieces(blanks_dates: bool, texts: &[&str]) -> Vec<TextPiece> {
        let (mut words, mut pieces) = (PageWordHashes::default(), TextPieces::new(blanks_dates));
        texts.iter().for_each(|text| words.add_piece(TextPart::of(text), &mut pieces));
        pieces.finish()
    }

    #[test]
    fn a_piece_is_known_by_its_words_and_their_order() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(pieces(false, &[a]) == pieces(false, &[b]), same, "{a} | {b}");
        };
        check("Green boxes, 12 a crate", "green BOXES 12 a crate", true);
        check("Green boxes", "Boxes green", false);
        check("Green boxes, 12", "Green boxes, 13", false);
        assert_eq!(pieces(false, &["", " … ", "one", "two words"]).len(), 2);
    }

    #[test]
    fn pages_that_differ_by_a_date_alone_have_the_same_pieces_where_dates_are_left_out() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(pieces(true, &[a]) == pieces(true, &[b]), same, "{a} | {b}");
        };
        check("Wednesday, 18 November 2026", "Fri 1 May 1998", true);
        check("No events on 2026-11-18.", "No events on 1998-05-01.", true);
        check("Mittwoch, 18. März", "Freitag, 1. Mai", true);
        check("mercredi 18 août", "lundi 3 février", true);
        check("18 November: the mill", "18 November: the net", false);
        assert_eq!(pieces(true, &["18 November 2026", "1", "events"]).len(), 1);
    }

    #[test]
    fn a_page_has_so_many_pieces_at_the_most() {
        let texts = vec!["word"; 3 * MOST_PIECES];
        assert_eq!(pieces(false, &texts).len(), MOST_PIECES);
    }
}
