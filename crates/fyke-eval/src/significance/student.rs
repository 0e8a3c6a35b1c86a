//! Student's t-test of pairs: the mean difference against its standard error. Takes the mean of the
//! differences to be normal, which it nearly is with many queries.

use super::distributions::student_tail;
use super::{Test, deviation, mean, unequal};

pub(super) const TEST: Test = Test {
    name: "t",
    what: "paired t-test: the mean difference against its standard error",
    compute,
    // t = 0.4 / (0.3 / √5) = 2.9814, 4 degrees of freedom
    example: (&[0.5, 0.1, 0.8, 0.1, 0.5], 0.040_681_525_827_486_57),
};

fn compute(differences: &[f64], _seed: u64) -> Option<f64> {
    let deviation = deviation(differences)?;
    if unequal(differences).next().is_none() {
        return Some(1.0);
    }
    let t = mean(differences).abs() / (deviation / (differences.len() as f64).sqrt());
    Some(2.0 * student_tail(t, (differences.len() - 1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn darwins_plants_give_students_figure() {
        // Fisher, The Design of Experiments: t = 2.148 of 15 pairs.
        let heights = [49., -67., 8., 16., 6., 23., 28., 41., 14., 29., 56., 24., 75., 60., -48.];
        let found = compute(&heights, 0).unwrap();
        assert!((found - 0.049_702_944_021_8).abs() < 1e-9, "{found}");
    }
}
