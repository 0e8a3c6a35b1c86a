//! Heaps' law (003 §4.2.1): the vocabulary of a text of n words is v = k · n^β.

use serde::{Deserialize, Serialize};

/// The law is poor below so many words (003 §4.2.1), so a fit leaves them out where it can.
const FEW: u64 = 1_000;

/// Heaps' law fitted to a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heaps {
    pub k: f64,
    pub beta: f64,
}

impl Heaps {
    /// The vocabulary of a text of so many words.
    #[must_use]
    pub fn vocabulary(&self, words: f64) -> f64 {
        self.k * words.powf(self.beta)
    }

    /// The straight line through the logarithms of the places (words read, distinct words) by least
    /// squares; none with fewer than two of them.
    #[must_use]
    pub fn fit(growth: &[(u64, u64)]) -> Option<Heaps> {
        let later = growth.iter().filter(|place| place.0 >= FEW).count();
        let from = if later >= 3 { FEW } else { 1 };
        let places: Vec<(f64, f64)> = growth
            .iter()
            .filter(|(read, known)| *read >= from && *known > 0)
            .map(|(read, known)| ((*read as f64).ln(), (*known as f64).ln()))
            .collect();
        let count = places.len() as f64;
        let (x, y) =
            places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
        let (x, y) = (x / count, y / count);
        let spread: f64 = places.iter().map(|place| (place.0 - x).powi(2)).sum();
        let joint: f64 = places.iter().map(|place| (place.0 - x) * (place.1 - y)).sum();
        let beta = joint / spread;
        (places.len() > 1 && spread > 0.0).then(|| Heaps { k: (y - beta * x).exp(), beta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 003 §4.2.1 and figure 4.3: AP89 has k = 62.95 and β = .455, and after 10,879,522 words the law
    /// says 100,151 where 100,024 were found.
    #[test]
    fn the_vocabulary_of_ap89_is_as_the_law_says() {
        let ap89 = Heaps { k: 62.95, beta: 0.455 };
        assert!((ap89.vocabulary(10_879_522.0) - 100_151.0).abs() < 1.0);
        assert!((ap89.vocabulary(10_879_522.0) / 100_024.0 - 1.0).abs() < 0.0013);
    }

    /// 003 figure 4.4: GOV2 has k = 7.34 and β = .648, and goes beyond thirty million words.
    #[test]
    fn the_vocabulary_of_gov2_grows_on() {
        let gov2 = Heaps { k: 7.34, beta: 0.648 };
        assert!(gov2.vocabulary(20e9) > 30e6);
    }

    #[test]
    fn nothing_is_fitted_to_too_little() {
        assert_eq!(Heaps::fit(&[]), None);
        assert_eq!(Heaps::fit(&[(10, 5)]), None);
        assert_eq!(Heaps::fit(&[(10, 5), (10, 5)]), None);
    }

    #[test]
    fn the_first_words_do_not_count_where_others_follow() {
        let law = Heaps { k: 20.0, beta: 0.6 };
        let later = (4..8).map(|power| 10_u64.pow(power));
        let mut growth = vec![(10, 10), (100, 100)];
        growth.extend(later.map(|read| (read, law.vocabulary(read as f64) as u64)));
        let found = Heaps::fit(&growth).unwrap();
        assert!((found.beta - 0.6).abs() < 0.001 && (found.k - 20.0).abs() < 0.1, "{found:?}");
    }

    proptest! {
        #[test]
        fn a_text_that_obeys_the_law_gives_its_parameters_back(k in 5.0..100.0f64, beta in 0.3..0.8f64) {
            let law = Heaps { k, beta };
            let read = (10..30).map(|power| 1_u64 << power);
            let growth: Vec<_> = read.map(|n| (n, law.vocabulary(n as f64).round() as u64)).collect();
            let found = Heaps::fit(&growth).unwrap();
            prop_assert!((found.beta - beta).abs() < 0.01 && (found.k / k - 1.0).abs() < 0.1, "{found:?}");
        }
    }
}
