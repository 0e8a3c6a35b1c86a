//! A parsed capture: links, title, directives and decoded content. Parsing never fails.

mod directive;
mod gather;
mod neighbourhood;

pub use neighbourhood::{Neighbourhood, Neighbourhoods};

use crate::capture::Came;
use crate::formats::{self, Conversion, Converted, Source};
use crate::html::{Name, Scanner, Token, name};
use crate::{Capture, Url, charset, fingerprint};
use fyke_text::fingerprint::{Fingerprint, Words};
use fyke_text::{Hashed, each_word};
use gather::{Gathered, Piece, Wanted};
use neighbourhood::Place;
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Most bytes of a decoded body that are read.
pub const MOST_BYTES: usize = 16 << 20;
/// Longest title, author or trouble of a format other than HTML, in bytes.
const MOST_NAME: usize = 500;
/// Longest date.
const MOST_DATE: usize = 32;
/// Most links that are taken from one page.
pub const MOST_LINKS: usize = 10_000;

/// A link out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as found, resolved against the page's base.
    pub url: Url,
    /// Its anchor text (or alt text), white space folded, at most 200 characters.
    pub anchor: String,
    /// `rel=nofollow` (or ugc, sponsored) stands on it.
    pub nofollow: bool,
}

/// Trouble met while parsing; kept, counted and shown, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// The body was cut at a limit.
    Cut,
    /// The encoding had to be guessed.
    CharsetGuessed,
    /// Bytes that the encoding does not have were replaced.
    CharsetReplaced,
    /// Nesting or link count went over a limit; the rest was passed over.
    Limit,
    /// Not a format that text can be taken from.
    Format,
    /// Of what it is made of, something was damaged or cut at a limit.
    Damaged,
    /// Its content encoding could not be taken off, or not to the end.
    Undecoded,
}

/// What the page is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Html,
    Text,
    Xml,
    /// One that became simple markup, by its name.
    Converted(&'static str),
    Other,
}

impl Format {
    /// Its name in the table of formats; empty for what is in none.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Text => "text",
            Format::Xml => "xml",
            Format::Converted(name) => name,
            Format::Other => "",
        }
    }
}

/// A capture that has been read: the second state of a page.
#[derive(Clone, Debug)]
pub struct Page {
    pub format: Format,
    /// Decoded content (markup included), or the markup that it was converted to; empty when the
    /// format is `Other`.
    pub content: String,
    /// WHATWG name of the encoding.
    pub charset: &'static str,
    pub title: String,
    /// Who wrote it, and when (ISO 8601), where the format itself says so; else empty.
    pub author: String,
    pub date: String,
    /// What could not be converted, in words; empty when all is well.
    pub trouble: String,
    /// Links in document order, each target once (the first with an anchor text wins).
    pub links: Vec<Link>,
    /// `<link rel=canonical>` or the Link header's, resolved.
    pub canonical: Option<Url>,
    /// Meta robots or X-Robots-Tag forbid indexing ("none" counts).
    pub noindex: bool,
    /// Meta robots or X-Robots-Tag forbid following links.
    pub nofollow: bool,
    /// `<meta http-equiv=refresh>` target, resolved.
    pub refresh: Option<Url>,
    /// Language the page claims (html lang, Content-Language), lower case.
    pub declared_language: Option<String>,
    /// It is XML that only names pages: a feed, a sitemap, an outline.
    pub lists_pages: bool,
    pub notes: Vec<Note>,
}

/// Roots of XML that only names pages.
const LISTS: &[Name] =
    &[name("rss"), name("feed"), name("RDF"), name("urlset"), name("sitemapindex"), name("opml")];

/// Reads a capture. Never fails; trouble becomes notes.
#[must_use]
pub fn parse(capture: &Capture) -> Page {
    let (page, content, _) = read(capture, Wanted::Anchors, |_| {});
    Page { content: content.into_owned(), ..page }
}

/// As [`parse`] but without content and anchor texts, for those who only want to know where a page
/// leads: nothing of it is copied.
#[must_use]
pub fn parse_bare(capture: &Capture) -> Page {
    read(capture, Wanted::Nothing, |_| {}).0
}

/// As [`parse_bare`], with the page's fingerprint, for which a page of HTML is not scanned again.
#[must_use]
pub fn parse_with_fingerprint(capture: &Capture) -> (Page, Fingerprint) {
    let (page, found, _) = with_fingerprint(capture, Wanted::Nothing);
    (page, found)
}

/// As [`parse_with_fingerprint`], with what stands around each link.
#[must_use]
pub fn parse_with_neighbourhoods(capture: &Capture) -> (Page, Fingerprint, Neighbourhoods) {
    with_fingerprint(capture, Wanted::Neighbourhoods)
}

