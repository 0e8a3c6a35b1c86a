//! What whole words weigh, kept for the next time. N-grams stay inside words, so a word weighs the same
//! wherever it stands, and the same few words make up most of what is read.
//!
//! Each thread has one memo of fixed size, for the table that is part of the program; tables that
//! come and go have none.

use super::bayes;
use super::ngrams::{ngrams, words};
use super::table::{LANES, NgramTable};
use std::cell::RefCell;

/// Words kept, a power of two.
const SLOTS: usize = 1 << 12;
/// Only words of so many bytes are kept. Their n-grams weigh less than 65,536 in all.
const LONGEST: usize = 16;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

thread_local! {
    static MEMO: RefCell<Memo> = RefCell::default();
}

/// Words with what they weigh in each lane.
#[derive(Debug, Default)]
struct Memo {
    /// The bytes of the table these are the weights of.
    table: &'static [u8],
    lanes: usize,
    /// Each word's bytes as a number; 0 where there is none, since words have no zero bytes.
    words: Vec<u128>,
    /// How many n-grams each word has.
    seen: Vec<u16>,
    weights: Vec<u16>,
    /// The n-grams of the word that is read.
    keys: Vec<u32>,
}

/// As [`bayes::weigh`], word by word.
pub fn weigh(table: &NgramTable, text: &str, scores: &mut [u32; LANES]) -> u32 {
    let Some(bytes) = table.shipped() else { return bayes::weigh(table, text, scores) };
    // A memo in use is one of this very thread, which cannot be; then do without.
    MEMO.with(|memo| match memo.try_borrow_mut() {
        Ok(mut memo) => {
            memo.begin(bytes, table.lanes());
            words(text).map(|word| memo.weigh(table, word, scores)).sum()
        }
        Err(_) => bayes::weigh(table, text, scores),
    })
}

impl Memo {
    /// Empties the memo unless it is that of this table.
    fn begin(&mut self, table: &'static [u8], lanes: usize) {
        if !std::ptr::eq(self.table, table) || self.lanes != lanes {
            let (words, seen) = (vec![0; SLOTS], vec![0; SLOTS]);
            let weights = vec![0; SLOTS * lanes];
            *self = Memo { table, lanes, words, seen, weights, keys: Vec::new() };
        }
    }

    fn weigh(&mut self, table: &NgramTable, word: &str, scores: &mut [u32; LANES]) -> u32 {
        let mut name = [0; LONGEST];
        let Some(own) = name.get_mut(..word.len()) else {
            self.read_keys(word);
            table.add_all(&self.keys, scores, u32::from);
            return self.keys.len() as u32;
        };
        own.copy_from_slice(word.as_bytes());
        let name = u128::from_le_bytes(name);
        let slot = slot(name);
        let place = slot * self.lanes..(slot + 1) * self.lanes;
        if self.words[slot] != name {
            let mut fresh = [0_u16; LANES];
            self.read_keys(word);
            table.add_all(&self.keys, &mut fresh, u16::from);
            let weights = &mut self.weights[place.clone()];
            weights.copy_from_slice(&fresh[..weights.len()]);
            (self.words[slot], self.seen[slot]) = (name, self.keys.len() as u16);
        }
        for (score, weight) in scores.iter_mut().zip(&self.weights[place]) {
            *score += u32::from(*weight);
        }
        u32::from(self.seen[slot])
    }

    fn read_keys(&mut self, word: &str) {
        self.keys.clear();
        ngrams(word, |key| self.keys.push(key));
    }
}

fn slot(name: u128) -> usize {
    let folded = (name as u64 ^ (name >> 64) as u64).wrapping_mul(MULTIPLIER);
    (folded >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Languages;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str) {
        let table = &Languages::shipped().models[0].grams;
        assert!(table.shipped().is_some());
        let (mut plain, mut kept, mut again) = ([0; LANES], [0; LANES], [0; LANES]);
        let seen = bayes::weigh(table, text, &mut plain);
        assert_eq!((weigh(table, text, &mut kept), kept), (seen, plain), "{text:?}");
        assert_eq!((weigh(table, text, &mut again), again), (seen, plain), "{text:?}");
    }

    #[test]
    fn a_word_weighs_the_same_wherever_it_stands() {
        check("");
        check("the net and the river, the River and THE net");
        check("aaaaaaaaaaaaaaaa eeeeeeeeeeeeeeeee Донаудампфшиффартс\u{300}\u{301}ž ’t İstanbul");
        check("夜に川へ網を入れて don't\0don\u{2019}t");
    }

    proptest! {
        #[test]
        fn any_text_weighs_what_its_ngrams_weigh(text in "\\PC{0,200}|([a-zA-Z]{1,5} ){0,80}") {
            check(&text);
        }
    }
}
