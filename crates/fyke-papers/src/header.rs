//! The header of a paper (002 §4.1): all words up to the first section or the end of page one, and its fields by a
//! conditional random field.

use crate::fields::{PaperField, fields};
use crate::matching::Citation;
use crate::names::{self, PersonName};
use crate::paper::{PaperLine, joined};
use crate::reference::year;
use crate::sections;
use crate::tagged::PAGE;
use fyke_text::sequence::SequenceModel;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Words of a header at most, where no section and no page ends it.
const MOST_WORDS: usize = 1_000;
/// Words of page one at most.
const MOST_PAGE_WORDS: usize = 3_000;
/// Bytes of a note that names a venue.
const LONGEST_VENUE: usize = 150;
/// The entries of a list at most.
const MOST_ENTRIES: usize = 500;

/// What the header of a paper says; a field that it has not is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperHeader {
    pub title: String,
    pub authors: Vec<PersonName>,
    pub affiliations: Vec<String>,
    pub addresses: Vec<String>,
    pub emails: Vec<String>,
    pub phones: Vec<String>,
    pub web: Vec<String>,
    pub date: String,
    #[serde(rename = "abstract")]
    pub abstract_text: String,
    pub keywords: Vec<String>,
    /// As a thesis says for which degree it is.
    pub degree: String,
    /// Its number among the publications of an institution.
    pub number: String,
    pub note: String,
}

impl PaperHeader {
    /// As what it is matched with references to it.
    #[must_use]
    pub fn citation(&self) -> Citation {
        let authors: Vec<String> = self.authors.iter().map(PersonName::full).collect();
        Citation {
            authors: authors.join(" and "),
            title: self.title.clone(),
            venue: self.venue().to_owned(),
            date: self.year().map(|year| year.to_string()).unwrap_or_default(),
            ..Citation::default()
        }
    }

    /// The year of its date, or of what else it says of where it appears.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        [&self.date, &self.note, &self.number].into_iter().find_map(|text| year(text))
    }

    /// Where it appears, as far as a note says so; may be empty.
    #[must_use]
    pub fn venue(&self) -> &str {
        const VENUES: &[&str] = &[
            "proceedings",
            "proc.",
            "journal",
            "conference",
            "transactions",
            "symposium",
            "annals",
        ];
        let lower = self.note.to_lowercase();
        let is_venue =
            lower.len() < LONGEST_VENUE && VENUES.iter().any(|word| lower.contains(word));
        let begins = ["to appear in", "appeared in", "appears in", "in"];
        let text = if is_venue { self.note.trim() } else { "" };
        let lead = begins.iter().find(|lead| {
            lower.trim().strip_prefix(**lead).is_some_and(|rest| rest.starts_with([' ', ':']))
        });
        let text = lead.and_then(|lead| text.get(lead.len()..)).unwrap_or(text);
        text.trim_matches(|c: char| !c.is_alphabetic() && c != ')')
    }
}

/// How many of the lines are the header.
pub(crate) fn end(lines: &[PaperLine]) -> usize {
    let (mut words, mut has_abstract) = (0, false);
    let has_pages = lines.iter().any(|line| line.page > 1);
    let most = if has_pages { MOST_PAGE_WORDS } else { MOST_WORDS };
    for (at, line) in lines.iter().enumerate() {
        words += line.text.split_whitespace().count();
        let is_over = line.page > lines[0].page
            || words > most
            || at > 0 && sections::is_first(line, lines.get(at + 1), has_abstract);
        if is_over {
            return at;
        }
        has_abstract |= behind_abstract(&line.text).is_some();
    }
    lines.len()
}

/// What stands behind the heading of an abstract; none where a text does not open with one.
fn behind_abstract(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let rest = ["abstract", "summary"].iter().find_map(|word| behind(text, word))?;
    // "Abstraction", "A summary of nets".
    let goes_on = rest.trim_start().starts_with(char::is_lowercase);
    let lead = |c: char| c.is_whitespace() || ".:-*\u{2013}\u{2014}|".contains(c);
    (!goes_on).then(|| rest.trim_start_matches(lead))
}

/// What stands behind a word in any case, whose letters may have spaces between them.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text;
    for letter in word.chars() {
        rest = rest.trim_start();
        let first = rest.chars().next().filter(|c| c.to_ascii_lowercase() == letter)?;
        rest = &rest[first.len_utf8()..];
    }
    Some(rest)
}

