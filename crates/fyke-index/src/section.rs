//! Sections of a document: which one a hit is about, so that it can name it and link to it
//! (`page.html#options`). It is the one that the query names, or else the one in which the words meet that the
//! title does not have already; a hit whose words stand here and there is about the document.

use std::fmt::Write as _;

use serde::Serialize;

use crate::snippet::{Marker, MatchSpan};
use crate::wholes::{key_of_words, keys_of_names, without_stops};

/// Where a section begins, and how it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntrySection<'a> {
    /// Its first byte in the body, where its heading stands.
    pub start: u32,
    /// 1 for the largest; a section lies in the ones before it with a smaller number.
    pub level: u8,
    pub heading: &'a str,
    /// The fragment by which a URL leads to it; empty where there is none.
    pub anchor: &'a str,
}

/// The section that a hit is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HitSection {
    pub heading: String,
    /// The hit's URL with the fragment that leads there.
    pub url: String,
}

/// No section is kept that is called more, in bytes.
const MOST_BYTES: usize = 300;

/// So many sections of a document are kept.
const MOST_SECTIONS: usize = 2_000;

/// Words meet in a section that has so much of what they say.
const ENOUGH: f32 = 0.75;

/// What a word counts that is in the heading, beside one in the text; in a heading above it counts once.
const IN_HEADING: f32 = 2.0;

/// The sections as they are kept, one to a line. A name that cannot be shown is left out, and so is what
/// cannot be linked to; the section still ends the one before.
pub(crate) fn kept(sections: &[EntrySection]) -> String {
    let mut kept = String::new();
    for section in sections.iter().take(MOST_SECTIONS) {
        let EntrySection { start, level, heading, anchor } = section;
        let heading = if is_name(heading) { heading.trim() } else { "" };
        let is_link = is_name(anchor) && !anchor.contains(char::is_whitespace);
        let anchor = if is_link && !heading.is_empty() { anchor } else { "" };
        let _ = writeln!(kept, "{start} {level} {anchor}\t{heading}");
    }
    kept
}

/// What sections are called, for whoever knows one by name.
pub(crate) fn names<'a>(sections: &[EntrySection<'a>]) -> impl Iterator<Item = &'a str> {
    let sections = sections.iter().take(MOST_SECTIONS);
    sections.map(|section| section.heading).filter(|heading| is_name(heading))
}

fn is_name(text: &str) -> bool {
    text.len() <= MOST_BYTES && !text.contains(char::is_control)
}

/// A section as it was kept.
#[derive(Clone, Copy)]
struct KeptSection<'a> {
    start: usize,
    level: u8,
    anchor: &'a str,
    heading: &'a str,
    /// Words of the query in the heading.
    words: u64,
}

fn read<'a>(line: &'a str, marker: &Marker) -> Option<KeptSection<'a>> {
    let (place, heading) = line.split_once('\t')?;
    let mut parts = place.splitn(3, ' ');
    let (start, level) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let words = marker.words_in(heading);
    Some(KeptSection { start, level, anchor: parts.next()?, heading, words })
}

/// The section that a hit is about: of the document at `url` with this title, in whose body words of the query
/// were found at these places (ascending).
pub(crate) fn section_of(
    kept: &str,
    url: &str,
    (title, found): (&str, &[MatchSpan]),
    marker: &Marker,
) -> Option<HitSection> {
    let sections: Vec<_> = kept.lines().filter_map(|line| read(line, marker)).collect();
    let section = match named(&sections, title, marker) {
        Some(section) => section,
        None => met(&sections, (title, found), marker)?,
    };
    let page = url.split('#').next().unwrap_or_default();
    let url = format!("{page}#{}", section.anchor);
    Some(HitSection { heading: section.heading.to_owned(), url })
}

/// Whether a link to it leads on: it is not the head of the page, which is called as the page is.
fn leads_on(section: &KeptSection, title: &str) -> bool {
    let is_head = section.start == 0 || same_letters(section.heading, title);
    !section.anchor.is_empty() && !is_head
}

fn same_letters(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    letters(one) == letters(other)
}

/// The first that is called as the query.
fn named<'a>(
    sections: &[KeptSection<'a>],
    title: &str,
    marker: &Marker,
) -> Option<KeptSection<'a>> {
    let (name, languages) = marker.name();
    let plain = without_stops(name, languages);
    let keys: Vec<String> =
        [key_of_words(name), key_of_words(&plain)].into_iter().flatten().collect();
    let is_called = |heading: &str| {
        let known = keys_of_names([heading].into_iter(), "en");
        known.split(' ').any(|known| keys.iter().any(|key| key == known))
    };
    let mut sections = sections.iter().filter(|section| section.words != 0);
    let is_named = |section: &&KeptSection| leads_on(section, title) && is_called(section.heading);
    (!keys.is_empty()).then(|| sections.find(is_named).copied()).flatten()
}

