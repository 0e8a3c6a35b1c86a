//! Documents as bags of words, with the keywords found in them: what topics are learnt from (002 §3: words of
//! title, text and references).
//!
//! A word is a folded token without stop words and numbers. Of a collection's words those are kept that
//! stand in several documents, the most widespread first: the number of kept words is bounded.

use crate::Hashed;
use crate::stop::is_stop;
use crate::token::{each_form, fold, tokens};
use fyke_learn::bayes::Occurrence;
use fyke_learn::topics::{Bags, FoundKeyword};
use std::collections::VecDeque;
use xxhash_rust::xxh3::xxh3_64;

/// A word in fewer documents is not kept.
const LEAST_DOCUMENTS: u32 = 3;

/// So many words are kept.
const MOST_WORDS: usize = 1 << 16;

/// So much of a part of a document is read, in bytes.
const MOST_TEXT: usize = 256 << 10;

/// Words of the longest keyword; what is longer is found by its first ones.
const LONGEST_KEYWORD: usize = 5;

/// A part of a document and how much a word in it counts.
pub type WeightedPart<'a> = (&'a str, f32);

/// The kept words, by number.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    words: Vec<String>,
    numbers: Hashed<u32>,
}

impl Lexicon {
    /// A lexicon of these words, in this order.
    #[must_use]
    pub fn new(words: Vec<String>) -> Lexicon {
        let number = |(number, word): (u32, &String)| (xxh3_64(word.as_bytes()), number);
        let numbers = (0..).zip(&words).map(number).collect();
        Lexicon { words, numbers }
    }

    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The numbers of the words of a text, as far as they are kept.
    #[must_use]
    pub fn numbers(&self, text: &str) -> Vec<u32> {
        let number = |word: &str| self.numbers.get(&xxh3_64(fold(word).as_bytes())).copied();
        tokens(text).filter_map(|token| number(token.text)).collect()
    }

    /// A document's kept words with how often they occur, each once.
    #[must_use]
    pub fn bag(&self, parts: &[WeightedPart], language: &str) -> Vec<Occurrence> {
        let mut words = Vec::new();
        read(parts, |word, weight| {
            let number = self.numbers.get(&xxh3_64(word.as_bytes()));
            if let Some(number) = number.filter(|_| is_kept(word, language)) {
                words.push((*number, weight));
            }
        });
        summed(words)
    }
}

/// Gathers the documents of a collection.
#[derive(Debug, Default)]
pub struct Gathering {
    numbers: Hashed<u32>,
    words: Vec<String>,
    /// Documents that hold each word.
    holding: Vec<u32>,
    bags: Bags,
    /// Keywords by the hash of their last word.
    keywords: Hashed<Vec<(u32, Vec<String>)>>,
}

impl Gathering {
    /// Looks for these keywords: words, or several in a row.
    #[must_use]
    pub fn new<'a>(keywords: impl IntoIterator<Item = &'a str>) -> Gathering {
        let mut gathering = Gathering::default();
        for (number, keyword) in (0..).zip(keywords) {
            let words = tokens(keyword).take(LONGEST_KEYWORD).map(|t| fold(t.text).into_owned());
            let words: Vec<String> = words.collect();
            if let Some(last) = words.last() {
                let place = gathering.keywords.entry(xxh3_64(last.as_bytes())).or_default();
                place.push((number, words));
            }
        }
        gathering
    }

    /// Takes in a document.
    pub fn add(&mut self, parts: &[WeightedPart], language: &str) {
        let (mut words, mut found) = (Vec::new(), Vec::<FoundKeyword>::new());
        let mut last: VecDeque<String> = VecDeque::new();
        read(parts, |word, weight| {
            let hash = xxh3_64(word.as_bytes());
            if !self.keywords.is_empty() {
                if last.len() == LONGEST_KEYWORD {
                    last.pop_front();
                }
                last.push_back(word.to_owned());
            }
            for (keyword, words) in self.keywords.get(&hash).into_iter().flatten() {
                if last.iter().rev().take(words.len()).eq(words.iter().rev()) {
                    note(&mut found, *keyword, weight);
                }
            }
            if is_kept(word, language) {
                let next = self.words.len() as u32;
                let number = *self.numbers.entry(hash).or_insert(next);
                if number == next {
                    self.words.push(word.to_owned());
                    self.holding.push(0);
                }
                words.push((number, weight));
            }
        });
        let words = summed(words);
        words.iter().for_each(|(word, _)| self.holding[*word as usize] += 1);
        self.bags.documents.push(words);
        self.bags.found.push(found);
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.bags.documents.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kept words, and the documents in them.
    #[must_use]
    pub fn finish(mut self) -> (Lexicon, Bags) {
        let mut kept: Vec<usize> =
            (0..self.words.len()).filter(|w| self.holding[*w] >= LEAST_DOCUMENTS).collect();
        kept.sort_by(|a, b| {
            self.holding[*b]
                .cmp(&self.holding[*a])
                .then_with(|| self.words[*a].cmp(&self.words[*b]))
        });
        kept.truncate(MOST_WORDS);
        let mut new = vec![None; self.words.len()];
        (0..).zip(&kept).for_each(|(number, word)| new[*word] = Some(number));
        for document in &mut self.bags.documents {
            let renumbered =
                document.iter().filter_map(|(w, times)| Some((new[*w as usize]?, *times)));
            *document = renumbered.collect();
            document.sort_unstable_by_key(|(word, _)| *word);
        }
        self.bags.words = kept.len();
        let words = kept.into_iter().map(|word| std::mem::take(&mut self.words[word])).collect();
        (Lexicon::new(words), self.bags)
    }
}