/// Whether a header ends with its page and not with a section.
pub(crate) fn is_whole_page(lines: &[PaperLine], end: usize) -> bool {
    lines.get(end).is_some_and(|line| line.page > lines[0].page)
}

/// The fields of a header's lines.
pub(crate) fn read(lines: &[PaperLine], is_whole_page: bool, model: &SequenceModel) -> PaperHeader {
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.text);
        text.push('\n');
    }
    if is_whole_page {
        text.push_str(PAGE);
    }
    let mut found = fields(model, &text);
    whole_abstract(&mut found);
    let of = |name: &str| found.iter().filter(|part| part.field == name).collect::<Vec<_>>();
    let list = |name: &str| {
        let texts = of(name).into_iter().take(MOST_ENTRIES).map(|part| bare(&flat(&part.text)));
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    let names = of("author").into_iter().flat_map(|part| names::of_header(&part.text));
    let mut header = PaperHeader {
        title: title(&of("title")),
        authors: names.take(MOST_ENTRIES).collect(),
        affiliations: list("affiliation"),
        addresses: list("address"),
        emails: of("email").iter().flat_map(|part| emails(&part.text)).take(MOST_ENTRIES).collect(),
        phones: list("phone"),
        web: list("web"),
        date: list("date").into_iter().next().unwrap_or_default(),
        abstract_text: summary(&of("abstract")),
        keywords: of("keyword").iter().flat_map(|part| keywords(&part.text)).collect(),
        degree: list("degree").join(" "),
        number: list("pubnum").join(", "),
        note: list("note").join(" "),
    };
    let mut seen = HashSet::new();
    header.authors.retain(|name| seen.insert(name.clone()));
    header
}

/// A sentence that the abstract begins is its own to the end.
fn whole_abstract(found: &mut [PaperField]) {
    for at in 1..found.len() {
        let is_open = {
            let before = &found[at - 1];
            before.field == "abstract" && !before.text.ends_with(['.', '?', '!', ':'])
        };
        if is_open && found[at].text.starts_with(char::is_lowercase) {
            "abstract".clone_into(&mut found[at].field);
        }
    }
}

/// Lines as one.
fn flat(text: &str) -> String {
    joined(text.lines())
}

/// Without signs at its ends that say nothing.
fn bare(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || ",;:*\u{2020}\u{2021}|".contains(c);
    text.trim_matches(ends).to_owned()
}

/// The first with more than a word.
fn title(found: &[&PaperField]) -> String {
    let long = found.iter().find(|part| part.text.split_whitespace().nth(1).is_some());
    let text = long.or(found.first()).map(|part| bare(&flat(&part.text)));
    text.unwrap_or_default()
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '*')
        .trim_end()
        .to_owned()
}

fn summary(found: &[&PaperField]) -> String {
    let text = joined(found.iter().flat_map(|part| part.text.lines()));
    behind_abstract(&text).unwrap_or(&text).trim().to_owned()
}

/// Addresses of mail; `{ann, bob}@cs.test` is two.
fn emails(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = flat(text);
    while let Some(open) = rest.find('{')
        && let Some(close) = rest[open..].find('}').map(|at| at + open)
    {
        let behind = &rest[close + 1..];
        let host =
            behind.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ';']);
        if host.len() > 1 && host.starts_with('@') {
            let users = rest[open + 1..close].split([',', ';', '|']).map(str::trim);
            found.extend(users.filter(|user| !user.is_empty()).map(|user| format!("{user}{host}")));
        }
        let kept = behind.strip_prefix(host).unwrap_or(behind);
        rest = format!("{} {kept}", &rest[..open]);
        if found.len() > MOST_ENTRIES {
            return found;
        }
    }
    for word in rest.split(|c: char| c.is_whitespace() || ",;()<>[]".contains(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_prefix("mailto:").unwrap_or(word);
        let word = word.rsplit(':').next().unwrap_or(word);
        if word.contains('@') && !word.starts_with('@') {
            found.push(word.to_owned());
        }
    }
    found
}

