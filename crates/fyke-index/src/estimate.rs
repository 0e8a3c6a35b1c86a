//! How many documents hold all words of a query, estimated as engines do that do not look at all of them
//! (003 §4.2.2), and how many documents there are, estimated from two words; beside what is true of
//! this index, which can be counted.

use crate::analysis;
use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::Index;
use crate::rank::segment::{Segment, Snapshot};
use crate::schema::FIELDS;
use serde::{Serialize, Serializer};
use tantivy::schema::IndexRecordOption::Basic;
use tantivy::{DocSet, TERMINATED, Term};

/// Parts of the rarest word's documents that are looked at, in percent.
const SAMPLES: [u64; 3] = [5, 10, 20];

/// The results if words stand in documents independently of each other: N times the product of their
/// probabilities.
#[must_use]
pub fn by_independence(frequencies: &[u64], documents: u64) -> f64 {
    let documents = documents.max(1) as f64;
    let probability: f64 = frequencies.iter().map(|&found| found as f64 / documents).product();
    documents * probability
}

/// The results by what is known of pairs: the rarest word's documents, times for each further word how
/// probable it is beside the one before it that it goes with best. `pair` gives the documents that
/// hold both words.
#[must_use]
pub fn by_pairs(frequencies: &[u64], pair: impl Fn(usize, usize) -> u64) -> f64 {
    let mut order: Vec<usize> = (0..frequencies.len()).collect();
    order.sort_by_key(|&word| frequencies[word]);
    let beside = |word: usize, known: usize| {
        pair(word.min(known), word.max(known)) as f64 / frequencies[known].max(1) as f64
    };
    let Some((&rarest, rest)) = order.split_first() else { return 0.0 };
    let mut estimate = frequencies[rarest] as f64;
    for (known, &word) in rest.iter().enumerate() {
        let best = order[..=known].iter().map(|&known| beside(word, known));
        estimate *= best.fold(0.0, f64::max);
    }
    estimate
}

/// The results by a sample: `found` held all words when `seen` of the `rarest` documents with the rarest
/// word had been looked at.
#[must_use]
pub fn by_sample(found: u64, seen: u64, rarest: u64) -> f64 {
    if seen == 0 { 0.0 } else { found as f64 * rarest as f64 / seen as f64 }
}

/// The documents of a collection, from two words that have nothing to do with each other; none when no
/// document holds both.
#[must_use]
pub fn collection_size(a: u64, b: u64, both: u64) -> Option<f64> {
    (both > 0).then(|| a as f64 * b as f64 / both as f64)
}

/// What is estimated for some words, beside the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sizes {
    /// Documents in the index.
    pub documents: u64,
    /// The words as they are indexed, with the number of documents that hold each.
    pub words: Vec<(String, u64)>,
    /// Documents that hold all words, counted.
    pub results: u64,
    pub by_independence: f64,
    pub by_pairs: f64,
    /// By percent of the rarest word's documents.
    pub by_sample: Vec<(u64, f64)>,
    /// The size of the collection by each pair of words.
    pub collection: Vec<CollectionSize>,
}

/// The size of the collection by two words; none when no document holds both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectionSize {
    pub first: String,
    pub second: String,
    pub size: Option<f64>,
}

/// As a list of the three.
impl Serialize for CollectionSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.first, &self.second, self.size).serialize(serializer)
    }
}

impl Index {
    /// What is estimated of the documents that hold all words of `text`, in any field, as typed.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn sizes(&self, text: &str) -> Result<Sizes, IndexError> {
        let snapshot = self.snapshot()?;
        let mut words: Vec<String> = Vec::new();
        for word in analysis::words(text) {
            if !words.iter().any(|known| *known == word.form) {
                words.push(word.form.into_owned());
            }
        }
        let broken = |e| engine(self.dir(), e);
        let lists = guarded(self.dir(), || {
            let lists = words.iter().map(|word| documents(&snapshot, word));
            lists.collect::<tantivy::Result<Vec<_>>>().map_err(broken)
        })?;
        Ok(compare(snapshot.documents, &words, &lists))
    }
}

/// The live documents that hold a word, as places in the index, in order.
fn documents(snapshot: &Snapshot, word: &str) -> tantivy::Result<Vec<u64>> {
    let mut found = Vec::new();
    for (at, segment) in (0_u64..).zip(&snapshot.segments) {
        let before = found.len();
        read(segment, word, |doc| found.push(at << 32 | u64::from(doc)))?;
        found[before..].sort_unstable();
    }
    found.dedup();
    Ok(found)
}

fn read(segment: &Segment, word: &str, mut take: impl FnMut(u32)) -> tantivy::Result<()> {
    for field in FIELDS.texts {
        let term = Term::from_field_text(field, word);
        let index = segment.reader.inverted_index(field)?;
        let Some(mut postings) = index.read_postings(&term, Basic)? else { continue };
        while postings.doc() != TERMINATED {
            if !segment.reader.is_deleted(postings.doc()) {
                take(postings.doc());
            }
            postings.advance();
        }
    }
    Ok(())
}

