//! The cosine of two texts' word frequencies (003 §3.7: what simhash follows, kept whole).

use super::SketchMethod;
use std::collections::BTreeMap;

pub(super) const COSINE: SketchMethod = SketchMethod {
    name: "cosine",
    what: "the cosine of word frequencies, whatever the order of the words",
    formula: "Σ a(w)·b(w) / √(Σ a(w)² · Σ b(w)²), a(w) and b(w) how often w stands in each text",
    make: |text| {
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for word in &text.words {
            *counts.entry(*word).or_default() += 1;
        }
        counts.into_iter().flat_map(|(word, count)| [word, count]).collect()
    },
    compare: cosine,
    // A word in so many that differs spoils three 3-grams: of words in common the share s, of 3-grams s³, and
    // the coefficient is s³ / (2 - s³).
    least: |coefficient| (2.0 * coefficient / (1.0 + coefficient)).cbrt(),
};

/// Of words, sorted, each with its number behind it.
fn cosine(a: &[u64], b: &[u64]) -> f64 {
    let square = |counts: &[u64]| -> f64 {
        counts.as_chunks::<2>().0.iter().map(|[_, count]| (*count as f64).powi(2)).sum()
    };
    let (mut left, mut right) = (a.as_chunks::<2>().0, b.as_chunks::<2>().0);
    let mut product = 0.0;
    while let ([[one, many], rest @ ..], [[two, times], others @ ..]) = (left, right) {
        if one == two {
            product += *many as f64 * *times as f64;
        }
        if one <= two {
            left = rest;
        }
        if two <= one {
            right = others;
        }
    }
    let squares = square(a) * square(b);
    if squares > 0.0 { (product / squares.sqrt()).min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::HashedText;
    use super::*;

    #[test]
    fn the_cosine_is_that_of_the_frequencies_and_blind_to_order() {
        let check = |a: &str, b: &str, expected: f64| {
            let [a, b] = [a, b].map(|text| (COSINE.make)(&HashedText::read(text)));
            assert!((cosine(&a, &b) - expected).abs() < 1e-12, "{}", cosine(&a, &b));
        };
        check("fish fish tropical", "tropical fish fish", 1.0);
        check("fish fish tropical", "fish", 2.0 / 5f64.sqrt());
        check("fish", "tropical", 0.0);
        check("", "fish", 0.0);
        assert!(((COSINE.least)(0.8) - 0.9615).abs() < 1e-4);
    }
}
