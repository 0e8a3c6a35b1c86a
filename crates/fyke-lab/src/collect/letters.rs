//! Whether a text stands in the letters of its language. One that was read in a wrong encoding (č as è, ć as æ) has
//! the n-grams of its language all the same, but is of no use in a corpus of it; and old editions of a neighbour's
//! texts come so. What counts are Latin letters beyond a to z: a text is refused where too many of them are none of
//! the language's, by a table of orthographies or, for a language that is not there, by the documents it is learnt from.
//!
//! The bounds were chosen on texts of Slovak, Hungarian, Polish and others, and on what a wrong encoding makes of them.

use std::collections::BTreeMap;

/// A line for each language: its code and its letters.
const TABLE: &str = include_str!("../../data/letters.txt");
/// Fewer letters of no use say nothing: a name may have them.
const FEWEST: usize = 5;
/// A text is refused when more than one letter in so many is none of the language's.
const PART: usize = 4;
/// Documents of a language that is not in the table must have so many letters to tell which are its own, which is
/// one that is at least one in so many of them.
const ENOUGH: usize = 100;
const RARE: usize = 50;

/// The letters beyond a to z of a language.
#[derive(Clone, Debug)]
pub(super) struct LanguageLetters(Vec<char>);

impl LanguageLetters {
    /// Those of a language, by the table or by texts; none when neither says.
    #[must_use]
    pub(super) fn of(lang: &str, texts: &[String]) -> Option<LanguageLetters> {
        let rows = TABLE.lines().filter_map(|line| line.split_once(' '));
        let known = rows.into_iter().find(|row| row.0 == lang).map(|row| row.1.chars().collect());
        known.or_else(|| common(texts)).map(LanguageLetters)
    }

    /// Whether a text stands in other letters than these.
    #[must_use]
    pub(super) fn are_others(&self, text: &str) -> bool {
        let (mut all, mut others) = (0, 0);
        for letter in beyond_ascii(text) {
            all += 1;
            others += usize::from(!self.0.contains(&letter));
        }
        others >= FEWEST && others * PART > all
    }
}

/// The letters that are common in texts.
fn common(texts: &[String]) -> Option<Vec<char>> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    texts.iter().flat_map(|text| beyond_ascii(text)).for_each(|letter| {
        *counts.entry(letter).or_default() += 1;
    });
    let all: usize = counts.values().sum();
    let is_common = |(letter, count): (char, usize)| (count * RARE >= all).then_some(letter);
    (all >= ENOUGH).then(|| counts.into_iter().filter_map(is_common).collect())
}

/// Latin letters that ASCII does not have, as small ones.
fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    // Latin-1, Latin Extended-A and B with the phonetic letters (ə, ɓ), and the part of Unicode with Vietnamese ones.
    let is_latin = |c: &char| matches!(*c, '\u{c0}'..='\u{2af}' | '\u{1e00}'..='\u{1eff}');
    let letters = text.chars().filter(is_latin).filter(|c| c.is_alphabetic());
    letters.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lang: &str, text: &str, are_others: bool) {
        let letters = LanguageLetters::of(lang, &[]).expect("the language is in the table");
        assert_eq!(letters.are_others(text), are_others, "{lang}: {text}");
    }

    #[test]
    fn a_text_that_was_read_in_a_wrong_encoding_is_noticed() {
        let right = "Ribiči zvečer še vržejo mrežo čez reko, zjutraj pa začnejo vleči.";
        let wrong = right.replace('č', "è");
        check("sl", right, false);
        check("sl", &wrong, true);
        check("cs", "Rybáři večer ještě hodí síť přes řeku, ráno ji začnou táhnout.", false);
        check("cs", "Rybáøi veèer ještì hodí sí pøes øeku, ráno ji zaènou táhnout, øíká.", true);
    }

    #[test]
    fn names_from_elsewhere_and_texts_without_diacritics_are_left_alone() {
        check(
            "sl",
            "Žiga Čuk in Željko Šušteršič sta srečala Müllerja, Gößweinstein in José.",
            false,
        );
        check("sl", "Ribici zvecer se vrzejo mrezo cez reko.", false);
        assert!(LanguageLetters::of("tl", &[]).is_none());
    }

    #[test]
    fn a_language_that_is_not_in_the_table_is_learnt_from_its_documents() {
        let text = "ŋuu ŋaa ɓa".repeat(40);
        let letters = LanguageLetters::of("x-ng", &[text]).unwrap();
        assert!(!letters.are_others("ŋa ŋe ŋi ŋo ŋu ŋy"));
        assert!(letters.are_others("ña ñe ñi ño ñu ñy"));
        assert!(LanguageLetters::of("x-ng", &["ŋa".to_owned()]).is_none());
    }

    #[test]
    fn every_row_of_the_table_is_a_code_and_small_letters() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (code, letters) = line.split_once(' ').expect(line);
            assert!((2..=3).contains(&code.len()) && !letters.is_ascii(), "{line}");
            assert!(
                beyond_ascii(letters)
                    .eq(letters.chars().filter(|c| !c.is_ascii() && *c != '\u{307}')),
                "{line}"
            );
        }
    }
}
