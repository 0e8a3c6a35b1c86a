//! Cavnar and Trenkle's way: the n-grams of one to five characters of a text, the most frequent
//! [`RANKS`] in order, against the same list of each language. The distance is the sum over the
//! text's n-grams of how many places each is out of its own, or [`RANKS`] where the language's
//! list lacks it; the language of the least distance wins.
//!
//! As in the paper, a word is padded by one blank before it and by as many as an n-gram can reach
//! into after it; n-grams of blanks alone do not count.

use super::ngrams::{KEY_BITS, letters};
use super::{Guess, model::LanguageModel};
use std::collections::HashMap;

/// N-grams of a profile.
pub const RANKS: usize = 400;
/// Longest n-gram.
const LONGEST: usize = 5;

/// How often each n-gram occurs, by key.
pub type NgramCounts = HashMap<u32, u32>;

/// Counts the padded n-grams of `text`.
pub fn count(text: &str, counts: &mut NgramCounts) {
    let mut word = vec![' '];
    for c in letters(text) {
        if c != ' ' {
            word.push(c);
            continue;
        }
        let length = word.len();
        word.extend([' '; LONGEST - 1]);
        for start in 0..length {
            let longest = word.len() - start;
            for n in 1..=LONGEST.min(longest) {
                let gram = &word[start..start + n];
                if gram != [' '] {
                    *counts.entry(key(gram)).or_default() += 1;
                }
            }
        }
        word.truncate(1);
    }
}

/// The most frequent n-grams, the most frequent first; among equals the order is that of the keys.
#[must_use]
pub fn profile(counts: NgramCounts) -> Vec<u32> {
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_unstable_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
    ranked.into_iter().take(RANKS).map(|(key, _)| key).collect()
}

/// The language of the nearest profile.
#[must_use]
pub fn identify<'a>(models: &'a [LanguageModel], text: &str) -> Option<Guess<'a>> {
    let mut counts = NgramCounts::new();
    count(text, &mut counts);
    let own = profile(counts);
    let places: HashMap<u32, usize> = own.iter().enumerate().map(|(at, &key)| (key, at)).collect();
    let lanes = models.iter().flat_map(|model| model.codes.iter().zip(&model.profiles));
    let mut rated: Vec<_> =
        lanes.map(|(code, profile)| (distance(&places, profile), code.as_str())).collect();
    rated.sort_unstable();
    let &(least, code) = rated.first()?;
    let farthest = own.len() * RANKS;
    if least >= farthest {
        return None;
    }
    let next = rated.iter().find(|(_, other)| *other != code).map_or(farthest, |next| next.0);
    Some(Guess { code, confidence: 1.0 - least as f32 / next.max(1) as f32 })
}

/// The out-of-place distance between the places of a text's n-grams and a profile.
fn distance(places: &HashMap<u32, usize>, profile: &[u32]) -> usize {
    let met = profile.iter().enumerate().filter_map(|(rank, key)| {
        places.get(key).map(|place| RANKS - place.abs_diff(rank).min(RANKS))
    });
    places.len() * RANKS - met.sum::<usize>()
}

fn key(gram: &[char]) -> u32 {
    let hash = gram.iter().fold(gram.len() as u64, |hash, &c| {
        let hash = (hash ^ u64::from(c)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^ hash >> 29
    });
    (hash >> 32) as u32 & ((1 << KEY_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_ngrams_of_the_paper() {
        let mut counts = NgramCounts::new();
        count("TEXT", &mut counts);
        // _ T E X T: as the paper lists them for N of one to five, blanks after the word included.
        let of = |gram: &str| counts.get(&key(&gram.chars().collect::<Vec<_>>())).copied();
        for gram in ["e", " t", "te", "t ", " te", "ext", "xt ", "t  ", " tex", "t   ", "t    "] {
            assert_eq!(of(gram), Some(1), "{gram:?}");
        }
        assert_eq!((of("t"), of(" "), of("  "), of("a")), (Some(2), None, None, None));
    }

    #[test]
    fn the_distance_counts_places_and_what_is_missing() {
        // In place, one out, two out, in place, three out, missing.
        let places = [(1, 0), (3, 1), (4, 2), (5, 3), (2, 4), (9, 5)].into();
        let profile = [1, 2, 3, 5, 4];
        let expected = 1 + 2 + 3 + RANKS;
        assert_eq!(distance(&places, &profile), expected);
        assert_eq!(distance(&places, &[]), 6 * RANKS);
        assert_eq!(distance(&[(1, 0), (2, 1)].into(), &[1, 2]), 0);
    }
}
