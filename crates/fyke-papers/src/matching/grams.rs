//! Sets of hashed words and of hashed letters in threes, by which texts with typing errors stay alike; sorted, each once.

use fyke_text::{bare, each_form};

/// A hash of bytes (FNV-1a): the same on every machine, so that what is stored of it keeps its meaning.
pub fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Shows the words of a text, in small letters without diacritics.
pub fn each_bare(text: &str, mut see: impl FnMut(&str)) {
    each_form(text, |word| see(&bare(word)));
}

/// The hashed threes of letters of some words run together: white space and hyphens do not count.
pub fn grams(letters: &str) -> Box<[u16]> {
    let letters: Vec<char> = letters.chars().collect();
    let mut bytes = [0; 12];
    let mut grams: Vec<u16> = Vec::with_capacity(letters.len());
    for three in letters.windows(letters.len().clamp(1, 3)) {
        let mut end = 0;
        for letter in three {
            end += letter.encode_utf8(&mut bytes[end..]).len();
        }
        let hash = hash(&bytes[..end]);
        grams.push((hash ^ (hash >> 16)) as u16);
    }
    set(grams)
}

/// A list as a set.
pub fn set<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
    list.sort_unstable();
    list.dedup();
    list.into_boxed_slice()
}

/// How many two sets share.
pub fn shared<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut a, mut b, mut count) = (a, b, 0);
    while let ([first, rest_a @ ..], [second, rest_b @ ..]) = (a, b) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => a = rest_a,
            std::cmp::Ordering::Greater => b = rest_b,
            std::cmp::Ordering::Equal => (a, b, count) = (rest_a, rest_b, count + 1),
        }
    }
    count
}

/// Dice's coefficient of two sets: 1 when they are equal, 0 when they share nothing.
pub fn dice<T: Ord>(a: &[T], b: &[T]) -> f32 {
    match a.len() + b.len() {
        0 => 0.0,
        sum => 2.0 * shared(a, b) as f32 / sum as f32,
    }
}

/// The share of the smaller set that is in the greater.
pub fn within<T: Ord>(a: &[T], b: &[T]) -> f32 {
    match a.len().min(b.len()) {
        0 => 0.0,
        least => shared(a, b) as f32 / least as f32,
    }
}
