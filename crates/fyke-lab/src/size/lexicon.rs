//! The lexicon that random queries are made of: words of a crawl, not of a dictionary (001), with the number
//! of documents that have each. Queries take words of a middle band: two words that stand in √N to 10·√N of N
//! documents each stand together in about 1 to 100 of them, so that an answer is seldom empty and seldom cut.

use super::words::is_askable;
use fyke_learn::terms::Dice;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Fewer words make too few queries.
const FEWEST: usize = 30;
/// Words of the largest lexicon.
const MOST: usize = 2_000_000;

/// Words with the number of documents that have them.
#[derive(Clone, Debug, Default)]
pub struct QueryLexicon {
    counts: HashMap<String, u32>,
    /// Documents that were counted; 0 for a list of words alone.
    documents: u32,
    /// The words of queries.
    band: Vec<String>,
    places: HashMap<String, usize>,
}

impl QueryLexicon {
    /// Counts the words of texts.
    pub fn of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> QueryLexicon {
        let mut lexicon = QueryLexicon::default();
        for text in texts {
            let mut words = HashSet::new();
            fyke_text::each_form(text.as_ref(), |word| {
                if is_askable(word) && !words.contains(word) {
                    words.insert(word.to_owned());
                }
            });
            lexicon.documents += 1;
            for word in words {
                if lexicon.counts.len() < MOST || lexicon.counts.contains_key(&word) {
                    *lexicon.counts.entry(word).or_default() += 1;
                }
            }
        }
        lexicon.banded(1.0)
    }

    /// A list of words, a line each, with a count behind a tab where it is known. All of them make queries.
    #[must_use]
    pub fn list(text: &str) -> QueryLexicon {
        let mut lexicon = QueryLexicon::default();
        for line in text.lines().take(MOST) {
            let (word, count) = line.split_once('\t').unwrap_or((line, "1"));
            let word = fyke_text::fold(word.trim()).into_owned();
            if is_askable(&word) {
                lexicon.counts.insert(word, count.trim().parse().unwrap_or(1));
            }
        }
        lexicon.banded(1.0)
    }

    /// The same lexicon, with queries of words that are rarer or more frequent by a factor.
    #[must_use]
    pub fn banded(mut self, factor: f64) -> QueryLexicon {
        let root = f64::from(self.documents).sqrt() * factor;
        let (low, high) = match self.documents {
            0 => (0.0, f64::INFINITY),
            _ => (root.max(2.0), (10.0 * root).max(4.0)),
        };
        let in_band = self.counts.iter().filter(|row| (low..=high).contains(&f64::from(*row.1)));
        let band: BTreeMap<&String, ()> = in_band.map(|(word, _)| (word, ())).collect();
        let band: Vec<String> = band.into_keys().cloned().collect();
        self.places = band.iter().enumerate().map(|(at, word)| (word.clone(), at)).collect();
        self.band = band;
        self
    }

    /// Documents that have a word.
    #[must_use]
    pub fn documents_with(&self, word: &str) -> u32 {
        self.counts.get(word).copied().unwrap_or(0)
    }

    /// Words that queries are made of.
    #[must_use]
    pub fn words(&self) -> usize {
        self.band.len()
    }

    /// Words that are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.counts.len()
    }

    /// # Errors
    /// When it has too few words, in words.
    pub fn check(&self) -> Result<(), String> {
        match self.words() {
            words if words < FEWEST => Err(format!(
                "the lexicon has {words} words for queries ({} in all), at least {FEWEST} are needed; name a \
                 larger collection or a list of words with --lexicon",
                self.known()
            )),
            _ => Ok(()),
        }
    }

    /// Pairs of words.
    #[must_use]
    pub fn pairs(&self) -> f64 {
        pairs(self.words())
    }

    /// Two different words of it.
    pub fn pair(&self, dice: &mut Dice) -> [&str; 2] {
        let words: Vec<&str> = self.band.iter().map(String::as_str).collect();
        two(&words, dice)
    }

    /// Those of some words that queries are made of, each once.
    #[must_use]
    pub fn of_band<'w>(&self, words: &'w [String]) -> Vec<&'w str> {
        let mut seen = HashSet::new();
        let in_band = |word: &&'w str| self.places.get(*word).is_some_and(|at| seen.insert(*at));
        words.iter().map(String::as_str).filter(in_band).collect()
    }
}

/// Pairs that so many things make.
pub(super) fn pairs(number: usize) -> f64 {
    number as f64 * (number as f64 - 1.0) / 2.0
}

/// Two different ones of at least two.
pub(super) fn two<'w>(words: &[&'w str], dice: &mut Dice) -> [&'w str; 2] {
    let first = dice.below(words.len());
    let second = (first + 1 + dice.below(words.len().saturating_sub(1))) % words.len();
    [words[first], words[second]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_take_words_that_are_neither_rare_nor_everywhere() {
        let texts = (0..100).map(|at| {
            let middle = if at % 4 == 0 { "middle" } else { "" };
            format!("everywhere {middle} word{at}")
        });
        let lexicon = QueryLexicon::of(texts);
        assert_eq!(lexicon.band, ["everywhere", "middle"]);
        assert_eq!((lexicon.documents_with("middle"), lexicon.documents_with("no")), (25, 0));
        assert!(lexicon.check().is_err_and(|what| what.contains("--lexicon")));
        let rarer = lexicon.banded(0.2);
        assert_eq!(rarer.band, [""; 0]);
    }

    #[test]
    fn a_list_of_words_may_have_counts_and_pairs_are_of_two_words() {
        let lexicon = QueryLexicon::list("Vocalists\t7\nrsi\n12\n\n<b>\n");
        assert_eq!(lexicon.band, ["rsi", "vocalists"]);
        assert_eq!(lexicon.documents_with("vocalists"), 7);
        assert_eq!(lexicon.pairs(), 1.0);
        let mut dice = Dice::new(1);
        for _ in 0..20 {
            let mut pair = lexicon.pair(&mut dice);
            pair.sort_unstable();
            assert_eq!(pair, ["rsi", "vocalists"]);
        }
        let words = ["rsi", "x", "rsi"].map(str::to_owned);
        assert_eq!(lexicon.of_band(&words), ["rsi"]);
    }
}
