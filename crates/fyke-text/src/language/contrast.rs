//! Learning to tell rivals apart: logistic regression with one weight a feature and class, by
//! stochastic gradient descent with a step per weight that shrinks as it is moved (AdaGrad).

use super::ngrams::features;
use super::rivals::{UNIT, scale, softmax};
use super::table::NgramRows;
use fyke_learn::shuffle::shuffle;
use std::collections::HashMap;

/// A feature must occur in so many samples.
const LEAST_SAMPLES: u32 = 3;
/// Features kept of a group: those that move most.
const KEPT: usize = 30_000;
const PASSES: usize = 6;
const STEP: f32 = 0.6;
/// Pulls every weight that is used towards nothing.
const DECAY: f32 = 1e-3;

/// A short text of one of the rivals.
#[derive(Clone, Copy, Debug)]
pub struct RivalSample<'a> {
    pub class: usize,
    pub text: &'a str,
}

/// Learns from the samples of `classes` rivals and adds their weights to `rows`, where the lane of
/// the first is `first`.
pub fn learn(samples: &[RivalSample<'_>], classes: usize, first: usize, rows: &mut NgramRows) {
    let (keys, known) = numbered(samples);
    let mut learner = ContrastLearner::new(keys.len(), classes, samples);
    let read: Vec<Vec<u32>> = samples.iter().map(|sample| numbers(sample.text, &known)).collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut chance = 1_u64;
    for _ in 0..PASSES {
        shuffle(&mut order, &mut chance);
        for &at in &order {
            learner.see(&read[at], samples[at].class);
        }
    }
    for (feature, weights) in learner.best(KEPT) {
        let entries = rows.entry(keys[feature]).or_default();
        let lanes = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
        entries.extend(lanes.map(|(class, &weight)| ((first + class) as u8, weight as u8)));
    }
}

/// The features that occur often enough, and the number of each.
fn numbered(samples: &[RivalSample<'_>]) -> (Vec<u32>, HashMap<u32, u32>) {
    let mut counts: HashMap<u32, (u32, usize)> = HashMap::new();
    for (at, sample) in samples.iter().enumerate() {
        features(sample.text, |key| {
            let seen = counts.entry(key).or_insert((0, usize::MAX));
            if seen.1 != at {
                *seen = (seen.0 + 1, at);
            }
        });
    }
    counts.retain(|_, seen| seen.0 >= LEAST_SAMPLES);
    let mut keys: Vec<u32> = counts.into_keys().collect();
    keys.sort_unstable();
    let known = keys.iter().enumerate().map(|(number, &key)| (key, number as u32)).collect();
    (keys, known)
}

/// The numbers of a text's features; those unknown have none, but count for the scale.
fn numbers(text: &str, known: &HashMap<u32, u32>) -> Vec<u32> {
    let mut numbers = Vec::new();
    features(text, |key| numbers.push(known.get(&key).copied().unwrap_or(u32::MAX)));
    numbers
}

/// Weights on their way.
struct ContrastLearner {
    classes: usize,
    weights: Vec<f32>,
    moved: Vec<f32>,
    seen: Vec<u32>,
    /// What a sample of each class counts, so that all classes count alike.
    worth: Vec<f32>,
}

impl ContrastLearner {
    fn new(features: usize, classes: usize, samples: &[RivalSample<'_>]) -> ContrastLearner {
        let mut counts = vec![0_f32; classes];
        samples.iter().for_each(|sample| counts[sample.class] += 1.0);
        let fair = samples.len() as f32 / classes as f32;
        ContrastLearner {
            classes,
            weights: vec![0.0; features * classes],
            moved: vec![1e-3; features * classes],
            seen: vec![0; features],
            worth: counts.iter().map(|count| fair / count.max(1.0)).collect(),
        }
    }

    fn see(&mut self, features: &[u32], class: usize) {
        let scale = scale(features.len());
        let known = || features.iter().filter(|&&feature| feature != u32::MAX);
        let mut logits = vec![0_f32; self.classes];
        for &feature in known() {
            let at = feature as usize * self.classes;
            for (logit, weight) in logits.iter_mut().zip(&self.weights[at..]) {
                *logit += weight * scale;
            }
        }
        let mut errors = softmax(&logits);
        errors[class] -= 1.0;
        for &feature in known() {
            self.seen[feature as usize] += 1;
            for (other, error) in errors.iter().enumerate() {
                let at = feature as usize * self.classes + other;
                let slope = error * self.worth[class] * scale + DECAY * self.weights[at];
                self.moved[at] += slope * slope;
                self.weights[at] -= STEP * slope / self.moved[at].sqrt();
            }
        }
    }

    /// The features that move scores most, with their weights above those of the last class, which has
    /// none and takes no room.
    fn best(&self, most: usize) -> Vec<(usize, Vec<i8>)> {
        let mut rated: Vec<(f32, usize)> = (0..self.seen.len())
            .map(|feature| {
                let row = &self.weights[feature * self.classes..][..self.classes];
                let (low, high) =
                    row.iter().fold((f32::MAX, f32::MIN), |(l, h), &w| (l.min(w), h.max(w)));
                ((high - low) * (self.seen[feature] as f32).sqrt(), feature)
            })
            .collect();
        rated.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        rated.truncate(most);
        rated.into_iter().map(|(_, feature)| (feature, self.kept(feature))).collect()
    }

    fn kept(&self, feature: usize) -> Vec<i8> {
        let row = &self.weights[feature * self.classes..][..self.classes];
        let last = row[self.classes - 1];
        // A conversion of a float keeps to the range of the integer.
        row.iter().map(|weight| ((weight - last) * UNIT).round() as i8).collect()
    }
}
