//! The character n-grams of a text, and the features that tell near languages apart.
//!
//! A letter is what Unicode calls alphabetic, in lower case; everything else ends a word, and a
//! space stands for the end of a word. An n-gram is known by a hash of [`KEY_BITS`] bits: two of
//! them may share a key, which is rare and harmless.

use super::letter::is_letter;

/// Bits of a key.
pub(crate) const KEY_BITS: u32 = 25;
/// Longest n-gram of [`ngrams`].
const LONGEST: usize = 5;
/// Longest n-gram of [`features`], which has no shorter ones than [`SHORTEST_FEATURE`] characters.
const LONGEST_FEATURE: usize = 6;
const SHORTEST_FEATURE: usize = 3;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Calls `see` with the key of every n-gram of one to five characters inside the words of `text`.
pub fn ngrams(text: &str, mut see: impl FnMut(u32)) {
    let mut last = [' '; LONGEST - 1];
    for c in letters(text) {
        let mut hash = 0;
        for (n, part) in std::iter::once(c).chain(last).enumerate() {
            // A space may begin or end an n-gram, not stand inside it.
            if n >= 2 && last[n - 2] == ' ' {
                break;
            }
            hash = mix(hash, u64::from(part) ^ (n as u64) << 32);
            if n > 0 || c != ' ' {
                see(key(hash));
            }
        }
        last.rotate_right(1);
        last[0] = c;
    }
}

/// Calls `see` with the key of every word, every pair of neighbouring words, and every n-gram of
/// three to six characters inside the words of `text`.
pub fn features(text: &str, mut see: impl FnMut(u32)) {
    let mut last = [' '; LONGEST_FEATURE - 1];
    let (mut word, mut before) = (0, 0);
    for c in letters(text) {
        let mut hash = 1;
        for (n, part) in std::iter::once(c).chain(last).enumerate() {
            if n >= 2 && last[n - 2] == ' ' {
                break;
            }
            hash = mix(hash, u64::from(part) ^ (n as u64) << 32);
            if n + 1 >= SHORTEST_FEATURE {
                see(key(hash));
            }
        }
        if c == ' ' {
            see(key(word));
            see(key(mix(before, word)));
            (before, word) = (word, 0);
        } else {
            word = mix(word, u64::from(c) | 1 << 40);
        }
        last.rotate_right(1);
        last[0] = c;
    }
}

/// The key that [`features`] gives an n-gram that stands inside a word.
pub(crate) fn inner_key(gram: &str) -> u32 {
    let letters = gram.chars().rev().enumerate();
    key(letters.fold(1, |hash, (n, c)| mix(hash, u64::from(c) ^ (n as u64) << 32)))
}

/// The key of a feature that every text has: what it weighs a language has before anything is read.
pub(crate) const WHOLE: u32 = (1 << KEY_BITS) - 1;

/// The keys of [`features`], each once, and [`WHOLE`].
pub(crate) fn distinct_features(text: &str) -> Vec<u32> {
    let mut keys = Vec::with_capacity(text.len().min(MOST_DISTINCT) * 6);
    keys.push(WHOLE);
    features(text, |key| keys.push(key));
    match keys.len() <= MOST_DISTINCT {
        true => {
            let mut seen = KeySet([0; SLOTS]);
            keys.retain(|key| seen.insert(*key));
        }
        false => {
            keys.sort_unstable();
            keys.dedup();
        }
    }
    keys
}

/// So many keys fit into a [`KeySet`].
const MOST_DISTINCT: usize = SLOTS / 2;
const SLOTS: usize = 4_096;

/// Keys of a short text, each one more than itself in the first free place from its own on.
struct KeySet([u32; SLOTS]);