fn note(found: &mut Vec<FoundKeyword>, keyword: u32, weight: f32) {
    match found.iter_mut().find(|found| found.keyword == keyword) {
        Some(before) => before.times += weight,
        None => found.push(FoundKeyword { keyword, times: weight }),
    }
}

/// Shows the folded words of all parts with their weight.
fn read(parts: &[WeightedPart], mut see: impl FnMut(&str, f32)) {
    for (text, weight) in parts {
        each_form(&text[..text.floor_char_boundary(MOST_TEXT)], |word| see(word, *weight));
    }
}

/// Whether a folded word may say something of a subject.
fn is_kept(word: &str, language: &str) -> bool {
    let is_wordy = !word.starts_with(|c: char| c.is_numeric()) && word.chars().nth(1).is_some();
    is_wordy && !is_stop(language, word)
}

/// Each word once, with the sum of its weights.
fn summed(mut words: Vec<Occurrence>) -> Vec<Occurrence> {
    words.sort_by_key(|(word, _)| *word);
    words.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keywords_and_phrases_are_found_as_often_as_they_stand_there() {
        let mut gathering = Gathering::new(["tidal turbine", "Weir", "tidal"]);
        gathering.add(&[("The weir", 3.), ("A tidal turbine, a tidal weir.", 1.)], "en");
        let (_, bags) = gathering.finish();
        let found = |keyword, times| FoundKeyword { keyword, times };
        assert_eq!(bags.found[0], [found(1, 4.), found(2, 2.), found(0, 1.)]);
    }

    #[test]
    fn words_of_several_documents_are_kept_the_most_widespread_first() {
        let mut gathering = Gathering::new([]);
        for text in ["eel weir 1999", "the eel and the weir x", "Eel eel", "weir! eel?"] {
            gathering.add(&[(text, 1.)], "en");
        }
        let (lexicon, bags) = gathering.finish();
        assert_eq!(lexicon.words(), ["eel", "weir"]);
        assert_eq!(bags.documents[2], [(0, 2.)]);
        assert_eq!(bags.words, 2);
        assert_eq!(
            lexicon.bag(&[("Weir", 3.), ("eel or weir or net", 1.)], "en"),
            [(0, 1.), (1, 4.)]
        );
        assert_eq!(lexicon.numbers("a Weir of eel"), [1, 0]);
    }

    proptest! {
        #[test]
        fn a_document_has_the_same_bag_when_it_is_read_again(texts in prop::collection::vec("[a-e ]{0,30}", 1..12)) {
            let mut gathering = Gathering::new([]);
            texts.iter().for_each(|text| gathering.add(&[(text, 2.)], "en"));
            let (lexicon, bags) = gathering.finish();
            for (text, bag) in texts.iter().zip(&bags.documents) {
                prop_assert_eq!(&lexicon.bag(&[(text, 2.)], "en"), bag);
            }
        }

        #[test]
        fn any_text_can_be_read(keyword in "\\PC{0,20}", text in "\\PC{0,60}") {
            let mut gathering = Gathering::new([&*keyword]);
            gathering.add(&[(&text, 1.)], "und");
            prop_assert_eq!(gathering.finish().1.documents.len(), 1);
        }
    }
}
