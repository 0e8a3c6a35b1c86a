//! Words by numbers, for learners that know no strings.

use fyke_learn::terms::{TermCount, TermQuery};
use std::collections::HashMap;

/// Shortest and longest word that a query may have, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=40;

/// The words that were met, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct TermNumbers {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl TermNumbers {
    /// The words of a text with how often each stands there; new ones get new numbers.
    pub(super) fn count(&mut self, text: &str) -> Vec<TermCount> {
        let mut found: Vec<u32> = Vec::new();
        fyke_text::each_form(text, |word| {
            let is_term = LENGTHS.contains(&word.chars().count())
                && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'));
            if !is_term {
                return;
            }
            let number = self.numbers.get(word).copied().unwrap_or_else(|| {
                let number = self.words.len() as u32;
                self.words.push(word.to_owned());
                self.numbers.insert(word.to_owned(), number);
                number
            });
            found.push(number);
        });
        found.sort_unstable();
        let runs = found.chunk_by(|a, b| a == b);
        runs.map(|run| TermCount { term: run[0], count: run.len() as u32 }).collect()
    }

    pub(super) fn word(&self, number: u32) -> &str {
        self.words.get(number as usize).map_or("", String::as_str)
    }

    /// A query in words, as an engine is asked.
    pub(super) fn text(&self, query: &TermQuery, signs: QuerySigns) -> String {
        let include = if signs.is_plain { "" } else { "+" };
        let mut text: Vec<String> =
            query.include().iter().map(|term| self.signed(include, *term, signs)).collect();
        if signs.excludes {
            text.extend(query.exclude().iter().map(|term| self.signed("-", *term, signs)));
        }
        text.join(" ")
    }

    fn signed(&self, sign: &str, term: u32, signs: QuerySigns) -> String {
        let word = self.word(term);
        match signs.is_quoted || !word.chars().all(char::is_alphanumeric) {
            true => format!("{sign}\"{word}\""),
            false => format!("{sign}{word}"),
        }
    }
}

/// What an engine understands.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuerySigns {
    /// No sign before words that must be there.
    pub(super) is_plain: bool,
    /// Words may be excluded.
    pub(super) excludes: bool,
    /// Words are asked for in quotes, as they stand.
    pub(super) is_quoted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_come_back_in_queries() {
        let mut numbers = TermNumbers::default();
        let counts = numbers.count("Reka teče, reka 1234 teče x. Dub-Dub");
        let words: Vec<(&str, u32)> =
            counts.iter().map(|one| (numbers.word(one.term), one.count)).collect();
        assert_eq!(words[..2], [("reka", 2), ("teče", 2)]);
        let query = TermQuery::new(vec![0], vec![1]);
        let text = |is_plain, excludes, is_quoted| {
            numbers.text(&query, QuerySigns { is_plain, excludes, is_quoted })
        };
        assert_eq!(text(false, true, true), "+\"reka\" -\"teče\"");
        assert_eq!(text(false, true, false), "+reka -teče");
        assert_eq!(text(true, false, false), "reka");
    }
}
