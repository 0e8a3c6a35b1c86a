//! The vocabulary of a collection: how often each word occurs, and how many words there are after so
//! many have been read (003 §4.2).
//!
//! Words are known by a hash of 64 bits: among ten million, two of them share one with a chance of three
//! in a million. Counts are exact while there are no more distinct words than `most`. From then on,
//! words seen often stay, and of the others a sample that is chosen by hash: half of them, then half of
//! that. Every word of the sample keeps its exact count and stands for 2, 4, … words, so vocabulary and
//! spectrum stay unbiased; with a sample of n words the vocabulary is off by 1/√n (7 million words: less
//! than a thousandth).

use crate::Hashed;
use crate::zipf::Spectrum;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// Names kept of the most frequent words.
const NAMES: usize = 1 << 14;
/// Below this a word never counts as seen often.
const OFTEN: u64 = 64;
/// One more place is noted on the curve of growth each time the text grows by a tenth.
const GROWTH: f64 = 1.1;

/// How often a word was seen, and in the highest bit whether it is sure: it was seen often before words
/// were sampled, so it stands for itself alone.
#[derive(Clone, Copy, Debug)]
struct Count(u64);

impl Count {
    const SURE: u64 = 1 << 63;

    fn times(self) -> u64 {
        self.0 & !Count::SURE
    }

    fn is_sure(self) -> bool {
        self.0 & Count::SURE != 0
    }
}

/// Counts words.
#[derive(Debug)]
pub struct Vocabulary {
    counts: Hashed<Count>,
    most: usize,
    /// How often the words were halved.
    halvings: u32,
    /// Words that do not stand for others, once there are halvings.
    sure: u64,
    occurrences: u64,
    growth: Vec<(u64, u64)>,
    names: Hashed<String>,
    /// A word has its name kept when it occurs so often.
    named_from: u64,
}

/// A word with how often it occurs.
pub type CountedWord = (String, u64);

impl Vocabulary {
    /// Nothing counted yet; exact up to `most` distinct words, which take 19 to 39 bytes each, and twice
    /// that for a moment.
    #[must_use]
    pub fn new(most: usize) -> Vocabulary {
        Vocabulary {
            counts: Hashed::default(),
            most: most.max(2),
            halvings: 0,
            sure: 0,
            occurrences: 0,
            growth: Vec::new(),
            names: Hashed::default(),
            named_from: 1,
        }
    }

    /// Counts the words of a text.
    pub fn read(&mut self, text: &str) {
        crate::each_form(text, |word| self.add(word));
    }

    /// Counts one word, in its folded form.
    pub fn add(&mut self, word: &str) {
        let hash = xxh3_64(word.as_bytes());
        self.occurrences += 1;
        if self.is_due() {
            // The place where the text stood before this word.
            self.growth.push((self.occurrences - 1, self.size()));
        }
        let times = match self.counts.get_mut(&hash) {
            Some(count) => {
                count.0 += 1;
                count.times()
            }
            None => {
                if self.counts.len() >= self.most {
                    self.halve();
                }
                if !is_sampled(hash, self.halvings) {
                    return;
                }
                self.counts.insert(hash, Count(1));
                1
            }
        };
        if times == self.named_from {
            self.names.insert(hash, word.to_owned());
            self.forget_names();
        }
    }

    fn is_due(&self) -> bool {
        let last = self.growth.last().map_or(0, |place| place.0);
        self.occurrences > 1
            && (self.occurrences - 1) as f64 >= last as f64 * GROWTH
            && self.occurrences - 1 > last
    }

    /// Keeps the names of the more frequent half.
    fn forget_names(&mut self) {
        while self.names.len() > NAMES {
            self.named_from *= 2;
            let (counts, least) = (&self.counts, self.named_from);
            let is_frequent = |count: &Count| count.times() >= least;
            self.names.retain(|hash, _| counts.get(hash).is_some_and(is_frequent));
        }
    }

    fn halve(&mut self) {
        if self.halvings == 0 {
            self.choose_sure();
        }
        self.halvings += 1;
        let halvings = self.halvings;
        let stays = |(hash, count): &(u64, Count)| count.is_sure() || is_sampled(*hash, halvings);
        // Into a new table: places left empty in the old one would make it grow.
        let old = std::mem::take(&mut self.counts);
        self.counts.reserve(self.most);
        self.counts.extend(old.into_iter().filter(stays));
        let counts = &self.counts;
        self.names.retain(|hash, _| counts.contains_key(hash));
    }

    /// Words seen often, but no more than half of what there is room for.
    fn choose_sure(&mut self) {
        let mut often = OFTEN;
        let most = self.most / 2;
        while self.counts.values().filter(|count| count.times() >= often).count() > most {
            often *= 2;
        }
        for count in self.counts.values_mut().filter(|count| count.times() >= often) {
            count.0 |= Count::SURE;
            self.sure += 1;
        }
    }

    /// How many words each sampled one stands for.
    fn weight(&self) -> u64 {
        1 << self.halvings
    }

