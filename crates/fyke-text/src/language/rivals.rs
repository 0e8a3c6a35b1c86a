//! Rivals: languages so near that n-gram counts do not tell them apart (Croatian, Bosnian and
//! Serbian; Danish and the two Norwegians). Among them a linear support vector machine over words,
//! pairs of words and longer n-grams decides.

use super::model::LanguageModel;
use super::ngrams::distinct_features;
use super::table::LANES;

/// Weights are kept in parts of one.
pub(crate) const UNIT: f32 = 16.0;
/// What a margin of one counts, as a logarithm of odds.
pub(crate) const MARGIN: f32 = 6.0;

/// The logarithms of the odds of each of a group of rivals, given that `text` is in one of their languages;
/// `first` is the place of the group in the table.
pub fn odds(model: &LanguageModel, first: usize, group: usize, text: &str) -> Vec<f32> {
    let mut sums = [0_i32; LANES];
    let keys = distinct_features(text);
    model.contrasts.add_all(&keys, &mut sums, |weight| i32::from(weight as i8));
    let unit = MARGIN / UNIT * scale(keys.len());
    sums.iter().skip(first).take(group).map(|&sum| sum as f32 * unit).collect()
}

/// What a sum over so many features is multiplied with, so that long texts are not overrated.
pub fn scale(features: usize) -> f32 {
    (features.max(1) as f32).sqrt().recip()
}

/// Shares of one, in proportion to the exponential of each value.
pub(crate) fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}
