//! Learning to tell rivals apart: a linear support vector machine for each class against the others, by
//! coordinate descent in the dual (Hsieh and others 2008). A feature counts once in a text, and the
//! rarer it is in the samples the more.

use super::ngrams::distinct_features;
use super::rivals::{UNIT, scale};
use super::table::NgramRows;
use fyke_learn::shuffle::shuffle;
use std::collections::HashMap;

/// A feature must occur in so many samples.
const LEAST_SAMPLES: u32 = 3;
/// Features kept of a group, for each class but one: those that move most.
const KEPT: usize = 12_000;
/// Turns over all samples.
const PASSES: usize = 12;
/// What a sample on the wrong side costs.
const COST: f32 = 0.5;

/// A short text of one of the rivals.
#[derive(Clone, Copy, Debug)]
pub struct RivalSample<'a> {
    pub class: usize,
    pub text: &'a str,
}

/// Learns from the samples of `classes` rivals and adds their weights to `rows`, where the lane of
/// the first is `first`.
pub fn learn(samples: &[RivalSample<'_>], classes: usize, first: usize, rows: &mut NgramRows) {
    let known = KnownFeatures::of(samples);
    let read: Vec<LearntSample> = samples.iter().map(|sample| known.read(sample)).collect();
    let worth = worth(samples, classes);
    let weights: Vec<Vec<f32>> =
        (0..classes).map(|class| against_others(&read, class, &worth, known.keys.len())).collect();
    for feature in known.best(&weights) {
        let entries = rows.entry(known.keys[feature]).or_default();
        let kept = known.kept(&weights, feature);
        let lanes = kept.iter().enumerate().filter(|(_, weight)| **weight != 0);
        entries.extend(lanes.map(|(class, &weight)| ((first + class) as u8, weight as u8)));
    }
}

/// A sample as numbers.
struct LearntSample {
    class: usize,
    /// Known features and what each counts.
    values: Vec<(u32, f32)>,
    /// The sum of their squares.
    square: f32,
}

/// The features that occur often enough.
struct KnownFeatures {
    keys: Vec<u32>,
    numbers: HashMap<u32, u32>,
    /// In how many samples each occurs.
    seen: Vec<u32>,
    /// What each counts: 1 in the mean, more for rare ones.
    rarity: Vec<f32>,
}

impl KnownFeatures {
    fn of(samples: &[RivalSample<'_>]) -> KnownFeatures {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for sample in samples {
            for key in distinct_features(sample.text) {
                *counts.entry(key).or_default() += 1;
            }
        }
        counts.retain(|_, seen| *seen >= LEAST_SAMPLES);
        let mut keys: Vec<u32> = counts.keys().copied().collect();
        keys.sort_unstable();
        let seen: Vec<u32> = keys.iter().map(|key| counts[key]).collect();
        let all = samples.len() as f32;
        let mut rarity: Vec<f32> =
            seen.iter().map(|&seen| 1.0 + (all / seen as f32).ln()).collect();
        // The mean over what is met, not over what there is.
        let met: f32 = seen.iter().map(|&seen| seen as f32).sum();
        let mean = rarity.iter().zip(&seen).map(|(r, &seen)| r * seen as f32).sum::<f32>() / met;
        rarity.iter_mut().for_each(|rarity| *rarity /= mean);
        let numbers = keys.iter().enumerate().map(|(at, &key)| (key, at as u32)).collect();
        KnownFeatures { keys, numbers, seen, rarity }
    }

    fn read(&self, sample: &RivalSample<'_>) -> LearntSample {
        let keys = distinct_features(sample.text);
        let scale = scale(keys.len());
        let numbers = keys.iter().filter_map(|key| self.numbers.get(key).copied());
        let values: Vec<(u32, f32)> =
            numbers.map(|at| (at, self.rarity[at as usize] * scale)).collect();
        let square = values.iter().map(|(_, value)| value * value).sum();
        LearntSample { class: sample.class, values, square }
    }

    /// The features that move scores most.
    fn best(&self, weights: &[Vec<f32>]) -> Vec<usize> {
        let mut rated: Vec<(f32, usize)> = (0..self.keys.len())
            .map(|feature| {
                let row = weights.iter().map(|weights| weights[feature] * self.rarity[feature]);
                let (low, high) = row.fold((f32::MAX, f32::MIN), |(l, h), w| (l.min(w), h.max(w)));
                ((high - low) * (self.seen[feature] as f32).sqrt(), feature)
            })
            .collect();
        rated.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        rated.truncate(KEPT * (weights.len().max(2) - 1));
        rated.into_iter().map(|(_, feature)| feature).collect()
    }

    /// The weights of a feature above that of the last class, which has none and takes no room.
    fn kept(&self, weights: &[Vec<f32>], feature: usize) -> Vec<i8> {
        let of = |weights: &Vec<f32>| weights[feature] * self.rarity[feature];
        let last = weights.last().map_or(0.0, of);
        // A conversion of a float keeps to the range of the integer.
        weights.iter().map(|weights| ((of(weights) - last) * UNIT).round() as i8).collect()
    }
}

/// What a sample of each class counts, so that all classes count alike.
fn worth(samples: &[RivalSample<'_>], classes: usize) -> Vec<f32> {
    let mut counts = vec![0_f32; classes];
    samples.iter().for_each(|sample| counts[sample.class] += 1.0);
    let fair = samples.len() as f32 / classes as f32;
    counts.iter().map(|count| fair / count.max(1.0)).collect()
}

/// The weights that part a class from the others, with squared hinge loss.
fn against_others(
    samples: &[LearntSample],
    class: usize,
    worth: &[f32],
    features: usize,
) -> Vec<f32> {
    let mut weights = vec![0_f32; features];
    let mut alphas = vec![0_f32; samples.len()];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut chance = 1_u64;
    for _ in 0..PASSES {
        shuffle(&mut order, &mut chance);
        for &at in &order {
            let sample = &samples[at];
            let side = if sample.class == class { 1.0 } else { -1.0 };
            let slack = 0.5 / (COST * worth[sample.class]);
            let score: f32 =
                sample.values.iter().map(|&(f, value)| weights[f as usize] * value).sum();
            let slope = side * score - 1.0 + alphas[at] * slack;
            let alpha = (alphas[at] - slope / (sample.square + slack)).max(0.0);
            let step = (alpha - alphas[at]) * side;
            if step != 0.0 {
                sample.values.iter().for_each(|&(f, value)| weights[f as usize] += step * value);
                alphas[at] = alpha;
            }
        }
    }
    weights
}
