//! Stop lists (003 §4.3.3): words that say little of a text's subject. They are never left out
//! of the index, only weighed or dropped in queries; a list is a file in `data/stop`.

use crate::Hashed;
use crate::eight::ODD;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// One row for each list: the language's code and its words, a word a line, folded.
const LISTS: &[(&str, &str)] = &[
    ("ar", include_str!("../data/stop/ar.txt")),
    ("cs", include_str!("../data/stop/cs.txt")),
    ("da", include_str!("../data/stop/da.txt")),
    ("de", include_str!("../data/stop/de.txt")),
    ("en", include_str!("../data/stop/en.txt")),
    ("es", include_str!("../data/stop/es.txt")),
    ("eu", include_str!("../data/stop/eu.txt")),
    ("fi", include_str!("../data/stop/fi.txt")),
    ("fr", include_str!("../data/stop/fr.txt")),
    ("hr", include_str!("../data/stop/hr.txt")),
    ("hu", include_str!("../data/stop/hu.txt")),
    ("it", include_str!("../data/stop/it.txt")),
    ("nl", include_str!("../data/stop/nl.txt")),
    ("no", include_str!("../data/stop/no.txt")),
    ("pl", include_str!("../data/stop/pl.txt")),
    ("pt", include_str!("../data/stop/pt.txt")),
    ("ro", include_str!("../data/stop/ro.txt")),
    ("ru", include_str!("../data/stop/ru.txt")),
    ("sl", include_str!("../data/stop/sl.txt")),
    ("sv", include_str!("../data/stop/sv.txt")),
    ("tr", include_str!("../data/stop/tr.txt")),
];

/// All lists, by the key of language and word.
static WORDS: LazyLock<Hashed<()>> = LazyLock::new(|| {
    let rows = LISTS.iter().flat_map(|&(lang, list)| list.lines().map(move |word| (lang, word)));
    rows.map(|(lang, word)| (key(lang, word), ())).collect()
});

/// Seeds of languages differ in their upper bits, too: of short words nothing but the lower ones is mixed with them.
fn key(lang: &str, word: &str) -> u64 {
    let seed = lang.bytes().fold(0, |seed: u64, byte| seed << 8 | u64::from(byte));
    xxh3_64_with_seed(word.as_bytes(), seed.wrapping_mul(ODD))
}

/// The languages that have a list.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|(lang, _)| *lang)
}

/// The words on the stop list of `lang`, folded.
pub fn words(lang: &str) -> impl Iterator<Item = &'static str> {
    LISTS.iter().filter(move |(known, _)| *known == lang).flat_map(|(_, list)| list.lines())
}

/// Whether the folded `word` is on the stop list of `lang`; languages without a list have none.
#[must_use]
pub fn is_stop(lang: &str, word: &str) -> bool {
    // Both written forms of Norwegian have the one list.
    let lang = if matches!(lang, "nb" | "nn") { "no" } else { lang };
    WORDS.contains_key(&key(lang, word))
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
        assert!(is_stop("sl", "in") && is_stop("de", "die") && !is_stop("en", "die"));
        assert!(!is_stop("en", ""));
    }

    #[test]
    fn no_short_word_is_taken_for_one_of_another_list() {
        let letters = || ('a'..='z').map(String::from);
        let pairs: Vec<String> =
            letters().flat_map(|a| letters().map(move |b| a.clone() + &b)).collect();
        let triples = pairs.iter().flat_map(|two| letters().map(move |c| two.clone() + &c));
        for word in triples.chain(pairs.iter().cloned()).chain(letters()) {
            for (lang, list) in LISTS {
                let is_listed = list.lines().any(|listed| listed == word);
                assert_eq!(is_stop(lang, &word), is_listed, "{lang} {word}");
            }
        }
    }

    #[test]
    fn every_language_with_a_stemmer_has_a_list() {
        let has = |code: &str| LISTS.iter().any(|(lang, _)| *lang == code);
        assert!(crate::stem::STEMMERS.iter().all(|row| has(row.language)));
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
