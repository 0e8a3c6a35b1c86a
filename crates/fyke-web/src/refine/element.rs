//! Elements that break the text into blocks, and what they say about the text inside.

use super::block::{Kind, place};
use super::names::NameTable;
use crate::html::name;
use std::sync::LazyLock;

/// A row: name, kind of the text directly inside, place of all text inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) name: u128,
    pub(super) kind: Kind,
    pub(super) places: u32,
}

const fn row(text: &str, kind: Kind, places: u32) -> Element {
    Element { name: name(text), kind, places }
}

/// Sorted by packed name: by length, then by letters. What is missing is inline.
const ELEMENTS: &[Element] = &[
    row("p", Kind::Paragraph, 0),
    row("dd", Kind::Item, 0),
    row("dl", Kind::Other, place::LIST),
    row("dt", Kind::Item, 0),
    row("h1", Kind::Heading(1), 0),
    row("h2", Kind::Heading(2), 0),
    row("h3", Kind::Heading(3), 0),
    row("h4", Kind::Heading(4), 0),
    row("h5", Kind::Heading(5), 0),
    row("h6", Kind::Heading(6), 0),
    row("hr", Kind::Other, 0),
    row("li", Kind::Item, 0),
    row("ol", Kind::Other, place::LIST),
    row("td", Kind::Cell, 0),
    row("th", Kind::Cell, 0),
    row("tr", Kind::Other, 0),
    row("ul", Kind::Other, place::LIST),
    row("div", Kind::Other, 0),
    row("nav", Kind::Other, place::NAV),
    row("pre", Kind::Pre, 0),
    row("svg", Kind::Other, place::SKIP),
    row("xmp", Kind::Pre, 0),
    row("body", Kind::Other, 0),
    row("form", Kind::Other, place::FORM),
    row("head", Kind::Other, place::SKIP),
    row("html", Kind::Other, 0),
    row("main", Kind::Other, place::MAIN),
    row("math", Kind::Other, place::SKIP),
    row("menu", Kind::Other, place::NAV),
    row("aside", Kind::Other, place::ASIDE),
    row("audio", Kind::Other, place::SKIP),
    row("table", Kind::Other, place::TABLE),
    row("tbody", Kind::Other, 0),
    row("tfoot", Kind::Other, 0),
    row("thead", Kind::Other, 0),
    row("video", Kind::Other, place::SKIP),
    row("button", Kind::Other, place::SKIP),
    row("center", Kind::Other, 0),
    row("dialog", Kind::Other, place::SIDE),
    row("figure", Kind::Other, place::FIGURE),
    row("footer", Kind::Other, place::FOOTER),
    row("header", Kind::Other, place::HEADER),
    row("legend", Kind::Other, 0),
    row("object", Kind::Other, place::SKIP),
    row("option", Kind::Other, place::SKIP),
    row("select", Kind::Other, place::SKIP),
    row("address", Kind::Other, 0),
    row("article", Kind::Other, place::ARTICLE),
    row("caption", Kind::Caption, place::CAPTION),
    row("details", Kind::Other, 0),
    row("section", Kind::Other, 0),
    row("summary", Kind::Other, 0),
    row("fieldset", Kind::Other, place::FORM),
    row("noscript", Kind::Other, place::SKIP),
    row("template", Kind::Other, place::SKIP),
    row("blockquote", Kind::Paragraph, place::QUOTE),
    row("figcaption", Kind::Caption, place::CAPTION),
];

/// The row of an element, none for inline ones.
pub(super) fn look_up(name: u128) -> Option<&'static Element> {
    ELEMENTS.get(NAMES.find(name)?)
}

static NAMES: LazyLock<NameTable> =
    LazyLock::new(|| NameTable::of(ELEMENTS.iter().map(|row| row.name)));

/// Whether opening `new` ends an `open` element of this kind whose end tag may be left out.
pub(super) fn ends(new: &Element, open: u128, kind: Kind) -> bool {
    const P: u128 = name("p");
    const OPTION: u128 = name("option");
    const HEAD: u128 = name("head");
    match open {
        P => true,
        HEAD => !new.places & place::SKIP != 0,
        OPTION => new.name == OPTION,
        _ => matches!((kind, new.kind), (Kind::Heading(_), Kind::Heading(_))),
    }
}

/// Elements that end an earlier one of their row in the same list or table.
const SIBLINGS: &[(u128, &[u128], u128)] = &[
    // new, what it ends, where the search stops
    (name("li"), &[name("li")], LIST),
    (name("dt"), &[name("dt"), name("dd")], LIST),
    (name("dd"), &[name("dt"), name("dd")], LIST),
    (name("tr"), &[name("tr"), name("td"), name("th")], TABLE),
    (name("td"), &[name("td"), name("th")], TABLE),
    (name("th"), &[name("td"), name("th")], TABLE),
];
const LIST: u128 = 1;
const TABLE: u128 = 2;

/// How many of the open elements (innermost last) stay when `new` opens.
pub(super) fn kept_open(
    new: u128,
    open: impl DoubleEndedIterator<Item = u128> + ExactSizeIterator,
) -> usize {
    let length = open.len();
    let Some((_, ended, wall)) = SIBLINGS.iter().find(|row| row.0 == new) else { return length };
    let stops = |n: u128| match *wall {
        LIST => [name("ul"), name("ol"), name("dl"), name("menu"), name("div")].contains(&n),
        _ => n == name("table") || (new != name("tr") && n == name("tr")),
    };
    let mut kept = length;
    for (at, name) in open.enumerate().rev() {
        if stops(name) {
            break;
        }
        if ended.contains(&name) {
            kept = at;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_are_sorted() {
        assert!(ELEMENTS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn an_item_ends_the_item_before_it_in_its_own_list_only() {
        let check = |new: &str, open: &[&str], expected| {
            let open = open.iter().map(|n| name(n));
            assert_eq!(kept_open(name(new), open), expected);
        };
        check("li", &["ul", "li"], 1);
        check("li", &["ul", "li", "ul"], 3);
        check("tr", &["table", "tr", "td"], 1);
        check("td", &["table", "tr", "td"], 2);
        check("td", &["table", "tr", "td", "table", "tr"], 5);
        check("div", &["ul", "li"], 2);
    }
}
