//! Stop lists (003 §4.3.3): words that say little of a text's subject. They are never left out
//! of the index, only weighed or dropped in queries; a list is a file in `data/stop`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// One row for each list: the language's code and its words, a word a line, folded.
const LISTS: [(&str, &str); 1] = [("en", include_str!("../data/stop/en.txt"))];

static WORDS: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
    let rows = LISTS.iter().flat_map(|&(lang, list)| list.lines().map(move |word| (lang, word)));
    rows.collect()
});

/// Whether the folded `word` is on the stop list of `lang`; languages without a list have none.
#[must_use]
pub fn is_stop(lang: &str, word: &str) -> bool {
    WORDS.contains(&(lang, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{fold, tokens};

    #[test]
    fn to_be_or_not_to_be_is_all_stop_words() {
        assert!(tokens("To be, or not to be").all(|t| is_stop("en", &fold(t.text))));
    }

    #[test]
    fn words_with_a_subject_and_other_languages_are_no_stop_words() {
        assert!(!is_stop("en", "net"));
        assert!(!is_stop("de", "the"));
        assert!(!is_stop("en", ""));
    }

    #[test]
    fn lists_are_sorted_folded_and_without_repetition() {
        for (lang, list) in LISTS {
            let words: Vec<_> = list.lines().collect();
            assert!(words.is_sorted_by(|a, b| a < b), "list {lang} is not sorted");
            assert!(words.iter().all(|word| fold(word) == *word), "list {lang} is not folded");
        }
    }
}
