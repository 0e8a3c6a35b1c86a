//! P(w | c) of all words and classes, ready to score documents by: formula 2 of 002 §3.1, or smoothed
//! towards the collection. Kept as logarithms against the word's frequency in the whole collection: what
//! a word says for a class, which is nothing for a word that is as frequent there as anywhere.

use super::labels::{Labels, normalise};
use crate::bayes::{Counts, Occurrence};
use serde::{Deserialize, Serialize};

/// A naive Bayes model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frequencies {
    classes: usize,
    /// ln P(w | c) − ln P(w), a row of classes a word.
    ratios: Vec<f32>,
    /// ln P(c), or noughts where no class is expected more than another.
    priors: Vec<f32>,
}

/// The words of a collection, counted once: P(w), and what an occurrence weighs on average.
#[derive(Clone, Debug)]
pub struct CollectionWords {
    pub(crate) shares: Vec<f64>,
    /// The sum of all weights.
    pub(crate) total: f64,
    /// The mean weight of a word in a document.
    one: f64,
}

impl CollectionWords {
    /// Counts documents whose words are numbers below `words`.
    #[must_use]
    pub fn count(documents: &[Vec<Occurrence>], words: usize) -> CollectionWords {
        // No word is impossible.
        let mut shares = vec![1e-3; words];
        let mut occurrences = 0_usize;
        for document in documents {
            occurrences += document.len();
            document.iter().for_each(|&(word, times)| shares[word as usize] += f64::from(times));
        }
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total.max(f64::MIN_POSITIVE));
        CollectionWords { shares, total, one: total / occurrences.max(1) as f64 }
    }

    #[must_use]
    pub fn words(&self) -> usize {
        self.shares.len()
    }

    /// The pooled frequency of a word, from its count in one of so many classes and that of all words.
    fn pooling(&self, classes: usize) -> impl Fn(usize, f64, f64) -> f64 {
        let drawn = self.total / classes.max(1) as f64;
        let ones = self.one * self.words() as f64;
        move |word, counted, total| {
            (self.one + counted + drawn * self.shares[word]) / (ones + total + drawn)
        }
    }
}

/// Counts documents by their labels.
#[must_use]
pub fn count(documents: &[Vec<Occurrence>], labels: &Labels) -> Counts {
    let mut counts = Counts::new(labels.classes());
    for (document, row) in documents.iter().zip(labels.rows()) {
        if row.iter().any(|share| *share > 0.) {
            counts.add_shares(document, row);
        }
    }
    counts
}

/// The labels a pooled model gives to each document when it is learnt from all others: how sure it is of
/// what it has not seen.
#[must_use]
pub fn unseen(
    documents: &[Vec<Occurrence>],
    labels: &Labels,
    collection: &CollectionWords,
    model: &Frequencies,
) -> Labels {
    let counts = count(documents, labels);
    let frequency = collection.pooling(counts.classes());
    let mut unseen = labels.clone();
    for (document, row) in documents.iter().zip(unseen.rows_mut()) {
        let length: f64 = document.iter().map(|(_, times)| f64::from(*times)).sum();
        let mut scores: Vec<f32> = model.priors.clone();
        for &(word, times) in document {
            for (class, counted) in counts.row(word).iter().enumerate() {
                let (share, times) = (f64::from(row[class]), f64::from(times));
                let total = counts.totals()[class] - length * share;
                let frequency = frequency(word as usize, counted - times * share, total);
                scores[class] += (times * frequency.ln()) as f32;
            }
        }
        normalise(&mut scores);
        row.copy_from_slice(&scores);
    }
    unseen
}

impl Frequencies {
    /// By formula 2, with the smoothed priors of the classes.
    #[must_use]
    pub fn laplace(counts: &Counts, collection: &CollectionWords) -> Frequencies {
        let all = collection.words() as f64;
        let mut of = Frequencies::estimate(counts, collection, |_, counted, total| {
            (1. + counted) / (all + total)
        });
        of.priors = (0..of.classes).map(|class| counts.prior(class).ln() as f32).collect();
        of
    }

    /// Beside formula 2's one occurrence of each word, every class is given as many words as the mean
    /// class has, drawn from the whole collection: a class of few documents is then neither sure of words it
    /// has seen once nor against words it has not seen. All classes are expected alike: how many
    /// documents keywords find says little of how many there are.
    #[must_use]
    pub fn pooled(counts: &Counts, collection: &CollectionWords) -> Frequencies {
        Frequencies::estimate(counts, collection, collection.pooling(counts.classes()))
    }

    /// The same with the last class expected so many times more than all others together.
    #[must_use]
    pub fn expecting(mut self, times: f32) -> Frequencies {
        let others = self.classes.saturating_sub(1).max(1) as f32;
        if let Some(last) = self.priors.last_mut() {
            *last = (times * others).ln();
        }
        self
    }

