//! The value of a link by logistic regression over bins of reward: as naive Bayes over bins (002 §2), but
//! words that come together share what they say instead of each saying all of it.
//!
//! A bin has a centre. A reward between two centres belongs to both, to each in the measure of its
//! nearness, so that the mean of the bins is the reward itself. Weights are learned by stochastic gradient
//! ascent on the likelihood; a word's steps grow smaller as it is met more often (AdaGrad: Duchi, Hazan and
//! Singer 2011), so a word that is new, such as a folder of the site at hand, is learned from few links.

use crate::bayes::Occurrence;

/// Places of the table of weights, a power of two.
const PLACES: usize = 1 << 18;
/// The size of a word's first step; a greater one lets the first links of a crawl decide on all others.
const RATE: f32 = 0.1;
/// The sum of squared slopes before the first: no step is greater than its slope over its root.
const CALM: f32 = 1e-3;
/// Greatest centre that can be read.
const MOST_CENTRE: f64 = 2.;
/// Most bins.
const MOST_BINS: usize = 4;

/// A number for each bin, 0 for bins that there are not: always as many, so that they are reckoned side by
/// side.
type Bins = [f32; MOST_BINS];

/// Weights of words for each bin.
#[derive(Clone, Debug)]
pub struct LinkRegression {
    centres: Vec<f64>,
    /// Of each place; and the sums of squared slopes.
    weights: Vec<Bins>,
    slopes: Vec<Bins>,
}

impl LinkRegression {
    /// Nothing learned yet; the centres rise, and there are four at most.
    #[must_use]
    pub fn new(centres: &[f64]) -> LinkRegression {
        let centres = &centres[..centres.len().min(MOST_BINS)];
        LinkRegression {
            centres: centres.to_vec(),
            weights: vec![[0.; MOST_BINS]; PLACES],
            slopes: vec![[CALM; MOST_BINS]; PLACES],
        }
    }

