//! Lengths of queries as one Gamma distribution (004 §7.3, "ID"), so that near lengths are liked alike.
//! 004 gives no update. Here the moments of the lengths that had success decide, weighted as the memory
//! does: all alike in the long-term memories, fading in the fading one, the last alone without memory.

use super::MemoryKind;
use super::memory::FADE;
use crate::terms::Dice;

/// The longest query, on either side.
pub(super) const LONGEST: usize = 10;
/// The variance is never taken to be smaller, so that neighbours are still tried.
const LEAST_VARIANCE: f64 = 0.5;

/// Sums over the lengths that had success.
#[derive(Clone, Debug)]
pub(super) struct GammaLengths {
    kind: MemoryKind,
    weight: f64,
    sum: f64,
    squares: f64,
}

impl GammaLengths {
    /// As if each length had had success once.
    pub(super) fn new(kind: MemoryKind) -> GammaLengths {
        let all = (0..=LONGEST).map(|length| length as f64);
        let squares = all.clone().map(|length| length * length).sum();
        GammaLengths { kind, weight: all.clone().count() as f64, sum: all.sum(), squares }
    }

    /// Shape and scale by the method of moments.
    pub(super) fn parameters(&self) -> (f64, f64) {
        let mean = (self.sum / self.weight).max(0.1);
        let variance = (self.squares / self.weight - mean * mean).max(LEAST_VARIANCE);
        (mean * mean / variance, variance / mean)
    }

    pub(super) fn draw(&self, dice: &mut Dice) -> usize {
        let (shape, scale) = self.parameters();
        (dice.gamma(shape, scale).round() as usize).min(LONGEST)
    }

    pub(super) fn learn(&mut self, length: usize, is_success: bool) {
        if !is_success {
            return;
        }
        let kept = match self.kind {
            MemoryKind::Less => 0.0,
            MemoryKind::Fading => FADE,
            MemoryKind::LongAdditive | MemoryKind::LongMultiplicative => 1.0,
        };
        let length = length as f64;
        self.weight = self.weight * kept + 1.0;
        self.sum = self.sum * kept + length;
        self.squares = self.squares * kept + length * length;
    }
}
