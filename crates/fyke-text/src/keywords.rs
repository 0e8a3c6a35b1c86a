//! Keywords of a subject and where a text holds them (002 §3: "searching a document for each keyword").
//! Words are compared by their stems; a keyword of several words is found where they stand side by side.
//!
//! Every word of every page fetched comes by here, so a word is stemmed only when it begins as one of the
//! keywords does.

mod examples;

pub use examples::of_examples;

use crate::words::each_word;
use crate::{fold, stem};

/// Bytes by which a word is passed over without stemming.
const HEAD: usize = 3;
/// Places of the table of beginnings, a power of two.
const PLACES: usize = 512;

/// A list of keywords, made ready.
#[derive(Clone, Debug)]
pub struct Keywords {
    language: String,
    /// The stems of all keywords, each once …
    stems: Vec<String>,
    /// … and those of each keyword, in order, by their places there.
    phrases: Vec<Vec<usize>>,
    /// Whether some word of a keyword begins in this way.
    heads: Box<[bool; PLACES]>,
}

/// How far a text has been searched. A new piece of text goes on where the last one ended.
#[derive(Clone, Debug, Default)]
pub struct KeywordSearch {
    /// Words read.
    words: u32,
    /// Of each keyword: how many of its words stand at the end of the text, and the place of the last.
    begun: Vec<(usize, u32)>,
    /// How often each keyword was found.
    found: Vec<u32>,
}

impl KeywordSearch {
    /// How often each keyword was found, in their order.
    #[must_use]
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// How often any keyword was found.
    #[must_use]
    pub fn sum(&self) -> u32 {
        self.found.iter().sum()
    }

    /// A word that is in no keyword; or, between two texts, a gap that no keyword goes over.
    #[inline]
    pub fn pass(&mut self) {
        self.words += 1;
    }

    /// Words read so far.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.words
    }
}

/// Where a word stands in the table of beginnings.
#[inline]
fn head(word: &str) -> usize {
    let lower = |sum: usize, b: &u8| sum * 31 + usize::from(b.to_ascii_lowercase());
    word.as_bytes().iter().take(HEAD).fold(7, lower) % PLACES
}

impl Keywords {
    /// Keywords as people write them, stemmed as words of `language` are. Those without a word are left
    /// out.
    #[must_use]
    pub fn new<S: AsRef<str>>(keywords: &[S], language: &str) -> Keywords {
        let mut stems: Vec<String> = Vec::new();
        let mut place = |word: &str| {
            let stem = stem(language, &fold(word)).into_owned();
            stems.iter().position(|known| *known == stem).unwrap_or_else(|| {
                stems.push(stem);
                stems.len() - 1
            })
        };
        let mut phrase = |keyword: &S| {
            let mut places = Vec::new();
            each_word(keyword.as_ref(), |_, word| places.push(place(word)));
            places
        };
        let phrases = keywords.iter().map(&mut phrase).filter(|stems| !stems.is_empty()).collect();
        let mut heads = Box::new([false; PLACES]);
        // A stem may be shorter than the head of its words: then all that could follow counts.
        for keyword in keywords {
            each_word(keyword.as_ref(), |_, word| heads[head(word)] = true);
        }
        Keywords { language: language.to_owned(), stems, phrases, heads }
    }

    /// How many keywords there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.phrases.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// A search of a new text.
    #[must_use]
    pub fn search(&self) -> KeywordSearch {
        let keywords = self.phrases.len();
        KeywordSearch { words: 0, begun: vec![(0, 0); keywords], found: vec![0; keywords] }
    }

    /// Takes up the next word of a text.
    #[inline]
    pub fn see(&self, search: &mut KeywordSearch, word: &str) {
        match self.stem_of(word) {
            Some(stem) => {
                self.take(search, stem);
            }
            None => search.pass(),
        }
    }

    /// Which of the keywords' stems a word has.
    #[inline]
    #[must_use]
    pub fn stem_of(&self, word: &str) -> Option<usize> {
        if self.may_hold(word) { self.compare(word) } else { None }
    }

