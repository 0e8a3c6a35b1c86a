//! One pass over the markup of a page for all that a crawler needs: title, links with anchor text,
//! base, canonical, directives (000 "Parsing"). Text outside links and titles is only passed on.

use super::MOST_LINKS;
use super::directive::{self, RobotsMeta};
use super::neighbourhood::{Place, Surroundings};
use crate::html::{Scanner, Tag, Token, fold_into, folded, name};
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

/// Reads a whole page, and shows to `see` all text that a reader sees.
pub(super) fn gather<'a>(
    content: &'a str,
    wanted: Wanted,
    mut see: impl FnMut(&'a str),
) -> Gathered<'a> {
    let mut found = Gathered {
        anchors: wanted == Wanted::Anchors,
        around: (wanted == Wanted::Neighbourhoods).then(Surroundings::default),
        ..Gathered::default()
    };
    for token in Scanner::new(content) {
        if let Token::Text(text) | Token::Cdata(text) | Token::Raw(TITLE, text) = token {
            see(text);
        }
        if let Some(around) = &mut found.around {
            match token {
                Token::Start(tag) => around.start(tag.name),
                Token::End(name) => around.end(name),
                Token::Text(text) => around.see(text),
                Token::Raw(..) | Token::Cdata(_) => {}
            }
        }
        match token {
            Token::Start(tag) => found.start(&tag),
            Token::End(A) => found.close(),
            Token::End(_) => {}
            Token::Text(text) if found.open => found.anchor_text(text),
            Token::Raw(TITLE, text) if found.title.is_empty() => {
                found.title = folded(text, MOST_TITLE);
            }
            Token::Text(_) | Token::Raw(..) | Token::Cdata(_) => {}
        }
    }
    found.close();
    found
}

impl<'a> Gathered<'a> {
    fn start(&mut self, tag: &Tag<'a>) {
        match tag.name {
            A => {
                self.close();
                self.open = self.link(tag, "href");
            }
            AREA => {
                self.close();
                self.open = self.link(tag, "href");
                if self.open {
                    self.alternative_text(tag);
                }
                self.close();
            }
            FRAME | IFRAME => {
                self.close();
                self.open = self.link(tag, "src");
                self.close();
            }
            IMG if self.open => self.alternative_text(tag),
            BASE if self.base.is_none() => self.base = tag.attribute("href"),
            LINK => self.link_element(tag),
            META => self.meta(tag),
            HTML => self.language = self.language.take().or_else(|| declared(tag)),
            _ => {}
        }
    }

    /// Takes up a link; false when it has no target that could be fetched.
    fn link(&mut self, tag: &Tag<'a>, attribute: &str) -> bool {
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
        self.links.push(Anchor { href, text: String::new(), nofollow, place });
        true
    }

    fn anchor_text(&mut self, text: &str) {
        if let Some(anchor) = self.links.last_mut().filter(|_| self.anchors) {
            // Four bytes a character at most; cut to characters when the link closes.
            fold_into(&mut anchor.text, text, 4 * MOST_ANCHOR);
        }
    }

    /// What stands for an image, as a word of its own.
    fn alternative_text(&mut self, tag: &Tag<'a>) {
        let Some(alt) = tag.attribute("alt") else { return };
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
