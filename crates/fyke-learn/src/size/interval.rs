//! Products of powers of sums, with their intervals: all figures of size are such. Over the rows of a sample
//! (a row a query, a walk or a server) value = Π Sⱼ^cⱼ, Sⱼ the sum of column j.
//!
//! Delta method: Var(ln value) = Σ over rows of (Σⱼ cⱼ xⱼ/Sⱼ)², with n/(n−1); columns of one sample have
//! exponents whose sum is 0, so that the mean of these is 0. Bootstrap: rows are drawn again with
//! replacement, and the interval lies between the 2.5th and the 97.5th percentile.

use super::{NoSize, SizeFigure};
use crate::terms::Dice;

/// Samples that are drawn again.
const AGAIN: usize = 1_000;
/// The quantile of the normal distribution for 95 of 100 cases.
const NORMAL: f64 = 1.959_964;
/// Columns of a row.
pub const COLUMNS: usize = 3;

/// A sample: its rows, and the power of the sum of each column.
#[derive(Clone, Debug, Default)]
pub struct SampledRows {
    pub rows: Vec<[f64; COLUMNS]>,
    pub powers: [f64; COLUMNS],
}

/// A product over independent samples.
#[derive(Clone, Debug)]
pub struct PowerProduct {
    pub samples: Vec<SampledRows>,
    pub factor: f64,
}

impl SampledRows {
    fn sums(&self) -> [f64; COLUMNS] {
        let mut sums = [0.0; COLUMNS];
        for row in &self.rows {
            add(&mut sums, row);
        }
        sums
    }

    /// The logarithm of the product of powers.
    fn log_of(&self, sums: &[f64; COLUMNS]) -> f64 {
        let used = self.powers.iter().zip(sums).filter(|(power, _)| **power != 0.0);
        used.map(|(power, sum)| power * sum.ln()).sum()
    }

    fn log_variance(&self) -> f64 {
        let sums = self.sums();
        let n = self.rows.len() as f64;
        let part = |row: &[f64; COLUMNS]| -> f64 {
            let columns = self.powers.iter().zip(row).zip(&sums);
            columns.filter(|((power, _), _)| **power != 0.0).map(|((c, x), s)| c * x / s).sum()
        };
        self.rows.iter().map(|row| part(row).powi(2)).sum::<f64>() * n / (n - 1.0).max(1.0)
    }
}

fn add(sums: &mut [f64; COLUMNS], row: &[f64; COLUMNS]) {
    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
}

impl PowerProduct {
    /// None where a sum is 0.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let logs: f64 = self.samples.iter().map(|sample| sample.log_of(&sample.sums())).sum();
        let value = logs.exp() * self.factor;
        (value.is_finite() && value > 0.0).then_some(value)
    }

    /// The value with both intervals.
    ///
    /// # Errors
    /// When a sum is 0.
    pub(super) fn figure(&self, seed: u64) -> Result<SizeFigure, NoSize> {
        let value = self.value().ok_or(NoSize::NothingShared)?;
        Ok(SizeFigure {
            value,
            interval: self.delta(value),
            bootstrap: self.bootstrap(seed),
            number: self.number(),
        })
    }

    /// Rows of the smallest sample.
    #[must_use]
    pub fn number(&self) -> usize {
        self.samples.iter().map(|sample| sample.rows.len()).min().unwrap_or(0)
    }

    /// The interval by the delta method, around a value.
    #[must_use]
    pub fn delta(&self, value: f64) -> (f64, f64) {
        let variance: f64 = self.samples.iter().map(SampledRows::log_variance).sum();
        let wide = (student(self.number().saturating_sub(1)) * variance.sqrt()).exp();
        (value / wide, value * wide)
    }

    /// The interval by drawing rows again; none where sums of rows drawn again are 0 too often.
    #[must_use]
    pub fn bootstrap(&self, seed: u64) -> Option<(f64, f64)> {
        let mut dice = Dice::new(seed);
        let mut values: Vec<f64> = (0..AGAIN)
            .map(|_| self.samples.iter().map(|sample| drawn_again(sample, &mut dice)).sum::<f64>())
            .map(|log| log.exp() * self.factor)
            .filter(|value| value.is_finite() && *value > 0.0)
            .collect();
        if values.len() < AGAIN * 9 / 10 {
            return None;
        }
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        Some((at(0.025), at(0.975)))
    }
}

fn drawn_again(sample: &SampledRows, dice: &mut Dice) -> f64 {
    let mut sums = [0.0; COLUMNS];
    for _ in 0..sample.rows.len() {
        add(&mut sums, &sample.rows[dice.below(sample.rows.len())]);
    }
    sample.log_of(&sums)
}

/// The quantile of Student's distribution for 95 of 100 cases, by its expansion at the normal one.
fn student(freedom: usize) -> f64 {
    let (z, n) = (NORMAL, freedom.max(1) as f64);
    let first = (z.powi(3) + z) / (4.0 * n);
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
    z + first + second
}

/// A share with Wilson's interval.
#[must_use]
pub fn share_interval(some: u64, of: u64) -> Option<[f64; 3]> {
    if of == 0 {
        return None;
    }
    let (n, p, z2) = (of as f64, some as f64 / of as f64, NORMAL * NORMAL);
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = NORMAL / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some([p, (middle - half).max(0.0), (middle + half).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantile_is_that_of_the_tables() {
        for (freedom, table) in [(5, 2.571), (11, 2.201), (30, 2.042), (1_000, 1.962)] {
            assert!((student(freedom) - table).abs() < 0.03, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn intervals_hold_a_ratio_of_shares_in_nearly_all_of_many_samples() {
        let (mut delta, mut bootstrap) = (0, 0);
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            let mut sample = |share: f64, powers| {
                let mut row = || [f64::from(u8::from(dice.share() < share)), 1.0, 0.0];
                SampledRows { rows: (0..150).map(|_| row()).collect(), powers }
            };
            let samples = vec![sample(0.3, [1.0, -1.0, 0.0]), sample(0.6, [-1.0, 1.0, 0.0])];
            let product = PowerProduct { samples, factor: 1.0 };
            let value = product.value().expect("sums");
            let holds = |(low, high): (f64, f64)| low <= 0.5 && 0.5 <= high;
            delta += u32::from(holds(product.delta(value)));
            if seed < 40 {
                bootstrap += u32::from(product.bootstrap(seed).is_some_and(holds));
            }
        }
        assert!((183..=199).contains(&delta), "{delta}");
        assert!((35..=40).contains(&bootstrap), "{bootstrap}");
    }

    #[test]
    fn a_sum_of_nothing_has_no_value() {
        let rows = vec![[0.0, 1.0, 0.0]; 9];
        let sample = SampledRows { rows, powers: [-1.0, 1.0, 0.0] };
        let product = PowerProduct { samples: vec![sample], factor: 1.0 };
        assert_eq!(product.value(), None);
        assert_eq!(product.bootstrap(1), None);
        assert_eq!(share_interval(0, 0), None);
        let [share, low, high] = share_interval(34, 100).expect("a share");
        assert!(share == 0.34 && (low - 0.2546).abs() < 1e-3 && (high - 0.4373).abs() < 1e-3);
    }
}
