//! The value of a link by its words (002 §2): naive Bayes says how probably it falls into each bin of
//! reward, and its value is the mean reward of the bins, weighed by that.
//!
//! Words are hashes, and it learns at any time. Two departures from formulas 1 and 2: |V| is the number of
//! places ever counted; and `evidence` bounds how many words' worth of evidence a link may bring, since
//! words that stand together do not speak independently.

use crate::bayes::Occurrence;
use crate::hashed::HashedCounts;

/// What is known of the worth of links.
#[derive(Clone, Debug)]
pub struct LinkValue<const BINS: usize> {
    /// Where each bin begins.
    edges: [f64; BINS],
    /// Most words that count of one link; more are scaled down to so many.
    evidence: f64,
    counts: HashedCounts<BINS>,
    /// ln(1 + N) of each place and bin.
    logarithms: Vec<[f32; BINS]>,
    /// Links and their rewards in each bin.
    links: [f64; BINS],
    rewards: [f64; BINS],
    vocabulary: usize,
    /// Of each bin: the logarithm of its prior, and what the words of a link take off for each of them.
    priors: [f64; BINS],
    wholes: [f64; BINS],
}

impl<const BINS: usize> LinkValue<BINS> {
    /// Nothing learned yet, in so many places of words. Rewards from one edge to the next share a bin; what is below the first edge
    /// falls into the first bin.
    #[must_use]
    pub fn new(edges: [f64; BINS], evidence: f64, places: usize) -> LinkValue<BINS> {
        let counts = HashedCounts::new(places);
        let mut value = LinkValue {
            edges,
            evidence,
            logarithms: vec![[0.; BINS]; counts.places()],
            counts,
            links: [0.; BINS],
            rewards: [0.; BINS],
            vocabulary: 0,
            priors: [0.; BINS],
            wholes: [0.; BINS],
        };
        value.weigh_bins();
        value
    }

    /// Learns what following a link with these words was worth.
    pub fn learn(&mut self, words: impl IntoIterator<Item = Occurrence>, reward: f64) {
        self.learn_weighed(words, reward, 1.);
    }

    /// As [`LinkValue::learn`], of a link that counts so much.
    pub(crate) fn learn_weighed(
        &mut self,
        words: impl IntoIterator<Item = Occurrence>,
        reward: f64,
        weight: f64,
    ) {
        let bin = self.edges.iter().skip(1).filter(|edge| reward >= **edge).count();
        for (word, times) in words {
            let is_new = self.counts.row(word).iter().all(|count| *count == 0.);
            self.vocabulary += usize::from(is_new);
            let count = self.counts.add(word, bin, times * weight as f32)[bin];
            self.logarithms[self.counts.place(word)][bin] = count.ln_1p();
        }
        self.links[bin] += weight;
        self.rewards[bin] += reward * weight;
        self.weigh_bins();
    }

    /// What is the same for all links until something is learned.
    fn weigh_bins(&mut self) {
        let all: f64 = self.links.iter().sum();
        for bin in 0..BINS {
            self.priors[bin] = ((1. + self.links[bin]) / (BINS as f64 + all)).ln();
            let whole = self.vocabulary as f64 + self.counts.totals()[bin];
            self.wholes[bin] = whole.max(1.).ln();
        }
    }

    /// How probably a link with these words falls into each bin.
    #[must_use]
    pub(crate) fn bins_of(&self, words: impl IntoIterator<Item = Occurrence>) -> [f64; BINS] {
        let (mut scores, mut known) = ([0.; BINS], 0.);
        for (word, times) in words {
            let row = &self.logarithms[self.counts.place(word)];
            known += if row.iter().any(|log| *log > 0.) { f64::from(times) } else { 0. };
            for (score, logarithm) in scores.iter_mut().zip(row) {
                *score += f64::from(times * logarithm);
            }
        }
        let scale = (self.evidence / known).min(1.);
        for (bin, score) in scores.iter_mut().enumerate() {
            *score = self.priors[bin] + scale * (*score - known * self.wholes[bin]);
        }
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares = scores.map(|score| (score - greatest).exp());
        let sum: f64 = shares.iter().sum();
        shares.map(|share| share / sum)
    }

    /// Q: what following a link with these words is worth.
    #[must_use]
    pub fn q(&self, words: impl IntoIterator<Item = Occurrence>) -> f64 {
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
        let mut value = LinkValue::new([0., 0.1, 0.7], f64::INFINITY, 64);
        for _ in 0..50 {
            value.learn([(1, 1.), (2, 1.)], 1.);
            value.learn([(2, 1.), (3, 1.)], 0.);
            value.learn([(4, 1.), (5, 1.)], 0.5);
        }
        let q = |word| value.q([(word, 1.)]);
        assert!(q(1) > 0.9 && q(3) < 0.1 && (0.4..0.6).contains(&q(4)));
        assert!((q(9) - 0.5).abs() < 0.01, "an unknown word says nothing: {}", q(9));
    }

    #[test]
    fn evidence_is_bounded() {
        let mut value = LinkValue::new([0., 0.5], 2., 64);
        value.learn([(1, 1.)], 1.);
        value.learn([(2, 1.)], 0.);
        assert!((value.q([(1, 2.)]) - value.q([(1, 200.)])).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn bins_are_those_of_formulas_1_and_2(
            links in prop::collection::vec(
                (prop::collection::vec(0u32..9, 0..6), 0f64..1.), 1..20),
            asked in prop::collection::vec(0u32..9, 0..6),
        ) {
            let occurrences = |words: &[u32]| words.iter().map(|w| (*w, 1.)).collect::<Vec<_>>();
            let (mut value, mut counts) = (LinkValue::new([0., 0.3, 0.6], f64::INFINITY, 64), Counts::new(3));
            // Every word is met once, so that both have the same vocabulary.
            let all: Vec<u32> = (0..9).collect();
            for (words, reward) in links.iter().chain([&(all, 0.)]) {
                value.learn(occurrences(words), *reward);
                let bin = usize::from(*reward >= 0.3) + usize::from(*reward >= 0.6);
                counts.add(&occurrences(words), bin, 1.);
            }
            let expected = counts.posterior(&occurrences(&asked));
            for (found, expected) in value.bins_of(occurrences(&asked)).iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-4);
            }
        }
    }
}