    /// Whether some keyword may hold this word: one of them begins as it does.
    #[inline]
    #[must_use]
    pub fn may_hold(&self, word: &str) -> bool {
        self.heads[head(word)]
    }

    #[inline(never)]
    fn compare(&self, word: &str) -> Option<usize> {
        let folded = fold(word);
        let stem = stem(&self.language, &folded);
        self.stems.iter().position(|known| *known == *stem)
    }

    /// Takes up the next word of a text, which has this stem of the keywords'; says whether a keyword
    /// ends with it.
    pub fn take(&self, search: &mut KeywordSearch, stem: usize) -> bool {
        search.words += 1;
        let mut ends = false;
        let counts = search.begun.iter_mut().zip(&mut search.found);
        for (phrase, (begun, found)) in self.phrases.iter().zip(counts) {
            let goes_on = begun.0 > 0 && begun.1 + 1 == search.words && phrase[begun.0] == stem;
            begun.0 = match goes_on {
                true => begun.0 + 1,
                false => usize::from(phrase[0] == stem),
            };
            begun.1 = search.words;
            if begun.0 == phrase.len() {
                *found += 1;
                begun.0 = 0;
                ends = true;
            }
        }
        ends
    }

    /// How often each keyword stands in a text.
    #[must_use]
    pub fn count(&self, text: &str) -> Vec<u32> {
        self.count_in(text).found
    }

    /// A search of a whole text.
    #[must_use]
    pub fn count_in(&self, text: &str) -> KeywordSearch {
        let mut search = self.search();
        each_word(text, |_, word| self.see(&mut search, word));
        search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(keywords: &[&str], text: &str, expected: &[u32]) {
        assert_eq!(Keywords::new(keywords, "en").count(text), expected, "{keywords:?} in {text:?}");
    }

    #[test]
    fn words_are_found_by_their_stems_and_phrases_side_by_side() {
        check(&["tidal turbine", "bees"], "Tidal turbines and a bee; BEES!", &[1, 2]);
        check(&["tidal turbine"], "a tidal and a turbine", &[0]);
        check(&["tidal turbine"], "tidal tidal, turbine", &[1]);
        check(&["tidal turbine"], "tidal, tidal turbines' turbine", &[1]);
        check(&["new new york"], "new new new york", &[0]);
        check(&["salt-marsh"], "salt marshes and saltmarsh", &[1]);
        check(&["", " - "], "anything", &[]);
        check(&["bee"], "", &[0]);
    }

    #[test]
    fn another_language_has_its_own_stems() {
        let keywords = Keywords::new(&["Gletscher", "Stein"], "de");
        assert_eq!(keywords.count("Steine der Gletscher, des Gletschers"), [2, 1]);
    }

    #[test]
    fn a_search_goes_on_over_pieces_of_text() {
        let keywords = Keywords::new(&["tidal turbine"], "en");
        let mut search = keywords.search();
        for piece in ["a tidal", "turbine"] {
            each_word(piece, |_, word| keywords.see(&mut search, word));
        }
        assert_eq!((search.found(), search.words()), (&[1][..], 3));
        each_word("tidal", |_, word| keywords.see(&mut search, word));
        search.pass();
        each_word("turbine", |_, word| keywords.see(&mut search, word));
        assert_eq!(search.sum(), 1);
    }

    proptest! {
        #[test]
        fn a_keyword_is_found_wherever_it_stands(
            before in "[a-z ]{0,30}", keyword in "[a-z]{1,9}( [a-z]{1,9}){0,2}", after in "[a-z ]{0,30}",
        ) {
            let text = format!("{before}. 7 {keyword} 7 {after}");
            prop_assert!(Keywords::new(&[keyword], "en").count(&text)[0] >= 1);
        }

        #[test]
        fn any_text_can_be_searched(text in ".{0,200}", keyword in ".{0,20}") {
            let keywords = Keywords::new(&[keyword], "en");
            prop_assert_eq!(keywords.count(&text).len(), keywords.len());
        }
    }
}
