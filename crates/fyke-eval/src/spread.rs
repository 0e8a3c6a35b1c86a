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
}
