//! One pass over the markup of a page for all that a crawler needs: title, links with anchor text,
//! base, canonical, directives (000 "Parsing"). Text outside links and titles is only passed on.

use super::directive::{self, RobotsMeta};
use super::links::LinkKind;
use super::next::is_next_word;
use crate::html::{HtmlToken, Scanner, Tag, TagName, folded, name};
use std::borrow::Cow;

/// Most links that are taken from one page.
pub const MOST_LINKS: usize = 10_000;
/// Longest title, in bytes.
const MOST_TITLE: usize = 1_000;
/// Feeds that one page may name.
const MOST_FEEDS: usize = 8;
/// Media types of feeds.
const FEED_TYPES: [&str; 6] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/rdf+xml",
    "text/xml",
    "application/xml",
];

/// A link as it stands on the page.
#[derive(Debug)]
pub(super) struct Anchor<'a> {
    pub(super) href: Cow<'a, str>,
    pub(super) nofollow: bool,
    pub(super) kind: LinkKind,
    /// It says of itself that it leads to the next page.
    pub(super) is_next: bool,
    /// There is more than white space between its tags, or an image that is described.
    pub(super) is_named: bool,
}

/// Who looks on while a page is read, and is told what comes next.
pub(crate) trait Onlooker<'a> {
    fn start(&mut self, _tag: TagName) {}

    /// The same, with the attributes.
    fn tag(&mut self, _tag: &Tag<'a>) {}

    fn end(&mut self, _tag: TagName) {}

    /// A link that can be fetched begins …
    fn open(&mut self) {}

    /// What kind of link it is.
    fn kind(&self) -> LinkKind {
        LinkKind::Content
    }

    /// … and ends. Whether it has a name is what the onlooker says, who may know better.
    fn close(&mut self, is_named: bool) -> bool {
        is_named
    }

    /// Text that a reader sees, outside links …
    fn text(&mut self, _text: &'a str) {}

    /// … and inside the one that is open.
    fn anchor(&mut self, _text: &'a str) {}

    /// What stands for an image in that link, without references.
    fn alternative(&mut self, _text: &str) {}

    /// Text that stands in no line of the page: its title, a section of CDATA.
    fn aside(&mut self, _text: &'a str) {}

    /// The text of an element that holds no markup, as a script.
    fn raw(&mut self, _name: TagName, _text: &'a str) {}
}

/// Nobody.
impl Onlooker<'_> for () {}

/// What the markup says of the text itself: its title, and its language.
#[derive(Debug, Default)]
pub(crate) struct PageHead {
    pub(super) title: String,
    pub(super) language: Option<String>,
}

/// What the markup says, not yet resolved.
#[derive(Debug, Default)]
pub(super) struct Gathered<'a> {
    pub(super) head: PageHead,
    pub(super) links: Vec<Anchor<'a>>,
    pub(super) base: Option<Cow<'a, str>>,
    pub(super) canonical: Option<Cow<'a, str>>,
    pub(super) feeds: Vec<Cow<'a, str>>,
    pub(super) refresh: Option<String>,
    pub(super) robots: RobotsMeta,
    pub(super) over_limit: bool,
    /// The last link is still open: text belongs to it.
    open: bool,
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

/// Reads a whole page.
pub(super) fn gather<'a>(content: &'a str, onlooker: &mut impl Onlooker<'a>) -> Gathered<'a> {
    let mut found = Gathered::default();
    for token in Scanner::new(content) {
        match token {
            HtmlToken::Start(tag) => {
                onlooker.start(tag.name);
                onlooker.tag(&tag);
                found.start(&tag, onlooker);
            }
            HtmlToken::End(name) => {
                onlooker.end(name);
                if name == A {
                    found.close(onlooker);
                }
            }
            HtmlToken::Text(text) if found.open => {
                onlooker.anchor(text);
                found.name(text);
            }
            HtmlToken::Text(text) => onlooker.text(text),
            HtmlToken::Cdata(text) => onlooker.aside(text),
            HtmlToken::Raw(TITLE, text) => {
                onlooker.aside(text);
                found.head.title(text);
            }
            HtmlToken::Raw(name, text) => onlooker.raw(name, text),
        }
    }
    found.close(onlooker);
    found
}

impl PageHead {
    /// Looks at a piece of the page; all of them make what [`gather`] makes.
    pub(crate) fn see(&mut self, token: &HtmlToken<'_>) {
        match token {
            HtmlToken::Start(tag) if tag.name == HTML => self.html(tag),
            HtmlToken::Start(tag) if tag.name == META && self.language.is_none() => {
                if let [Some(name), Some(content)] = tag.two_attributes(["http-equiv", "content"])
                    && tag.attribute("name").is_none()
                {
                    self.equivalent(name.trim(), &content);
                }
            }
            HtmlToken::Raw(TITLE, text) => self.title(text),
            _ => {}
        }
    }

    fn title(&mut self, text: &str) {
        if self.title.is_empty() {
            self.title = folded(text, MOST_TITLE);
        }
    }

    fn html(&mut self, tag: &Tag<'_>) {
        self.language = self.language.take().or_else(|| declared(tag));
    }

    /// What stands for a header.
    fn equivalent(&mut self, name: &str, content: &str) {
        if name.eq_ignore_ascii_case("content-language") && self.language.is_none() {
            self.language = directive::language(content);
        }
    }
}

impl<'a> Gathered<'a> {
    fn start(&mut self, tag: &Tag<'a>, onlooker: &mut impl Onlooker<'a>) {
        match tag.name {
            A => {
                self.close(onlooker);
                self.link(tag, "href", onlooker);
            }
            AREA => {
                self.close(onlooker);
                self.link(tag, "href", onlooker);
                if self.open {
                    self.alternative(tag, onlooker);
                }
                self.close(onlooker);
            }
            FRAME | IFRAME => {
                self.close(onlooker);
                self.link(tag, "src", onlooker);
                self.close(onlooker);
            }
            IMG if self.open => self.alternative(tag, onlooker),
            BASE if self.base.is_none() => self.base = tag.attribute("href"),
            LINK => self.link_element(tag, onlooker),
            META => self.meta(tag),
            HTML => self.head.html(tag),
            _ => {}
        }
    }

    /// Takes up a link; it is open then. One without a target that could be fetched is none.
    fn link(&mut self, tag: &Tag<'a>, attribute: &str, onlooker: &mut impl Onlooker<'a>) {
        let [href, rel] = tag.two_attributes([attribute, "rel"]);
        let Some(href) = href.filter(|href| can_be_fetched(href)) else { return };
        if self.links.len() >= MOST_LINKS {
            self.over_limit = true;
            return;
        }
        // Most links have none.
        let says = |word: &&str| rel.as_deref().is_some_and(|rel| has_word(rel, word));
        let nofollow = rel.is_some() && ["nofollow", "ugc", "sponsored"].iter().any(says);
        let (is_next, kind) = (says(&"next"), onlooker.kind());
        self.links.push(Anchor { href, nofollow, kind, is_next, is_named: false });
        self.open = true;
        onlooker.open();
    }

    /// Text of the open link.
    fn name(&mut self, text: &str) {
        if let Some(anchor) = self.links.last_mut() {
            let text = text.trim_ascii_start();
            anchor.is_named |= !text.is_empty();
            anchor.is_next |= is_next_word(text);
        }
    }

    fn alternative(&mut self, tag: &Tag<'a>, onlooker: &mut impl Onlooker<'a>) {
        let Some(alt) = tag.attribute("alt") else { return };
        onlooker.alternative(&alt);
        self.name(&alt);
    }

    /// Ends the open link.
    fn close(&mut self, onlooker: &mut impl Onlooker<'a>) {
        if let Some(anchor) = self.links.last_mut().filter(|_| self.open) {
            anchor.is_named = onlooker.close(anchor.is_named);
        }
        self.open = false;
    }

    /// Takes up what a page says beside its text: its canonical form, its neighbours in a list, itself in other
    /// languages.
    fn link_element(&mut self, tag: &Tag<'a>, onlooker: &mut impl Onlooker<'a>) {
        let Some(rel) = tag.attribute("rel") else { return };
        if self.canonical.is_none() && has_word(&rel, "canonical") {
            self.canonical = tag.attribute("href").filter(|href| !href.trim().is_empty());
        }
        if has_word(&rel, "alternate") && self.feeds.len() < MOST_FEEDS {
            self.feed(tag);
        }
        if directive::leads_on(&rel, tag.attribute("hreflang").is_some()) {
            self.close(onlooker);
            self.link(tag, "href", onlooker);
            self.close(onlooker);
        }
    }

    /// Takes up a feed of the page.
    fn feed(&mut self, tag: &Tag<'a>) {
        let [href, media] = tag.two_attributes(["href", "type"]);
        let media = media.unwrap_or_default();
        let media = media.split(';').next().unwrap_or_default().trim();
        if FEED_TYPES.iter().any(|feed| media.eq_ignore_ascii_case(feed)) {
            self.feeds.extend(href.filter(|href| can_be_fetched(href)));
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
            } else {
                self.head.equivalent(name, &content);
            }
        }
    }
}

/// Whether a list of words between white space has this one.
fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
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
