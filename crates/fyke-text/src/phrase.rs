//! Phrases (003 §4.3.5): simple noun phrases by part-of-speech tags, which are nouns in a row with
//! or without adjectives before them, and n-grams, which are words in a row.

use crate::stop::is_stop;
use crate::tag;
use crate::token::{fold, tokens};

/// The longest noun phrase in words; of a longer row of nouns the last ones are taken.
const LONGEST: usize = 5;
/// Signs that part what stands before them from what follows.
const PARTING: &[char] = &['.', ',', '!', '?', ';', ':', '(', ')', '[', ']', '"', '|', '\n'];

/// Shows the noun phrases of an English text of two words or more, in their folded form.
pub fn noun_phrases(text: &str, mut see: impl FnMut(&str)) {
    for sentence in tag::sentences(text) {
        let tags = tag::tags(&sentence);
        let mut start = 0;
        for end in 0..=sentence.len() {
            let tag = tags.get(end).copied().unwrap_or_default();
            if matches!(tag, "NOUN" | "PROPN") || (tag == "ADJ" && !has_noun(&tags[start..end])) {
                continue;
            }
            show(&sentence[start..end], &tags[start..end], &mut see);
            start = if tag == "ADJ" { end } else { end + 1 };
        }
    }
}

fn has_noun(tags: &[&str]) -> bool {
    tags.iter().any(|tag| *tag != "ADJ")
}

/// Shows a row of adjectives and nouns if it is a phrase.
fn show(words: &[&str], tags: &[&str], see: &mut impl FnMut(&str)) {
    let words = &words[words.len().saturating_sub(LONGEST)..];
    let is_word = |word: &&str| word.chars().any(char::is_alphabetic);
    if words.len() < 2 || !has_noun(tags) || !words.iter().all(is_word) {
        return;
    }
    let forms: Vec<String> =
        words.iter().flat_map(|word| tokens(word)).map(|t| fold(t.text).into_owned()).collect();
    see(&forms.join(" "));
}

/// Shows the runs of `n` words of a text, in their folded form, that neither begin nor end with a stop
/// word of its language; signs between words part them.
pub fn ngrams(text: &str, n: usize, language: &str, mut see: impl FnMut(&str)) {
    let mut row: Vec<String> = Vec::new();
    let mut end = 0;
    for token in tokens(text) {
        if text.get(end..token.start).is_some_and(|gap| gap.contains(PARTING)) {
            row.clear();
        }
        end = token.start + token.text.len();
        row.push(fold(token.text).into_owned());
        if row.len() > n {
            row.remove(0);
        }
        let is_full = row.len() == n && n > 0;
        if is_full && !is_stop(language, &row[0]) && !is_stop(language, &row[n - 1]) {
            see(&row.join(" "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gathered(mut gather: impl FnMut(&mut dyn FnMut(&str))) -> String {
        let mut found: Vec<String> = Vec::new();
        gather(&mut |phrase| found.push(phrase.to_owned()));
        found.join(" | ")
    }

    #[test]
    fn nouns_in_a_row_are_phrases_with_their_adjectives() {
        let check = |text: &str, expected: &str| {
            let found = gathered(|see| noun_phrases(text, see));
            assert_eq!(found, expected, "{text}");
        };
        check("The peace process in the European Union.", "peace process | european union");
        check(
            "She bought a large red car and human rights books.",
            "large red car | human rights books",
        );
        check("Tropical fish live in Los Angeles.", "tropical fish | los angeles");
        check("They swim.", "");
        check("", "");
    }

    #[test]
    fn ngrams_neither_begin_nor_end_with_a_stop_word_nor_cross_a_sign() {
        let check = |text: &str, n: usize, language: &str, expected: &str| {
            let found = gathered(|see| ngrams(text, n, language, see));
            assert_eq!(found, expected, "{text}");
        };
        check("Document for full text retrieval", 2, "en", "full text | text retrieval");
        check("bill of rights, the wind. Sea", 3, "en", "bill of rights");
        check("veter in morje; sonce", 3, "sl", "veter in morje");
        check("a b", 0, "en", "");
    }

    proptest! {
        #[test]
        fn no_text_makes_phrases_fail(text in "\\PC{0,80}", n in 0..4_usize) {
            noun_phrases(&text, |phrase| assert!(!phrase.is_empty()));
            ngrams(&text, n, "en", |phrase| assert!(!phrase.is_empty()));
        }
    }
}
