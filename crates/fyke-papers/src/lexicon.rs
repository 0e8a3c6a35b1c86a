//! Words that models are told about: names, places, institutions, venues, dates.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The lists, a name and a file each; a word's bit is its list's place here.
const LEXICONS: &[(&str, &str)] = &[
    ("given", include_str!("../data/lexicon/given.txt")),
    ("places", include_str!("../data/lexicon/places.txt")),
    ("institutions", include_str!("../data/lexicon/institutions.txt")),
    ("venues", include_str!("../data/lexicon/venues.txt")),
    ("dates", include_str!("../data/lexicon/dates.txt")),
];

static WORDS: LazyLock<HashMap<&'static str, u8>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (at, (_, list)) in LEXICONS.iter().enumerate() {
        for word in list.split_whitespace() {
            *words.entry(word).or_default() |= 1 << at;
        }
    }
    words
});

/// The lists that a word in small letters stands in, a bit each.
pub(crate) fn lists(word: &str) -> u8 {
    WORDS.get(word).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_in_the_lists_that_name_it() {
        let names = |word: &str| {
            let bits = lists(word);
            let on = LEXICONS.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            on.map(|(_, (name, _))| *name).collect::<Vec<_>>()
        };
        assert_eq!(names("helen"), ["given"]);
        assert_eq!(names("victoria"), ["given", "places"]);
        assert_eq!(names("march"), ["dates"]);
        assert_eq!(names("halibut"), [""; 0]);
        for (name, list) in LEXICONS {
            assert!(list.split_whitespace().all(|word| word == word.to_lowercase()), "{name}");
        }
    }
}
