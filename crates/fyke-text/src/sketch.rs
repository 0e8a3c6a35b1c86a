//! Sketches of texts: checksum for exact copies, minhash for near ones (001 "Sketch of a
//! document", 003 §3.7).
//!
//! The sketch holds, for each of `VALUES` places, the least hash of the text's word shingles, as
//! 001 has it with one permutation per place. Departure: the permutations are not computed apart;
//! in each round every shingle falls into one place, and only the places still empty after a
//! round ask for another, so that a text of 500 words costs about two hashes a word instead of 128
//! (fast similarity sketching, Dahlgaard, Knudsen and Thorup 2017). Two texts agree at a place
//! with the probability of their Jaccard coefficient, as before.
//!
//! Sketches and checksums are stored: their values are fixed for ever.

use crate::token::{fold_into, tokens};
use xxhash_rust::xxh3::xxh3_64;

/// Words in a shingle; a shorter text is one shingle.
const SHINGLE: usize = 3;
/// Places of a sketch; a power of two.
const VALUES: usize = 128;
/// Of a class of equal sketches so many are compared with others, the rest with the first only.
const EQUALS: usize = 8;
/// In a bucket each sketch is compared with so many that follow.
const NEIGHBOURS: usize = 16;

/// Minhash sketch of a text's word shingles, comparable by `resemblance`; empty without words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch(pub Vec<u32>);

/// All that is kept of a text's words, found in one pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// How many words the text has.
    pub words: u32,
    /// As [`checksum`].
    pub checksum: u64,
    /// As [`sketch`].
    pub sketch: Sketch,
}

/// Words, checksum and sketch of a text.
#[must_use]
pub fn digest(text: &str) -> Digest {
    let mut folded = String::with_capacity(text.len() + 1);
    let mut words = Vec::with_capacity(text.len() / 5);
    fold_words(text, &mut folded, |word| words.push(xxh3_64(word.as_bytes())));
    Digest {
        words: u32::try_from(words.len()).unwrap_or(u32::MAX),
        checksum: xxh3_64(folded.as_bytes()),
        sketch: of_shingles(shingles(words)),
    }
}

/// A checksum of the words of a text: equal for texts that differ only in case, punctuation or
/// white space.
#[must_use]
pub fn checksum(text: &str) -> u64 {
    let mut folded = String::with_capacity(text.len() + 1);
    fold_words(text, &mut folded, |_| {});
    xxh3_64(folded.as_bytes())
}

/// The sketch of a text.
#[must_use]
pub fn sketch(text: &str) -> Sketch {
    digest(text).sketch
}

/// Writes the folded words of `text` into `folded`, a space after each, and shows each to `see`.
fn fold_words(text: &str, folded: &mut String, mut see: impl FnMut(&str)) {
    for token in tokens(text) {
        let from = folded.len();
        fold_into(token.text, folded);
        see(&folded[from..]);
        folded.push(' ');
    }
}

fn of_shingles(mut shingles: Vec<u64>) -> Sketch {
    if shingles.is_empty() {
        return Sketch(Vec::new());
    }
    let mut values = vec![u32::MAX; VALUES];
    let mut empty = VALUES;
    for round in 0..2 * VALUES as u32 {
        for &shingle in &shingles {
            let hash = mix(shingle ^ mix(u64::from(round)));
            // After `VALUES` rounds each round fills one place for certain.
            let forced = (round as usize).checked_sub(VALUES);
            let place = forced.unwrap_or((hash >> 57) as usize);
            let value = round << 24 | (hash as u32 % 0xFF_FFFF);
            empty -= usize::from(values[place] == u32::MAX);
            values[place] = values[place].min(value);
        }
        if empty == 0 {
            break;
        }
        if round == 0 {
            // More rounds mean few shingles, or many that repeat.
            shingles.sort_unstable();
            shingles.dedup();
        }
    }
    Sketch(values)
}

impl Sketch {
    /// Estimated Jaccard coefficient of the two texts' shingle sets, 0 to 1; 0 if one has no words.
    #[must_use]
    pub fn resemblance(&self, other: &Sketch) -> f64 {
        if self.0.is_empty() || self.0.len() != other.0.len() {
            return 0.0;
        }
        let equal = self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count();
        equal as f64 / self.0.len() as f64
    }
}