/// The one in which most of the words meet that the title lacks, the first of equals.
fn met<'a>(
    sections: &[KeptSection<'a>],
    (title, found): (&str, &[MatchSpan]),
    marker: &Marker,
) -> Option<KeptSection<'a>> {
    let in_title = marker.words_in(title);
    let everywhere = found.iter().fold(0, |words, span| words | span.word);
    let everywhere = sections.iter().fold(everywhere, |words, section| words | section.words);
    let wanted = everywhere & !in_title;
    let least = ENOUGH * marker.rarity(wanted);
    if wanted == 0 {
        return None;
    }
    let mut best: Option<(f32, KeptSection)> = None;
    let mut above: Vec<KeptSection> = Vec::new();
    for (place, section) in sections.iter().enumerate() {
        above.retain(|outer| outer.level < section.level);
        let end = sections.get(place + 1).map_or(usize::MAX, |next| next.start);
        let from = found.partition_point(|span| span.start < section.start);
        let to = found.partition_point(|span| span.start < end);
        let here = found[from.min(to)..to].iter().fold(0, |words, span| words | span.word);
        let outside = above.iter().fold(0, |words, outer| words | outer.words);
        above.push(*section);
        let here = (here | section.words) & wanted;
        let meeting = here | outside & wanted;
        let is_met = meeting.count_ones() > 1 || section.words & wanted != 0;
        if here == 0 || !is_met || marker.rarity(meeting) < least {
            continue;
        }
        let value = marker.rarity(meeting) + IN_HEADING * marker.rarity(section.words & wanted);
        let linked = above.iter().rev().find(|section| leads_on(section, title));
        if let Some(linked) = linked.filter(|_| best.is_none_or(|(most, _)| value > most)) {
            best = Some((value, *linked));
        }
    }
    best.map(|(_, section)| section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;
    use crate::snippet::snippet;

    const BODY: &str = "git-commit\nRecord wind.\nOptions\nThese are wind and sea.\n--amend\nReplace the tip.\n\
         See also\nThe sea and eels.\nFiles\nWind in the sea, eels in traps.\nHooks\nTraps and weirs.";

    /// The headings of the body, with levels and anchors.
    const SECTIONS: [(&str, u8, &str); 6] = [
        ("git-commit", 1, "top"),
        ("Options", 2, "options"),
        ("--amend", 7, "amend"),
        ("See also", 2, ""),
        ("Files", 2, "files\" onclick"),
        ("Hooks", 3, "hooks"),
    ];

    #[track_caller]
    fn check(query: &str, expected: Option<&str>) {
        let sections = SECTIONS.map(|(heading, level, anchor)| {
            let start = BODY.find(heading).unwrap() as u32;
            EntrySection { start, level, heading, anchor }
        });
        let marker = Marker::new(&Query::parse(query));
        let found = snippet(BODY, &marker, false).found;
        let url = "http://a.test/x.html#y";
        let section = section_of(&kept(&sections), url, ("git-commit", &found), &marker);
        let fragment = section.map(|section| section.url);
        let fragment =
            fragment.as_deref().map(|url| url.strip_prefix("http://a.test/x.html#").unwrap());
        assert_eq!(fragment, expected, "{query}");
    }

    #[test]
    fn a_hit_is_about_the_section_that_is_named() {
        check("the options", Some("options"));
        check("see also", None);
        check("files", None);
        check("hooks", Some("hooks"));
        check("git commit", None);
    }

    #[test]
    fn or_about_the_section_in_which_the_words_meet_that_the_title_lacks() {
        check("git commit --amend", Some("amend"));
        check("commit options", Some("options"));
        check("amend tip", Some("amend"));
        check("traps weirs", Some("hooks"));
        // A word alone is everywhere, unless it is in a heading.
        check("eels", None);
        check("sea", None);
        // They meet in what cannot be linked to.
        check("eels traps", None);
        // They stand here and there.
        check("tip weirs record", None);
    }

    #[test]
    fn a_section_lies_in_those_above_it() {
        check("options tip", Some("amend"));
        check("options weirs", None);
    }

    #[test]
    fn a_document_without_sections_has_none() {
        let marker = Marker::new(&Query::parse("x"));
        assert_eq!(kept(&[]), "");
        for kept in ["", "x\n1 \n", "1 2 a", "99999999999999999999 1 a\tx", "1 1 \t"] {
            assert_eq!(section_of(kept, "http://a.test/", ("", &[]), &marker), None, "{kept}");
        }
    }
}
