//! The fingerprint of a page for the live crawl: exact copies by a checksum of the words, near ones
//! by a sketch of 64 bytes whose super-shingles are keys to look up (001 "near-duplicate
//! detection": shingles, sketches, super-shingles).
//!
//! It must cost little, since every page fetched pays it: words are found many bytes at a time and
//! hashed where they stand. One permutation serves all places of the sketch: a shingle falls into
//! the place that its upper bits name, and an empty place borrows from another (one-permutation
//! hashing with densification, Shrivastava 2017). Of the least hash of a place one byte is kept,
//! which agrees by chance once in 256 times; `resemblance` takes that off again.
//!
//! Fingerprints are stored: their values are fixed for ever.

use crate::eight::{ODD, mix};
use crate::pieces::TextPieces;
use crate::words::{TextPart, each_span};

/// Places of a sketch, eight to a super-shingle.
const PLACES: usize = 64;
/// The upper bits of a shingle that name its place.
const PLACE_BITS: u32 = PLACES.trailing_zeros();

/// What is kept of a page's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Equal for pages of the same words in the same order; 0 without words.
    pub checksum: u64,
    /// How many words the page has.
    pub words: u32,
    /// The sketch: 64 places of one byte, eight to a number. All 0 without words.
    pub sketch: [u64; PLACES / 8],
}

impl Fingerprint {
    /// Estimated Jaccard coefficient of the two pages' shingle sets, 0 to 1; 0 if one has no words.
    #[must_use]
    pub fn resemblance(&self, other: &Fingerprint) -> f64 {
        if self.words == 0 || other.words == 0 {
            return 0.0;
        }
        let differing =
            |(a, b): (&u64, &u64)| (a ^ b).to_le_bytes().iter().filter(|x| **x != 0).count();
        let differ: usize = self.sketch.iter().zip(&other.sketch).map(differing).sum();
        let agree = 1.0 - differ as f64 / PLACES as f64;
        ((agree * 256.0 - 1.0) / 255.0).max(0.0)
    }

    /// Keys under which near copies meet: two pages that resemble each other by r share each key
    /// with probability r^8, so that of eight one at least is shared in 99 % of the cases at
    /// r = 0.9 and in 3 % at 0.5. Which places a key stands for is part of it.
    #[must_use]
    pub fn super_shingles(&self) -> [u64; PLACES / 8] {
        let mut keys = self.sketch;
        for (key, group) in keys.iter_mut().zip(1..) {
            *key = mix(*key, ODD.wrapping_mul(group));
        }
        keys
    }
}

/// The words of a page as they come, piece by piece; a piece ends its last word.
#[derive(Clone, Debug)]
pub struct PageWordHashes {
    checksum: u64,
    words: u32,
    /// Hashes of the last word and of the one before it.
    last: [u64; 2],
    /// The least shingle in each place.
    least: [u64; PLACES],
}

impl Default for PageWordHashes {
    fn default() -> PageWordHashes {
        PageWordHashes { checksum: 0, words: 0, last: [0; 2], least: [u64::MAX; PLACES] }
    }
}

