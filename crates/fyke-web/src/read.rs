//! From a capture to what it says of itself and where it leads: what a page, a skim and neighbourhoods have in
//! common. Reading never fails; trouble becomes notes. Whoever wants more of the text looks on ([`Onlooker`]),
//! so that nothing is copied that nobody asked for.

mod directive;
mod gather;
mod links;

pub(crate) use gather::Onlooker;
pub use links::Outlink;
pub(crate) use links::Outlinks;

use crate::capture::Came;
use crate::formats::{self, Conversion, Converted, Source};
use crate::html::{Name, Scanner, Token, name};
use crate::page::{Format, Note};
use crate::{Capture, Url, charset};
use gather::Gathered;
use std::borrow::Cow;

/// Most bytes of a decoded body that are read.
const MOST_BYTES: usize = 16 << 20;
/// Longest title, author or trouble of a format other than HTML, in bytes.
const MOST_NAME: usize = 500;
/// Longest date.
const MOST_DATE: usize = 32;

/// Roots of XML that only names pages.
const LISTS: &[Name] =
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
    pub(crate) declared_language: Option<String>,
    pub(crate) lists_pages: bool,
    pub(crate) notes: Vec<Note>,
}

/// Finds out the format and takes off all encodings: what headers and format say, and the content (markup
/// included), which is that of [`crate::Page`].
pub(crate) fn open(capture: &Capture) -> (Said, Cow<'_, str>) {
    let content_type = capture.header("content-type");
    // What came as it is fits in memory already; only what is packed may grow.
    let (mut body, mut came) = capture.unpacked(MOST_BYTES.max(capture.payload.len()));
    let extension = formats::extension(capture.url.path());
    let found = formats::detect(&body, content_type, &extension);
    let mut said = Said::by_headers(capture, found.map_or(Format::Other, |row| row.format));
    // A package must be whole to be read; of text the head will do.
    if found.is_none_or(|row| row.is_text) && body.len() > MOST_BYTES {
        body = head(body);
        came = Came::Cut;
    }
    match came {
        // Of an answer that broke off the encoding breaks off too.
        _ if capture.truncated.is_some() => said.notes.push(Note::Cut),
        Came::Whole => {}
        Came::Cut => said.notes.push(Note::Cut),
        Came::Broken => said.notes.push(Note::Undecoded),
    }
    let content = match (said.format, found) {
        (Format::Converted(_), Some(row)) => {
            let source = Source { bytes: &body, content_type, extension: &extension };
            Cow::Owned(said.convert(row, &source))
        }
        (Format::Other, _) | (_, None) => {
            said.notes.push(Note::Format);
            Cow::Borrowed("")
        }
        _ => said.decode(body, content_type),
    };
    said.lists_pages = said.format == Format::Xml && lists_pages(&content);
    (said, content)
}

/// As much of a text as is read.
fn head(body: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match body {
        Cow::Borrowed(body) => Cow::Borrowed(&body[..MOST_BYTES]),
        Cow::Owned(mut body) => {
            body.truncate(MOST_BYTES);
            Cow::Owned(body)
        }
    }
}

fn lists_pages(xml: &str) -> bool {
    let root = |token| match token {
        Token::Start(tag) => Some(tag.name),
        _ => None,
    };
    Scanner::local(xml).find_map(root).is_some_and(|root| LISTS.contains(&root))
}

/// A text in one line of so many bytes.
fn one_line(text: &str, most: usize) -> String {
    let cut = &text[..text.floor_char_boundary(most)];
    cut.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Said {
    /// What the headers alone say.
    fn by_headers(capture: &Capture, format: Format) -> Said {
        let robots = directive::robots_header(capture.header_values("x-robots-tag"));
        let resolve = |link: &str| capture.url.join(link).ok();
        Said {
            format,
            charset: encoding_rs::UTF_8.name(),
            title: String::new(),
            author: String::new(),
            date: String::new(),
            trouble: String::new(),
            canonical: directive::canonical_header(capture.header_values("link")).and_then(resolve),
            noindex: robots.noindex,
            nofollow: robots.nofollow,
            refresh: capture.header("refresh").and_then(directive::refresh).and_then(resolve),
            declared_language: capture.header("content-language").and_then(directive::language),
            lists_pages: false,
            notes: Vec::new(),
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
    fn convert(&mut self, row: &Conversion, source: &Source<'_>) -> String {
        let Converted { markup, title, author, date, language, trouble } = row.convert(source);
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
        match self.format {
            Format::Html | Format::Converted(_) => self.add(gather::gather(content, onlooker), url),
            Format::Text | Format::Xml | Format::Other => Outlinks::default(),
        }
    }

    /// Adds what the markup says; where both speak, the markup names canonical, refresh and language.
    fn add(&mut self, found: Gathered<'_>, url: &Url) -> Outlinks {
        let base = found.base.and_then(|href| url.join(&href).ok());
        let base = base.as_ref().unwrap_or(url);
        let resolve = |link: &str| base.join(link).ok();
        if self.title.is_empty() {
            self.title = found.title;
        }
        self.canonical = found.canonical.as_deref().and_then(resolve).or(self.canonical.take());
        self.refresh = found.refresh.as_deref().and_then(resolve).or(self.refresh.take());
        self.declared_language = found.language.or(self.declared_language.take());
        self.noindex |= found.robots.noindex;
        self.nofollow |= found.robots.nofollow;
        if found.over_limit {
            self.notes.push(Note::Limit);
        }
        Outlinks::distinct(found.links, base)
    }
}
