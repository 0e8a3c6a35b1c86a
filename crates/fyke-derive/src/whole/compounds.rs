//! Compounds of German documents (003 §4.7): `Windenergie` is found by `Energie` too. The words of the
//! collection are counted, and which of them are made of others is written down; the index then has the
//! parts of a document's compounds in a field of their own.

use super::WholeRun;
use crate::page::print::PRINTS;
use crate::table::{Derivation, Tier};
use fyke_store::{Cells, Single, StoreError};
use fyke_text::compound;
use fyke_web::Document;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

pub const ROW: Derivation = Derivation {
    name: "compounds",
    what: "German words that are made of others",
    code: 6,
    version: 1,
    reads: &[],
    late: &["print"],
    writes: &[COMPOUNDS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// Each word with its parts.
pub const COMPOUNDS: Single<BTreeMap<String, String>> = Single::new("compounds", 1);

/// The language whose words are parted.
const LANGUAGE: &str = "de";

/// So many different words are counted.
const MOST_WORDS: usize = 1_000_000;

/// Shorter words are no compounds, nor are longer ones.
const LETTERS: std::ops::RangeInclusive<usize> = 8..=60;

/// Documents in other languages are not opened.
fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let mut counted = GermanWords::default();
    for print in run.cells.all(&PRINTS) {
        let (id, print) = print?;
        if print.language == LANGUAGE
            && let Some(document) = run.view.documents.get(id)?
        {
            counted.count(&document.language, [&document.title, &document.text]);
        }
    }
    run.batch.set(&COMPOUNDS, &counted.compounds())
}

/// How often words occur in German documents.
#[derive(Debug, Default)]
struct GermanWords(HashMap<String, u64>);

impl GermanWords {
    fn count(&mut self, language: &str, texts: [&str; 2]) {
        for word in words(language, texts) {
            let is_full = self.0.len() >= MOST_WORDS;
            match self.0.get_mut(&*word) {
                Some(count) => *count += 1,
                None if is_full => {}
                None => {
                    self.0.insert(word.into_owned(), 1);
                }
            }
        }
    }

    /// The compounds among the words, with their parts.
    fn compounds(&self) -> BTreeMap<String, String> {
        let frequency = |word: &str| self.0.get(word).copied().unwrap_or(0);
        let words = self.0.keys().filter(|word| is_long(word));
        let parted = words.map(|word| (word.clone(), compound::parts(word, &frequency)));
        let parted = parted.filter(|(_, parts)| !parts.is_empty());
        parted.map(|(word, parts)| (word, parts.join(" "))).collect()
    }
}

/// The words of texts in German, folded; none of other texts.
fn words<'a>(language: &str, texts: [&'a str; 2]) -> impl Iterator<Item = Cow<'a, str>> {
    let texts = texts.into_iter().filter(move |_| language == LANGUAGE);
    texts.flat_map(fyke_text::tokens).map(|token| fyke_text::fold(token.text))
}

fn is_long(word: &str) -> bool {
    LETTERS.contains(&word.chars().count())
}

/// Compounds with their parts.
#[derive(Debug, Default)]
pub struct Compounds(BTreeMap<String, String>);

impl Compounds {
    /// As they were found last.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(cells: &Cells) -> Result<Compounds, StoreError> {
        Ok(Compounds(cells.value(&COMPOUNDS)?.unwrap_or_default()))
    }

    /// Whether a document may have any.
    #[must_use]
    pub(crate) fn are_in(document: &Document) -> bool {
        document.language == LANGUAGE
    }

    /// The parts of a German document's compounds, a line for each of these.
    #[must_use]
    pub fn parts(&self, document: &Document) -> String {
        self.parts_of(&document.language, [&document.title, &document.text])
    }

    fn parts_of(&self, language: &str, texts: [&str; 2]) -> String {
        let (mut lines, mut seen) = (String::new(), HashSet::new());
        if self.0.is_empty() {
            return lines;
        }
        for word in words(language, texts) {
            if let Some((word, parts)) = self.0.get_key_value(&*word)
                && seen.insert(word)
            {
                lines.push_str(parts);
                lines.push('\n');
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_of_oftener_words_is_found_by_them() {
        let mut counted = GermanWords::default();
        let rows = ["Wind und Energie, Wind und Energie.", "Die Windenergie.", "Die Zeitung."];
        rows.iter().for_each(|text| counted.count("de", ["", text]));
        counted.count("en", ["Energiewind", "energiewind"]);
        let compounds = Compounds(counted.compounds());
        let check = |language: &str, text: &str, expected: &str| {
            assert_eq!(compounds.parts_of(language, [text, ""]), expected, "{text}");
        };
        check("de", "WINDENERGIE, Windenergie!", "wind energie\n");
        check("de", "Zeitung, Energiewind", "");
        check("en", "Windenergie", "");
    }
}