/// All estimates from the documents of each word.
fn compare(documents: u64, words: &[String], lists: &[Vec<u64>]) -> Sizes {
    let both = |a: usize, b: usize| common(&lists[a], &lists[b]).count() as u64;
    let frequencies: Vec<u64> = lists.iter().map(|list| list.len() as u64).collect();
    let rarest = lists.iter().min_by_key(|list| list.len()).map_or(&[][..], |list| list);
    let holds_all = |doc: &&u64| lists.iter().all(|list| list.binary_search(doc).is_ok());
    let found = |seen: u64| rarest[..seen as usize].iter().filter(holds_all).count() as u64;
    let all = rarest.len() as u64;
    let sample = |percent: u64| {
        let seen = (all * percent).div_ceil(100);
        (percent, by_sample(found(seen), seen, all))
    };
    let pairs = (0..words.len()).flat_map(|a| (a + 1..words.len()).map(move |b| (a, b)));
    let size = |(a, b): (usize, usize)| CollectionSize {
        first: words[a].clone(),
        second: words[b].clone(),
        size: collection_size(frequencies[a], frequencies[b], both(a, b)),
    };
    Sizes {
        documents,
        results: found(all),
        by_independence: if words.is_empty() {
            0.0
        } else {
            by_independence(&frequencies, documents)
        },
        by_pairs: by_pairs(&frequencies, both),
        by_sample: SAMPLES.map(sample).to_vec(),
        collection: pairs.map(size).collect(),
        words: words.iter().cloned().zip(frequencies.iter().copied()).collect(),
    }
}

/// What stands in both lists.
fn common<'a>(a: &'a [u64], b: &'a [u64]) -> impl Iterator<Item = &'a u64> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.iter().filter(|doc| long.binary_search(doc).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    /// The figures of GOV2 (table 4.6).
    const DOCUMENTS: u64 = 25_205_179;
    const WORDS: [u64; 4] = [TROPICAL, FISH, AQUARIUM, BREEDING];
    const TROPICAL: u64 = 120_990;
    const FISH: u64 = 1_131_855;
    const AQUARIUM: u64 = 26_480;
    const BREEDING: u64 = 81_885;
    const PAIRS: [(usize, usize, u64); 6] = [
        (0, 1, 18_472),
        (0, 2, 1_921),
        (0, 3, 5_510),
        (1, 2, 9_722),
        (1, 3, 36_427),
        (2, 3, 1_848),
    ];

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1.0, "{found}, not {expected}");
    }

    #[test]
    fn independent_words_give_the_estimates_of_the_book() {
        for (pair, expected) in PAIRS.iter().zip([5_433.0, 127.0, 393.0, 1_189.0, 3_677.0, 86.0]) {
            check(by_independence(&[WORDS[pair.0], WORDS[pair.1]], DOCUMENTS), expected);
        }
        check(by_independence(&[TROPICAL, FISH, AQUARIUM], DOCUMENTS), 6.0);
        check(by_independence(&[TROPICAL, FISH, BREEDING], DOCUMENTS), 18.0);
    }

    #[test]
    fn pairs_give_the_estimates_of_the_book() {
        let check = |words: &[usize], expected| {
            let both = |a: usize, b: usize| {
                let row = PAIRS.iter().find(|row| (row.0, row.1) == (words[a], words[b]));
                row.map_or(0, |row| row.2)
            };
            let frequencies: Vec<u64> = words.iter().map(|word| WORDS[*word]).collect();
            check(by_pairs(&frequencies, both), expected);
        };
        check(&[0, 1, 2], 705.0);
        check(&[0, 1, 3], 2_451.0);
        check(&[0, 1], 18_472.0);
        check(&[1], FISH as f64);
        check(&[], 0.0);
    }

    #[test]
    fn samples_and_two_words_give_the_estimates_of_the_book() {
        check(by_sample(258, 3_000, AQUARIUM), 2_277.0);
        check(by_sample(3, 0, AQUARIUM), 0.0);
        check(collection_size(TROPICAL, 771_326, 3_018).unwrap(), 30_922_045.0);
        assert_eq!(collection_size(TROPICAL, FISH, 0), None);
    }

    proptest! {
        #[test]
        fn two_words_are_exact_by_pairs_and_all_are_by_a_whole_sample(
            lists in vec(btree_set(0..60_u64, 0..40), 1..4),
        ) {
            let lists: Vec<Vec<u64>> = lists.into_iter().map(|l| l.into_iter().collect()).collect();
            let words: Vec<String> = (0..lists.len()).map(|n| n.to_string()).collect();
            let sizes = compare(60, &words, &lists);
            let all = (0..60).filter(|doc| lists.iter().all(|list| list.contains(doc))).count();
            prop_assert_eq!(sizes.results, all as u64);
            if lists.len() < 3 {
                prop_assert!((sizes.by_pairs - all as f64).abs() < 1e-9);
            }
            let rarest = lists.iter().map(Vec::len).min().unwrap_or(0) as f64;
            prop_assert!(sizes.by_pairs <= rarest + 1e-9);
            prop_assert!(sizes.by_sample.iter().all(|(_, size)| *size <= rarest + 1e-9));
        }
    }
}