/// Pairs `(i, j, resemblance)` with `i < j` of the sketches whose resemblance is at least
/// `threshold`, found by LSH bands, sorted; near-linear.
///
/// Large groups are not paired in full: of more than `EQUALS` equal sketches the later ones are
/// paired with the first only, and in a bucket each is compared with the next `NEIGHBOURS`. The
/// groups stay connected, so that the closure of the pairs is whole.
#[must_use]
pub fn twins(sketches: &[Sketch], threshold: f64) -> Vec<(usize, usize, f64)> {
    let (mut pairs, open) = equal_sketches(sketches);
    let rows = band_rows(threshold);
    for band in 0..VALUES / rows {
        let key = |i: usize| {
            let values = &sketches[i].0[band * rows..(band + 1) * rows];
            values.iter().fold(0, |key, &value| mix(key ^ u64::from(value)))
        };
        for bucket in buckets(&open, key) {
            for (n, &i) in bucket.iter().enumerate() {
                for &j in bucket[n + 1..].iter().take(NEIGHBOURS) {
                    if sketches[i].resemblance(&sketches[j]) >= threshold {
                        pairs.push((i, j));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
    }
    let rated = |(i, j): (usize, usize)| (i, j, sketches[i].resemblance(&sketches[j]));
    pairs.into_iter().map(rated).filter(|pair| pair.2 >= threshold).collect()
}

/// The pairs of the classes of equal sketches beyond `EQUALS`, and the sketches left to compare.
fn equal_sketches(sketches: &[Sketch]) -> (Vec<(usize, usize)>, Vec<usize>) {
    let filled: Vec<usize> =
        (0..sketches.len()).filter(|&i| sketches[i].0.len() == VALUES).collect();
    let whole = |i: usize| sketches[i].0.iter().fold(0, |key, &v| mix(key ^ u64::from(v)));
    let mut pairs = Vec::new();
    let mut closed = vec![false; sketches.len()];
    for class in buckets(&filled, whole) {
        for &later in class.iter().skip(EQUALS) {
            closed[later] = sketches[class[0]] == sketches[later];
            if closed[later] {
                pairs.push((class[0], later));
            }
        }
    }
    (pairs, filled.into_iter().filter(|&i| !closed[i]).collect())
}

/// The members of `open` with equal keys, each bucket in order, buckets of one left out.
fn buckets(open: &[usize], key: impl Fn(usize) -> u64) -> Vec<Vec<usize>> {
    let mut keyed: Vec<(u64, usize)> = open.iter().map(|&i| (key(i), i)).collect();
    keyed.sort_unstable();
    let groups = keyed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|&(_, i)| i).collect()).collect()
}

/// The most rows of a band with which a pair at the threshold is missed once in 10,000: with r
/// rows and b bands by (1 - t^r)^b.
fn band_rows(threshold: f64) -> usize {
    let missed = |rows: usize| (1.0 - threshold.powi(rows as i32)).powi((VALUES / rows) as i32);
    [32, 16, 8, 4, 2].into_iter().find(|&rows| missed(rows) <= 1e-4).unwrap_or(1)
}

/// Hashes of the shingles of a row of words, in order, with repetitions.
fn shingles(mut words: Vec<u64>) -> Vec<u64> {
    let join = |window: &[u64]| window.iter().fold(0, |hash, &word| mix(hash ^ word));
    if words.len() <= SHINGLE {
        return if words.is_empty() { words } else { vec![join(&words)] };
    }
    for at in 0..=words.len() - SHINGLE {
        words[at] = join(&words[at..at + SHINGLE]);
    }
    words.truncate(words.len() - SHINGLE + 1);
    words
}

/// A bijective mix of 64 bits in which every bit of the input moves every bit of the output.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::fold;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// `count` words of their own, from `first` on.
    fn words(first: usize, count: usize) -> String {
        (first..first + count).map(|n| format!("w{n} ")).collect()
    }

    /// The shingles themselves.
    fn set(text: &str) -> HashSet<Vec<String>> {
        let words: Vec<String> = tokens(text).map(|t| fold(t.text).into_owned()).collect();
        let size = words.len().clamp(1, SHINGLE);
        words.windows(size).map(<[String]>::to_vec).collect()
    }

    fn jaccard(a: &str, b: &str) -> f64 {
        let (a, b) = (set(a), set(b));
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    }

    #[test]
    fn a_checksum_sees_words_only() {
        assert_eq!(checksum("The net,\n holds!"), checksum("the NET holds"));
        assert_ne!(checksum("the net holds"), checksum("the nets hold"));
        assert_ne!(checksum("a bc"), checksum("ab c"));
    }

    #[test]
    fn stored_values_stay_as_they_are() {
        assert_eq!(checksum("A fyke is a net."), 10535212080538784733);
        assert_eq!(sketch("A fyke is a net.").0[..3], [726451751, 1046500612, 61898448]);
    }

    #[test]
    fn texts_without_words_resemble_nothing() {
        let empty = sketch("... ---");
        assert_eq!(empty.0.len(), 0);
        assert_eq!(empty.resemblance(&empty), 0.0);
        assert_eq!(twins(&[empty.clone(), empty], 0.5), []);
    }

    #[test]
    fn short_texts_are_one_shingle() {
        assert_eq!(sketch("fish").resemblance(&sketch("Fish.")), 1.0);
        assert!(sketch("fish").resemblance(&sketch("net")) < 0.05);
    }

    #[test]
    fn many_copies_give_few_pairs_and_stay_connected() {
        let copy = sketch(&words(0, 50));
        let near = sketch(&format!("{} end", words(0, 50)));
        let mut all = vec![copy; 10_000];
        all.push(near);
        let pairs = twins(&all, 0.8);
        assert!(pairs.len() < 11_000, "{} pairs", pairs.len());
        let reached: HashSet<usize> = pairs.iter().flat_map(|&(i, j, _)| [i, j]).collect();
        assert_eq!(reached.len(), all.len());
    }

    #[test]
    fn twins_are_those_of_the_exact_coefficient() {
        let texts: Vec<String> = (0..300)
            .map(|n| format!("{}{}", words(n / 3 * 1000, 200), words(n * 1000 + 500, n % 3 * 5)))
            .collect();
        let sketches: Vec<Sketch> = texts.iter().map(|text| sketch(text)).collect();
        let found: HashSet<_> =
            twins(&sketches, 0.75).into_iter().map(|(i, j, _)| (i, j)).collect();
        let within = |i: usize, j: usize| i / 3 == j / 3;
        let expected: HashSet<_> = (0..300)
            .flat_map(|i| (i + 1..300).map(move |j| (i, j)))
            .filter(|&(i, j)| within(i, j) && jaccard(&texts[i], &texts[j]) >= 0.75)
            .collect();
        assert_eq!(expected.len(), 300);
        assert!(found.is_subset(&expected));
        assert!(found.intersection(&expected).count() >= 297, "{} found", found.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The standard error of 128 places is at most 0.044; five of them is 0.22.
        #[test]
        fn resemblance_is_near_the_exact_coefficient(
            shared in 1usize..300, left in 0usize..300, right in 0usize..300,
        ) {
            let a = format!("{} {}", words(0, shared), words(1000, left));
            let b = format!("{} {}", words(0, shared), words(2000, right));
            let estimate = sketch(&a).resemblance(&sketch(&b));
            prop_assert!((estimate - jaccard(&a, &b)).abs() < 0.22);
        }

        #[test]
        fn a_digest_is_what_its_parts_say(text in "(\\PC{0,20}|[a-z' .]{0,9}){0,9}", times in 1usize..40) {
            let text = text.repeat(times);
            let found = digest(&text);
            prop_assert_eq!(found.words as usize, tokens(&text).count());
            prop_assert_eq!(found.checksum, checksum(&text));
            prop_assert_eq!(found.sketch, sketch(&text));
        }

        #[test]
        fn saying_the_same_again_changes_no_sketch(text in "([a-z]{1,4} ){6,30}") {
            // What stands between two sayings is in both texts.
            prop_assert_eq!(sketch(&text.repeat(2)), sketch(&text.repeat(9)));
        }

        #[test]
        fn equal_texts_are_always_twins(text in ".{0,100}[a-z]", other in ".{0,100}") {
            let all = [sketch(&text), sketch(&other), sketch(&text)];
            let pairs = twins(&all, 0.9);
            prop_assert!(pairs.contains(&(0, 2, 1.0)));
        }
    }
}
