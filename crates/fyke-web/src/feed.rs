//! Feeds (003 §3.4, figure 3.9): RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed become one [`Feed`]. Feeds are written by
//! hand and by old programs as often as by good ones, so the reader takes what it can get: it works on the scanner
//! that reads pages, and stops at limits of bytes, items and lengths. Never fails; what is no feed gives none.

mod date;
mod json;
mod xml;

pub use date::{feed_time, iso_time};

use crate::html::{HtmlToken, Scanner, text_of};
use crate::read::directive;
use crate::{Capture, Url, charset};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a feed that are read.
pub const MOST_BYTES: usize = 16 << 20;
/// Items that are read, from the first on: feeds put the newest first.
pub const MOST_ITEMS: usize = 10_000;
/// Longest text of an item, and longest title, name or address, in bytes.
const MOST_TEXT: usize = 1 << 20;
const MOST_LINE: usize = 2_048;
/// Files that go with one item, and hubs of one feed.
const MOST_ENCLOSURES: usize = 8;
const MOST_HUBS: usize = 4;
/// How far into a file its first element is looked for.
const HEAD: usize = 4_096;

/// Which kind of feed it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedKind {
    Rss,
    /// RSS 0.90 and 1.0.
    Rdf,
    Atom,
    Json,
}

impl FeedKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FeedKind::Rss => "RSS",
            FeedKind::Rdf => "RSS 1.0",
            FeedKind::Atom => "Atom",
            FeedKind::Json => "JSON Feed",
        }
    }
}

/// A feed: documents of one source with their times (003 "document feed").
#[derive(Clone, Debug, PartialEq)]
pub struct Feed {
    pub kind: FeedKind,
    pub title: String,
    /// The page that it belongs to.
    pub home: Option<Url>,
    /// What it says of when to come again.
    pub rhythm: FeedRhythm,
    /// Where it says that it stands (`rel=self`), by which hubs know it.
    pub own: Option<Url>,
    /// Hubs that tell of news (WebSub).
    pub hubs: Vec<Url>,
    pub items: Vec<FeedItem>,
    /// There are more items than are read, or the file breaks off.
    pub is_cut: bool,
}

/// When a feed wants to be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedRhythm {
    /// Minutes for which what was read is good: `ttl`, or the period of `sy:updatePeriod`.
    pub ttl: Option<u32>,
    /// Hours of the day (GMT) without news, a bit each from midnight on.
    pub skip_hours: u32,
    /// Days of the week without news, a bit each from Monday on.
    pub skip_days: u8,
}

/// One document of a feed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedItem {
    /// What it is known by, as the feed writes it; empty where it has none.
    pub guid: String,
    /// Its page.
    pub link: Option<Url>,
    pub title: String,
    pub author: String,
    /// When it was published and changed, in seconds since 1970.
    pub published: Option<i64>,
    pub updated: Option<i64>,
    /// HTML.
    pub summary: String,
    /// HTML: all of the document, where the feed has it.
    pub content: String,
    pub enclosures: Vec<Enclosure>,
}

/// A file that goes with an item: an episode of a podcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    pub url: Url,
    /// Media type.
    pub media: String,
}

impl FeedItem {
    /// What it is known by: its guid, or else its page, or else its title.
    #[must_use]
    pub fn key(&self) -> &str {
        let link = self.link.as_ref().map_or("", Url::as_str);
        [&*self.guid, link].into_iter().find(|key| !key.is_empty()).unwrap_or(&self.title)
    }

    /// The page, or else the first file.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        self.link.as_ref().or_else(|| self.enclosures.first().map(|file| &file.url))
    }

    /// All of its text that the feed has, as HTML.
    #[must_use]
    pub fn text(&self) -> &str {
        if self.content.is_empty() { &self.summary } else { &self.content }
    }

    /// When it was written or last changed, in seconds since 1970.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        self.published.max(self.updated)
    }

    /// A hash of what it says: another one is another version.
    #[must_use]
    pub fn print(&self) -> u64 {
        xxh3_64(format!("{}\n{}\n{}", self.title, self.summary, self.content).as_bytes())
    }

    /// Whether there is something to keep.
    fn is_something(&self) -> bool {
        self.url().is_some() || !(self.title.is_empty() && self.text().is_empty())
    }
}

impl Feed {
    fn new(kind: FeedKind) -> Feed {
        Feed {
            kind,
            title: String::new(),
            home: None,
            rhythm: FeedRhythm::default(),
            own: None,
            hubs: Vec::new(),
            items: Vec::new(),
            is_cut: false,
        }
    }