    /// Distinct words.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.sure + (self.counts.len() as u64 - self.sure) * self.weight()
    }

    /// Words read.
    #[must_use]
    pub fn occurrences(&self) -> u64 {
        self.occurrences
    }

    /// Whether every word was counted.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.halvings == 0
    }

    /// Words read against distinct words, at places a tenth apart, the end included.
    #[must_use]
    pub fn growth(&self) -> Vec<(u64, u64)> {
        let mut places = self.growth.clone();
        let end = (self.occurrences, self.size());
        places.extend((self.occurrences > 0 && places.last() != Some(&end)).then_some(end));
        places
    }

    /// How many words occur how often.
    #[must_use]
    pub fn spectrum(&self) -> Spectrum {
        let mut words: BTreeMap<u64, u64> = BTreeMap::new();
        for count in self.counts.values() {
            let weight = if count.is_sure() { 1 } else { self.weight() };
            *words.entry(count.times()).or_default() += weight;
        }
        Spectrum::new(words, self.occurrences)
    }

    /// The `most` most frequent words, of equals by their letters. Of a sample: those in it.
    #[must_use]
    pub fn top(&self, most: usize) -> Vec<CountedWord> {
        let named = |(hash, name): (&u64, &String)| {
            (name.clone(), self.counts.get(hash).map_or(0, |count| count.times()))
        };
        let mut words: Vec<CountedWord> = self.names.iter().map(named).collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(most);
        words
    }
}

/// Whether a word is in the sample after so many halvings. Other bits of the hash than those by which a
/// table finds its place.
fn is_sampled(hash: u64, halvings: u32) -> bool {
    let mask = (1_u64 << halvings.min(31)) - 1;
    hash >> 32 & mask == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_counted_in_their_folded_form() {
        let mut vocabulary = Vocabulary::new(100);
        vocabulary.read("The tide, the TIDE and the moon.");
        assert_eq!((vocabulary.occurrences(), vocabulary.size()), (7, 4));
        let top = vocabulary.top(3);
        assert_eq!(top, [("the".into(), 3), ("tide".into(), 2), ("and".into(), 1)]);
        assert!(vocabulary.is_exact());
        assert_eq!(vocabulary.growth().last(), Some(&(7, 4)));
    }

    /// Words by a law of Zipf: the word of rank r occurs `words / r` times, the frequent ones first.
    fn zipf_words(words: u64) -> impl Iterator<Item = u64> {
        (1..=words).rev().flat_map(move |round| 1..=words / round)
    }

    #[test]
    fn a_sample_gives_nearly_the_same_figures_as_all_words() {
        let (mut exact, mut sampled) = (Vocabulary::new(1 << 30), Vocabulary::new(4_000));
        for word in zipf_words(30_000) {
            exact.add(&word.to_string());
            sampled.add(&word.to_string());
        }
        assert!(exact.is_exact() && !sampled.is_exact());
        assert_eq!(exact.size(), 30_000);
        let near = |a: u64, b: u64, share: f64| {
            assert!((a as f64 / b as f64 - 1.0).abs() < share, "{a} and {b}");
        };
        near(sampled.size(), exact.size(), 0.05);
        near(sampled.spectrum().once(), exact.spectrum().once(), 0.06);
        assert_eq!(sampled.occurrences(), exact.occurrences());
        let top: Vec<String> = sampled.top(5).into_iter().map(|(word, _)| word).collect();
        assert_eq!(top, ["1", "2", "3", "4", "5"], "frequent words are no part of the draw");
    }

    #[test]
    fn words_that_are_all_frequent_are_sampled_too() {
        let mut vocabulary = Vocabulary::new(1_000);
        for _ in 0..100 {
            (0..1_000).for_each(|word: u32| vocabulary.add(&word.to_string()));
        }
        (1_000..9_000).for_each(|word: u32| vocabulary.add(&word.to_string()));
        assert!(vocabulary.counts.len() <= 1_000 && vocabulary.sure <= 500);
        assert!((6_000..12_000).contains(&vocabulary.size()), "{}", vocabulary.size());
    }

    #[test]
    fn names_are_kept_of_the_most_frequent_words_only() {
        let mut vocabulary = Vocabulary::new(1 << 30);
        for word in zipf_words(40_000) {
            vocabulary.add(&word.to_string());
        }
        assert!(vocabulary.names.len() <= NAMES && vocabulary.named_from > 1);
        assert_eq!(vocabulary.top(1), [("1".into(), 40_000)]);
        assert_eq!(vocabulary.top(1_000).len(), 1_000);
    }

    proptest! {
        #[test]
        fn figures_agree_with_a_plain_count(words in prop::collection::vec(0..60_u32, 0..400)) {
            let mut vocabulary = Vocabulary::new(1_000);
            let mut plain: BTreeMap<String, u64> = BTreeMap::new();
            for word in &words {
                vocabulary.add(&word.to_string());
                *plain.entry(word.to_string()).or_default() += 1;
            }
            prop_assert_eq!(vocabulary.size(), plain.len() as u64);
            prop_assert_eq!(vocabulary.spectrum().once(), plain.values().filter(|n| **n == 1).count() as u64);
            let mut top: Vec<CountedWord> = plain.into_iter().collect();
            top.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            prop_assert_eq!(vocabulary.top(1_000), top);
            let growth = vocabulary.growth();
            prop_assert!(growth.is_sorted() && growth.iter().all(|(read, known)| known <= read));
        }
    }
}
