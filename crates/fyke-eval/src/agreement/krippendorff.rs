//! Krippendorff's alpha: for any number of judges, with gaps. What differs within documents, against
//! what would differ if grades were dealt out anew; grades taken as names, as an order or as numbers.

use super::{AgreementEstimate, Coefficient, Ratings, bootstrap};

/// What the distance of two grades is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Grades are names: all different ones are equally far apart.
    Nominal,
    /// Grades are an order: the more grades given lie between two, the farther they are apart.
    Ordinal,
    /// Grades are numbers: by the square of the difference.
    Interval,
}

/// Krippendorff's alpha of documents that at least two judged; None if there is none.
#[must_use]
pub fn alpha(ratings: &Ratings, metric: Metric) -> Option<Coefficient> {
    let counts = ratings.counts(2);
    of_drawn(&counts, &vec![1; counts.len()], ratings.grades(), metric)
}

pub(super) fn estimate(ratings: &Ratings, metric: Metric, seed: u64) -> Option<AgreementEstimate> {
    let counts = ratings.counts(2);
    let of = |times: &[u32]| of_drawn(&counts, times, ratings.grades(), metric);
    let whole = of(&vec![1; counts.len()])?;
    let drawn = |times: &[u32]| of(times).map(|found| found.value);
    Some(AgreementEstimate::new(
        whole,
        bootstrap::interval(counts.len(), seed, drawn),
        counts.len(),
    ))
}

/// Each document counts as often as it was drawn.
fn of_drawn(
    counts: &[Vec<f64>],
    times: &[u32],
    grades: &[i32],
    metric: Metric,
) -> Option<Coefficient> {
    let mut totals = vec![0.0; grades.len()];
    for (unit, &times) in counts.iter().zip(times) {
        totals.iter_mut().zip(unit).for_each(|(total, count)| *total += f64::from(times) * count);
    }
    let distances = distances(&totals, grades, metric);
    let all: f64 = totals.iter().sum();
    let observed: f64 = counts
        .iter()
        .zip(times)
        .filter(|(_, times)| **times > 0)
        .map(|(unit, &times)| {
            let judges: f64 = unit.iter().sum();
            f64::from(times) * unlike(unit, &distances) / (judges - 1.0)
        })
        .sum::<f64>()
        / all;
    let expected = unlike(&totals, &distances) / (all * (all - 1.0));
    let farthest = distances.iter().flatten().copied().fold(0.0, f64::max);
    // As shares of the farthest, so that both lie between 0 and 1; the ratio stays.
    let share = |distance: f64| if farthest > 0.0 { distance / farthest } else { 0.0 };
    (all > 1.0).then(|| Coefficient::new(1.0 - share(observed), 1.0 - share(expected)))
}

/// The distances of all ordered pairs of grades with these counts, added up.
fn unlike(counts: &[f64], distances: &[Vec<f64>]) -> f64 {
    let rows = counts.iter().zip(distances).filter(|(count, _)| **count > 0.0);
    rows.map(|(count, row)| {
        count * row.iter().zip(counts).map(|(distance, other)| distance * other).sum::<f64>()
    })
    .sum()
}

/// The distance of each two grades.
fn distances(totals: &[f64], grades: &[i32], metric: Metric) -> Vec<Vec<f64>> {
    let between = |a: usize, b: usize| match metric {
        Metric::Nominal => f64::from(u8::from(a != b)),
        Metric::Interval => f64::from(grades[a].abs_diff(grades[b])).powi(2),
        Metric::Ordinal => {
            let (low, high) = (a.min(b), a.max(b));
            let given: f64 = totals[low..=high].iter().sum();
            (given - f64::midpoint(totals[low], totals[high])).powi(2)
        }
    };
    let places = 0..grades.len();
    places.clone().map(|a| places.clone().map(|b| between(a, b)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trec::Qrels;

    /// Judges in rows, `*` where one did not judge.
    fn ratings(rows: &[&str]) -> Ratings {
        let judge = |row: &&str| {
            let mut qrels = Qrels::default();
            for (unit, grade) in row.split_whitespace().enumerate() {
                if let Ok(grade) = grade.parse() {
                    qrels.insert("1", &format!("d{unit:02}"), grade);
                }
            }
            (String::new(), qrels)
        };
        Ratings::new(&rows.iter().map(judge).collect::<Vec<_>>()).unwrap()
    }

    #[track_caller]
    fn check(rows: &[&str], metric: Metric, expected: f64) {
        let found = alpha(&ratings(rows), metric).unwrap();
        assert!((found.value - expected).abs() < 5e-4, "{metric:?}: {found:?}, not {expected}");
    }

    #[test]
    fn krippendorffs_own_example_holds() {
        // Four observers, twelve units, with gaps (Computing Krippendorff's Alpha-Reliability, C).
        let rows = [
            "1 2 3 3 2 1 4 1 2 * * *",
            "1 2 3 3 2 2 4 1 2 5 * 3",
            "* 3 3 3 2 3 4 2 2 5 1 *",
            "1 2 3 3 2 4 4 1 2 5 1 *",
        ];
        check(&rows, Metric::Nominal, 0.743);
        check(&rows, Metric::Ordinal, 0.815);
        check(&rows, Metric::Interval, 0.849);
    }

    #[test]
    fn two_observers_without_gaps_hold_too() {
        // The same paper, A (binary) and B (five names).
        let binary = ["0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"];
        check(&binary, Metric::Nominal, 0.095);
        let names = ["1 1 2 2 4 3 3 3 5 4 4 1", "2 1 2 2 2 3 3 3 5 4 4 4"];
        check(&names, Metric::Nominal, 0.692);
    }

    #[test]
    fn what_only_one_judged_says_nothing() {
        assert_eq!(alpha(&ratings(&["1 * 2", "* 1 *"]), Metric::Nominal), None);
    }
}
