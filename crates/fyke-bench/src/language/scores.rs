//! How well languages are told: recall, F1 and their means.

use std::collections::HashMap;

/// What was said of some sentences, counted.
#[derive(Default)]
pub(crate) struct LanguageScores<'a> {
    /// Sentences of each language.
    wanted: HashMap<&'a str, f64>,
    /// Those said to be in it.
    said: HashMap<&'a str, f64>,
    right: HashMap<&'a str, f64>,
}

impl<'a> LanguageScores<'a> {
    /// Counts pairs of the true code and the code that was said.
    pub(crate) fn of(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> LanguageScores<'a> {
        let mut scores = LanguageScores::default();
        for (wanted, said) in pairs {
            *scores.wanted.entry(wanted).or_default() += 1.0;
            *scores.said.entry(said).or_default() += 1.0;
            if wanted == said {
                *scores.right.entry(wanted).or_default() += 1.0;
            }
        }
        scores
    }

    /// The share of a language's sentences that are told.
    pub(crate) fn recall(&self, code: &str) -> f64 {
        get(&self.right, code) / get(&self.wanted, code).max(1.0)
    }

    /// The harmonic mean of precision and recall of a language.
    pub(crate) fn f1(&self, code: &str) -> f64 {
        let all = get(&self.wanted, code) + get(&self.said, code);
        2.0 * get(&self.right, code) / all.max(1.0)
    }

    /// The mean of a measure over those of the languages that have sentences.
    pub(crate) fn mean<'c>(
        &self,
        codes: impl Iterator<Item = &'c str>,
        measure: fn(&LanguageScores<'a>, &str) -> f64,
    ) -> f64 {
        let there = codes.filter(|code| self.wanted.contains_key(code));
        let values: Vec<f64> = there.map(|code| measure(self, code)).collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }

    pub(crate) fn languages(&self) -> impl Iterator<Item = &'a str> {
        self.wanted.keys().copied()
    }
}

fn get(counts: &HashMap<&str, f64>, code: &str) -> f64 {
    counts.get(code).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrongly_said_lowers_the_f1_of_both_languages() {
        let pairs = [("hr", "hr"), ("hr", "bs"), ("bs", "bs"), ("bs", "bs"), ("sl", "hr")];
        let scores = LanguageScores::of(pairs.into_iter());
        let check = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        check(scores.recall("hr"), 0.5);
        check(scores.f1("hr"), 0.5);
        check(scores.f1("bs"), 0.8);
        check(scores.mean(["hr", "bs", "mk"].into_iter(), LanguageScores::f1), 0.65);
        check(scores.mean(["mk"].into_iter(), LanguageScores::recall), 0.0);
        assert_eq!(scores.languages().count(), 3);
    }
}
