//! Hints: what class, id and role say about a part of a page. The words stand in a data file.

use super::block::place;
use super::code;
use super::names::NameTable;
use crate::html::{Tag, name};
use std::sync::LazyLock;

static HINTS: LazyLock<Vec<(u128, u32)>> = LazyLock::new(|| {
    let file = include_str!("../../data/hints.txt");
    let mut rows: Vec<_> = file.lines().filter(|l| !l.starts_with('#')).filter_map(row).collect();
    rows.sort_unstable();
    rows
});

static NAMES: LazyLock<NameTable> = LazyLock::new(|| NameTable::of(HINTS.iter().map(|row| row.0)));

fn row(line: &str) -> Option<(u128, u32)> {
    let (word, place) = line.split_once(' ')?;
    let place = match place {
        "nav" => place::NAV,
        "crumb" => place::NAV | place::CRUMB,
        "footer" => place::FOOTER,
        "side" => place::SIDE,
        "comment" => place::COMMENT,
        "skip" => place::SKIP,
        "related" => place::RELATED,
        "promo" => place::PROMO,
        "share" => place::SHARE,
        "byline" => place::BYLINE,
        "caption" => place::CAPTION,
        "body" => place::BODY,
        "title" => place::TITLE,
        "product" => place::PRODUCT,
        "post" => place::POST,
        "docs" => place::DOCS,
        _ => return None,
    };
    Some((name(word), place))
}

/// Roles that name a landmark of the page.
const ROLES: &[(&str, u32)] = &[
    ("navigation", place::NAV),
    ("banner", place::HEADER),
    ("contentinfo", place::FOOTER),
    ("complementary", place::ASIDE),
    ("dialog", place::SIDE),
    ("alertdialog", place::SIDE),
    ("menu", place::NAV),
    ("search", place::SIDE),
    ("main", place::MAIN),
    ("article", place::ARTICLE),
];

/// What the attributes of a block's tag tell: its places, a hash of its class, its name as a place to link to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told<'a> {
    pub(super) places: u32,
    /// Those of them that nothing but its id tells.
    pub(super) by_id: u32,
    pub(super) class: u64,
    pub(super) anchor: &'a str,
    /// The language that the class names, for code.
    pub(super) language: &'a str,
}

impl<'a> Told<'a> {
    /// The first attribute that names a language decides.
    fn name_language(&mut self, language: &'a str) {
        if self.language.is_empty() {
            self.language = language;
        }
    }
}

/// A class, and what it tells.
#[derive(Clone, Copy, Debug, Default)]
struct ClassTold<'a> {
    value: &'a str,
    places: u32,
    letters: u64,
    language: &'a str,
}

