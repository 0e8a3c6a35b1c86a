//! Compounds of German documents (003 §4.7): `Windenergie` is found by `Energie` too. Analysis counts the
//! words of the collection and writes down which of them are made of others; the index then has the parts
//! of a document's compounds in a field of their own.

use fyke_store::{Collection, StoreError, View};
use fyke_text::compound;
use fyke_web::{Document, UrlId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The language whose words are parted.
const LANGUAGE: &str = "de";

/// Where analysis leaves them: a line for each, the word and its parts.
pub const COLUMN: &str = "compounds";
const CELL: UrlId = UrlId(0);

/// So many different words are counted.
const MOST_WORDS: usize = 1_000_000;

/// Shorter words are no compounds, nor are longer ones.
const LETTERS: std::ops::RangeInclusive<usize> = 8..=60;

/// How often words occur in German documents.
#[derive(Debug, Default)]
pub struct Counted(HashMap<String, u64>);

impl Counted {
    /// Counts the words of a document, if it is in German.
    pub fn see(&mut self, document: &Document) {
        self.count(&document.language, [&document.title, &document.text]);
    }

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

    /// Writes the compounds among the words down.
    ///
    /// # Errors
    /// When the column cannot be written.
    pub fn write(&self, collection: &Collection) -> Result<(), StoreError> {
        collection.documents.put_column(COLUMN, &[(CELL, self.lines().into_bytes())])
    }

    fn lines(&self) -> String {
        let frequency = |word: &str| self.0.get(word).copied().unwrap_or(0);
        let mut words: Vec<&String> = self.0.keys().filter(|word| is_long(word)).collect();
        words.sort_unstable();
        let mut lines = String::new();
        for word in words {
            let parts = compound::parts(word, &frequency);
            if !parts.is_empty() {
                let _ = writeln!(lines, "{word} {}", parts.join(" "));
            }
        }
        lines
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
pub struct Compounds(HashMap<String, String>);

impl Compounds {
    /// As analysis found them.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(collection: &View) -> Result<Compounds, StoreError> {
        let cell = collection.documents.cell(COLUMN, CELL)?.unwrap_or_default();
        Ok(Compounds::of(&String::from_utf8_lossy(&cell)))
    }

    fn of(lines: &str) -> Compounds {
        let rows = lines.lines().filter_map(|line| line.split_once(' '));
        Compounds(rows.map(|(word, parts)| (word.to_owned(), parts.to_owned())).collect())
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
        let mut counted = Counted::default();
        let rows = ["Wind und Energie, Wind und Energie.", "Die Windenergie.", "Die Zeitung."];
        rows.iter().for_each(|text| counted.count("de", ["", text]));
        counted.count("en", ["Energiewind", "energiewind"]);
        let compounds = Compounds::of(&counted.lines());
        let check = |language: &str, text: &str, expected: &str| {
            assert_eq!(compounds.parts_of(language, [text, ""]), expected, "{text}");
        };
        check("de", "WINDENERGIE, Windenergie!", "wind energie\n");
        check("de", "Zeitung, Energiewind", "");
        check("en", "Windenergie", "");
    }
}