impl KeySet {
    /// Whether a key is new.
    fn insert(&mut self, key: u32) -> bool {
        let mut slot = key as usize % SLOTS;
        while self.0[slot] != 0 {
            if self.0[slot] == key + 1 {
                return false;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.0[slot] = key + 1;
        true
    }
}

/// The letters of `text` in lower case, with one space after every word.
pub fn letters(text: &str) -> impl Iterator<Item = char> {
    let mut before = ' ';
    text.chars().chain([' ']).map(plain).filter(move |&c| {
        let again = c == ' ' && before == ' ';
        before = c;
        !again
    })
}

/// The words of `text`, as they stand: what [`letters`] has spaces between. The n-grams of a text are
/// those of its words.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_inside(c)).filter(|word| !word.is_empty())
}

fn mix(hash: u64, part: u64) -> u64 {
    let hash = (hash ^ part).wrapping_mul(MULTIPLIER);
    hash ^ hash >> 29
}

fn key(hash: u64) -> u32 {
    (hash >> 32) as u32 & ((1 << KEY_BITS) - 1)
}

/// Whether [`plain`] makes no space of it.
fn is_inside(c: char) -> bool {
    match c {
        '\0'..='\u{7F}' => c.is_ascii_alphabetic() || c == '\'',
        '\u{2019}' | '\u{2BC}' | '\u{300}'..='\u{36F}' => true,
        _ => is_letter(c),
    }
}

/// Letters in lower case, apostrophes alike, everything else a space.
fn plain(c: char) -> char {
    match c {
        'a'..='z' | '\'' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        '\u{2019}' | '\u{2BC}' => '\'',
        '\0'..='\u{7F}' => ' ',
        '\u{300}'..='\u{36F}' => c,
        _ if is_letter(c) => c.to_lowercase().next().unwrap_or(c),
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<u32> {
        let mut keys = Vec::new();
        ngrams(text, |key| keys.push(key));
        keys
    }

    #[test]
    fn ngrams_stay_inside_words() {
        // a, _a, b, ab, _ab, b_, ab_, _ab_
        assert_eq!(keys("ab").len(), 8);
        assert_eq!(keys(" Ab,"), keys("ab"));
        assert_eq!(keys("ab ab"), [keys("ab"), keys("ab")].concat());
    }

    #[test]
    fn the_ngrams_of_a_text_are_those_of_its_words() {
        let check = |text: &str| {
            let parts: Vec<u32> = words(text).flat_map(keys).collect();
            assert_eq!(parts, keys(text), "{text:?}");
        };
        check("ab, cd\u{2019}s  Ž\u{300}x");
        check(" 12 \0a\u{300} ");
        for c in (0..=0x2_FFFF).filter_map(char::from_u32) {
            assert_eq!(is_inside(c), plain(c) != ' ', "{c:?}");
        }
    }

    #[test]
    fn every_feature_of_short_and_long_texts_comes_once() {
        for times in [1, 3, 400] {
            let text = "the net and the river and the nets ".repeat(times);
            let mut found = distinct_features(&text);
            found.sort_unstable();
            let mut all = vec![WHOLE];
            features(&text, |key| all.push(key));
            all.sort_unstable();
            all.dedup();
            assert_eq!(found, all, "{times}");
        }
    }

    #[test]
    fn an_ngram_inside_a_word_has_a_key_of_its_own() {
        let found = distinct_features("Gräben");
        for gram in ["grä", "räb", "äbe", "gräb", "räben", "gräben"] {
            assert!(found.contains(&inner_key(gram)), "{gram}");
        }
        assert!(!found.contains(&inner_key("grb")));
    }

    #[test]
    fn words_and_their_neighbours_are_features() {
        let of = |text: &str| {
            let mut keys = Vec::new();
            features(text, |key| keys.push(key));
            keys
        };
        // The word, the word after nothing, and _ab, ab_, _ab_.
        assert_eq!(of("ab").len(), 5);
        let (together, apart) = (of("ab cd"), [of("ab"), of("cd")].concat());
        let differ = together.iter().zip(&apart).filter(|(one, other)| one != other).count();
        assert_eq!((together.len(), differ), (apart.len(), 1));
    }
}
