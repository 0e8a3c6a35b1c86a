//! What documents say of a subject (002 §3): how often its keywords stand in one, and its other words with how often
//! they occur, all in one look at each word. Words are hashes, as they are for the judge of a crawl; numbers, single
//! letters and words of stop lists are left out. Of a collection's words those are kept that stand in several
//! documents, the most widespread first: the number of kept words is bounded.

use crate::keywords::Keywords;
use crate::{Hashed, each_word, fold, is_stop};
use fyke_learn::bayes::Occurrence;

/// A word in fewer documents is not kept.
const LEAST_DOCUMENTS: u32 = 3;
/// So many words are kept.
const MOST_WORDS: usize = 1 << 16;
/// So much of a title or a text is read, in bytes.
const MOST_TEXT: usize = 256 << 10;
/// A word of the title counts as so many of the text.
const TITLE: f32 = 3.;

/// A document to be read.
#[derive(Clone, Copy, Debug)]
pub struct SubjectText<'a> {
    pub title: &'a str,
    pub text: &'a str,
    pub language: &'a str,
}

/// What was read of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectReading {
    /// Words by number, each once, with how often they occur.
    pub words: Vec<Occurrence>,
    /// How often any keyword stands in the text, of how many words, and whether one stands in the title.
    pub keywords: u32,
    pub length: u32,
    pub is_titled: bool,
}

/// Words by number: how often each occurs in the document that is being read, and what is known of it already. It
/// serves one document after the other, all of them with the same keywords.
#[derive(Clone, Debug, Default)]
struct WordTally {
    words: Vec<TalliedWord>,
    /// Words of this document.
    met: Vec<u32>,
    languages: Vec<String>,
}

/// A word, and what it is in the language in which it was looked at last.
#[derive(Clone, Copy, Debug, Default)]
struct TalliedWord {
    times: f32,
    /// The place of the language, from 1 on.
    language: u32,
    /// Which stem of the keywords it has.
    stem: Option<u16>,
    is_kept: bool,
}

impl WordTally {
    /// The number of a language.
    fn language(&mut self, language: &str) -> u32 {
        let place = self.languages.iter().position(|known| known == language);
        let place = place.unwrap_or_else(|| {
            self.languages.push(language.to_owned());
            self.languages.len() - 1
        });
        place as u32 + 1
    }

    /// A word by its number.
    #[inline]
    fn word(
        &mut self,
        number: u32,
        language: u32,
        look: impl FnOnce() -> TalliedWord,
    ) -> &mut TalliedWord {
        let at = number as usize;
        if at >= self.words.len() {
            self.words.resize(at + 1, TalliedWord::default());
        }
        let word = &mut self.words[at];
        if word.language != language {
            *word = TalliedWord { times: word.times, language, ..look() };
        }
        if word.is_kept && word.times == 0. {
            self.met.push(number);
        }
        word
    }

    /// The words of the document in the order in which they were met; the next one begins.
    fn take(&mut self) -> Vec<Occurrence> {
        let words = &mut self.words;
        let times = |number: u32| (number, std::mem::take(&mut words[number as usize].times));
        self.met.drain(..).map(times).collect()
    }
}

/// What a word is.
fn look(word: &str, language: &str, keywords: &Keywords) -> TalliedWord {
    let stem = keywords.stem_of(word).and_then(|stem| u16::try_from(stem).ok());
    TalliedWord { stem, is_kept: !is_stop(language, &fold(word)), ..TalliedWord::default() }
}

/// Reads a document whose words have these numbers.
fn read(
    document: SubjectText<'_>,
    keywords: &Keywords,
    tally: &mut WordTally,
    mut number: impl FnMut(u64) -> Option<u32>,
) -> SubjectReading {
    let language = tally.language(document.language);
    let mut count = |text: &str, weight: f32| {
        let mut search = keywords.search();
        each_word(&text[..text.floor_char_boundary(MOST_TEXT)], |hash, word| {
            let is_wordy = word.len() > 1 && !word.as_bytes()[0].is_ascii_digit();
            let Some(number) = is_wordy.then(|| number(hash)).flatten() else {
                return keywords.see(&mut search, word);
            };
            let known = tally.word(number, language, || look(word, document.language, keywords));
            if known.is_kept {
                known.times += weight;
            }
            match known.stem {
                Some(stem) => _ = keywords.take(&mut search, usize::from(stem)),
                None => search.pass(),
            }
        });
        search
    };
    let (title, text) = (count(document.title, TITLE), count(document.text, 1.));
    SubjectReading {
        words: tally.take(),
        keywords: text.sum(),
        length: text.words(),
        is_titled: title.sum() > 0,
    }
}

