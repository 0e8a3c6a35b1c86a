//! A text with its words hashed, read once for every way of comparing texts (003 §3.7, step 1: the
//! document is broken up into words; punctuation and white space are left out).
//!
//! The words are those of [`tokens`](crate::tokens), folded. Most are plain ASCII and are found and
//! hashed eight bytes at a time; for the rest the rules of tokens are asked.

use crate::eight::{hash, short_hash, word_bytes};
use crate::token::{careful_tokens, ends_word, fold};

/// A text and the hashes of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedText<'a> {
    /// As it was written.
    pub raw: &'a str,
    /// A hash for each word, in order.
    pub words: Vec<u64>,
}

impl HashedText<'_> {
    /// Reads the words of a text.
    #[must_use]
    pub fn read(raw: &str) -> HashedText<'_> {
        let mut words = Vec::with_capacity(raw.len() / 5 + 1);
        let mut at = 0;
        while at < raw.len() {
            at = read_block(raw, at, &mut words);
        }
        HashedText { raw, words }
    }
}

/// Takes up the words that end in the 64 bytes at `at`; says where to go on.
#[inline]
fn read_block(text: &str, at: usize, words: &mut Vec<u64>) -> usize {
    let bytes = text.as_bytes();
    let inside = word_bytes(bytes, at);
    let mut starts = inside & !(inside << 1);
    let mut ends = !inside & inside << 1;
    while starts != 0 {
        let from = at + starts.trailing_zeros() as usize;
        if ends == 0 && from > at {
            return from;
        }
        let to = at + ends.trailing_zeros() as usize;
        match plain_hash(bytes, from, to) {
            Some(hash) if ends != 0 => words.push(hash),
            _ => return read_carefully(text, from, words),
        }
        starts &= starts - 1;
        ends &= ends - 1;
    }
    at + u64::BITS as usize
}

/// The hash of a run that is one word of ASCII for certain.
#[inline]
fn plain_hash(bytes: &[u8], from: usize, to: usize) -> Option<u64> {
    if !ends_word(bytes, to) {
        return None;
    }
    let long = || bytes[from..to].is_ascii().then(|| hash(bytes, from, to));
    let short = |eight: &[u8; 8]| short_hash(*eight, to - from);
    bytes[from..].first_chunk().and_then(short).or_else(long)
}

#[inline(never)]
fn read_carefully(text: &str, from: usize, words: &mut Vec<u64>) -> usize {
    careful_tokens(text, from, |token| {
        let folded = fold(token);
        words.push(hash(folded.as_bytes(), 0, folded.len()));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;
    use proptest::prelude::*;

    fn check(text: &str) {
        let folded = tokens(text).map(|token| fold(token.text).into_owned());
        let expected: Vec<u64> = folded.map(|w| hash(w.as_bytes(), 0, w.len())).collect();
        assert_eq!(HashedText::read(text).words, expected, "{text:?}");
    }

    #[test]
    fn words_are_those_of_tokens() {
        for text in [
            "",
            "a",
            "The net, the NET; l'homme d'I.B.M. costs 1,000.50 in C++ or F#. don't",
            "東京へ行くabc 東 de東京",
            "Čoln pluje po reki; naïve café",
            "Fluß\u{AD}ufer 80's x",
        ] {
            check(text);
        }
        for length in 55..140 {
            check(&"a".repeat(length));
            check(&format!(" {} end", "b".repeat(length)));
            check(&format!("{}’s {}é", "c".repeat(length), "d".repeat(length)));
        }
    }

    proptest! {
        #[test]
        fn words_are_those_of_tokens_whatever_the_text(text in "(\\PC{0,40}|[a-zA-Z0-9'., +#]{0,90}|[東京あก ]{0,9}){0,9}") {
            check(&text);
        }
    }
}