fn with_fingerprint(capture: &Capture, wanted: Wanted) -> (Page, Fingerprint, Neighbourhoods) {
    let mut words = Words::default();
    let (page, content, around) = read(capture, wanted, |piece| match piece {
        Piece::Text(part) | Piece::Anchor(part) => words.add(part),
        Piece::Link | Piece::Alternative(_) => {}
    });
    let found = match page.format {
        Format::Html | Format::Converted(_) => words.finish(),
        format => fingerprint(format, &content),
    };
    (page, found, around)
}

/// Words outside links that are shown all; of what follows, one piece of text of so many.
const SHOWN: u32 = 400;
const EVERY: u32 = 8;

/// What a reader of a page meets, word by word.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A link begins.
    Link,
    /// A word with its hash …
    Word(u64, &'a str),
    /// … of the link that was met last: of its anchor, or of what stands for an image there.
    Anchor(u64, &'a str),
}

/// As [`parse_with_fingerprint`], and `see` is shown the links and the words of the page: of markup, those
/// of all links, the first 400 words outside them, and from there on those of every eighth piece of text,
/// which are enough to judge it by. The last list says which of the links met each of the page's links is: of
/// those with one target, the first that has a name.
#[must_use]
pub fn parse_seen(
    capture: &Capture,
    mut see: impl FnMut(Seen<'_>),
) -> (Page, Fingerprint, Vec<u32>) {
    let (mut words, mut pieces, mut shown) = (Words::default(), 0_u32, 0);
    let (page, content, around) = read(capture, Wanted::Nothing, |piece| match piece {
        Piece::Link => see(Seen::Link),
        Piece::Text(part) => {
            pieces += 1;
            let before = words.count();
            match shown < SHOWN || pieces.is_multiple_of(EVERY) {
                true => words.add_seen(part, |hash, word| see(Seen::Word(hash, word))),
                false => words.add(part),
            }
            shown += words.count() - before;
        }
        Piece::Anchor(part) => words.add_seen(part, |hash, word| see(Seen::Anchor(hash, word))),
        Piece::Alternative(text) => each_word(text, |hash, word| see(Seen::Anchor(hash, word))),
    });
    if matches!(page.format, Format::Text | Format::Xml) {
        each_word(&content, |hash, word| see(Seen::Word(hash, word)));
    }
    let found = match page.format {
        Format::Html | Format::Converted(_) => words.finish(),
        format => fingerprint(format, &content),
    };
    (page, found, around.order())
}

/// The page without its content, and that, and what stands around its links if it is wanted.
fn read<'a>(
    capture: &'a Capture,
    wanted: Wanted,
    see: impl FnMut(Piece<'_>),
) -> (Page, Cow<'a, str>, Neighbourhoods) {
    let content_type = capture.header("content-type");
    // What came as it is fits in memory already; only what is packed may grow.
    let (mut body, mut came) = capture.unpacked(MOST_BYTES.max(capture.payload.len()));
    let extension = formats::extension(capture.url.path());
    let found = formats::detect(&body, content_type, &extension);
    let mut page = with_headers(capture, found.map_or(Format::Other, |row| row.format));
    // A package must be whole to be read; of text the head will do.
    if found.is_none_or(|row| row.is_text) && body.len() > MOST_BYTES {
        body = head(body);
        came = Came::Cut;
    }
    match came {
        // Of an answer that broke off the encoding breaks off too.
        _ if capture.truncated.is_some() => page.notes.push(Note::Cut),
        Came::Whole => {}
        Came::Cut => page.notes.push(Note::Cut),
        Came::Broken => page.notes.push(Note::Undecoded),
    }
    let content = match (page.format, found) {
        (Format::Converted(_), Some(row)) => {
            let source = Source { bytes: &body, content_type, extension: &extension };
            Cow::Owned(convert(&mut page, row, &source))
        }
        (Format::Other, _) | (_, None) => {
            page.notes.push(Note::Format);
            Cow::Borrowed("")
        }
        _ => decode(&mut page, body, content_type),
    };
    let mut around = Neighbourhoods::default();
    if matches!(page.format, Format::Html | Format::Converted(_)) {
        around = take_over(&mut page, gather::gather(&content, wanted, see), &capture.url);
    }
    page.lists_pages = page.format == Format::Xml && lists_pages(&content);
    (page, content, around)
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

fn decode<'a>(page: &mut Page, body: Cow<'a, [u8]>, content_type: Option<&str>) -> Cow<'a, str> {
    let decoded = charset::read(body, content_type);
    if decoded.guessed {
        page.notes.push(Note::CharsetGuessed);
    }
    if decoded.replaced {
        page.notes.push(Note::CharsetReplaced);
    }
    page.charset = decoded.charset;
    decoded.text
}

/// Takes over what a format gives; its markup comes back. What gives no text is none to take text
/// from.
fn convert(page: &mut Page, row: &Conversion, source: &Source<'_>) -> String {
    let Converted { markup, title, author, date, language, trouble } = row.convert(source);
    if markup.is_empty() {
        page.notes.push(Note::Format);
        page.format = Format::Other;
    } else if !trouble.is_empty() {
        page.notes.push(Note::Damaged);
    }
    page.title = one_line(&title, MOST_NAME);
    page.author = one_line(&author, MOST_NAME);
    page.date = one_line(&date, MOST_DATE);
    if !language.is_empty() {
        page.declared_language = directive::language(&language);
    }
    page.trouble = one_line(&trouble, MOST_NAME);
    markup
}

/// A text in one line of so many bytes.
fn one_line(text: &str, most: usize) -> String {
    let cut = &text[..text.floor_char_boundary(most)];
    cut.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the headers alone say.
fn with_headers(capture: &Capture, format: Format) -> Page {
    let robots = directive::robots_header(capture.header_values("x-robots-tag"));
    let resolve = |link: &str| capture.url.join(link).ok();
    Page {
        format,
        content: String::new(),
        charset: encoding_rs::UTF_8.name(),
        title: String::new(),
        author: String::new(),
        date: String::new(),
        trouble: String::new(),
        links: Vec::new(),
        canonical: directive::canonical_header(capture.header_values("link")).and_then(resolve),
        noindex: robots.noindex,
        nofollow: robots.nofollow,
        refresh: capture.header("refresh").and_then(directive::refresh).and_then(resolve),
        declared_language: capture.header("content-language").and_then(directive::language),
        lists_pages: false,
        notes: Vec::new(),
    }
}

/// Adds what the markup says; where both speak, the markup names canonical, refresh and language.
fn take_over(page: &mut Page, found: Gathered<'_>, url: &Url) -> Neighbourhoods {
    let base = found.base.and_then(|href| url.join(&href).ok());
    let base = base.as_ref().unwrap_or(url);
    let resolve = |link: &str| base.join(link).ok();
    if page.title.is_empty() {
        page.title = found.title;
    }
    page.canonical = found.canonical.as_deref().and_then(resolve).or(page.canonical.take());
    page.refresh = found.refresh.as_deref().and_then(resolve).or(page.refresh.take());
    page.declared_language = found.language.or(page.declared_language.take());
    page.noindex |= found.robots.noindex;
    page.nofollow |= found.robots.nofollow;
    if found.over_limit {
        page.notes.push(Note::Limit);
    }
    let (links, places) = distinct(found.links, base);
    page.links = links;
    Neighbourhoods::new(found.around.map(|around| around.text).unwrap_or_default(), places)
}

/// Resolves the links and keeps each target once, by its first link that has a name. A target linked
/// twice may be followed if one of its links may. Each place stands with the number of its link.
fn distinct(found: Vec<gather::Anchor<'_>>, base: &Url) -> (Vec<Link>, Vec<(u32, Place)>) {
    let mut links: Vec<Link> = Vec::with_capacity(found.len());
    let mut places: Vec<(u32, Place)> = Vec::with_capacity(found.len());
    // Where in the lists a target stands, by what it is written as and by what that resolves to, and
    // whether the link there has a name. A target is most often written as it was before.
    let mut known: Hashed<usize> = Hashed::default();
    let mut named: Vec<bool> = Vec::with_capacity(found.len());
    known.reserve(2 * found.len());
    for (anchor, nth) in found.into_iter().zip(0..) {
        let written = xxh3_64(anchor.href.as_bytes());
        let at = match known.get(&written) {
            Some(&at) => at,
            None => {
                let Ok(url) = base.join(&anchor.href) else { continue };
                let at = *known.entry(xxh3_64(url.as_str().as_bytes())).or_insert(links.len());
                known.insert(written, at);
                if at == links.len() {
                    links.push(Link { url, anchor: anchor.text, nofollow: anchor.nofollow });
                    places.push((nth, anchor.place));
                    named.push(anchor.is_named);
                    continue;
                }
                at
            }
        };
        links[at].nofollow &= anchor.nofollow;
        if anchor.is_named && !named[at] {
            (links[at].anchor, places[at], named[at]) = (anchor.text, (nth, anchor.place), true);
        }
    }
    (links, places)
}
