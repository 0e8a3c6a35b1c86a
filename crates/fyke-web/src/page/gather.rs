//! One pass over the markup of a page for all that a crawler needs: title, links with anchor text,
//! base, canonical, directives (000 "Parsing"). Text outside links and titles is only passed on.

use super::MOST_LINKS;
use super::directive::{self, RobotsMeta};
use super::neighbourhood::{Place, Surroundings};
use crate::html::{Scanner, Tag, Token, fold_into, folded, name};
use fyke_text::Part;
use std::borrow::Cow;

/// Longest anchor text, in characters.
const MOST_ANCHOR: usize = 200;
/// Longest title, in bytes.
const MOST_TITLE: usize = 1_000;

/// A link as it stands on the page.
#[derive(Debug)]
pub(super) struct Anchor<'a> {
    pub(super) href: Cow<'a, str>,
    pub(super) text: String,
    pub(super) nofollow: bool,
    /// There is more than white space between its tags, or an image that is described.
    pub(super) is_named: bool,
    /// Where it stands in the page's text.
    pub(super) place: Place,
}

/// What of a link's text is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    #[default]
    Anchors,
    Nothing,
    Neighbourhoods,
}

/// What is met on the way through a page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// A link that can be fetched begins.
    Link,
    /// Text that a reader sees …
    Text(Part<'a>),
    /// … inside the link that was met last.
    Anchor(Part<'a>),
    /// What stands for an image in that link.
    Alternative(&'a str),
}

/// What the markup says, not yet resolved.
#[derive(Debug, Default)]
pub(super) struct Gathered<'a> {
    pub(super) title: String,
    pub(super) links: Vec<Anchor<'a>>,
    pub(super) base: Option<Cow<'a, str>>,
    pub(super) canonical: Option<Cow<'a, str>>,
    pub(super) refresh: Option<String>,
    pub(super) language: Option<String>,
    pub(super) robots: RobotsMeta,
    pub(super) over_limit: bool,
    /// The last link is still open: text belongs to it.
    open: bool,
    /// Anchor texts are wanted.
    anchors: bool,
    /// The page's text, where neighbourhoods are wanted.
    pub(super) around: Option<Surroundings<'a>>,
}

const A: u128 = name("a");
const AREA: u128 = name("area");
const BASE: u128 = name("base");
const FRAME: u128 = name("frame");
const HTML: u128 = name("html");
const IFRAME: u128 = name("iframe");
const IMG: u128 = name("img");
const LINK: u128 = name("link");
const META: u128 = name("meta");
const TITLE: u128 = name("title");

/// Reads a whole page, and shows to `see` its links and all text that a reader sees.
pub(super) fn gather<'a>(
    content: &'a str,
    wanted: Wanted,
    mut see: impl FnMut(Piece<'_>),
) -> Gathered<'a> {
    let mut found = Gathered {
        anchors: wanted == Wanted::Anchors,
        around: (wanted == Wanted::Neighbourhoods).then(Surroundings::default),
        ..Gathered::default()
    };
    for token in Scanner::new(content) {
        match token {
            Token::Start(tag) => {
                if let Some(around) = &mut found.around {
                    around.start(tag.name);
                }
                found.start(&tag, &mut see);
            }
            Token::End(name) => {
                if let Some(around) = &mut found.around {
                    around.end(name);
                }
                if name == A {
                    found.close();
                }
            }
            Token::Text(text) => {
                let part = Part::within(content, text);
                see(if found.open { Piece::Anchor(part) } else { Piece::Text(part) });
                if let Some(around) = &mut found.around {
                    around.see(text);
                }
                if found.open {
                    found.anchor_text(text);
                }
            }
            Token::Cdata(text) => see(Piece::Text(Part::within(content, text))),
            Token::Raw(TITLE, text) => {
                see(Piece::Text(Part::within(content, text)));
                if found.title.is_empty() {
                    found.title = folded(text, MOST_TITLE);
                }
            }
            Token::Raw(..) => {}
        }
    }
    found.close();
    found
}

