//! Which words of a page make a strong query: the rarest of its words, by a lexicon.

use super::{QueryLexicon, SizedPage};
use std::collections::BTreeSet;

/// Words of the beginning of a page, for engines that hold no more of it.
const BEGINNING: usize = 100;
/// Letters of a word that engines take for one.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=20;

/// Which words of a page are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongWords {
    Whole,
    Beginning,
}

/// Whether something is a word that may be asked for: letters alone, neither short nor long.
pub(super) fn is_askable(word: &str) -> bool {
    let letters = word.chars().count();
    LETTERS.contains(&letters) && word.chars().all(char::is_alphabetic)
}

/// So many words of a page, those first that the fewest documents have.
#[must_use]
pub fn strong_words<'p>(
    page: &'p SizedPage,
    lexicon: &QueryLexicon,
    of: StrongWords,
    number: usize,
) -> Vec<&'p str> {
    let end = match of {
        StrongWords::Whole => page.words.len(),
        StrongWords::Beginning => BEGINNING.min(page.words.len()),
    };
    let words: BTreeSet<&str> =
        page.words[..end].iter().map(String::as_str).filter(|word| is_askable(word)).collect();
    let mut words: Vec<(u32, &str)> =
        words.into_iter().map(|word| (lexicon.documents_with(word), word)).collect();
    words.sort_unstable();
    words.into_iter().take(number).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_words_come_first_and_signs_and_numbers_not_at_all() {
        let lexicon = QueryLexicon::of(["the tide the mill", "the mill", "the tide", "the tide"]);
        let words = "the mill tide 2026 x9 of vocalists".split(' ').map(str::to_owned).collect();
        let page = SizedPage { words, ..SizedPage::default() };
        let check = |of, number, expected: &[&str]| {
            assert_eq!(strong_words(&page, &lexicon, of, number), expected);
        };
        check(StrongWords::Whole, 2, &["vocalists", "mill"]);
        check(StrongWords::Beginning, 9, &["vocalists", "mill", "tide", "the"]);
    }
}
