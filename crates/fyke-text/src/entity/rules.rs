//! Names by rules with lexicons (003 §4.6): `<title> <name>`, `<given name> <name>`, names of organisations by their
//! last word, places, companies and products by lists.

use super::lexicon::{self, NameList};
use super::{EntityKind, EntitySpan, Words};

/// Most words of a name.
const MOST_PERSON: usize = 4;
const MOST_GROUP: usize = 6;
/// What begins the names of places of two words.
const PLACE_HEADS: [&str; 14] = [
    "new", "san", "los", "las", "north", "south", "east", "west", "saint", "st", "fort", "mount",
    "lake", "el",
];
/// Last words of organisations that are companies.
const COMPANY_ENDS: [&str; 15] = [
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "co",
    "gmbh",
    "llc",
    "ltd",
    "plc",
    "holdings",
    "airlines",
    "airways",
    "industries",
    "motors",
    "enterprises",
];

/// Whether a word begins with a capital.
pub(super) fn is_great(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn is_listed(words: &Words<'_, '_>, at: usize, list: NameList) -> bool {
    lexicon::is_in(words.lower(at).trim_end_matches('.'), list)
}

pub(super) fn is_title(words: &Words<'_, '_>, at: usize) -> bool {
    is_great(words.word(at)) && is_listed(words, at, NameList::Titles)
}

/// The names of a sentence.
pub(super) fn names(words: &Words<'_, '_>) -> Vec<EntitySpan> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.words.len() {
        let rules = [organisation, person, place, thing];
        match rules.iter().find_map(|rule| is_great(words.word(at)).then(|| rule(words, at))?) {
            Some(span) => {
                at = span.to;
                found.push(span);
            }
            None => at += 1,
        }
    }
    found
}

/// Where a run of words with capitals ends.
fn run(words: &Words<'_, '_>, from: usize, most: usize) -> usize {
    (from..from + most)
        .take_while(|at| is_great(words.word(*at)))
        .last()
        .map_or(from, |last| last + 1)
}

fn person(words: &Words<'_, '_>, at: usize) -> Option<EntitySpan> {
    let (is_titled, is_given) = (is_title(words, at), is_listed(words, at, NameList::Given));
    let name = at + usize::from(is_titled);
    let is_family = |at: usize| {
        let word = words.word(at);
        let is_initial = word.trim_end_matches('.').chars().count() == 1;
        is_great(word) && (is_initial || word.chars().any(char::is_lowercase))
    };
    let to = (name..name + MOST_PERSON).take_while(|at| is_family(*at)).last()? + 1;
    let is_known = |at: usize| is_listed(words, at, NameList::Family);
    let is_name = is_titled && to > name || is_given && (to > at + 1 || is_known(at));
    is_name.then(|| EntitySpan::new(EntityKind::Person, at, to))
}

fn organisation(words: &Words<'_, '_>, at: usize) -> Option<EntitySpan> {
    let end = run(words, at, MOST_GROUP);
    let last = (at + 1..end).rev().find(|at| is_listed(words, *at, NameList::Organisations));
    if let Some(last) = last {
        let lower = words.lower(last);
        let is_company = COMPANY_ENDS.contains(&lower.trim_end_matches('.'));
        let kind = if is_company { EntityKind::Corporation } else { EntityKind::Group };
        return Some(EntitySpan::new(kind, at, last + 1));
    }
    // University of Dover.
    let is_head = is_listed(words, at, NameList::Organisations) && words.word(at + 1) == "of";
    let to = run(words, at + 2, MOST_GROUP);
    if is_head && to > at + 2 {
        return Some(EntitySpan::new(EntityKind::Group, at, to));
    }
    is_listed(words, at, NameList::Companies)
        .then(|| EntitySpan::new(EntityKind::Corporation, at, at + 1))
}

fn place(words: &Words<'_, '_>, at: usize) -> Option<EntitySpan> {
    let is_headed = PLACE_HEADS.contains(&words.lower(at).trim_end_matches('.'))
        && is_great(words.word(at + 1))
        && words.word(at + 1).chars().any(char::is_lowercase);
    let word = words.word(at);
    let is_short = word.len() == 2 && word.chars().any(char::is_lowercase);
    let to = match () {
        () if is_headed => at + 2,
        () if is_listed(words, at, NameList::Places) && !is_short => at + 1,
        () => return None,
    };
    Some(EntitySpan::new(EntityKind::Place, at, to))
}

fn thing(words: &Words<'_, '_>, at: usize) -> Option<EntitySpan> {
    is_listed(words, at, NameList::Things).then(|| EntitySpan::new(EntityKind::Product, at, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag::sentences;

    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        for sentence in sentences(text) {
            let words = Words { text, words: &sentence };
            for span in names(&words) {
                let [from, to] = words.bytes(span.from, span.to);
                found.push(format!("{}: {}", span.kind.name(), &text[from..to]));
            }
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_are_told_by_titles_given_names_and_last_words() {
        check(
            "I met Mr. Zorb and Anna K. Fisher.",
            &["person: Mr. Zorb", "person: Anna K. Fisher"],
        );
        check("President Obama spoke", &["person: President Obama"]);
        check(
            "Tidal Nets Inc. and the University of Dover",
            &["corporation: Tidal Nets Inc", "group: University of Dover"],
        );
        check("from New York to London", &["location: New York", "location: London"]);
        check("Nokia sells Android", &["corporation: Nokia", "product: Android"]);
        check("The net is set in the river.", &[]);
        check("us and in", &[]);
    }
}
