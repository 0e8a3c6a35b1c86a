//! From an opened capture to what it says of itself and where it leads: what a page and a skim have
//! in common. Reading never fails; trouble becomes notes. Whoever wants more of the text looks on ([`Onlooker`]),
//! so that nothing is copied that nobody asked for.

pub(crate) mod directive;
mod gather;
mod links;
mod next;
mod query;

pub use gather::MOST_LINKS;
pub(crate) use gather::{Onlooker, PageHead};
pub(crate) use links::Outlinks;
pub use links::{LinkKind, Outlink};

use crate::capture::Came;
use crate::html::{HtmlToken, Scanner, TagName, name};
use crate::page::{Converted, Format, Note};
use crate::{Capture, Url, charset};
use directive::HeaderLink;
use gather::Gathered;
use query::in_charset;
use std::borrow::Cow;

/// Longest title, author or trouble of a format other than HTML, in bytes.
const MOST_NAME: usize = 500;
/// Longest date.
const MOST_DATE: usize = 32;

/// Roots of XML that only names pages.
const LISTS: &[TagName] =
    &[name("rss"), name("feed"), name("RDF"), name("urlset"), name("sitemapindex"), name("opml")];

/// What a capture says of itself. The members are those of [`crate::Page`].
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) format: Format,
    pub(crate) charset: &'static str,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) date: String,
    pub(crate) trouble: String,
    pub(crate) canonical: Option<Url>,
    pub(crate) noindex: bool,
    pub(crate) nofollow: bool,
    pub(crate) refresh: Option<Url>,
    pub(crate) feeds: Vec<Url>,
    pub(crate) declared_language: Option<String>,
    pub(crate) lists_pages: bool,
    pub(crate) notes: Vec<Note>,
    /// Links of the headers.
    header_links: Vec<Outlink>,
}

/// A capture whose format is known and whose encodings are off: what it holds (markup included), and what headers
/// and format say of it. `fyke_formats::open` makes one of any capture; from here it becomes a
/// [`crate::Page`] or a [`crate::Skim`].
#[derive(Debug)]
pub struct OpenCapture<'a> {
    pub(crate) capture: &'a Capture,
    pub(crate) said: Said,
    pub(crate) content: Cow<'a, str>,
}

impl<'a> OpenCapture<'a> {
    /// Its text, markup and all.
    #[must_use]
    pub fn markup(&self) -> &str {
        &self.content
    }

    /// A body of text in this format. `came` says how the body came out of its content encoding.
    #[must_use]
    pub fn text(capture: &'a Capture, format: Format, body: Cow<'a, [u8]>, came: Came) -> Self {
        let mut said = Said::by_headers(capture, format, came);
        let content = said.decode(body, capture.header("content-type"));
        said.lists_pages = format == Format::Xml && lists_pages(&content);
        OpenCapture { capture, said, content }
    }

    /// What the reader of the format of this name made of a body. Where it gave no text, there is none to be taken.
    #[must_use]
    pub fn converted(
        capture: &'a Capture,
        format: &'static str,
        converted: Converted,
        came: Came,
    ) -> Self {
        let mut said = Said::by_headers(capture, Format::Converted(format), came);
        let content = Cow::Owned(said.convert(converted));
        OpenCapture { capture, said, content }
    }

    /// A body of no known format.
    #[must_use]
    pub fn unknown(capture: &'a Capture, came: Came) -> Self {
        let mut said = Said::by_headers(capture, Format::Other, came);
        said.notes.push(Note::Format);
        OpenCapture { capture, said, content: Cow::Borrowed("") }
    }
}

/// Whether XML only names pages, by its root.
pub(crate) fn lists_pages(xml: &str) -> bool {
    let root = |token| match token {
        HtmlToken::Start(tag) => Some(tag.name),
        _ => None,
    };
    Scanner::local(xml).find_map(root).is_some_and(|root| LISTS.contains(&root))
}

fn came_through(capture: &Capture, came: Came) -> Option<Note> {
    match came {
        // Of an answer that broke off the encoding breaks off too.
        _ if capture.truncated.is_some() => Some(Note::Cut),
        Came::Whole => None,
        Came::Cut => Some(Note::Cut),
        Came::Short => Some(Note::Short),
        Came::Broken => Some(Note::Undecoded),
    }
}

