//! Naive Bayes that learns while it judges (002 §3.1), over hashed words.
//!
//! It departs from formula 2: instead of one occurrence of every word, a class is lent some occurrences
//! spread as the words of all classes are. While pages off a subject come ten times as often as those
//! on it, a word that was met once, off it, would else speak for the subject.

use crate::hashed::HashedCounts;

/// Words whose odds are multiplied before a logarithm is taken: one costs more than all else together. A
/// factor is a count at most, so that f64 holds the product of so many.
const TOGETHER: usize = 32;

/// What has been counted so far, for `CLASSES` classes.
#[derive(Clone, Debug)]
pub struct Online<const CLASSES: usize> {
    /// Occurrences lent to each class.
    lent: f32,
    /// Σ N(w, d) P(c | d).
    counts: HashedCounts<CLASSES>,
    documents: [f32; CLASSES],
}

impl<const CLASSES: usize> Online<CLASSES> {
    /// Nothing counted yet, in so many places; each class is lent so many occurrences, as many as a few
    /// documents have.
    #[must_use]
    pub fn new(places: usize, lent: f32) -> Online<CLASSES> {
        Online { lent, counts: HashedCounts::new(places), documents: [0.; CLASSES] }
    }

    /// Counts the words of a document as belonging to a class, with this weight.
    pub fn learn(&mut self, words: &[u32], class: usize, weight: f32) {
        for &word in words {
            self.counts.add(word, class, weight);
        }
        self.documents[class] += weight;
    }

    /// Documents of a class.
    #[must_use]
    pub fn documents(&self, class: usize) -> f32 {
        self.documents[class]
    }

    /// How much more words belong to class `of` than to `against`: Σ ln P(w | of) − ln P(w | against). Words
    /// never counted say nothing.
    #[must_use]
    pub fn odds(&self, words: &[u32], of: usize, against: usize) -> f32 {
        let (totals, lent) = (self.counts.totals(), f64::from(self.lent));
        let share = (lent / totals.iter().sum::<f64>().max(f64::MIN_POSITIVE)) as f32;
        let whole = (totals[against] + lent) / (totals[of] + lent);
        let (mut odds, mut known) = (0., 0_u32);
        for words in words.chunks(TOGETHER) {
            let mut factors = [1_f64; 2];
            for counts in words.iter().map(|word| self.counts.row(*word)) {
                let lent = counts.iter().sum::<f32>() * share;
                if lent > 0. {
                    factors[0] *= f64::from(counts[of] + lent);
                    factors[1] *= f64::from(counts[against] + lent);
                    known += 1;
                }
            }
            odds += factors[0].ln() - factors[1].ln();
        }
        (odds + f64::from(known) * whole.ln()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_speaks_for_one_class_speaks_against_the_other(
            documents in prop::collection::vec(
                (prop::collection::vec(0u32..12, 1..8), 0usize..3), 1..20),
            asked in prop::collection::vec(0u32..12, 0..8),
        ) {
            let mut online = Online::<3>::new(16, 10.);
            for (words, class) in &documents {
                online.learn(words, *class, 1.);
            }
            let (there, back) = (online.odds(&asked, 0, 1), online.odds(&asked, 1, 0));
            prop_assert!((there + back).abs() < 1e-4 && there.is_finite());
            let parts: f32 = asked.iter().map(|word| online.odds(&[*word], 0, 1)).sum();
            prop_assert!((there - parts).abs() < 1e-4);
        }
    }

    #[test]
    fn words_decide_by_how_often_they_are_met_in_a_class() {
        let mut online = Online::<2>::new(1 << 12, 2.);
        online.learn(&[1, 2], 0, 1.);
        online.learn(&[2, 3], 1, 1.);
        // A quarter of all occurrences is word 3: (1 + 2/4) / (2 + 2) against (0 + 2/4) / (2 + 2).
        assert!((online.odds(&[3, 9], 1, 0) - 3_f32.ln()).abs() < 1e-6);
        assert_eq!(online.odds(&[2], 1, 0), 0.);
        assert_eq!(Online::<2>::new(1 << 12, 2.).odds(&[2], 1, 0), 0.);
    }

    #[test]
    fn a_rare_word_of_the_greater_class_does_not_speak_for_the_smaller() {
        let mut online = Online::<2>::new(1 << 12, 100.);
        (0..1_000).for_each(|page| online.learn(&[1, 2, 1_000 + page], 0, 1.));
        (0..10).for_each(|_| online.learn(&[1, 2, 3], 1, 1.));
        assert!(online.odds(&[1_007], 1, 0) < 0.);
        assert!(online.odds(&[3], 1, 0) > 2.);
    }
}
