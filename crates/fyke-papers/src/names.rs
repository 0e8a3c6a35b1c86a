//! Names of authors, taken apart as headers and references write them.

use crate::lexicon;
use serde::{Deserialize, Serialize};

/// Names of one text at most.
const MOST_NAMES: usize = 500;
/// Words of a name at most; more are none.
const MOST_WORDS: usize = 6;
/// What stands before family names and belongs to them.
const PARTICLES: &[&str] =
    &["van", "von", "de", "der", "den", "del", "della", "di", "da", "du", "la", "le", "ten", "ter"];
/// What stands beside names and is none.
const NO_NAMES: &[&str] = &[
    "by",
    "and",
    "with",
    "et",
    "al",
    "others",
    "dr",
    "prof",
    "professor",
    "phd",
    "editor",
    "editors",
    "eds",
    "ed",
    "author",
    "authors",
    "jr",
    "sr",
    "advisor",
    "student",
    "member",
    "ieee",
    "fellow",
    "senior",
];

/// The name of an author.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PersonName {
    /// Given names or initials; may be empty.
    pub given: String,
    pub family: String,
}

impl PersonName {
    /// As it is said: the given names first.
    #[must_use]
    pub fn full(&self) -> String {
        format!("{} {}", self.given, self.family).trim().to_owned()
    }
}

/// The names in the lines of a header.
#[must_use]
pub fn of_header(text: &str) -> Vec<PersonName> {
    let mut found = Vec::new();
    let separates = |c: char| ",;&|\u{B7}\u{2022}".contains(c);
    for part in text.lines().flat_map(|line| line.split(separates)) {
        let words: Vec<&str> = part.split_whitespace().collect();
        for part in words.split(|word| word.eq_ignore_ascii_case("and")) {
            for name in apart(part) {
                found.extend(spoken(&name));
            }
        }
        if found.len() >= MOST_NAMES {
            break;
        }
    }
    found
}

/// Several names in a row without a sign between them: each begins with a given name that is known.
fn apart<'a>(words: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut names: Vec<Vec<&str>> = vec![Vec::new()];
    let is_given = |word: &str| lexicon::lists(&bare(word).to_lowercase()) & 1 == 1;
    for (at, word) in words.iter().enumerate() {
        let name = names.last().map_or(0, Vec::len);
        // The family name is still to come, and was there before.
        let begins = words.len() > 3 && name >= 2 && at + 1 < words.len() && is_given(word);
        let is_whole = at > 0 && bare(words[at - 1]).chars().count() > 1;
        if begins && is_whole {
            names.push(Vec::new());
        }
        if let Some(name) = names.last_mut() {
            name.push(*word);
        }
    }
    names
}

/// A word without the signs and numbers of footnotes around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphabetic() && !matches!(c, '.' | '\''))
        .trim_start_matches(['.', '\''])
}

/// A name with the given names first; none where there is none.
fn spoken(words: &[&str]) -> Option<PersonName> {
    let is_name = |word: &&str| {
        let plain: String = word.chars().filter(|c| c.is_alphabetic()).collect();
        !plain.is_empty() && !NO_NAMES.contains(&plain.to_lowercase().as_str())
    };
    let words: Vec<&str> = words.iter().map(|word| bare(word)).filter(is_name).collect();
    if words.is_empty() || words.len() > MOST_WORDS {
        return None;
    }
    let mut family = words.len() - 1;
    while family > 1 && PARTICLES.contains(&words[family - 1].to_lowercase().as_str()) {
        family -= 1;
    }
    let name = PersonName {
        given: words[..family].join(" "),
        family: words[family..].join(" ").trim_end_matches('.').to_owned(),
    };
    (name.family.chars().filter(|c| c.is_alphabetic()).count() > 1).then_some(name)
}

