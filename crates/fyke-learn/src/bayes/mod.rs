//! Multinomial naive Bayes: how often each word occurs in each class, and what class a bag of words then
//! belongs to (002 §3.1, formulas 1 and 2). Words are numbers from 0; a document is a list of words and
//! how often each occurs.

/// A word of a document and how often it occurs there, N(w, d).
pub type Occurrence = (u32, f32);

/// What has been counted so far; documents may be added at any time, in parts of classes too.
#[derive(Clone, Debug)]
pub struct Counts {
    classes: usize,
    /// Σ N(w, d) P(c | d), a row of classes for each word.
    words: Vec<f64>,
    /// The sums of `words` over all words.
    totals: Vec<f64>,
    /// Σ P(c | d).
    documents: Vec<f64>,
}

impl Counts {
    pub fn new(classes: usize) -> Counts {
        Counts {
            classes,
            words: Vec::new(),
            totals: vec![0.; classes],
            documents: vec![0.; classes],
        }
    }

    pub fn classes(&self) -> usize {
        self.classes
    }

    /// |V|: one more than the greatest word seen.
    pub fn vocabulary(&self) -> usize {
        self.words.len().checked_div(self.classes).unwrap_or(0)
    }

    /// Counts a document as belonging to a class with this probability.
    pub fn add(&mut self, document: &[Occurrence], class: usize, probability: f64) {
        for &(word, times) in document {
            let place = word as usize * self.classes;
            if place >= self.words.len() {
                self.words.resize(place + self.classes, 0.);
            }
            self.words[place + class] += f64::from(times) * probability;
            self.totals[class] += f64::from(times) * probability;
        }
        self.documents[class] += probability;
    }

    /// Counts a document as belonging to every class by its share of it.
    pub(crate) fn add_shares(&mut self, document: &[Occurrence], shares: &[f32]) {
        for &(word, times) in document {
            let place = word as usize * self.classes;
            if place >= self.words.len() {
                self.words.resize(place + self.classes, 0.);
            }
            let row = self.words[place..].iter_mut().zip(&mut self.totals).zip(shares);
            for ((cell, total), share) in row {
                let counted = f64::from(times * share);
                *cell += counted;
                *total += counted;
            }
        }
        self.documents.iter_mut().zip(shares).for_each(|(sum, share)| *sum += f64::from(*share));
    }

    /// Σ N(w, d) P(c | d) of a word, for each class; empty for one that is beyond the vocabulary.
    pub fn row(&self, word: u32) -> &[f64] {
        let place = word as usize * self.classes;
        self.words.get(place..place + self.classes).unwrap_or_default()
    }

    /// The sums of the rows of all words.
    pub fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// P(w | c) by formula 2.
    pub fn frequency(&self, word: u32, class: usize) -> f64 {
        let counted = self.words.get(word as usize * self.classes + class).copied().unwrap_or(0.);
        (1. + counted) / (self.vocabulary() as f64 + self.totals[class])
    }

    /// P(c): the smoothed share of the documents.
    pub fn prior(&self, class: usize) -> f64 {
        let all: f64 = self.documents.iter().sum();
        (1. + self.documents[class]) / (self.classes as f64 + all)
    }

    /// P(c | d) of every class by formula 1. Words never counted say nothing.
    pub fn posterior(&self, document: &[Occurrence]) -> Vec<f64> {
        let known = |word: u32| (word as usize) < self.vocabulary();
        let scores = (0..self.classes).map(|class| {
            let words = document.iter().filter(|(word, _)| known(*word));
            let likelihood =
                words.map(|&(word, times)| f64::from(times) * self.frequency(word, class).ln());
            self.prior(class).ln() + likelihood.sum::<f64>()
        });
        normalised(scores.collect())
    }
}

/// Logarithms of amounts in proportion → probabilities.
pub fn normalised(mut logarithms: Vec<f64>) -> Vec<f64> {
    let greatest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.iter_mut().for_each(|value| *value = (*value - greatest).exp());
    let sum: f64 = logarithms.iter().sum();
    logarithms.iter_mut().for_each(|value| *value /= sum);
    logarithms
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_word_has_the_frequency_of_formula_2() {
        let mut counts = Counts::new(2);
        counts.add(&[(0, 2.), (1, 1.)], 0, 1.);
        counts.add(&[(2, 3.)], 1, 1.);
        assert_eq!(counts.frequency(0, 0), 3. / 6.);
        assert_eq!(counts.frequency(0, 1), 1. / 6.);
        assert_eq!(counts.prior(0), 0.5);
    }

    #[test]
    fn words_decide_by_formula_1() {
        let mut counts = Counts::new(2);
        counts.add(&[(0, 2.), (1, 1.)], 0, 1.);
        counts.add(&[(2, 3.)], 1, 1.);
        // 1/2 · 3/6 to 1/2 · 1/6.
        let posterior = counts.posterior(&[(0, 1.), (9, 5.)]);
        assert!((posterior[0] - 0.75).abs() < 1e-12);
    }

    #[test]
    fn shares_count_as_classes_one_by_one() {
        let document = [(0, 2.), (3, 1.)];
        let (mut one, mut all) = (Counts::new(2), Counts::new(2));
        one.add(&document, 0, 0.25);
        one.add(&document, 1, 0.75);
        all.add_shares(&document, &[0.25, 0.75]);
        assert_eq!((one.row(3), one.totals()), (all.row(3), all.totals()));
        assert_eq!((all.row(0), all.row(4)), (&[0.5, 1.5][..], &[][..]));
        assert_eq!(one.prior(1), all.prior(1));
    }

    proptest! {
        #[test]
        fn frequencies_of_a_class_sum_to_one(
            documents in prop::collection::vec((prop::collection::vec((0u32..20, 0f32..5.), 0..8), 0usize..3), 1..20)
        ) {
            let mut counts = Counts::new(3);
            for (document, class) in &documents {
                counts.add(document, *class, 0.5);
            }
            if counts.vocabulary() > 0 {
                for class in 0..3 {
                    let sum: f64 = (0..counts.vocabulary() as u32).map(|w| counts.frequency(w, class)).sum();
                    prop_assert!((sum - 1.).abs() < 1e-9);
                }
            }
            let posterior = counts.posterior(&documents[0].0);
            prop_assert!((posterior.iter().sum::<f64>() - 1.).abs() < 1e-9);
        }
    }
}