    /// By a function of the word, its count in a class and the count of all words there.
    pub(crate) fn estimate(
        counts: &Counts,
        collection: &CollectionWords,
        frequency: impl Fn(usize, f64, f64) -> f64,
    ) -> Frequencies {
        let classes = counts.classes();
        let mut ratios = Vec::with_capacity(collection.words() * classes);
        for (word, share) in collection.shares.iter().enumerate() {
            let row = counts.row(word as u32);
            let counted = |class: usize| row.get(class).copied().unwrap_or(0.);
            let totals = counts.totals().iter().enumerate();
            ratios.extend(totals.map(|(class, total)| {
                (frequency(word, counted(class), *total) / share).ln() as f32
            }));
        }
        Frequencies::from_parts(classes, ratios, vec![0.; classes])
    }

    pub(crate) fn from_parts(classes: usize, ratios: Vec<f32>, priors: Vec<f32>) -> Frequencies {
        Frequencies { classes, ratios, priors }
    }

    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// ln P(w | c) − ln P(w), for each class; empty for an unknown word.
    #[must_use]
    pub fn ratios(&self, word: u32) -> &[f32] {
        let place = word as usize * self.classes;
        self.ratios.get(place..place + self.classes).unwrap_or_default()
    }

    /// For each class ln P(c) P(d | c) − ln P(d), where P(d) takes the words as the collection has them.
    #[must_use]
    pub fn scores(&self, document: &[Occurrence]) -> Vec<f32> {
        let mut scores = self.priors.clone();
        for &(word, times) in document {
            let ratios = self.ratios(word).iter();
            scores.iter_mut().zip(ratios).for_each(|(score, ratio)| *score += times * ratio);
        }
        scores
    }

    /// P(c | d) by formula 1.
    #[must_use]
    pub fn posterior(&self, document: &[Occurrence]) -> Vec<f32> {
        let mut scores = self.scores(document);
        normalise(&mut scores);
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn laplace_is_formulas_1_and_2() {
        let documents = [vec![(0, 2.), (1, 1.)], vec![(2, 3.)], vec![(0, 1.), (2, 1.)]];
        let labels = Labels::sure(2, [Some(0), Some(1), None]);
        let counts = count(&documents, &labels);
        let model = Frequencies::laplace(&counts, &CollectionWords::count(&documents, 3));
        for document in &documents {
            let expected = counts.posterior(document);
            let found = model.posterior(document);
            let near = |(a, b): (&f64, &f32)| (a - f64::from(*b)).abs() < 1e-5;
            assert!(expected.iter().zip(&found).all(near), "{expected:?} {found:?}");
        }
    }

    #[test]
    fn the_last_class_is_expected_as_it_is_said() {
        let documents = [vec![(0, 9.)], vec![(1, 9.)]];
        let counts = count(&documents, &Labels::sure(3, [Some(0), Some(1)]));
        let model =
            Frequencies::pooled(&counts, &CollectionWords::count(&documents, 2)).expecting(3.);
        let posterior = model.posterior(&[]);
        assert!((posterior[2] - 0.75).abs() < 1e-6 && posterior[0] == posterior[1]);
    }

    #[test]
    fn a_document_left_out_is_judged_by_the_others() {
        let documents = [vec![(0, 9.)], vec![(0, 9.)], vec![(1, 9.)], vec![(2, 9.)], vec![(1, 9.)]];
        let labels = Labels::sure(2, [Some(0), Some(0), Some(1), Some(1), Some(1)]);
        let collection = CollectionWords::count(&documents, 3);
        let model = Frequencies::pooled(&count(&documents, &labels), &collection);
        let unseen = unseen(&documents, &labels, &collection, &model);
        let rows: Vec<&[f32]> = unseen.rows().collect();
        assert!(rows[0][0] > 0.7 && rows[2][1] > 0.7, "{rows:?}");
        // Nobody else has its word.
        assert!(rows[3][1] < 0.6 && model.posterior(&documents[3])[1] > 0.8, "{rows:?}");
    }

    proptest! {
        #[test]
        fn pooled_frequencies_of_a_class_sum_to_one(
            documents in prop::collection::vec(prop::collection::vec((0u32..9, 0.1f32..5.), 1..8), 1..9)
        ) {
            let labels = Labels::sure(2, documents.iter().map(|d| Some(d.len() % 2)));
            let collection = CollectionWords::count(&documents, 9);
            let model = Frequencies::pooled(&count(&documents, &labels), &collection);
            for class in 0..2 {
                let frequency = |w: usize| f64::from(model.ratios(w as u32)[class]).exp() * collection.shares[w];
                let sum: f64 = (0..9).map(frequency).sum();
                prop_assert!((sum - 1.).abs() < 1e-4, "{}", sum);
            }
        }
    }
}
