//! Hints: what class, id and role say about a part of a page. The words stand in a data file.

use super::block::place;
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

/// The places that a tag's attributes tell of, and a hash of its class.
pub(super) fn places(tag: &Tag<'_>) -> (u32, u64) {
    let (mut found, mut class) = (0, 0);
    for (name, value) in tag.attributes() {
        match name.len() {
            2 if name.eq_ignore_ascii_case("id") => found |= words(value),
            5 if name.eq_ignore_ascii_case("class") => {
                found |= words(value);
                class = letters(value);
            }
            4 if name.eq_ignore_ascii_case("role") => {
                let role = ROLES.iter().find(|row| row.0.eq_ignore_ascii_case(value.trim()));
                found |= role.map_or(0, |row| row.1);
            }
            6 if name.eq_ignore_ascii_case("hidden") => found |= place::SKIP,
            5 if name.eq_ignore_ascii_case("style") && is_hiding(value) => found |= place::SKIP,
            11 if name.eq_ignore_ascii_case("aria-hidden")
                && value.eq_ignore_ascii_case("true") =>
            {
                found |= place::SKIP;
            }
            _ => {}
        }
    }
    (found, class)
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
