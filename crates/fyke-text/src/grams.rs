//! Words, bigrams, and both in one list, with Zipf's law for each (003 exercise 4.1: rank-frequency curves for
//! words, bigrams and the two together, and the best C of each).

use crate::sketch::{HashedText, shingles};
use crate::zipf::{Spectrum, Zipf};
use std::collections::{BTreeMap, HashMap};

/// Different words and bigrams that are counted; of later ones only those known by then.
const MOST: usize = 20_000_000;

/// How often words and bigrams stand in texts. No bigram goes from one text to the next.
#[derive(Clone, Debug, Default)]
pub struct GramCounts {
    words: HashMap<u64, u64>,
    bigrams: HashMap<u64, u64>,
    /// Some were too many to be counted.
    pub is_cut: bool,
}

/// A rank-frequency curve in figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GramCurve {
    pub name: &'static str,
    pub occurrences: u64,
    pub distinct: u64,
    pub once: u64,
    /// None where there are too few to fit anything.
    pub zipf: Option<Zipf>,
}

impl GramCounts {
    /// Counts a text.
    pub fn add(&mut self, text: &str) {
        let words = HashedText::read(text).words;
        self.is_cut |= count(&mut self.words, &words);
        if words.len() > 1 {
            self.is_cut |= count(&mut self.bigrams, &shingles(&words, 2));
        }
    }

    /// The curves of words, of bigrams, and of both in one list.
    #[must_use]
    pub fn curves(&self) -> [GramCurve; 3] {
        let (words, bigrams) = (self.words.values(), self.bigrams.values());
        [
            curve("words", words.clone()),
            curve("bigrams", bigrams.clone()),
            curve("words and bigrams", words.chain(bigrams)),
        ]
    }
}

/// Says whether some were left out.
fn count(counts: &mut HashMap<u64, u64>, grams: &[u64]) -> bool {
    let mut is_cut = false;
    for gram in grams {
        let is_full = counts.len() >= MOST;
        match counts.get_mut(gram) {
            Some(times) => *times += 1,
            None if is_full => is_cut = true,
            None => drop(counts.insert(*gram, 1)),
        }
    }
    is_cut
}

fn curve<'c>(name: &'static str, counts: impl Iterator<Item = &'c u64>) -> GramCurve {
    let mut steps: BTreeMap<u64, u64> = BTreeMap::new();
    let mut occurrences = 0;
    for times in counts {
        *steps.entry(*times).or_default() += 1;
        occurrences += times;
    }
    let spectrum = Spectrum::new(steps, occurrences);
    GramCurve {
        name,
        occurrences,
        distinct: spectrum.vocabulary(),
        once: spectrum.once(),
        zipf: spectrum.zipf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bigrams_overlap_stay_within_a_text_and_join_the_words() {
        let mut counts = GramCounts::default();
        counts.add("Tropical fish, tropical fish tank");
        counts.add("fish");
        counts.add("");
        let [words, bigrams, both] = counts.curves();
        assert_eq!((words.occurrences, words.distinct, words.once), (6, 3, 1));
        // tropical fish twice, fish tropical, fish tank.
        assert_eq!((bigrams.occurrences, bigrams.distinct, bigrams.once), (4, 3, 2));
        assert_eq!((both.occurrences, both.distinct), (10, 6));
        assert!(!counts.is_cut);
    }

    #[test]
    fn bigrams_of_a_text_by_zipfs_law_are_flatter_than_its_words() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Rank r with a chance of about 1/r.
            let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
            format!("w{:.0} ", 2_000f64.powf(share))
        };
        let mut counts = GramCounts::default();
        counts.add(&(0..20_000).map(|_| draw()).collect::<String>());
        let [words, bigrams, both] = counts.curves().map(|curve| curve.zipf.unwrap().c);
        assert!((0.1..0.2).contains(&words), "{words}");
        assert!(bigrams < words && bigrams < both && both < words, "{bigrams} {both} {words}");
    }
}
