//! Logistic regression: P(1 | x) = 1 / (1 + exp(−b − w·x)). Learned by gradient descent over all examples at once with
//! momentum, and pulled towards 0 (ridge), so that the same examples always give the same model; the two classes weigh
//! the same, however many examples each has.

use serde::{Deserialize, Serialize};

/// Steps, how far each goes, and what is kept of the step before.
const STEPS: usize = 3_000;
const RATE: f64 = 0.3;
const MOMENTUM: f64 = 0.9;

/// What was learned: a weight for each feature, as it was given, and what stands without any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Logistic {
    pub bias: f64,
    pub weights: Vec<f64>,
}

/// An example: its features, and whether it is of class 1.
pub type LogisticExample = (Vec<f32>, bool);

impl Logistic {
    /// Learns from examples of so many features. `ridge` is how hard weights are pulled to 0; feature `n` is only ever
    /// for class 1 where `grows` says so: its weight does not go below 0.
    #[must_use]
    pub fn learn(
        examples: &[LogisticExample],
        features: usize,
        ridge: f64,
        grows: &[bool],
    ) -> Logistic {
        let scales = scales(examples, features);
        let of = |class: bool| examples.iter().filter(|example| example.1 == class).count();
        let shares = [of(false), of(true)].map(|count| 0.5 / count.max(1) as f64);
        let mut model = Logistic { bias: 0.0, weights: vec![0.0; features] };
        let (mut speed, mut bias_speed) = (vec![0.0; features], 0.0);
        for _ in 0..STEPS {
            let (mut pull, mut bias_pull) = (vec![0.0; features], 0.0);
            for (values, is_one) in examples {
                let miss = f64::from(u8::from(*is_one)) - model.scaled(values, &scales);
                let miss = miss * shares[usize::from(*is_one)];
                bias_pull += miss;
                for (pull, (value, scale)) in pull.iter_mut().zip(values.iter().zip(&scales)) {
                    *pull += miss * f64::from(*value) / scale;
                }
            }
            bias_speed = MOMENTUM * bias_speed + RATE * bias_pull;
            model.bias += bias_speed;
            for (at, weight) in model.weights.iter_mut().enumerate() {
                speed[at] = MOMENTUM * speed[at] + RATE * (pull[at] - ridge * *weight);
                *weight += speed[at];
                if *weight < 0.0 && grows.get(at) == Some(&true) {
                    (*weight, speed[at]) = (0.0, 0.0);
                }
            }
        }
        model.weights.iter_mut().zip(&scales).for_each(|(weight, scale)| *weight /= scale);
        model
    }

    fn scaled(&self, values: &[f32], scales: &[f64]) -> f64 {
        let sum = self.weights.iter().zip(values).zip(scales);
        let sum: f64 = sum.map(|((weight, value), scale)| weight * f64::from(*value) / scale).sum();
        sigmoid(self.bias + sum)
    }

    /// The logarithm of the odds for class 1.
    #[must_use]
    pub fn odds(&self, values: &[f32]) -> f64 {
        self.bias + self.amounts(values).sum::<f64>()
    }

    /// How much each feature says for class 1.
    pub fn amounts(&self, values: &[f32]) -> impl Iterator<Item = f64> {
        self.weights.iter().zip(values).map(|(weight, value)| weight * f64::from(*value))
    }

    /// The probability of class 1.
    #[must_use]
    pub fn probability(&self, values: &[f32]) -> f64 {
        sigmoid(self.odds(values))
    }
}

/// The root of the mean square of each feature, where it is ever anything.
fn scales(examples: &[LogisticExample], features: usize) -> Vec<f64> {
    let mut squares = vec![0.0; features];
    for (values, _) in examples {
        for (square, value) in squares.iter_mut().zip(values) {
            *square += f64::from(*value) * f64::from(*value);
        }
    }
    let count = examples.len().max(1) as f64;
    squares.iter().map(|square| if *square > 0.0 { (square / count).sqrt() } else { 1.0 }).collect()
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_odds_that_the_examples_were_drawn_by() {
        // Three of four with the feature are of class 1, one of four without it.
        let examples: Vec<LogisticExample> = (0..800)
            .map(|n| (vec![f32::from(u8::from(n % 2 == 0)), 5.0], (n / 2 % 4 != 0) == (n % 2 == 0)))
            .collect();
        let model = Logistic::learn(&examples, 2, 1e-6, &[]);
        assert!((model.probability(&[1.0, 5.0]) - 0.75).abs() < 0.02, "{model:?}");
        assert!((model.probability(&[0.0, 5.0]) - 0.25).abs() < 0.02, "{model:?}");
        assert_eq!(model, Logistic::learn(&examples, 2, 1e-6, &[]));
    }

    #[test]
    fn a_feature_that_may_only_speak_for_a_class_never_speaks_against_it() {
        let examples: Vec<LogisticExample> =
            (0..100).map(|n| (vec![(n % 2) as f32], n % 2 == 0)).collect();
        assert!(Logistic::learn(&examples, 1, 1e-3, &[]).weights[0] < -1.0);
        assert_eq!(Logistic::learn(&examples, 1, 1e-3, &[true]).weights[0], 0.0);
    }

    #[test]
    fn nothing_is_learned_from_nothing() {
        let model = Logistic::learn(&[], 3, 0.1, &[]);
        assert_eq!(model.probability(&[1.0, 2.0, 3.0]), 0.5);
        assert!(model.probability(&[]).is_finite());
    }
}
