//! Kendall's tau: whether two lists of figures rank alike. Of all pairs of systems, those in the same
//! order less those in the other; tau-b leaves ties out of the whole; tau-AP weighs the top.

/// Pairs in the same order, in the other, tied in the first list only, and in the second only.
fn pairs(first: &[f64], second: &[f64]) -> [f64; 4] {
    let mut found = [0.0; 4];
    for (place, (a, b)) in first.iter().zip(second).enumerate() {
        for (c, d) in first.iter().zip(second).skip(place + 1) {
            match (a.partial_cmp(c), b.partial_cmp(d)) {
                (Some(one), Some(two)) if one.is_eq() && two.is_eq() => {}
                (Some(one), _) if one.is_eq() => found[2] += 1.0,
                (_, Some(two)) if two.is_eq() => found[3] += 1.0,
                (one, two) if one == two => found[0] += 1.0,
                _ => found[1] += 1.0,
            }
        }
    }
    found
}

/// Kendall's tau: 1 for the same order, -1 for the opposite; tied pairs count for neither. None of
/// fewer than two systems.
#[must_use]
pub fn tau(first: &[f64], second: &[f64]) -> Option<f64> {
    let [same, other, ..] = pairs(first, second);
    let count = first.len().min(second.len()) as f64;
    (count > 1.0).then(|| (same - other) / (count * (count - 1.0) / 2.0))
}

/// Tau-b: as tau, out of the pairs that are not tied. None if one list has nothing but ties.
#[must_use]
pub fn tau_b(first: &[f64], second: &[f64]) -> Option<f64> {
    let [same, other, tied_first, tied_second] = pairs(first, second);
    let untied = same + other;
    let whole = ((untied + tied_second) * (untied + tied_first)).sqrt();
    (whole > 0.0).then(|| (same - other) / whole)
}

/// Tau-AP: for each system, the share of those above it in `second` that are above it in `first`
/// too, so that a swap at the top weighs more than one at the foot. A tie counts half. Not symmetric:
/// `first` is the truth.
#[must_use]
pub fn tau_ap(first: &[f64], second: &[f64]) -> Option<f64> {
    let count = first.len().min(second.len());
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| second[*b].total_cmp(&second[*a]));
    let mut sum = 0.0;
    for (rank, &system) in order.iter().enumerate().skip(1) {
        let right = |above: &usize| match first[*above].total_cmp(&first[system]) {
            _ if second[*above] == second[system] => 0.5,
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        sum += order[..rank].iter().map(right).sum::<f64>() / rank as f64;
    }
    (count > 1).then(|| 2.0 * sum / (count - 1) as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[track_caller]
    fn check(first: &[f64], second: &[f64], expected: [f64; 3]) {
        let found = [tau(first, second), tau_b(first, second), tau_ap(first, second)];
        let near = found.iter().zip(expected).all(|(a, b)| (a.unwrap() - b).abs() < 1e-4);
        assert!(near, "{found:?}, not {expected:?}");
    }

    #[test]
    fn worked_examples_hold() {
        check(&[3.0, 2.0, 1.0], &[30.0, 20.0, 10.0], [1.0, 1.0, 1.0]);
        check(&[3.0, 2.0, 1.0], &[10.0, 20.0, 30.0], [-1.0, -1.0, -1.0]);
        // One of six pairs swapped: at the top it costs tau-AP more than at the foot.
        check(&[4.0, 3.0, 2.0, 1.0], &[3.0, 4.0, 2.0, 1.0], [0.6667, 0.6667, 0.3333]);
        check(&[4.0, 3.0, 2.0, 1.0], &[4.0, 3.0, 1.0, 2.0], [0.6667, 0.6667, 0.7778]);
        // Two in the same order, three in the other, one tied: -1/6 and -1/√(5·6).
        check(&[1.0, 2.0, 2.0, 4.0], &[1.0, 3.0, 2.0, 0.0], [-0.1667, -0.1826, 0.0]);
        assert_eq!(tau_b(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!((tau(&[1.0], &[1.0]), tau_ap(&[], &[])), (None, None));
    }

    proptest! {
        #[test]
        fn tau_lies_between_its_ends_and_is_symmetric(
            pairs in vec((0..9u8, 0..9u8), 2..20),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            for found in [tau(&first, &second), tau_b(&first, &second), tau_ap(&first, &second)] {
                prop_assert!(found.is_none_or(|tau| (-1.0 - 1e-9..=1.0 + 1e-9).contains(&tau)));
            }
            prop_assert_eq!(tau(&first, &second), tau(&second, &first));
            prop_assert_eq!(tau_b(&first, &first).is_none_or(|tau| (tau - 1.0).abs() < 1e-9), true);
        }
    }
}