    /// Takes hubs and its own address from Link headers, which count for more than what stands in the feed (WebSub, 4).
    fn take_headers(&mut self, capture: &Capture) {
        let links = directive::header_links(capture.header_values("link"));
        let named = |word: &'static str| {
            let links = links.iter().filter(move |link| link.is(word));
            links.filter_map(|link| capture.url.join(link.target).ok())
        };
        let hubs: Vec<Url> = named("hub").take(MOST_HUBS).collect();
        if !hubs.is_empty() {
            self.hubs = hubs;
        }
        if let Some(own) = named("self").next() {
            self.own = Some(own);
        }
    }

    /// Keeps one item of each key and page: the newest, or the first where nothing says so. A guid that stands on
    /// different pages lies, and tells nothing.
    fn keep_distinct(&mut self) {
        let mut places = std::collections::HashMap::new();
        let mut kept: Vec<FeedItem> = Vec::with_capacity(self.items.len());
        for item in std::mem::take(&mut self.items) {
            let key = (item.key().to_owned(), item.url().map(Url::id));
            match places.get(&key) {
                Some(&at) => {
                    let before: &mut FeedItem = &mut kept[at];
                    if item.time() > before.time() {
                        *before = item;
                    }
                }
                None => {
                    places.insert(key, kept.len());
                    kept.push(item);
                }
            }
        }
        self.items = kept;
    }
}

/// Reads a feed found at `base`; none where the bytes are no feed. Junk before its first element is passed over.
#[must_use]
pub fn read(bytes: &[u8], content_type: Option<&str>, base: &Url) -> Option<Feed> {
    let cut = &bytes[..bytes.len().min(MOST_BYTES)];
    let mut text = charset::read(Cow::Borrowed(cut), content_type).text;
    if text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{') {
        return json::read(&text, base);
    }
    if xml::root(&text).is_none() && std::str::from_utf8(cut).is_ok() {
        // It is not in the encoding that it names.
        text = String::from_utf8_lossy(cut);
    }
    let mut feed = xml::read(&text, base)?;
    feed.is_cut |= bytes.len() > MOST_BYTES;
    feed.keep_distinct();
    Some(feed)
}

/// Reads the feed that a capture holds.
#[must_use]
pub fn of_capture(capture: &Capture) -> Option<Feed> {
    let (body, is_cut) = capture.body(MOST_BYTES);
    let mut feed = read(&body, capture.header("content-type"), &capture.url)?;
    feed.is_cut |= is_cut || capture.truncated.is_some();
    feed.take_headers(capture);
    Some(feed)
}

/// Whether a capture holds a feed, by its media type and its first bytes. For most pages it is enough to look at the
/// type.
#[must_use]
pub fn is_feed(capture: &Capture) -> bool {
    let named = capture.header("content-type").unwrap_or_default();
    let may_be = ["xml", "rss", "atom", "json", "rdf"].iter().any(|word| named.contains(word));
    let is_unnamed = named.is_empty() || named.starts_with("text/plain");
    if !capture.has_content() || !(may_be || is_unnamed) || named.contains("xhtml") {
        return false;
    }
    let (head, _) = capture.body(HEAD);
    let text = charset::read(head, Some(named)).text;
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    match start.as_bytes().first() {
        Some(b'{') => json::names_itself(start),
        Some(b'<') => xml::begins(start),
        _ => false,
    }
}

/// The text of HTML, on one line: what a title or a name means that may have markup in it.
#[must_use]
pub fn plain(html: &str) -> String {
    let mut out = String::new();
    for token in Scanner::xml(html) {
        match token {
            HtmlToken::Text(text) => out.push_str(&text_of(text)),
            HtmlToken::Cdata(text) => out.push_str(text),
            _ => {}
        }
        if out.len() > MOST_LINE {
            break;
        }
    }
    one_line(&out)
}

/// Text on one line, cut.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if !word.is_empty() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if line.len() > MOST_LINE {
            break;
        }
    }
    line.truncate(line.floor_char_boundary(MOST_LINE));
    line
}

/// A person without their mail address: "ana@a.test (Ana)" and "Ana <ana@a.test>" are Ana.
fn person(text: &str) -> String {
    let inside = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    match inside {
        Some((name, _)) if text.contains('@') => one_line(name),
        _ => {
            let words = text.split_whitespace().filter(|word| !word.contains('@'));
            one_line(&words.collect::<Vec<_>>().join(" "))
        }
    }
}

#[cfg(test)]
mod tests;
