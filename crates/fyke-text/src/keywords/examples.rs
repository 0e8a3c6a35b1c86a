//! Keywords where people gave example pages instead: the words that stand in most of the examples, and most
//! often.

use crate::{fold, is_stop, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Keywords taken from examples.
const MOST: usize = 8;
/// Letters that a keyword has at least.
const LEAST: usize = 4;

/// The keywords of texts, each with its title; what stands in titles counts for more.
#[must_use]
pub fn of_examples(examples: &[(String, String)]) -> Vec<String> {
    let mut words: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (title, text) in examples {
        let mut here = BTreeSet::new();
        for (part, weight) in [(title, 5), (text, 1)] {
            for token in tokens(part) {
                let word = fold(token.text);
                let is_word =
                    word.chars().count() >= LEAST && word.chars().all(char::is_alphabetic);
                if is_word && !is_stop("en", &word) {
                    let counts = words.entry(word.to_string()).or_default();
                    counts.0 += usize::from(here.insert(word.into_owned()));
                    counts.1 += weight;
                }
            }
        }
    }
    let mut words: Vec<_> = words.into_iter().collect();
    words.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    words.into_iter().take(MOST).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_most_examples_are_their_keywords() {
        let example = |title: &str, text: &str| (title.to_owned(), text.to_owned());
        let found = of_examples(&[
            example("Of tides", "The tides turn a turbine, and the tides turn again."),
            example("Turbine", "A turbine in the strait, where tides run with the wind."),
        ]);
        assert_eq!(found[..2], ["tides", "turbine"]);
        assert!(found.len() <= MOST && !found.contains(&"the".to_owned()));
        assert!(of_examples(&[]).is_empty());
    }
}
