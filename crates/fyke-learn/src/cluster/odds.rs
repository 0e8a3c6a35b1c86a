//! How probably two things are the same, by logistic regression over a few features: ln(p / (1 - p)) is a
//! weighted sum. Learned by Newton's method, whose steps end at the one best answer: the same examples give the
//! same weights, in any order but for rounding.

/// Rounds at most; some ten are enough.
const ROUNDS: usize = 50;
/// A step that moves no weight by more is the last.
const STILL: f64 = 1e-9;
/// No weight moves farther in one step: far from the answer a whole step may lead farther away.
const FARTHEST: f64 = 4.0;

/// How weights are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsLearner {
    /// The penalty for each weight but the first: half of it times the square. More than 0, so that there is one answer.
    pub penalty: f64,
}

/// An example: its features, whether it is one of the class, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearntOdds<const FEATURES: usize> {
    pub features: [f32; FEATURES],
    pub is_same: bool,
    pub weight: f32,
}

impl OddsLearner {
    /// The weights that make the examples most probable. The first feature should be 1 always: its weight is not
    /// held back.
    #[must_use]
    pub fn learn<const FEATURES: usize>(
        &self,
        examples: &[LearntOdds<FEATURES>],
    ) -> [f64; FEATURES] {
        let mut weights = [0.0; FEATURES];
        for _ in 0..ROUNDS {
            let (slope, bend) = self.slopes(examples, &weights);
            let mut step = solve(bend, slope);
            let farthest = step.iter().fold(0.0_f64, |most, by| most.max(by.abs()));
            if farthest > FARTHEST {
                step.iter_mut().for_each(|by| *by *= FARTHEST / farthest);
            }
            weights.iter_mut().zip(step).for_each(|(weight, by)| *weight += by);
            if farthest < STILL {
                break;
            }
        }
        weights
    }

    /// Slope of the likelihood at these weights, and how it bends (the negative second derivative).
    fn slopes<const FEATURES: usize>(
        &self,
        examples: &[LearntOdds<FEATURES>],
        weights: &[f64; FEATURES],
    ) -> ([f64; FEATURES], Vec<[f64; FEATURES]>) {
        let (mut slope, mut bend) = ([0.0; FEATURES], vec![[0.0; FEATURES]; FEATURES]);
        for example in examples {
            let row = example.features.map(f64::from);
            let sum: f64 = row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            let weight = f64::from(example.weight);
            let missed = weight * (f64::from(u8::from(example.is_same)) - p);
            let spread = weight * p * (1.0 - p);
            for (a, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                slope[a] += missed * value;
                bend[a]
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(cell, other)| *cell += spread * value * other);
            }
        }
        for a in 0..FEATURES {
            let penalty = if a == 0 { 1e-6 } else { self.penalty.max(1e-6) };
            slope[a] -= penalty * weights[a];
            bend[a][a] += penalty;
        }
        (slope, bend)
    }
}

/// Solves `matrix` x = `right` for a symmetric matrix whose pivots are above 0, by elimination.
fn solve<const N: usize>(mut matrix: Vec<[f64; N]>, mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let row = matrix[pivot];
        for below in pivot + 1..N {
            let factor = matrix[below][pivot] / row[pivot];
            if factor != 0.0 {
                let cells = matrix[below].iter_mut().zip(&row).skip(pivot);
                cells.for_each(|(cell, above)| *cell -= factor * above);
                right[below] -= factor * right[pivot];
            }
        }
    }
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|other| matrix[at][other] * right[other]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example(value: f32, is_same: bool, weight: f32) -> LearntOdds<2> {
        LearntOdds { features: [1.0, value], is_same, weight }
    }

    #[test]
    fn without_features_the_odds_are_those_of_the_counts() {
        let examples = [example(0.0, true, 3.0), example(0.0, false, 1.0)];
        let [first, other] = OddsLearner { penalty: 1.0 }.learn(&examples);
        assert!((first - 3.0_f64.ln()).abs() < 1e-4, "{first}");
        assert_eq!(other, 0.0);
    }

    #[test]
    fn a_feature_that_parts_the_examples_gets_a_finite_weight() {
        let examples = [example(1.0, true, 1.0), example(-1.0, false, 1.0)];
        let [first, other] = OddsLearner { penalty: 0.1 }.learn(&examples);
        assert!(first.abs() < 1e-6 && other > 1.0 && other < 10.0, "{first} {other}");
    }

    proptest! {
        #[test]
        fn at_the_answer_the_slope_is_nothing(
            rows in prop::collection::vec((-3.0f32..3.0, any::<bool>(), 0.1f32..5.0), 1..30),
        ) {
            let examples: Vec<_> = rows.iter().map(|&(v, same, w)| example(v, same, w)).collect();
            let learner = OddsLearner { penalty: 0.5 };
            let weights = learner.learn(&examples);
            let (slope, _) = learner.slopes(&examples, &weights);
            prop_assert!(slope.iter().all(|by| by.abs() < 1e-3), "{weights:?} {slope:?}");
        }
    }
}
