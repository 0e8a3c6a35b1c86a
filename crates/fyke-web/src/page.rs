//! A parsed capture: links with their anchor texts, title, directives and decoded content. Parsing never fails.

use crate::html::{Tag, TagName, fold_into};
use crate::read::{LinkKind, Onlooker, OpenCapture, Outlink, Outlinks};
use crate::refine::CommentZones;
use crate::rights::RightsReader;
use crate::{Rights, Url};

/// Longest anchor text, in characters.
const MOST_ANCHOR: usize = 200;

/// A link out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as found, resolved against the page's base.
    pub url: Url,
    /// Its anchor text (or alt text), white space folded, at most 200 characters.
    pub anchor: String,
    /// `rel=nofollow` (or ugc, sponsored) stands on it.
    pub nofollow: bool,
    pub kind: LinkKind,
    /// It leads to the next page of a list.
    pub is_next: bool,
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
    /// Its content encoding could not be taken off.
    Undecoded,
    /// Its content encoding breaks off before its end.
    Short,
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

/// What a format gives: its text as simple markup, and what it says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// Markup of a few elements: h1–h6, p, ul/ol/li, table/tr/td/th, pre, b, i, a href, section
    /// data-page="N" around each page of a paged format. Text escaped.
    pub markup: String,
    pub title: String,
    pub author: String,
    /// ISO 8601, as far as it is known ("2024-03-05" or "2024-03-05T10:00:00Z").
    pub date: String,
    /// BCP 47 tag in lower case if the format says it.
    pub language: String,
    /// Something was cut at a limit, damaged or could not be read (a reason for people, lower
    /// case); empty when all is well.
    pub trouble: String,
}

impl Converted {
    /// Nothing but a reason.
    #[must_use]
    pub fn failed(trouble: &str) -> Converted {
        Converted { trouble: trouble.to_owned(), ..Converted::default() }
    }

    /// With a reason on top, if it says something.
    #[must_use]
    pub fn with_trouble(mut self, trouble: &str) -> Converted {
        if !trouble.is_empty() && !self.trouble.is_empty() {
            self.trouble.push_str("; ");
        }
        self.trouble.push_str(trouble);
        self
    }
}

/// A capture that has been read whole: the second state of a page.
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
    /// What it says of its use.
    pub rights: Rights,
    pub notes: Vec<Note>,
}

impl OpenCapture<'_> {
    /// Reads it whole. Never fails; trouble becomes notes.
    #[must_use]
    pub fn page(self) -> Page {
        let OpenCapture { capture, mut said, content } = self;
        let is_html = said.format == Format::Html;
        let rights = RightsReader::new(Rights::by_headers(capture), &capture.url);
        let zones = if is_html { CommentZones::of(&content) } else { None };
        let mut witness = Witness { texts: Vec::new(), rights, is_html, zones };
        let Outlinks { targets, order, kinds } = said.read(&capture.url, &content, &mut witness);
        let link = |((target, nth), kind): ((Outlink, u32), LinkKind)| {
            let Outlink { url, nofollow, is_next } = target;
            let text = witness.texts.get_mut(nth as usize);
            let anchor = text.map(std::mem::take).unwrap_or_default();
            Link { url, anchor, nofollow, kind, is_next }
        };
        Page {
            format: said.format,
            content: content.into_owned(),
            charset: said.charset,
            title: said.title,
            author: said.author,
            date: said.date,
            trouble: said.trouble,
            links: targets.into_iter().zip(order).zip(kinds).map(link).collect(),
            canonical: said.canonical,
            noindex: said.noindex,
            nofollow: said.nofollow,
            refresh: said.refresh,
            declared_language: said.declared_language,
            lists_pages: said.lists_pages,
            rights: witness.rights.finish(),
            notes: said.notes,
        }
    }
}

/// Sees the anchor texts of all links, and what is said of the page's use.
#[derive(Debug)]
struct Witness<'u> {
    texts: Vec<String>,
    rights: RightsReader<'u>,
    /// What was made of other formats says nothing of their use.
    is_html: bool,
    /// Where readers comment.
    zones: Option<CommentZones>,
}

impl Witness<'_> {
    /// Four bytes a character at most; cut to characters when the link closes.
    fn add(&mut self, text: &str) {
        if let Some(anchor) = self.texts.last_mut() {
            fold_into(anchor, text, 4 * MOST_ANCHOR);
        }
    }
}

impl<'a> Onlooker<'a> for Witness<'_> {
    fn tag(&mut self, tag: &Tag<'a>) {
        if self.is_html {
            self.rights.tag(tag);
        }
        if let Some(zones) = &mut self.zones {
            zones.start(tag);
        }
    }

    fn end(&mut self, tag: TagName) {
        if let Some(zones) = &mut self.zones {
            zones.end(tag);
        }
    }

    fn text(&mut self, text: &'a str) {
        if let Some(zones) = &mut self.zones {
            zones.text(text);
        }
    }

    fn kind(&self) -> LinkKind {
        match self.zones.as_ref().is_some_and(CommentZones::is_inside) {
            true => LinkKind::Comment,
            false => LinkKind::Content,
        }
    }

    fn raw(&mut self, name: TagName, text: &'a str) {
        if self.is_html {
            self.rights.raw(name, text);
        }
    }

    fn open(&mut self) {
        self.texts.push(String::new());
    }

    fn anchor(&mut self, text: &'a str) {
        self.add(text);
        self.text(text);
    }

    /// As a word of its own.
    fn alternative(&mut self, text: &str) {
        [" ", text, " "].iter().for_each(|text| self.add(text));
    }

    fn close(&mut self, is_named: bool) -> bool {
        let Some(anchor) = self.texts.last_mut() else { return is_named };
        if let Some((cut, _)) = anchor.char_indices().nth(MOST_ANCHOR) {
            anchor.truncate(cut);
        }
        anchor.truncate(anchor.trim_end().len());
        !anchor.is_empty()
    }
}