impl PageWordHashes {
    /// How many words were taken up.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.words
    }

    /// Takes up the words of a piece of text.
    #[inline]
    pub fn add(&mut self, part: TextPart<'_>) {
        if !part.is_gap() {
            self.add_words(part);
        }
    }

    fn add_words(&mut self, part: TextPart<'_>) {
        each_span(part, &mut |hash, _, _| self.push(hash));
    }

    /// As [`PageWordHashes::add`], and the text is one of the page's pieces.
    #[inline]
    pub fn add_piece(&mut self, part: TextPart<'_>, pieces: &mut TextPieces) {
        if !part.is_gap() {
            pieces.read(part, |hash| self.push(hash));
        }
    }

    /// Takes up a word by its hash: the shingle that it ends is of three words, at the beginning
    /// of the page of fewer.
    #[inline(always)]
    pub fn push(&mut self, word: u64) {
        self.words = self.words.saturating_add(1);
        self.checksum = mix(self.checksum ^ word, ODD);
        let shingle = word ^ self.last[0].rotate_left(21) ^ self.last[1].rotate_left(42);
        self.last = [word, self.last[0]];
        let least = &mut self.least[(shingle >> (u64::BITS - PLACE_BITS)) as usize];
        *least = (*least).min(shingle << PLACE_BITS);
    }

    /// The fingerprint of all words taken up.
    #[must_use]
    pub fn finish(&self) -> Fingerprint {
        let mut found = Fingerprint { checksum: self.checksum, words: self.words, sketch: [0; 8] };
        if self.words > 0 {
            for place in 0..PLACES {
                let byte = self.filled(place) >> 16 & 0xFF;
                found.sketch[place / 8] |= byte << (place % 8 * 8);
            }
        }
        found
    }

    /// The value of a place; an empty one borrows from the first that is not, in an order of its
    /// own. There must be one.
    fn filled(&self, place: usize) -> u64 {
        let mut value = self.least[place];
        let mut asked = place as u64 + 1;
        while value == u64::MAX {
            asked = mix(asked, ODD);
            value = self.least[(asked >> (u64::BITS - PLACE_BITS)) as usize];
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn of(text: &str) -> Fingerprint {
        let mut words = PageWordHashes::default();
        words.add(TextPart::of(text));
        words.finish()
    }

    /// `count` words of their own, from `first` on.
    fn words(first: usize, count: usize) -> String {
        (first..first + count).map(|n| format!("w{n} ")).collect()
    }

    #[test]
    fn only_words_and_their_order_count() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(of(a).checksum == of(b).checksum, same, "{a} | {b}");
        };
        check("The net,\n holds!", "the NET holds", true);
        check("“Der Fluß” — heute", "der Fluß heute", true);
        check("fish &amp; net&nbsp;works &#8211; well", "fish & net works – well", true);
        check("a\u{A0}b", "a b", true);
        check("the net holds", "the nets hold", false);
        check("a bc", "ab c", false);
        check("a b", "b a", false);
        check("a", "a a", false);
        check("река", "река", true);
        check("река", "реки", false);
        check("東京", "東 京", true);
        check("東京", "京東", false);
        check("", "", true);
    }

    #[test]
    fn words_are_counted() {
        let check = |text: &str, count: u32| assert_eq!(of(text).words, count, "{text}");
        check("", 0);
        check(" ... ", 0);
        check("A fyke is a net.", 5);
        check("reka in čoln", 3);
        check("東京へ", 3);
        check("don't", 2);
        check("AT&T &copy; &#169; #1", 3);
        check(&"a".repeat(1_000), 1);
        check(&"é".repeat(1_000), 1);
        check(&"東".repeat(1_000), 1_000);
        check(&"東é".repeat(500), 1_000);
    }

    #[test]
    fn stored_values_stay_as_they_are() {
        let found = of("A fyke is a net.");
        assert_eq!(found.checksum, 11401449466003586541);
        assert_eq!(found.sketch[..2], [9119383508382154366, 18126702069946420878]);
    }

    #[test]
    fn pages_without_words_resemble_nothing() {
        assert_eq!(of("..."), Fingerprint::default());
        assert_eq!(of("...").resemblance(&of("...")), 0.0);
    }

    /// Of pairs of pages with so many words in common and apart: the mean resemblance and the
    /// share of pairs that have a super-shingle in common.
    fn pairs(shared: usize, apart: usize) -> (f64, f64) {
        let (mut resemblance, mut met) = (0.0, 0);
        for n in 0..400 {
            let side = |side: usize| words(n * 10_000 + side * 5_000, apart);
            let common = words(n * 10_000 + 2_500, shared);
            let (a, b) = (of(&(common.clone() + &side(0))), of(&(common + &side(1))));
            resemblance += a.resemblance(&b) / 400.0;
            let keys: HashSet<u64> = a.super_shingles().into_iter().collect();
            met += usize::from(b.super_shingles().iter().any(|key| keys.contains(key)));
        }
        (resemblance, met as f64 / 400.0)
    }

    #[test]
    fn near_copies_meet_under_a_super_shingle_and_strangers_do_not() {
        let check = |shared: usize, apart: usize, least: f64, most: f64| {
            let jaccard = shared as f64 / (shared + 2 * apart) as f64;
            let (resemblance, met) = pairs(shared, apart);
            assert!((resemblance - jaccard).abs() < 0.015, "{resemblance} for {jaccard}");
            assert!((least..=most).contains(&met), "{met} meet at {jaccard}");
        };
        check(1_900, 50, 0.995, 1.0);
        check(1_800, 100, 0.96, 1.0);
        check(900, 50, 0.96, 1.0);
        check(90, 5, 0.9, 1.0);
        check(1_000, 500, 0.0, 0.06);
        check(400, 800, 0.0, 0.01);
        check(0, 1_000, 0.0, 0.0);
    }

    proptest! {
        #[test]
        fn where_a_text_is_cut_between_words_does_not_matter(
            texts in prop::collection::vec("\\PC{0,90}", 0..6),
        ) {
            let mut pieces = PageWordHashes::default();
            texts.iter().for_each(|text| pieces.add(TextPart::of(text)));
            prop_assert_eq!(pieces.finish(), of(&texts.join("\n")));
        }

        #[test]
        fn a_text_resembles_itself_whatever_its_spacing(text in "[a-zA-Z0-9čж東 ]{0,200}[a-z]") {
            let spaced = text.replace(' ', " \n\t ");
            prop_assert_eq!(of(&text), of(&spaced));
            prop_assert_eq!(of(&text).resemblance(&of(&spaced)), 1.0);
        }
    }
}
