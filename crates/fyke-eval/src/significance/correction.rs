//! Several comparisons at once: one in twenty is below 0.05 by luck alone, so p is raised. Holm
//! keeps the chance of any false finding; Benjamini and Hochberg the share of findings that are false.

/// p by Holm's step-down: the smallest times their number, the next times one fewer, and so on,
/// never below the one before.
#[must_use]
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut corrected = vec![0.0; ps.len()];
    let mut last: f64 = 0.0;
    for (step, place) in by_size(ps).into_iter().enumerate() {
        last = last.max(ps[place] * (ps.len() - step) as f64).min(1.0);
        corrected[place] = last;
    }
    corrected
}

/// p by Benjamini and Hochberg's step-up: each times their number over its rank, never above the
/// next larger one.
#[must_use]
pub fn benjamini_hochberg(ps: &[f64]) -> Vec<f64> {
    let mut corrected = vec![0.0; ps.len()];
    let mut last: f64 = 1.0;
    for (step, place) in by_size(ps).into_iter().enumerate().rev() {
        last = last.min(ps[place] * ps.len() as f64 / (step + 1) as f64);
        corrected[place] = last;
    }
    corrected
}

/// Places of the values, smallest value first.
fn by_size(ps: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ps.len()).collect();
    places.sort_by(|a, b| ps[*a].total_cmp(&ps[*b]));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[track_caller]
    fn check(found: &[f64], expected: &[f64]) {
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near && found.len() == expected.len(), "{found:?}, not {expected:?}");
    }

    #[test]
    fn worked_examples_hold() {
        let ps = [0.01, 0.04, 0.03, 0.005];
        check(&holm(&ps), &[0.03, 0.06, 0.06, 0.02]);
        check(&benjamini_hochberg(&ps), &[0.02, 0.04, 0.04, 0.02]);
        check(&holm(&[0.6, 0.7]), &[1.0, 1.0]);
        check(&benjamini_hochberg(&[]), &[]);
    }

    proptest! {
        #[test]
        fn corrected_p_is_larger_holm_largest_and_the_order_stays(ps in vec(0.0..=1.0f64, 1..20)) {
            let (holm, bh) = (holm(&ps), benjamini_hochberg(&ps));
            for (place, p) in ps.iter().enumerate() {
                prop_assert!(*p <= bh[place] + 1e-12 && bh[place] <= holm[place] + 1e-12);
                prop_assert!(holm[place] <= (p * ps.len() as f64).min(1.0) + 1e-12);
                for other in 0..ps.len() {
                    prop_assert!(ps[other] < *p || (holm[other] >= holm[place] - 1e-12 && bh[other] >= bh[place] - 1e-12));
                }
            }
        }
    }
}