impl<'a> Gathered<'a> {
    fn start(&mut self, tag: &Tag<'a>, see: &mut impl FnMut(Piece<'_>)) {
        match tag.name {
            A => {
                self.close();
                self.open = self.link(tag, "href", see);
            }
            AREA => {
                self.close();
                self.open = self.link(tag, "href", see);
                if self.open {
                    self.alternative_text(tag, see);
                }
                self.close();
            }
            FRAME | IFRAME => {
                self.close();
                self.open = self.link(tag, "src", see);
                self.close();
            }
            IMG if self.open => self.alternative_text(tag, see),
            BASE if self.base.is_none() => self.base = tag.attribute("href"),
            LINK => self.link_element(tag),
            META => self.meta(tag),
            HTML => self.language = self.language.take().or_else(|| declared(tag)),
            _ => {}
        }
    }

    /// Takes up a link; false when it has no target that could be fetched.
    fn link(&mut self, tag: &Tag<'a>, attribute: &str, see: &mut impl FnMut(Piece<'_>)) -> bool {
        let [href, rel] = tag.two_attributes([attribute, "rel"]);
        let Some(href) = href.filter(|href| can_be_fetched(href)) else { return false };
        if self.links.len() >= MOST_LINKS {
            self.over_limit = true;
            return false;
        }
        let nofollow = rel.is_some_and(|rel| {
            let told = |word: &str| {
                ["nofollow", "ugc", "sponsored"].iter().any(|w| w.eq_ignore_ascii_case(word))
            };
            rel.split_ascii_whitespace().any(told)
        });
        let place = self.around.as_mut().map(Surroundings::open).unwrap_or_default();
        self.links.push(Anchor { href, text: String::new(), nofollow, is_named: false, place });
        see(Piece::Link);
        true
    }

    fn anchor_text(&mut self, text: &str) {
        let Some(anchor) = self.links.last_mut() else { return };
        anchor.is_named |= !text.trim_ascii_start().is_empty();
        if self.anchors {
            // Four bytes a character at most; cut to characters when the link closes.
            fold_into(&mut anchor.text, text, 4 * MOST_ANCHOR);
        }
    }

    /// What stands for an image, as a word of its own.
    fn alternative_text(&mut self, tag: &Tag<'a>, see: &mut impl FnMut(Piece<'_>)) {
        let Some(alt) = tag.attribute("alt") else { return };
        see(Piece::Alternative(&alt));
        for text in [" ", &alt, " "] {
            self.anchor_text(text);
            if let Some(around) = &mut self.around {
                around.copy(text);
            }
        }
    }

    /// Ends the open link.
    fn close(&mut self) {
        if let (Some(anchor), Some(around)) = (self.links.last_mut(), &mut self.around)
            && self.open
        {
            around.close(&mut anchor.place);
        }
        if let Some(anchor) = self.links.last_mut().filter(|_| self.anchors) {
            if let Some((cut, _)) = anchor.text.char_indices().nth(MOST_ANCHOR) {
                anchor.text.truncate(cut);
            }
            anchor.text.truncate(anchor.text.trim_end().len());
            anchor.is_named = !anchor.text.is_empty();
        }
        self.open = false;
    }

    fn link_element(&mut self, tag: &Tag<'a>) {
        let canonical = |rel: Cow<'_, str>| {
            rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
        };
        if self.canonical.is_none() && tag.attribute("rel").is_some_and(canonical) {
            self.canonical = tag.attribute("href").filter(|href| !href.trim().is_empty());
        }
    }

    fn meta(&mut self, tag: &Tag<'a>) {
        let Some(content) = tag.attribute("content") else { return };
        if let Some(name) = tag.attribute("name") {
            let name = name.trim();
            if name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(directive::AGENT) {
                self.robots.read(&content);
            }
        } else if let Some(name) = tag.attribute("http-equiv") {
            let name = name.trim();
            if name.eq_ignore_ascii_case("refresh") && self.refresh.is_none() {
                self.refresh = directive::refresh(&content).map(str::to_owned);
            } else if name.eq_ignore_ascii_case("content-language") && self.language.is_none() {
                self.language = directive::language(&content);
            }
        }
    }
}

fn declared(tag: &Tag<'_>) -> Option<String> {
    let lang = tag.attribute("lang").or_else(|| tag.attribute("xml:lang"))?;
    directive::language(&lang)
}

/// Whether it is worth resolving: no empty link, none into the page itself, no script or mail.
fn can_be_fetched(href: &str) -> bool {
    const SCHEMES: &[&str] = &["javascript:", "mailto:", "tel:", "data:", "about:", "blob:"];
    let href = href.trim_ascii();
    if href.starts_with('/') {
        return true;
    }
    let is = |scheme: &&str| {
        href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    !href.is_empty() && !href.starts_with('#') && !SCHEMES.iter().any(is)
}
