//! What can show hidden text: folds, tabs, menus and dialogues by what they are called, controls that name what
//! they control, and scripts.

use super::sheet::hash;
use crate::html::{HtmlToken, Scanner, Tag, name};
use std::cell::Cell;
use std::collections::HashSet;

/// Words of class, id and role that say that an element is opened and closed.
const FOLDS: &[&str] = &[
    "accordion",
    "accordeon",
    "carousel",
    "collapse",
    "collapsed",
    "collapsible",
    "collapsable",
    "dialog",
    "drawer",
    "dropdown",
    "expand",
    "expandable",
    "expander",
    "faq",
    "flyout",
    "fold",
    "lightbox",
    "listbox",
    "megamenu",
    "menu",
    "menubar",
    "menuitem",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "offcanvas",
    "overlay",
    "pane",
    "panel",
    "popover",
    "popup",
    "readmore",
    "reveal",
    "sidebar",
    "sidenav",
    "slide",
    "slider",
    "spoiler",
    "submenu",
    "subnav",
    "swiper",
    "tab",
    "tabs",
    "tabpanel",
    "tabpane",
    "toc",
    "toggle",
    "toggleable",
    "tooltip",
    "tooltiptext",
    "togglable",
];

/// Words that say that an element is there to be read aloud.
const READ_ALOUD: &[&str] = &[
    "sr",
    "sronly",
    "screenreader",
    "screen",
    "visuallyhidden",
    "visually",
    "assistive",
    "a11y",
    "accessibility",
    "accessible",
    "offscreen",
    "skip",
    "skiplink",
    "wai",
    "reader",
];

/// Words of a script by which it may show any element.
const SHOWS: &[&str] = &[
    "display",
    "classList",
    "className",
    ".show",
    "toggle",
    "slide",
    "visibility",
    ".hidden",
    "$(",
    "jQuery",
    "opacity",
    "fadeIn",
    ".style",
    "removeAttribute",
    "import",
];

/// Bytes of scripts that are looked through, scripts in attributes, and bytes that are compared with names.
const MOST_SCRIPT: usize = 200_000;
const MOST_HANDLERS: u32 = 500;
const MOST_COMPARED: u64 = 20_000_000;
/// Words of a name that are looked for in scripts.
const MOST_NAMES: usize = 32;

fn says(tag: &Tag<'_>, words: &[&str]) -> bool {
    tag.attributes().any(|(key, value)| {
        let is_name = ["class", "id", "role"].iter().any(|name| key.eq_ignore_ascii_case(name));
        is_name && each_word(value).any(|word| words.contains(&&*word))
    })
}

/// The words of "tabPane-content_2" in small letters: tab, pane, content.
fn each_word(value: &str) -> impl Iterator<Item = String> + '_ {
    let pieces = value.split(|c: char| !c.is_ascii_alphabetic()).filter(|piece| !piece.is_empty());
    pieces.take(40).flat_map(|piece| {
        let bytes = piece.as_bytes();
        let turns = (1..bytes.len())
            .filter(|&at| bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
        let cuts: Vec<usize> = std::iter::once(0).chain(turns).chain([bytes.len()]).collect();
        let words = cuts.windows(2).map(|cut| piece[cut[0]..cut[1]].to_ascii_lowercase());
        words.chain((cuts.len() > 2).then(|| piece.to_ascii_lowercase())).collect::<Vec<_>>()
    })
}

/// Whether an element says that it is opened and closed.
pub(super) fn is_fold(tag: &Tag<'_>) -> bool {
    const ELEMENTS: [u128; 4] = [name("details"), name("dialog"), name("nav"), name("menu")];
    ELEMENTS.contains(&tag.name) || says(tag, FOLDS)
}

/// Whether an element says that it is there to be read aloud.
pub(super) fn is_read_aloud(tag: &Tag<'_>) -> bool {
    says(tag, READ_ALOUD)
}

/// What of a page can show hidden text.
#[derive(Debug, Default)]
pub(super) struct Folding<'a> {
    /// Ids that something names which can be clicked.
    controlled: HashSet<u64>,
    scripts: Vec<&'a str>,
    /// A script that is not at hand may do anything; one that is not read to its end, too.
    has_others: bool,
    /// One of the scripts can show any element.
    shows: bool,
    handlers: u32,
    /// Bytes that were compared with names.
    compared: Cell<u64>,
}

impl<'a> Folding<'a> {
    pub(super) fn of(content: &'a str) -> Folding<'a> {
        let mut folding = Folding::default();
        let (mut left, mut is_data) = (MOST_SCRIPT, false);
        for token in Scanner::new(content) {
            match token {
                HtmlToken::Start(tag) if tag.name == name("script") => {
                    let kind = tag.attribute("type").unwrap_or_default().to_ascii_lowercase();
                    is_data = kind.contains("json") || kind.contains("template");
                    folding.has_others |= !is_data && tag.attribute("src").is_some();
                }
                HtmlToken::Start(tag) => folding.control(&tag),
                HtmlToken::Raw(n, text) if n == name("script") && !is_data => {
                    folding.has_others |= text.len() > left;
                    left = left.saturating_sub(text.len());
                    if left > 0 {
                        folding.script(text);
                    }
                }
                _ => {}
            }
        }
        folding
    }

    fn script(&mut self, text: &'a str) {
        let shows = |word: &&str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        self.shows |= SHOWS.iter().any(shows);
        self.scripts.push(text);
    }

    fn control(&mut self, tag: &Tag<'a>) {
        for (key, value) in tag.attributes() {
            if key.len() > 2 && key.get(..2).is_some_and(|two| two.eq_ignore_ascii_case("on")) {
                self.handlers += 1;
                match self.handlers <= MOST_HANDLERS && value.len() <= MOST_SCRIPT / 100 {
                    true => self.script(value),
                    false => self.has_others = true,
                }
                continue;
            }
            let names = match key.to_ascii_lowercase().as_str() {
                "href" | "data-target" | "data-bs-target" | "data-toggle" => {
                    match value.strip_prefix('#') {
                        Some(id) => id,
                        None => continue,
                    }
                }
                "for" | "aria-controls" | "aria-owns" | "popovertarget" => value,
                // By these frameworks show and hide.
                "x-show" | "v-if" | "v-show" | "ng-if" | "ng-show" | "ng-hide" | "x-cloak"
                | "v-cloak" | "ng-cloak" => {
                    self.has_others = true;
                    continue;
                }
                _ => continue,
            };
            self.controlled.extend(names.split_ascii_whitespace().map(hash));
        }
    }

    /// Whether something on the page may show an element.
    pub(super) fn may_show(&self, tag: &Tag<'_>, id: u64) -> bool {
        if self.has_others || self.shows || id != 0 && self.controlled.contains(&id) {
            return true;
        }
        let is_named = |script: &str| {
            tag.attributes().any(|(key, value)| {
                let is_name = key.eq_ignore_ascii_case("id") || key.eq_ignore_ascii_case("class");
                let mut words = value.split_ascii_whitespace().take(MOST_NAMES);
                is_name && words.any(|word| script.contains(word))
            })
        };
        self.scripts.iter().any(|script| {
            self.compared.set(self.compared.get() + script.len() as u64);
            // Beyond the limit anything may be shown.
            self.compared.get() > MOST_COMPARED || is_named(script)
        })
    }
}
