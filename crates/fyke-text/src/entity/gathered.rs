//! The names of a whole text: persons, places and organisations, each once, the most frequent first. What a search is
//! narrowed by must be right more often than it must be complete, so headlines in capitals are passed over, a name
//! that is found as several kinds is of the kind that it is most often, and a family name alone stands for the whole
//! name if that is in the text, too.

use super::lexicon::{self, NameList};
use super::{EntityKind, EntitySpan, Words, rules, spans};
use crate::tag::sentences;
use std::collections::HashMap;

/// The names of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextNames {
    pub persons: Vec<String>,
    pub places: Vec<String>,
    pub organisations: Vec<String>,
}

/// Names of a kind that are kept, and the bytes of each.
const MOST_NAMES: usize = 10;
const LONGEST_NAME: usize = 60;
/// A line of so many words most of which begin with capitals is a headline, in which everything looks like a name.
const HEADLINE: usize = 4;
const MOST_CAPITALS: f64 = 0.7;
/// Words in small letters that stand inside of names.
const INNER: [&str; 16] = [
    "of", "the", "de", "da", "di", "del", "van", "von", "der", "den", "la", "le", "bin", "al",
    "and", "for",
];

/// The names in the first so many bytes of an English text.
#[must_use]
pub fn names_of_text(text: &str, most: usize) -> TextNames {
    let text = &text[..text.floor_char_boundary(most)];
    let mut counts = GatheredNames::default();
    for sentence in sentences(text).iter().filter(|sentence| may_have_names(sentence)) {
        let words = Words { text, words: sentence };
        for span in spans(&words) {
            if let Some((kind, name)) = told(&words, &span) {
                counts.add(kind, name);
            }
        }
    }
    counts.names()
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether a word inside of a sentence begins with a capital, or its first word is known as a part of names.
fn may_have_names(words: &[&str]) -> bool {
    let is_listed = |word: &str| lexicon::lists(&word.to_lowercase()) != 0;
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    let letters = words.iter().filter(|word| word.starts_with(char::is_alphabetic)).count();
    let is_headline = letters >= HEADLINE && capitals as f64 > letters as f64 * MOST_CAPITALS;
    let may_be = |(at, word): (usize, &&str)| {
        is_capital(word) && *word != "I" && (at > 0 || is_listed(word))
    };
    !is_headline && words.iter().enumerate().any(may_be)
}

/// A name as it is told: without titles and signs, if it looks like one.
fn told(words: &Words<'_, '_>, span: &EntitySpan) -> Option<(EntityKind, String)> {
    let kind = match span.kind {
        EntityKind::Corporation => EntityKind::Group,
        kind @ (EntityKind::Person | EntityKind::Place | EntityKind::Group) => kind,
        _ => return None,
    };
    let is_titled = kind == EntityKind::Person && rules::is_title(words, span.from);
    let from = span.from + usize::from(is_titled);
    let parts = words.words.get(from..span.to)?;
    let fits = |part: &&str| is_capital(part) || INNER.contains(part);
    let is_letter = |c: char| c.is_alphanumeric() && (kind == EntityKind::Group || !c.is_numeric());
    let name = parts.join(" ").replace('’', "'").replace(" '", "'").replace(" .", ".");
    let is_name = parts.first().is_some_and(|part| is_capital(part))
        && parts.iter().all(fits)
        && (2..=LONGEST_NAME).contains(&name.len())
        && name.chars().any(char::is_lowercase)
        && name.chars().all(|c| is_letter(c) || " .'-&".contains(c));
    // What an organisation is called by its first or last word: University of Dover, Royal Navy.
    let is_listed = |word: Option<&&str>| {
        let lower = word.map(|word| word.to_lowercase()).unwrap_or_default();
        lexicon::is_in(&lower, NameList::Organisations)
    };
    let is_group = parts.len() > 1 && (is_listed(parts.first()) || is_listed(parts.last()));
    let kind = if is_group { EntityKind::Group } else { kind };
    is_name.then_some((kind, name))
}

/// How often each name was found, as which kind.
#[derive(Default)]
struct GatheredNames {
    /// In the order in which they were met.
    names: Vec<CountedName>,
    places: HashMap<String, usize>,
}

struct CountedName {
    name: String,
    counts: [usize; KINDS.len()],
}

const KINDS: [EntityKind; 3] = [EntityKind::Person, EntityKind::Place, EntityKind::Group];

impl GatheredNames {
    fn add(&mut self, kind: EntityKind, name: String) {
        let Some(kind) = KINDS.iter().position(|known| *known == kind) else { return };
        let new = self.names.len();
        let place = *self.places.entry(name.to_lowercase()).or_insert(new);
        if place == new {
            self.names.push(CountedName { name, counts: [0; KINDS.len()] });
        }
        self.names[place].counts[kind] += 1;
    }

    fn names(mut self) -> TextNames {
        self.join_family_names();
        // The first of equals.
        let kind = |name: &CountedName| {
            (0..KINDS.len()).rev().max_by_key(|kind| name.counts[*kind]).unwrap_or_default()
        };
        let of = |wanted: usize| {
            let of_kind =
                |name: &&CountedName| kind(name) == wanted && name.counts.iter().sum::<usize>() > 0;
            let mut found: Vec<&CountedName> = self.names.iter().filter(of_kind).collect();
            found.sort_by_key(|name| std::cmp::Reverse(name.counts.iter().sum::<usize>()));
            found.into_iter().take(MOST_NAMES).map(|found| found.name.clone()).collect()
        };
        TextNames { persons: of(0), places: of(1), organisations: of(2) }
    }

    /// A family name alone counts for the first whole name that ends in it.
    fn join_family_names(&mut self) {
        let mut whole: HashMap<String, usize> = HashMap::new();
        for (at, name) in self.names.iter().enumerate() {
            let is_person = name.counts[0] > 0;
            if let Some((_, family)) = name.name.rsplit_once(' ').filter(|_| is_person) {
                whole.entry(family.to_lowercase()).or_insert(at);
            }
        }
        for at in 0..self.names.len() {
            if let Some(&whole) = whole.get(&self.names[at].name.to_lowercase())
                && self.names[at].counts[0] > 0
            {
                self.names[whole].counts[0] += self.names[at].counts.iter().sum::<usize>();
                self.names[at].counts = [0; KINDS.len()];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: [&[&str]; 3]) {
        let TextNames { persons, places, organisations } = names_of_text(text, 10_000);
        assert_eq!([&*persons, &*places, &*organisations], expected, "{text}");
    }

    #[test]
    fn names_are_told_once_without_titles_and_a_family_name_stands_for_the_whole() {
        check(
            "Yesterday Mr. Fred Smith came to London from New York. On Monday Smith left London for good.",
            [&["Fred Smith"], &["London", "New York"], &[]],
        );
        check("He studies at the University of Dover.", [&[], &[], &["University of Dover"]]);
        check("Nets are set at night. I mend them.", [&[], &[], &[]]);
        check("How Fred Smith Came To London In Spring", [&[], &[], &[]]);
    }

    #[test]
    fn only_the_beginning_is_read() {
        let text = "There the fisher Fred Smith slept. Here the fisher Helen Jones woke.";
        let names = names_of_text(text, 35);
        assert_eq!(names.persons, ["Fred Smith"]);
    }

    proptest! {
        #[test]
        fn names_are_labels(text in "(Fred |Smith |Mr\\. |in |of |London|O’Neil|Inc|, |/|\\. |\\PC|\n){0,30}") {
            let TextNames { persons, places, organisations } = names_of_text(&text, 200);
            for name in [persons, places, organisations].concat() {
                prop_assert!(!name.is_empty() && name.len() <= LONGEST_NAME);
                prop_assert!(name.chars().all(|c| c.is_alphanumeric() || " .'-&".contains(c)), "{name}");
            }
        }
    }
}