fn keywords(text: &str) -> Vec<String> {
    let text = flat(text);
    let lower = text.to_lowercase();
    let heads = ["keywords", "key words", "index terms", "key-words", "keyword"];
    let head = heads.iter().find(|head| lower.starts_with(*head)).map_or(0, |head| head.len());
    let rest = text.get(head..).unwrap_or(&text);
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let parts = rest.split([',', ';', '\u{2022}', '\u{B7}']);
    let parts =
        parts.map(|part| part.trim_matches(|c: char| c.is_whitespace() || ".:".contains(c)));
    parts.filter(|part| !part.is_empty()).take(MOST_ENTRIES).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    fn check(text: &str, last: &str) {
        let lines = lines(text);
        assert_eq!(
            lines[..end(&lines)].last().map(|line| line.text.as_str()),
            Some(last),
            "{text}"
        );
    }

    #[test]
    fn a_header_ends_with_its_page_or_before_the_first_section() {
        check("Nets\nA. Fisher\n1 Introduction\nWe fish.", "A. Fisher");
        check("Nets\nA. Fisher\nI. INTRODUCTION\nWe fish.", "A. Fisher");
        check("Nets\n1 Department of Fish\nAbstract\nWe fish.\n1. Motivation\nNets.", "We fish.");
        check("Nets\nA. Fisher\n\u{0C}more", "A. Fisher");
        check("# Nets\nA. Fisher\n# Abstract\nWe fish.\n# Background\nNets.", "We fish.");
        check("Nets\nA. Fisher\nAbstract\nAn introduction to nets.", "An introduction to nets.");
        assert_eq!(end(&[]), 0);
    }

    #[test]
    fn year_and_venue_are_read_from_notes_too() {
        let check = |date: &str, note: &str, expected: (Option<u16>, &str)| {
            let (date, note) = (date.to_owned(), note.to_owned());
            let header = PaperHeader { date, note, ..PaperHeader::default() };
            assert_eq!((header.year(), header.venue()), expected);
        };
        check("May 1999", "Supported by a grant of 1997", (Some(1999), ""));
        check("", "To appear in: Journal of Tides, 1994.", (Some(1994), "Journal of Tides"));
        check("", "Proceedings of Nets 1996", (Some(1996), "Proceedings of Nets"));
        check("", "", (None, ""));
    }

    #[test]
    fn a_sentence_of_the_abstract_stays_whole() {
        let part = |field: &str, text: &str| PaperField { field: field.into(), text: text.into() };
        let mut found = [
            part("abstract", "We prove"),
            part("note", "that nets catch"),
            part("abstract", "eels."),
            part("note", "supported by a grant"),
        ];
        whole_abstract(&mut found);
        let fields: Vec<&str> = found.iter().map(|part| part.field.as_str()).collect();
        assert_eq!(fields, ["abstract", "abstract", "abstract", "note"]);
        assert_eq!(
            summary(&found[..3].iter().collect::<Vec<_>>()),
            "We prove that nets catch eels."
        );
    }

    #[test]
    fn addresses_of_mail_are_told_apart() {
        assert_eq!(emails("E-mail: {ann, bob}@cs.test"), ["ann@cs.test", "bob@cs.test"]);
        assert_eq!(emails("email:ann@cs.test, <bob@d.test>."), ["ann@cs.test", "bob@d.test"]);
        assert!(emails("{ no } @").is_empty());
    }

    #[test]
    fn abstracts_and_keywords_lose_their_heading() {
        let part = |text: &str| PaperField { field: "abstract".into(), text: text.into() };
        let check = |text: &str, expected: &str| assert_eq!(summary(&[&part(text)]), expected);
        check("Abstract\nWe fish with nets and hy-\nphens.", "We fish with nets and hyphens.");
        check("ABSTRACT: We fish.", "We fish.");
        check("A B S T R A C T We fish.", "We fish.");
        check("We fish.", "We fish.");
        assert_eq!(keywords("Keywords: nets, eels; tides."), ["nets", "eels", "tides"]);
    }

    proptest! {
        #[test]
        fn any_field_is_read(text in "[\\PC\n{}@,:]{0,60}|(?i)abstract\\PC{0,9}") {
            let part = PaperField { field: "abstract".into(), text: text.clone() };
            let _ = (emails(&text), keywords(&text), summary(&[&part]), title(&[&part]));
        }
    }
}
