//! Words that names are told by: given and family names, places, titles, what organisations are called.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The lists, a file each in `data/names`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameList {
    Given,
    Family,
    Places,
    /// Short names of states of the USA.
    States,
    Titles,
    /// What the names of organisations end in or begin with.
    Organisations,
    Companies,
    /// Products.
    Things,
}

const LISTS: [(NameList, &str); 8] = [
    (NameList::Given, include_str!("../../data/names/given.txt")),
    (NameList::Family, include_str!("../../data/names/family.txt")),
    (NameList::Places, include_str!("../../data/names/places.txt")),
    (NameList::States, include_str!("../../data/names/states.txt")),
    (NameList::Titles, include_str!("../../data/names/titles.txt")),
    (NameList::Organisations, include_str!("../../data/names/organisations.txt")),
    (NameList::Companies, include_str!("../../data/names/companies.txt")),
    (NameList::Things, include_str!("../../data/names/things.txt")),
];

static WORDS: LazyLock<HashMap<&'static str, u8>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (list, text) in LISTS {
        text.split_whitespace().for_each(|word| *words.entry(word).or_default() |= bit(list));
    }
    words
});

const fn bit(list: NameList) -> u8 {
    1 << list as u8
}

/// The lists that a word in small letters stands in, a bit each.
pub(super) fn lists(word: &str) -> u8 {
    WORDS.get(word).copied().unwrap_or_default()
}

/// Whether a word in small letters stands in a list.
pub(super) fn is_in(word: &str, list: NameList) -> bool {
    lists(word) & bit(list) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_in_the_lists_that_name_it_and_lists_are_in_small_letters() {
        let names = |word: &str| {
            let on = LISTS.iter().filter(|(list, _)| is_in(word, *list));
            on.map(|(list, _)| *list).collect::<Vec<_>>()
        };
        assert_eq!(names("helen"), [NameList::Given]);
        assert_eq!(names("virginia"), [NameList::Given, NameList::Places]);
        assert_eq!(names("ma"), [NameList::States]);
        assert_eq!(names("halibut"), []);
        for (list, text) in LISTS {
            assert!(text.split_whitespace().all(|word| word == word.to_lowercase()), "{list:?}");
        }
    }
}
