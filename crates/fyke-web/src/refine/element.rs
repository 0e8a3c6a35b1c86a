//! Elements that break the text into blocks, and what they say about the text inside.

use super::block::{BlockKind, place};
use super::names::NameTable;
use crate::html::name;
use std::sync::LazyLock;

/// A row: name, kind of the text directly inside, place of all text inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRule {
    pub(crate) name: u128,
    pub(crate) kind: BlockKind,
    pub(crate) places: u32,
}

const fn row(text: &str, kind: BlockKind, places: u32) -> ElementRule {
    ElementRule { name: name(text), kind, places }
}

/// Sorted by packed name: by length, then by letters. What is missing is inline.
const ELEMENTS: &[ElementRule] = &[
    row("p", BlockKind::Paragraph, 0),
    row("dd", BlockKind::Definition, 0),
    row("dl", BlockKind::Other, place::LIST),
    row("dt", BlockKind::Term, 0),
    row("h1", BlockKind::Heading(1), 0),
    row("h2", BlockKind::Heading(2), 0),
    row("h3", BlockKind::Heading(3), 0),
    row("h4", BlockKind::Heading(4), 0),
    row("h5", BlockKind::Heading(5), 0),
    row("h6", BlockKind::Heading(6), 0),
    row("hr", BlockKind::Other, 0),
    row("li", BlockKind::Item, 0),
    row("ol", BlockKind::Other, place::LIST),
    row("td", BlockKind::Cell, 0),
    row("th", BlockKind::Cell, 0),
    row("tr", BlockKind::Other, 0),
    row("ul", BlockKind::Other, place::LIST),
    row("div", BlockKind::Other, 0),
    row("nav", BlockKind::Other, place::NAV),
    row("pre", BlockKind::Pre, place::PRE),
    row("svg", BlockKind::Other, place::SKIP),
    row("xmp", BlockKind::Pre, place::PRE),
    row("body", BlockKind::Other, 0),
    row("form", BlockKind::Other, place::FORM),
    row("head", BlockKind::Other, place::SKIP),
    row("html", BlockKind::Other, 0),
    row("main", BlockKind::Other, place::MAIN),
    row("math", BlockKind::Other, place::SKIP),
    row("menu", BlockKind::Other, place::NAV),
    row("aside", BlockKind::Other, place::ASIDE),
    row("audio", BlockKind::Other, place::SKIP),
    row("table", BlockKind::Other, place::TABLE),
    row("tbody", BlockKind::Other, 0),
    row("tfoot", BlockKind::Other, 0),
    row("thead", BlockKind::Other, 0),
    row("video", BlockKind::Other, place::SKIP),
    row("button", BlockKind::Other, place::SKIP),
    row("center", BlockKind::Other, 0),
    row("dialog", BlockKind::Other, place::SIDE),
    row("figure", BlockKind::Other, place::FIGURE),
    row("footer", BlockKind::Other, place::FOOTER),
    row("header", BlockKind::Other, place::HEADER),
    row("legend", BlockKind::Other, 0),
    row("object", BlockKind::Other, place::SKIP),
    row("option", BlockKind::Other, place::SKIP),
    row("select", BlockKind::Other, place::SKIP),
    row("address", BlockKind::Other, 0),
    row("article", BlockKind::Other, place::ARTICLE),
    row("caption", BlockKind::Caption, place::CAPTION),
    row("details", BlockKind::Other, 0),
    row("section", BlockKind::Other, 0),
    row("summary", BlockKind::Other, 0),
    row("fieldset", BlockKind::Other, place::FORM),
    row("noscript", BlockKind::Other, place::SKIP),
    row("template", BlockKind::Other, place::SKIP),
    row("blockquote", BlockKind::Paragraph, place::QUOTE),
    row("figcaption", BlockKind::Caption, place::CAPTION),
];

/// The row of an element, none for inline ones.
pub(crate) fn look_up(name: u128) -> Option<&'static ElementRule> {
    ELEMENTS.get(NAMES.find(name)?)
}

static NAMES: LazyLock<NameTable> =
    LazyLock::new(|| NameTable::of(ELEMENTS.iter().map(|row| row.name)));

/// Whether opening `new` ends an `open` element of this kind whose end tag may be left out.
pub(crate) fn ends(new: &ElementRule, open: u128, kind: BlockKind) -> bool {
    const P: u128 = name("p");
    const OPTION: u128 = name("option");
    const HEAD: u128 = name("head");
    match open {
        P => true,
        HEAD => !new.places & place::SKIP != 0,
        OPTION => new.name == OPTION,
        _ => matches!((kind, new.kind), (BlockKind::Heading(_), BlockKind::Heading(_))),
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
pub(crate) fn kept_open(
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
