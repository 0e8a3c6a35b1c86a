//! Names of people and venues as keys that stand in addresses: what is written in several ways has one.

use crate::names::PersonName;

/// Bytes of a key at most.
const LONGEST: usize = 80;
/// Words that venues have or have not.
const VENUE_STOPS: &[&str] = &[
    "the",
    "of",
    "in",
    "on",
    "and",
    "for",
    "proc",
    "proceedings",
    "annual",
    "international",
    "intl",
    "conf",
    "conference",
    "pp",
    "pages",
    "vol",
    "volume",
    "no",
    "to",
    "appear",
];

/// The key of a person: the family name and the first initial, as `fisher-a`; empty where there is no name.
#[must_use]
pub fn person(name: &PersonName) -> String {
    let family = joined(&name.family);
    let initial = name.given.chars().find(|c| c.is_alphabetic());
    match initial.filter(|_| !family.is_empty()) {
        Some(initial) => cut(&format!("{family}-{}", plain(initial))),
        None => cut(&family),
    }
}

/// The key of a venue: its words without those that come and go, as `journal-tides`.
#[must_use]
pub fn venue(name: &str) -> String {
    let words = joined(name);
    let is_kept = |word: &&str| {
        !VENUE_STOPS.contains(word) && !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    let kept: Vec<&str> = words.split('-').filter(is_kept).collect();
    cut(&if kept.is_empty() { words } else { kept.join("-") })
}

/// The words of a text in small letters.
fn joined(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push('-');
        }
        out.extend(word.chars().map(plain));
    }
    out
}

/// A letter in small and without the commonest accents.
fn plain(c: char) -> String {
    const ACCENTS: &[(&str, &str)] = &[
        ("\u{E0}\u{E1}\u{E2}\u{E3}\u{E5}", "a"),
        ("\u{E4}", "ae"),
        ("\u{E7}\u{107}\u{10D}", "c"),
        ("\u{E8}\u{E9}\u{EA}\u{EB}\u{11B}", "e"),
        ("\u{EC}\u{ED}\u{EE}\u{EF}", "i"),
        ("\u{F1}\u{144}\u{148}", "n"),
        ("\u{F2}\u{F3}\u{F4}\u{F5}\u{F8}", "o"),
        ("\u{F6}", "oe"),
        ("\u{F9}\u{FA}\u{FB}", "u"),
        ("\u{FC}", "ue"),
        ("\u{161}\u{15B}", "s"),
        ("\u{17E}\u{17A}\u{17C}", "z"),
        ("\u{DF}", "ss"),
        ("\u{142}", "l"),
    ];
    let lower: String = c.to_lowercase().collect();
    let found = ACCENTS.iter().find(|(accented, _)| accented.contains(&lower));
    found.map_or(lower, |(_, plain)| (*plain).to_owned())
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST)].trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_have_one_key_however_they_are_written() {
        let check = |given: &str, family: &str, expected: &str| {
            let name = PersonName { given: given.to_owned(), family: family.to_owned() };
            assert_eq!(person(&name), expected);
        };
        check("Ann B.", "Fisher", "fisher-a");
        check("A.", "Fisher", "fisher-a");
        check("", "Fisher", "fisher");
        check("Jos\u{E9}", "van der M\u{FC}ller", "van-der-mueller-j");
        check("", "", "");
    }

    #[test]
    fn venues_have_one_key_however_they_are_written() {
        let check = |name: &str, expected: &str| assert_eq!(venue(name), expected);
        check("Journal of Tides", "journal-tides");
        check("In Proceedings of the 3rd International Conference on Estuaries", "estuaries");
        check("Proc. of Estuaries '97", "estuaries");
        check("The Proceedings", "the-proceedings");
        check("", "");
        assert!(venue(&"net ".repeat(90)).len() <= LONGEST);
    }
}
