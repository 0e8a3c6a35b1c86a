//! How figures are spread over queries (000 "Variance": there are easy information needs and hard
//! ones): what a box plot shows.

use crate::significance::mean;
use serde::Serialize;

/// The ends, quartiles and mean of figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub least: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub most: f64,
    pub mean: f64,
}

impl Spread {
    /// The spread of figures; None of none.
    #[must_use]
    pub fn new(figures: &[f64]) -> Option<Spread> {
        let mut sorted = figures.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Spread {
            least: *sorted.first()?,
            lower_quartile: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper_quartile: quantile(&sorted, 0.75),
            most: *sorted.last()?,
            mean: mean(figures),
        })
    }
}

/// How much figures vary over queries, and over systems (000 "Variance": the former is usually much greater).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Variances {
    /// Of one system over the queries, the mean over systems.
    pub queries: f64,
    /// Of one query over the systems, the mean over queries.
    pub systems: f64,
}

impl Variances {
    /// Of the figures of systems, each a row with a figure for each query; None with fewer than two of either.
    #[must_use]
    pub fn new(systems: &[Vec<f64>]) -> Option<Variances> {
        let queries = systems.iter().map(Vec::len).min()?;
        if systems.len() < 2 || queries < 2 {
            return None;
        }
        let over_queries: Vec<f64> = systems.iter().map(|row| variance(&row[..queries])).collect();
        let of_query = |query: usize| systems.iter().map(|row| row[query]).collect::<Vec<_>>();
        let over_systems: Vec<f64> = (0..queries).map(|at| variance(&of_query(at))).collect();
        Some(Variances { queries: mean(&over_queries), systems: mean(&over_systems) })
    }
}

/// The variance of a sample.
fn variance(figures: &[f64]) -> f64 {
    let middle = mean(figures);
    let squares: f64 = figures.iter().map(|figure| (figure - middle).powi(2)).sum();
    squares / (figures.len() as f64 - 1.0)
}

/// The figure below which a share of the sorted ones lies, between two neighbours where it falls there.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(figures: &[f64], expected: [f64; 6]) {
        let found = Spread::new(figures).unwrap();
        let ends = [found.least, found.lower_quartile, found.median];
        let rest = [found.upper_quartile, found.most, found.mean];
        assert_eq!([ends, rest].concat(), expected);
    }

    #[test]
    fn quartiles_stand_between_figures() {
        check(&[3.0, 1.0, 2.0, 4.0], [1.0, 1.75, 2.5, 3.25, 4.0, 2.5]);
        check(&[5.0, 1.0, 3.0, 2.0, 4.0], [1.0, 2.0, 3.0, 4.0, 5.0, 3.0]);
        check(&[0.5], [0.5; 6]);
        assert_eq!(Spread::new(&[]), None);
    }

    #[test]
    fn variance_over_queries_is_told_from_that_over_systems() {
        // An easy query and a hard one; the systems differ by a tenth.
        let found = Variances::new(&[vec![0.7, 0.1], vec![0.8, 0.2]]).unwrap();
        assert!((found.queries - 0.18).abs() < 1e-12 && (found.systems - 0.005).abs() < 1e-12);
        assert_eq!(Variances::new(&[vec![0.7, 0.1]]), None);
        assert_eq!(Variances::new(&[vec![0.7], vec![0.1]]), None);
    }
}