impl<'a> ClassTold<'a> {
    fn of(value: &'a str) -> ClassTold<'a> {
        let (places, letters) = (words(value), letters(value));
        ClassTold { value, places, letters, language: code::in_class(value) }
    }
}

/// Classes met before on a page: most elements have one that others have as well.
#[derive(Debug, Default)]
pub(super) struct MetClasses<'a> {
    classes: [ClassTold<'a>; 32],
}

impl<'a> MetClasses<'a> {
    fn told(&mut self, value: &'a str) -> ClassTold<'a> {
        let [.., last] = value.as_bytes() else { return ClassTold::default() };
        let place = (value.len() * 5 + usize::from(*last)) % self.classes.len();
        if self.classes[place].value != value {
            self.classes[place] = ClassTold::of(value);
        }
        self.classes[place]
    }
}

pub(super) fn places<'a>(tag: &Tag<'a>, met: &mut MetClasses<'a>) -> Told<'a> {
    let mut told = Told::default();
    let mut by_id = 0;
    for (name, value) in tag.attributes() {
        match name.len() {
            2 if name.eq_ignore_ascii_case("id") => {
                by_id = words(value);
                told.anchor = value;
            }
            5 if name.eq_ignore_ascii_case("class") => {
                let class = met.told(value);
                told.places |= class.places;
                told.class = class.letters;
                told.name_language(class.language);
            }
            9 => told.name_language(code::language_in(name, value)),
            4 if name.eq_ignore_ascii_case("role") => {
                let role = ROLES.iter().find(|row| row.0.eq_ignore_ascii_case(value.trim()));
                told.places |= role.map_or(0, |row| row.1);
            }
            6 if name.eq_ignore_ascii_case("hidden") => told.places |= place::HIDDEN,
            5 if name.eq_ignore_ascii_case("style") && is_hiding(value) => {
                told.places |= place::HIDDEN;
            }
            11 if name.eq_ignore_ascii_case("aria-hidden")
                && value.eq_ignore_ascii_case("true") =>
            {
                told.places |= place::HIDDEN;
            }
            _ => {}
        }
    }
    told.by_id = by_id & !told.places;
    told.places |= by_id;
    told
}

/// What an inline element tells inside a heading, a term or code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InlineTold<'a> {
    /// The name of a place.
    pub(super) anchor: &'a str,
    /// It is the target of a link, as in "#eels", that names the place.
    pub(super) is_link: bool,
    /// It is a tool of the page: a number of a line, a link to edit.
    pub(super) is_tool: bool,
}

pub(super) fn inline<'a>(tag: &Tag<'a>) -> InlineTold<'a> {
    let mut told = InlineTold::default();
    for (name, value) in tag.attributes() {
        if name.eq_ignore_ascii_case("id") || name.eq_ignore_ascii_case("name") {
            (told.anchor, told.is_link) = (value, false);
        } else if name.eq_ignore_ascii_case("href") && told.anchor.is_empty() {
            told.anchor = value.strip_prefix('#').unwrap_or_default();
            told.is_link = true;
        } else if name.eq_ignore_ascii_case("class") {
            told.is_tool |= is_tool(value);
        }
    }
    told
}

/// The name of a place to link to that a tag gives.
pub(super) fn anchor<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let is_name = |name: &str| name.eq_ignore_ascii_case("id") || name.eq_ignore_ascii_case("name");
    let mut named = tag.attributes().filter(|(name, value)| is_name(name) && !value.is_empty());
    named.next().map(|(_, value)| value)
}

/// Classes of inline elements that are no text of a heading, a term or code.
fn is_tool(class: &str) -> bool {
    const TOOLS: &[&str] = &[
        "headerlink",
        "linenos",
        "lineno",
        "line-number",
        "viewcode-link",
        "viewcode-back",
        "mw-editsection",
        "copybtn",
        "anchorjs-link",
        "hash-link",
        "header-anchor",
        "heading-anchor",
    ];
    class.split_ascii_whitespace().any(|word| TOOLS.contains(&word))
}

/// A hash of the letters of a class: numbers differ between elements that are of one sort.
fn letters(value: &str) -> u64 {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic);
    letters.fold(0, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn is_hiding(style: &str) -> bool {
    let Some((_, after)) = style.split_once("display") else { return false };
    after.trim_start_matches([' ', ':']).starts_with("none")
}

/// The places that the words of a class or id tell of: "article-Footer_links" has three words.
fn words(value: &str) -> u32 {
    let mut found = 0;
    let mut negated = false;
    let bytes = value.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphabetic() {
            negated &= bytes[at] != b' ';
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
            && !(bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase())
        {
            at += 1;
        }
        let word = value.get(start..at).unwrap_or_default();
        let packed = name(word);
        if !negated && let Some(row) = NAMES.find(packed) {
            found |= HINTS[row].1 | place::HINTED;
        }
        // "has-sidebar" speaks of the page, not of the sidebar.
        negated = ["has", "with", "no", "without", "not", "is"].contains(&word);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_class_tell_the_place() {
        let check = |value: &str, expected: u32| {
            assert_eq!(words(value) & !place::HINTED, expected, "{value}");
        };
        check("sidebar", place::SIDE);
        check("site-Footer", place::FOOTER);
        check("postComments", place::POST | place::COMMENT);
        check("main_nav wide", place::NAV);
        check("has-sidebar", 0);
        check("no-comments", 0);
        check("has-x sidebar", place::SIDE);
        check("commentary navel", 0);
        check("", 0);
    }

    #[test]
    fn every_row_of_the_file_is_read() {
        let lines = include_str!("../../data/hints.txt").lines().filter(|l| !l.starts_with('#'));
        assert_eq!(lines.count(), HINTS.len());
        assert!(HINTS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
