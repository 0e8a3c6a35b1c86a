//! The memories of 004 §5.2: how success and failure change the scores of the values of a parameter.
//!
//! 004 prints the fading memory with two names for one list of scores; here all scores fade, and what
//! is added is not normalised away. Multiplicative scores are powers of two, kept as exponents.

use crate::terms::Dice;

/// How long a learner remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// ML: only the last step.
    Less,
    /// LTA: successes as a share of all uses.
    LongAdditive,
    /// LTM: as Winnow, with β = ½.
    LongMultiplicative,
    /// FM: what is past fades.
    Fading,
}

/// What is left of a fading score after a step.
pub(super) const FADE: f64 = 0.9;

/// What is remembered of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Remembered {
    /// Score of ML and FM; successes of LTA.
    positive: f64,
    /// Failures of LTA.
    negative: f64,
    /// Logarithm to base 2 of the score of LTM.
    power: i64,
}

/// Scores of the values of one parameter.
#[derive(Clone, Debug)]
pub struct Scores {
    kind: MemoryKind,
    values: Vec<Remembered>,
}

impl Scores {
    /// All values alike.
    #[must_use]
    pub fn new(kind: MemoryKind, values: usize) -> Scores {
        let start = Remembered { positive: 1.0, negative: 1.0, power: 0 };
        Scores { kind, values: vec![start; values] }
    }

    /// The probability of each value.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let most = self.values.iter().map(|value| value.power).max().unwrap_or(0);
        let score = |value: &Remembered| match self.kind {
            MemoryKind::Less | MemoryKind::Fading => value.positive,
            MemoryKind::LongAdditive => value.positive / (value.positive + value.negative),
            // What is below 2⁻¹⁰⁰⁰ of the best is never drawn.
            MemoryKind::LongMultiplicative => 2_f64.powi((value.power - most).max(-1_000) as i32),
        };
        let scores: Vec<f64> = self.values.iter().map(score).collect();
        let all: f64 = scores.iter().sum();
        scores.into_iter().map(|score| score / all).collect()
    }

    pub fn draw(&self, dice: &mut Dice) -> usize {
        dice.weighted(self.shares().into_iter()).unwrap_or(0)
    }

    /// The value at this place was used, with success or without.
    pub fn learn(&mut self, used: usize, is_success: bool) {
        let others = self.values.len().saturating_sub(1).max(1) as f64;
        for (place, value) in self.values.iter_mut().enumerate() {
            let is_used = place == used;
            match self.kind {
                MemoryKind::Less => {
                    value.positive = match (is_used, is_success) {
                        (true, true) => 1.0,
                        (true, false) | (false, true) => 0.0,
                        (false, false) => 1.0 / others,
                    };
                }
                MemoryKind::LongAdditive if !is_used => {}
                MemoryKind::LongAdditive if is_success => value.positive += 1.0,
                MemoryKind::LongAdditive => value.negative += 1.0,
                MemoryKind::LongMultiplicative if !is_used => {}
                MemoryKind::LongMultiplicative => value.power += if is_success { 1 } else { -1 },
                MemoryKind::Fading => {
                    value.positive *= FADE;
                    value.positive += match (is_used, is_success) {
                        (true, true) => 1.0,
                        (false, false) => 1.0 / others,
                        (true, false) | (false, true) => 0.0,
                    };
                }
            }
        }
    }
}
