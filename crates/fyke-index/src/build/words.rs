//! The different words of one run, numbered as they come. Most are short: those lie in the table
//! itself, so that a look-up touches memory once; and they are looked up many at a time, so that the
//! processor waits for several at once.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A word with its field: the field's number in the first byte, then the word, then zeros.
type ShortWord = (u64, u64);

/// Bytes of a word that is short.
const SHORT: usize = 15;

/// The words of a run.
#[derive(Default)]
pub(super) struct RunWords {
    short: HashMap<ShortWord, u32, HashSeed>,
    /// Longer ones, and such as hold a zero, by the field's number and the word.
    long: HashMap<Box<[u8]>, u32>,
    key: Vec<u8>,
    /// Words that are still to be numbered.
    waiting: Vec<ShortWord>,
}

/// In place of a field's number: the word was long, and what follows is its number.
const NUMBERED: u64 = 0xff << 56;

/// A word in its place in the order of the index, with its number.
pub(super) struct Ordered<'a> {
    first: ShortWord,
    /// The whole, if it is not short.
    long: Option<&'a [u8]>,
    pub number: u32,
}

impl RunWords {
    pub fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Takes a word of a field.
    pub fn push(&mut self, field: u8, word: &[u8]) {
        let word = match short(field, word) {
            Some(short) => short,
            None => (NUMBERED, u64::from(self.long(field, word))),
        };
        self.waiting.push(word);
    }

    fn long(&mut self, field: u8, word: &[u8]) -> u32 {
        let new = self.len() as u32;
        self.key.clear();
        self.key.push(field);
        self.key.extend_from_slice(word);
        match self.long.get(&*self.key) {
            Some(number) => *number,
            None => *self.long.entry(self.key.as_slice().into()).or_insert(new),
        }
    }

    /// Appends the numbers of the words taken, in their order.
    pub fn numbers(&mut self, numbers: &mut Vec<u32>) {
        for &word in &self.waiting {
            let new = (self.short.len() + self.long.len()) as u32;
            numbers.push(match word {
                (NUMBERED, number) => number as u32,
                word => *self.short.entry(word).or_insert(new),
            });
        }
        self.waiting.clear();
    }

    /// All words, by field, then by their bytes.
    pub fn ordered(&self) -> Vec<Ordered<'_>> {
        let short = self.short.iter();
        let short = short.map(|(&first, &number)| Ordered { first, long: None, number });
        let long = self.long.iter().map(|(word, &number)| {
            let first = beginning(word[0], &word[1..]);
            Ordered { first, long: Some(word), number }
        });
        let mut all: Vec<_> = short.chain(long).collect();
        all.sort_unstable_by(|a, b| {
            // A short word with the beginning of a long one is that beginning alone.
            a.first.cmp(&b.first).then_with(|| a.long.cmp(&b.long))
        });
        all
    }

    pub fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }
}

impl Ordered<'_> {
    /// Appends the field's number and the word.
    pub fn write(&self, out: &mut Vec<u8>) {
        if let Some(long) = self.long {
            return out.extend_from_slice(long);
        }
        let (a, b) = self.first;
        let bytes = (u128::from(a) << 64 | u128::from(b)).to_be_bytes();
        let end = bytes[1..].iter().position(|byte| *byte == 0).unwrap_or(SHORT);
        out.extend_from_slice(&bytes[..=end]);
    }

    /// Length of what [`Ordered::write`] appends.
    pub fn len(&self) -> usize {
        match self.long {
            Some(long) => long.len(),
            None => {
                let (a, b) = self.first;
                16 - ((u128::from(a) << 64 | u128::from(b)).trailing_zeros() / 8).min(15) as usize
            }
        }
    }
}

/// The word as a short one, if it is.
fn short(field: u8, word: &[u8]) -> Option<ShortWord> {
    if word.len() > SHORT {
        return None;
    }
    let short = beginning(field, word);
    // What is behind the word is not looked at.
    let behind = u128::MAX >> 8 >> (8 * word.len());
    let both = u128::from(short.0) << 64 | u128::from(short.1) | behind | 0xff << 120;
    (!has_zero(both)).then_some(short)
}

/// Whether one of the bytes is zero.
fn has_zero(bytes: u128) -> bool {
    const ONES: u128 = u128::MAX / 0xff;
    bytes.wrapping_sub(ONES) & !bytes & (ONES << 7) != 0
}

fn beginning(field: u8, word: &[u8]) -> ShortWord {
    let word = &word[..word.len().min(SHORT)];
    let unused = 8 * (SHORT - word.len());
    let wide = |eight: &[u8; 8]| u128::from(u64::from_be_bytes(*eight));
    let narrow = |four: &[u8; 4]| u128::from(u32::from_be_bytes(*four));
    // The first bytes and the last ones, which may overlap.
    let letters = match (word.first_chunk(), word.last_chunk()) {
        (Some(first), Some(last)) => wide(first) << 56 | wide(last) << unused,
        _ => match (word.first_chunk(), word.last_chunk()) {
            (Some(first), Some(last)) => narrow(first) << 88 | narrow(last) << unused,
            _ => word.iter().fold(0, |all, byte| all << 8 | u128::from(*byte)) << unused,
        },
    };
    let both = u128::from(field) << 120 | letters;
    ((both >> 64) as u64, both as u64)
}

/// Seeds of the hash function, drawn for each table: who writes pages cannot know them.
#[derive(Clone)]
struct HashSeed(u64, u64);

impl Default for HashSeed {
    fn default() -> HashSeed {
        HashSeed(RandomState::new().hash_one(0), RandomState::new().hash_one(1))
    }
}

impl BuildHasher for HashSeed {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded { seed: self.1, state: self.0 }
    }
}

/// Multiplies and folds: a few instructions for the sixteen bytes of a short word.
struct Folded {
    seed: u64,
    state: u64,
}

impl Hasher for Folded {
    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * u128::from(self.seed | 1);
        self.state = (product >> 64) as u64 ^ product as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let mut value = [0; 8];
            value[..eight.len()].copy_from_slice(eight);
            self.write_u64(u64::from_le_bytes(value));
        }
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn words_come_in_the_order_of_their_bytes_each_once(
            words in prop::collection::vec((0_u8..3, prop::collection::vec(0_u8..3, 0..20)), 0..60)
        ) {
            let mut table = RunWords::default();
            let mut numbers = Vec::new();
            for half in [&words[..words.len() / 2], &words[words.len() / 2..]] {
                half.iter().for_each(|(field, word)| table.push(*field, word));
                table.numbers(&mut numbers);
            }
            for (first, second) in (0..words.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                prop_assert_eq!(words[first] == words[second], numbers[first] == numbers[second]);
            }
            let expected: BTreeSet<Vec<u8>> = words
                .iter()
                .map(|(field, word)| [&[*field], word.as_slice()].concat())
                .collect();
            let mut found = Vec::new();
            for word in table.ordered() {
                let mut bytes = Vec::new();
                word.write(&mut bytes);
                prop_assert_eq!(bytes.len(), word.len());
                found.push(bytes);
            }
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
