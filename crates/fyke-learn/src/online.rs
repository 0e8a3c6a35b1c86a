//! Naive Bayes that learns while it judges (002 §3.1): words are hashes folded into a table of
//! fixed size, so that memory does not grow with the vocabulary.
//!
//! It departs from formula 2: instead of one occurrence of every word, a class is lent some occurrences
//! spread as the words of all classes are. While pages off a subject come ten times as often as those
//! on it, a word that was met once, off it, would else speak for the subject.

/// Places of the table, a power of two. Of 20,000 words one in fourteen shares its place.
pub const PLACES: usize = 1 << 17;

/// What has been counted so far, for `CLASSES` classes.
#[derive(Clone, Debug)]
pub struct Online<const CLASSES: usize> {
    /// Occurrences lent to each class.
    lent: f32,
    /// Σ N(w, d) P(c | d) of each place.
    counts: Vec<[f32; CLASSES]>,
    totals: [f32; CLASSES],
    documents: [f32; CLASSES],
}

/// The place of a word.
fn place(word: u32) -> usize {
    word as usize & (PLACES - 1)
}

impl<const CLASSES: usize> Online<CLASSES> {
    /// Nothing counted yet; each class is lent so many occurrences, as many as a few documents have.
    #[must_use]
    pub fn new(lent: f32) -> Online<CLASSES> {
        let (totals, documents) = ([0.; CLASSES], [0.; CLASSES]);
        Online { lent, counts: vec![[0.; CLASSES]; PLACES], totals, documents }
    }

    /// Counts the words of a document as belonging to a class, with this weight.
    pub fn learn(&mut self, words: &[u32], class: usize, weight: f32) {
        for &word in words {
            self.counts[place(word)][class] += weight;
        }
        self.totals[class] += weight * words.len() as f32;
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
        let share = self.lent / self.totals.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let whole = (self.totals[against] + self.lent) / (self.totals[of] + self.lent);
        let mut odds = 0.;
        for counts in words.iter().map(|word| &self.counts[place(*word)]) {
            let sum: f32 = counts.iter().sum();
            if sum > 0. {
                let lent = sum * share;
                odds += ((counts[of] + lent) / (counts[against] + lent) * whole).ln();
            }
        }
        odds
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
            let mut online = Online::<3>::new(10.);
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
        let mut online = Online::<2>::new(2.);
        online.learn(&[1, 2], 0, 1.);
        online.learn(&[2, 3], 1, 1.);
        // A quarter of all occurrences is word 3: (1 + 2/4) / (2 + 2) against (0 + 2/4) / (2 + 2).
        assert!((online.odds(&[3, 9], 1, 0) - 3_f32.ln()).abs() < 1e-6);
        assert_eq!(online.odds(&[2], 1, 0), 0.);
        assert_eq!(Online::<2>::new(2.).odds(&[2], 1, 0), 0.);
    }

    #[test]
    fn a_rare_word_of_the_greater_class_does_not_speak_for_the_smaller() {
        let mut online = Online::<2>::new(100.);
        (0..1_000).for_each(|page| online.learn(&[1, 2, 1_000 + page], 0, 1.));
        (0..10).for_each(|_| online.learn(&[1, 2, 3], 1, 1.));
        assert!(online.odds(&[1_007], 1, 0) < 0.);
        assert!(online.odds(&[3], 1, 0) > 2.);
    }
}
