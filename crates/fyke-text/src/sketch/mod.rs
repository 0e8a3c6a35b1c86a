//! Sketches of texts: what is kept of a text to find its exact and near copies (001 "Duplicate
//! detection", 003 §3.7). A file for each way of making and comparing them, and this table of them.

mod checksum;
mod cosine;
mod crc;
mod lsh;
mod minhash;
mod shingle;
mod simhash;
mod similarity;
mod template;
mod text;
mod zero_mod_p;

pub use checksum::{checksum, sum};
pub use crc::crc;
pub use lsh::{SketchPair, doubt, pairs};
pub use minhash::{PERMUTATIONS, least};
pub use shingle::{SHINGLE, jaccard, shingle_set, shingles};
pub use simhash::simhash;
pub use similarity::{PLACES, Sketch, resemblance, sketch};
pub use template::{LEAST_PAGES, SAMPLE, own_part, own_shingles, template};
pub use text::HashedText;
pub use zero_mod_p::{P, select, zero_mod_p};

/// A way to tell how alike two texts are.
#[derive(Debug)]
pub struct SketchMethod {
    pub name: &'static str,
    pub what: &'static str,
    /// As the sources have it.
    pub formula: &'static str,
    /// What is kept of a text.
    pub make: fn(&HashedText<'_>) -> Vec<u64>,
    /// How alike two texts are by what was kept of them, 0 to 1.
    pub compare: fn(&[u64], &[u64]) -> f64,
    /// The least value that speaks for a Jaccard coefficient of so much.
    pub least: fn(f64) -> f64,
}

/// Every way; the first is the truth that the others are held to.
pub const SKETCHES: &[SketchMethod] = &[
    EXACT,
    checksum::SUM,
    crc::CRC,
    checksum::CHECKSUM,
    zero_mod_p::ZERO_MOD_P,
    cosine::COSINE,
    simhash::SIMHASH_64,
    simhash::SIMHASH_384,
    minhash::MINHASH,
    similarity::SKETCH,
];

const EXACT: SketchMethod = SketchMethod {
    name: "jaccard",
    what: "the exact Jaccard coefficient of the sets of word 3-grams",
    formula: "|A ∩ B| / |A ∪ B|",
    make: |text| shingle_set(&text.words),
    compare: jaccard,
    least: |coefficient| coefficient,
};

/// All that is stored of a text's words, found in one pass.
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
    let words = HashedText::read(text).words;
    Digest {
        words: u32::try_from(words.len()).unwrap_or(u32::MAX),
        checksum: checksum::of_words(&words),
        sketch: Sketch::of_shingles(&shingles(&words, SHINGLE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;
    use proptest::prelude::*;

    /// `count` words of their own, from `first` on.
    pub fn words(first: usize, count: usize) -> String {
        (first..first + count).map(|n| format!("w{n} ")).collect()
    }

    fn value(method: &SketchMethod, a: &str, b: &str) -> f64 {
        let [a, b] = [a, b].map(|text| (method.make)(&HashedText::read(text)));
        (method.compare)(&a, &b)
    }

    #[test]
    fn every_row_tells_copies_from_strangers_and_has_a_name_of_its_own() {
        let text = words(0, 400);
        for (nth, row) in SKETCHES.iter().enumerate() {
            assert!(SKETCHES[..nth].iter().all(|other| other.name != row.name), "{}", row.name);
            assert!(row.what.len() > 20 && row.formula.len() > 10, "{}", row.name);
            assert_eq!(value(row, &text, &text), 1.0, "{}", row.name);
            assert!((row.least)(0.8) <= 1.0, "{}", row.name);
            let other = value(row, &text, &words(1_000, 400));
            assert!(other < (row.least)(0.8), "{}: {other}", row.name);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_row_is_symmetric_between_0_and_1(a in "(\\PC{0,20}|[a-c ]{0,9}){0,9}", b in "(\\PC{0,20}|[a-c ]{0,9}){0,9}") {
            for row in SKETCHES {
                let there = value(row, &a, &b);
                prop_assert!((0.0..=1.0).contains(&there), "{} {}", row.name, there);
                prop_assert_eq!(there, value(row, &b, &a), "{}", row.name);
            }
        }

        #[test]
        fn a_digest_is_what_its_parts_say(text in "(\\PC{0,20}|[a-z' .]{0,9}){0,9}", times in 1usize..40) {
            let text = text.repeat(times);
            let found = digest(&text);
            prop_assert_eq!(found.words as usize, tokens(&text).count());
            prop_assert_eq!(found.checksum, checksum(&text));
            prop_assert_eq!(found.sketch, sketch(&text));
        }
    }
}