/// Reads the documents that a subject is learned from.
#[derive(Clone, Debug, Default)]
pub struct SubjectGathering {
    numbers: Hashed<u32>,
    /// The hash of each word, and how many documents hold it.
    hashes: Vec<u64>,
    holding: Vec<u32>,
    tally: WordTally,
}

impl SubjectGathering {
    /// Reads one; the keywords are the same for all.
    pub fn read(&mut self, document: SubjectText<'_>, keywords: &Keywords) -> SubjectReading {
        let SubjectGathering { numbers, hashes, holding, tally } = self;
        let reading = read(document, keywords, tally, |hash| {
            let number = *numbers.entry(hash).or_insert(hashes.len() as u32);
            if number as usize == hashes.len() {
                hashes.push(hash);
                holding.push(0);
            }
            Some(number)
        });
        reading.words.iter().for_each(|(word, _)| holding[*word as usize] += 1);
        reading
    }

    /// The kept words; those of the documents read get the numbers they have there.
    #[must_use]
    pub fn finish<'a>(
        self,
        documents: impl IntoIterator<Item = &'a mut Vec<Occurrence>>,
    ) -> SubjectLexicon {
        let SubjectGathering { hashes, holding, .. } = self;
        let mut kept: Vec<usize> =
            (0..hashes.len()).filter(|word| holding[*word] >= LEAST_DOCUMENTS).collect();
        kept.sort_unstable_by_key(|word| (u32::MAX - holding[*word], hashes[*word]));
        kept.truncate(MOST_WORDS);
        let mut new = vec![None; hashes.len()];
        (0..).zip(&kept).for_each(|(number, word)| new[*word] = Some(number));
        for words in documents {
            words.retain_mut(|(word, _)| {
                let number = new[*word as usize];
                *word = number.unwrap_or_default();
                number.is_some()
            });
        }
        SubjectLexicon::new(kept.into_iter().map(|word| hashes[word]).collect())
    }
}

/// The kept words of a collection, by number.
#[derive(Clone, Debug, Default)]
pub struct SubjectLexicon {
    numbers: Hashed<u32>,
    hashes: Vec<u64>,
    tally: WordTally,
}

impl SubjectLexicon {
    /// Of words with these hashes, in this order.
    #[must_use]
    pub fn new(hashes: Vec<u64>) -> SubjectLexicon {
        let numbers = hashes.iter().copied().zip(0..).collect();
        SubjectLexicon { numbers, hashes, tally: WordTally::default() }
    }

    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Reads a document by these words; the keywords are the same for all.
    pub fn read(&mut self, document: SubjectText<'_>, keywords: &Keywords) -> SubjectReading {
        let SubjectLexicon { numbers, tally, .. } = self;
        read(document, keywords, tally, |hash| numbers.get(&hash).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text<'a>(title: &'a str, text: &'a str) -> SubjectText<'a> {
        SubjectText { title, text, language: "en" }
    }

    #[test]
    fn words_of_several_documents_are_kept_the_most_widespread_first() {
        let (keywords, mut gathering) =
            (Keywords::new(&["weir"], "en"), SubjectGathering::default());
        let texts = ["eel weir 1999", "the Eel and the weir x", "eel eel", "weir! eel?"];
        let mut read = texts.map(|each| gathering.read(text("", each), &keywords));
        assert_eq!(read.each_ref().map(|reading| reading.keywords), [1, 1, 0, 1]);
        assert_eq!(read[1].length, 6);
        let mut lexicon = gathering.finish(read.iter_mut().map(|reading| &mut reading.words));
        assert_eq!(read[2].words, [(0, 2.)]);
        assert_eq!(lexicon.hashes().len(), 2);
        let titled = lexicon.read(text("Weirs: a weir", "Eel or weir or net"), &keywords);
        assert_eq!(titled.words, [(1, 4.), (0, 1.)]);
        assert!(titled.is_titled && titled.keywords == 1);
    }

    proptest! {
        #[test]
        fn a_document_is_read_alike_when_it_is_read_again(texts in prop::collection::vec("[a-eé 7]{0,30}", 1..12)) {
            let (keywords, mut gathering) = (Keywords::new(&["ab"], "en"), SubjectGathering::default());
            let mut read: Vec<SubjectReading> =
                texts.iter().map(|each| gathering.read(text(each, each), &keywords)).collect();
            let mut lexicon = gathering.finish(read.iter_mut().map(|reading| &mut reading.words));
            for (each, reading) in texts.iter().zip(&read) {
                prop_assert_eq!(&lexicon.read(text(each, each), &keywords), reading);
            }
        }
    }
}