/// The names of a reference: `A. Fisher and B. Hook`, `Fisher, A., Hook, B.`, `Fisher A, Hook B`.
#[must_use]
pub fn of_reference(text: &str) -> Vec<PersonName> {
    let text = text.replace(['&', ';'], ",");
    let mut parts: Vec<Vec<&str>> = Vec::new();
    for part in text.split(',').take(MOST_NAMES * 2) {
        let words: Vec<&str> = part.split_whitespace().collect();
        parts.extend(words.split(|word| *word == "and").map(<[&str]>::to_vec));
    }
    parts.retain(|part| part.iter().any(|word| word.contains(char::is_alphabetic)));
    let is_pairs = parts.len() >= 2
        && parts.len().is_multiple_of(2)
        && parts.iter().all(|part| part.len() == 1)
        && !parts.iter().any(|part| is_initials(part));
    let mut found: Vec<PersonName> = Vec::new();
    // A family name that waits for what stands behind its comma.
    let mut waits = false;
    for (at, part) in parts.iter().enumerate() {
        let is_given = is_initials(part) || is_pairs && at % 2 == 1;
        if is_given && waits {
            if let Some(last) = found.last_mut() {
                let given: Vec<&str> = part.iter().map(|word| word.trim_end_matches(':')).collect();
                last.family = last.full();
                last.given = given.join(" ");
                waits = false;
            }
            continue;
        }
        let name = behind(part).or_else(|| spoken(part));
        waits = name.as_ref().is_some_and(|name| {
            !name
                .given
                .split_whitespace()
                .any(|word| word.contains('.') || word.chars().count() == 1)
        });
        found.extend(name);
        if found.len() >= MOST_NAMES {
            break;
        }
    }
    found
}

/// Whether all words are initials, as "A." or "A.-B." or "AB".
fn is_initials(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        letters > 0 && capitals == letters && (letters == 1 || letters <= 3 && word.contains('.'))
    })
}

/// `Fisher AB`: a family name with bare initials behind it.
fn behind(words: &[&str]) -> Option<PersonName> {
    let (last, names) = words.split_last()?;
    let initials = last.trim_end_matches(['.', ':']);
    let is_initials =
        (1..=3).contains(&initials.len()) && initials.bytes().all(|b| b.is_ascii_uppercase());
    let is_family = names.len() == 1 && names[0].chars().filter(|c| c.is_lowercase()).count() > 1;
    (is_initials && is_family)
        .then(|| PersonName { given: initials.to_owned(), family: names[0].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(names: Vec<PersonName>) -> String {
        let one = |name: PersonName| format!("{}/{}", name.given, name.family);
        names.into_iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_of_headers_are_told_apart() {
        let check =
            |text: &str, expected: &str| assert_eq!(shown(of_header(text)), expected, "{text}");
        check(
            "Ann Fisher*, Bob Hook\u{2020} and Carl van der Net",
            "Ann/Fisher Bob/Hook Carl/van der Net",
        );
        check("Ann B. Fisher\nby Bob Hook 1", "Ann B./Fisher Bob/Hook");
        check("Helen Fisher James E. Hook", "Helen/Fisher James E./Hook");
        check("1, 2", "");
    }

    #[test]
    fn names_of_references_are_told_apart() {
        let check =
            |text: &str, expected: &str| assert_eq!(shown(of_reference(text)), expected, "{text}");
        check("A. Fisher, B. C. Hook, and D. Netter.", "A./Fisher B. C./Hook D./Netter");
        check("Fisher, A., Hook, B. C. and Netter, D.", "A./Fisher B. C./Hook D./Netter");
        check("Ann Fisher and Bob Hook.", "Ann/Fisher Bob/Hook");
        check("Fisher A, Hook BC", "A/Fisher BC/Hook");
        check("Fisher, Ann and Hook, Bob", "Ann/Fisher Bob/Hook");
        check("A. Fisher et al.", "A./Fisher");
        check("van der Net, C.", "C./van der Net");
    }

    proptest! {
        #[test]
        fn any_names_are_read(text in "[\\PC\n,;&.]{0,60}") {
            for name in of_header(&text).into_iter().chain(of_reference(&text)) {
                prop_assert!(!name.family.is_empty());
            }
        }
    }
}
