//! The value of a link by its words (002 §2): naive Bayes says how probably it falls into each bin of
//! reward, and its value is the mean reward of the bins, weighed by that.
//!
//! Words are hashes folded into a table of fixed size, so that memory does not grow with the vocabulary,
//! and it learns at any time. Two departures from formulas 1 and 2: |V| is the number of places ever
//! counted; and `evidence` bounds how many words' worth of evidence a link may bring, since words that
//! stand together do not speak independently.

use crate::bayes::{Occurrence, normalised};

/// Places of the table, a power of two.
const PLACES: usize = 1 << 17;

/// What is known of the worth of links.
#[derive(Clone, Debug)]
pub struct Value {
    /// Where each bin but the first begins.
    edges: Vec<f64>,
    /// Most words that count of one link; more are scaled down to so many.
    evidence: f64,
    /// ln(1 + N) of each place and bin, and N itself.
    logarithms: Vec<f32>,
    counts: Vec<f32>,
    totals: Vec<f64>,
    /// Links and their rewards in each bin.
    links: Vec<f64>,
    rewards: Vec<f64>,
    vocabulary: usize,
}

impl Value {
    /// Nothing learned yet. Rewards from one edge to the next share a bin.
    #[must_use]
    pub fn new(edges: &[f64], evidence: f64) -> Value {
        let bins = edges.len() + 1;
        Value {
            edges: edges.to_vec(),
            evidence,
            logarithms: vec![0.; PLACES * bins],
            counts: vec![0.; PLACES * bins],
            totals: vec![0.; bins],
            links: vec![0.; bins],
            rewards: vec![0.; bins],
            vocabulary: 0,
        }
    }

    fn bins(&self) -> usize {
        self.edges.len() + 1
    }

    fn place(&self, word: u32) -> usize {
        (word as usize & (PLACES - 1)) * self.bins()
    }

    /// Learns what following a link with these words was worth.
    pub fn learn(&mut self, words: &[Occurrence], reward: f64) {
        self.learn_weighed(words, reward, 1.);
    }

    /// As [`Value::learn`], of a link that counts so much.
    pub fn learn_weighed(&mut self, words: &[Occurrence], reward: f64, weight: f64) {
        let bin = self.edges.iter().filter(|edge| reward >= **edge).count();
        for &(word, times) in words {
            let place = self.place(word);
            let row = place..place + self.bins();
            self.vocabulary += usize::from(self.counts[row].iter().all(|count| *count == 0.));
            let count = &mut self.counts[place + bin];
            *count += times * weight as f32;
            self.logarithms[place + bin] = count.ln_1p();
            self.totals[bin] += f64::from(times) * weight;
        }
        self.links[bin] += weight;
        self.rewards[bin] += reward * weight;
    }

    /// How probably a link with these words falls into each bin.
    #[must_use]
    pub fn bins_of(&self, words: &[Occurrence]) -> Vec<f64> {
        let mut scores = vec![0.; self.bins()];
        let mut known = 0.;
        for &(word, times) in words {
            let place = self.place(word);
            let row = &self.logarithms[place..place + scores.len()];
            known += if row.iter().any(|log| *log > 0.) { f64::from(times) } else { 0. };
            for (score, logarithm) in scores.iter_mut().zip(row) {
                *score += f64::from(times * logarithm);
            }
        }
        let scale = (self.evidence / known).min(1.);
        let all: f64 = self.links.iter().sum();
        for (bin, score) in scores.iter_mut().enumerate() {
            let prior = (1. + self.links[bin]) / (self.links.len() as f64 + all);
            let whole = (self.vocabulary as f64 + self.totals[bin]).max(1.).ln();
            *score = prior.ln() + scale * (*score - known * whole);
        }
        normalised(scores)
    }

    /// Q: what following a link with these words is worth.
    #[must_use]
    pub fn q(&self, words: &[Occurrence]) -> f64 {
        let bins = self.bins_of(words);
        let worth = |bin: usize| self.rewards[bin] / self.links[bin].max(1e-9);
        bins.iter().enumerate().map(|(bin, share)| share * worth(bin)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::Counts;
    use proptest::prelude::*;

    #[test]
    fn a_link_is_worth_what_links_of_its_words_were_worth() {
        let mut value = Value::new(&[0.1, 0.7], f64::INFINITY);
        for _ in 0..50 {
            value.learn(&[(1, 1.), (2, 1.)], 1.);
            value.learn(&[(2, 1.), (3, 1.)], 0.);
            value.learn(&[(4, 1.), (5, 1.)], 0.5);
        }
        let q = |word| value.q(&[(word, 1.)]);
        assert!(q(1) > 0.9 && q(3) < 0.1 && (0.4..0.6).contains(&q(4)));
        assert!((q(9) - 0.5).abs() < 0.01, "an unknown word says nothing: {}", q(9));
    }

    #[test]
    fn evidence_is_bounded() {
        let mut value = Value::new(&[0.5], 2.);
        value.learn(&[(1, 1.)], 1.);
        value.learn(&[(2, 1.)], 0.);
        assert!((value.q(&[(1, 2.)]) - value.q(&[(1, 200.)])).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn bins_are_those_of_formulas_1_and_2(
            links in prop::collection::vec(
                (prop::collection::vec(0u32..9, 0..6), 0f64..1.), 1..20),
            asked in prop::collection::vec(0u32..9, 0..6),
        ) {
            let occurrences = |words: &[u32]| words.iter().map(|w| (*w, 1.)).collect::<Vec<_>>();
            let (mut value, mut counts) = (Value::new(&[0.3, 0.6], f64::INFINITY), Counts::new(3));
            // Every word is met once, so that both have the same vocabulary.
            let all: Vec<u32> = (0..9).collect();
            for (words, reward) in links.iter().chain([&(all, 0.)]) {
                value.learn(&occurrences(words), *reward);
                let bin = usize::from(*reward >= 0.3) + usize::from(*reward >= 0.6);
                counts.add(&occurrences(words), bin, 1.);
            }
            let expected = counts.posterior(&occurrences(&asked));
            for (found, expected) in value.bins_of(&occurrences(&asked)).iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-4);
            }
        }
    }
}