    /// Adds itself to `bytes`: its centres, then each place that holds something.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.centres.len() as u8);
        self.centres.iter().for_each(|centre| bytes.extend(centre.to_le_bytes()));
        let bins = self.centres.len();
        for (place, (weights, slopes)) in (0u32..).zip(self.weights.iter().zip(&self.slopes)) {
            if weights.iter().any(|weight| *weight != 0.) {
                bytes.extend(place.to_le_bytes());
                let numbers = weights[..bins].iter().chain(&slopes[..bins]);
                numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
            }
        }
    }

    /// Reads what [`LinkRegression::write`] wrote; none where it cannot have been.
    pub(super) fn read(bytes: &[u8]) -> Option<LinkRegression> {
        let (&bins, rest) = bytes.split_first()?;
        let bins = usize::from(bins);
        let (centres, rest) = rest.split_at_checked(8 * bins)?;
        let centres: Vec<f64> =
            centres.as_chunks().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
        let is_rising = centres.is_sorted_by(|a, b| a < b);
        let is_sound =
            centres.iter().all(|centre| (0. ..=MOST_CENTRE).contains(centre)) && is_rising;
        if !(1..=MOST_BINS).contains(&bins) || !is_sound || rest.len() % (4 + 8 * bins) != 0 {
            return None;
        }
        let mut read = LinkRegression::new(&centres);
        for row in rest.chunks(4 + 8 * bins) {
            let (numbers, _) = row.as_chunks::<4>();
            let place = u32::from_le_bytes(numbers[0]) as usize;
            let (weights, slopes) = (read.weights.get_mut(place)?, &mut read.slopes[place]);
            for (bin, number) in numbers[1..].iter().enumerate() {
                let value = Some(f32::from_le_bytes(*number)).filter(|value| value.is_finite())?;
                match bin.checked_sub(bins) {
                    None => weights[bin] = value,
                    Some(bin) => slopes[bin] = value.max(CALM),
                }
            }
        }
        Some(read)
    }

    fn place(&self, word: u32) -> usize {
        word as usize & (self.weights.len() - 1)
    }

    /// How probably a link with these words falls into each bin.
    fn bins_of(&self, words: impl IntoIterator<Item = Occurrence>) -> Bins {
        let mut shares = [0.; MOST_BINS];
        for (word, times) in words {
            let row = &self.weights[self.place(word)];
            shares.iter_mut().zip(row).for_each(|(score, weight)| *score += times * weight);
        }
        let shown = &mut shares[..self.centres.len()];
        let greatest = shown.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        shown.iter_mut().for_each(|score| *score = (*score - greatest).exp());
        let sum: f32 = shown.iter().sum();
        shown.iter_mut().for_each(|share| *share /= sum);
        shares
    }

    /// How far a reward belongs to each bin.
    fn shares(&self, reward: f64) -> Bins {
        let above = self.centres.partition_point(|centre| *centre <= reward);
        let mut shares = [0.; MOST_BINS];
        match (above.checked_sub(1), self.centres.get(above)) {
            (Some(below), Some(next)) => {
                let upper = (reward - self.centres[below]) / (next - self.centres[below]);
                shares[above] = upper as f32;
                shares[below] = 1. - upper as f32;
            }
            (Some(last), None) => shares[last] = 1.,
            (None, _) => shares[0] = 1.,
        }
        shares
    }

    /// Q: what following a link with these words is worth.
    #[must_use]
    pub fn q(&self, words: impl IntoIterator<Item = Occurrence>) -> f64 {
        let shares = self.bins_of(words);
        shares.iter().zip(&self.centres).map(|(share, centre)| f64::from(*share) * centre).sum()
    }

    /// Learns what following a link with these words was worth.
    pub fn learn(&mut self, words: impl IntoIterator<Item = Occurrence> + Clone, reward: f64) {
        let (found, mut wrong) = (self.bins_of(words.clone()), self.shares(reward));
        wrong.iter_mut().zip(found).for_each(|(share, found)| {
            *share -= found;
        });
        for (word, times) in words {
            let place = self.place(word);
            let cells = self.weights[place].iter_mut().zip(&mut self.slopes[place]);
            for ((weight, slopes), wrong) in cells.zip(wrong) {
                let slope = wrong * times;
                *slopes += slope * slope;
                *weight += RATE * slope / slopes.sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_reward_belongs_to_the_bins_beside_it() {
        let check = |reward: f64, expected: [f64; 3]| {
            let shares = LinkRegression::new(&[0., 0.5, 1.]).shares(reward);
            let same = shares.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-6);
            assert!(same, "{reward}: {shares:?}");
        };
        check(0., [1., 0., 0.]);
        check(0.2, [0.6, 0.4, 0.]);
        check(0.75, [0., 0.5, 0.5]);
        check(1., [0., 0., 1.]);
        check(7., [0., 0., 1.]);
        check(-7., [1., 0., 0.]);
    }

    #[test]
    fn words_that_come_together_share_what_they_say() {
        // Word 1 decides; 2 and 3 stand beside it or not.
        let mut learned = LinkRegression::new(&[0., 1.]);
        for _ in 0..400 {
            learned.learn([(1, 1.), (2, 1.), (3, 1.)], 1.);
            learned.learn([(2, 1.), (3, 1.)], 0.);
        }
        let q = |words: &[u32]| learned.q(words.iter().map(|w| (*w, 1.)));
        assert!(q(&[1, 2, 3]) > 0.9 && q(&[2, 3]) < 0.1 && q(&[1]) > 0.9);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn it_learns_the_mean_reward_of_a_link_met_often(rewards in prop::collection::vec(0f64..1., 1..4)) {
            let mut learned = LinkRegression::new(&[0., 0.5, 1.]);
            let mean = rewards.iter().sum::<f64>() / rewards.len() as f64;
            for _ in 0..3_000 {
                rewards.iter().for_each(|reward| learned.learn([(7, 1.)], *reward));
            }
            prop_assert!((learned.q([(7, 1.)]) - mean).abs() < 0.05);
        }
    }
}