/// A text in one line of so many bytes.
fn one_line(text: &str, most: usize) -> String {
    let cut = &text[..text.floor_char_boundary(most)];
    cut.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Said {
    /// What the headers alone say, and how the body came.
    fn by_headers(capture: &Capture, format: Format, came: Came) -> Said {
        let robots = directive::robots_header(capture.header_values("x-robots-tag"));
        let resolve = |link: &str| capture.url.join(link).ok();
        let links = directive::header_links(capture.header_values("link"));
        let canonical = links.iter().find(|link| link.is("canonical"));
        let outlink = |link: &HeaderLink<'_>| {
            let (url, is_next) = (resolve(link.target)?, link.is("next"));
            Some(Outlink { url, nofollow: false, is_next })
        };
        Said {
            format,
            charset: encoding_rs::UTF_8.name(),
            title: String::new(),
            author: String::new(),
            date: String::new(),
            trouble: String::new(),
            canonical: canonical.and_then(|link| resolve(link.target)),
            header_links: links.iter().filter(|link| link.leads_on()).filter_map(outlink).collect(),
            noindex: robots.noindex,
            nofollow: robots.nofollow,
            refresh: capture.header("refresh").and_then(directive::refresh).and_then(resolve),
            feeds: Vec::new(),
            declared_language: capture.header("content-language").and_then(directive::language),
            lists_pages: false,
            notes: came_through(capture, came).into_iter().collect(),
        }
    }

    fn decode<'a>(&mut self, body: Cow<'a, [u8]>, content_type: Option<&str>) -> Cow<'a, str> {
        let decoded = charset::read(body, content_type);
        if decoded.guessed {
            self.notes.push(Note::CharsetGuessed);
        }
        if decoded.replaced {
            self.notes.push(Note::CharsetReplaced);
        }
        self.charset = decoded.charset;
        decoded.text
    }

    /// Takes over what a format gives; its markup comes back. What gives no text is none to take text
    /// from.
    fn convert(&mut self, converted: Converted) -> String {
        let Converted { markup, title, author, date, language, trouble } = converted;
        if markup.is_empty() {
            self.notes.push(Note::Format);
            self.format = Format::Other;
        } else if !trouble.is_empty() {
            self.notes.push(Note::Damaged);
        }
        self.title = one_line(&title, MOST_NAME);
        self.author = one_line(&author, MOST_NAME);
        self.date = one_line(&date, MOST_DATE);
        if !language.is_empty() {
            self.declared_language = directive::language(&language);
        }
        self.trouble = one_line(&trouble, MOST_NAME);
        markup
    }

    /// Reads the content, if it is markup, and adds what that says; gives the links.
    pub(crate) fn read<'a>(
        &mut self,
        url: &Url,
        content: &'a str,
        onlooker: &mut impl Onlooker<'a>,
    ) -> Outlinks {
        let mut links = match self.format {
            Format::Html | Format::Converted(_) => self.add(gather::gather(content, onlooker), url),
            Format::Text | Format::Xml | Format::Other => Outlinks::default(),
        };
        self.header_links.drain(..).for_each(|link| links.add(link));
        links
    }

    /// Adds what the markup says; where both speak, the markup names canonical, refresh and language.
    fn add(&mut self, found: Gathered<'_>, url: &Url) -> Outlinks {
        let base = found.base.and_then(|href| url.join(&href).ok());
        let base = base.as_ref().unwrap_or(url);
        let charset = self.charset;
        let resolve = |link: &str| base.join(&in_charset(link, charset)).ok();
        self.canonical = found.canonical.as_deref().and_then(resolve).or(self.canonical.take());
        self.refresh = found.refresh.as_deref().and_then(resolve).or(self.refresh.take());
        self.feeds = found.feeds.iter().filter_map(|feed| resolve(feed)).collect();
        self.take_head(found.head);
        self.noindex |= found.robots.noindex;
        self.nofollow |= found.robots.nofollow;
        if found.over_limit {
            self.notes.push(Note::Limit);
        }
        Outlinks::distinct(found.links, (base, charset), url)
    }

    /// Takes the title and the language that the markup tells.
    pub(crate) fn take_head(&mut self, head: PageHead) {
        if self.title.is_empty() {
            self.title = head.title;
        }
        self.declared_language = head.language.or(self.declared_language.take());
    }
}
