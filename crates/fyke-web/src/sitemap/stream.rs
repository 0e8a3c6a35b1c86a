//! Sitemaps as a stream: bytes go in as they come, entries come out, and of what lies between only
//! the entry now read is kept, so that a sitemap of 50 MB costs no more memory than a small one.
//!
//! Gzip comes off by the first bytes. Bytes become text, and text is handed to the scanner up to
//! the end of the last whole entry; what follows waits for more.

use super::{CHANGES, SitemapEntry, SitemapUrl};
use crate::Url;
use crate::html::{HtmlToken, Scanner, Tag, TagName, name, value_of};
use encoding_rs::{Decoder, Encoding, UTF_8};
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// The protocol's limit on a sitemap without its gzip; what comes after it is passed over.
const MOST_BYTES: usize = 50 << 20;
/// Bytes that tell gzip and the encoding.
const HEAD: usize = 256;
/// Packed bytes taken at a time: a byte of gzip becomes a thousand at most.
const PACKED_STEP: usize = 128;
/// Text that may wait for the end of its entry.
const MOST_WAITING: usize = 131_072;
/// Text that must have come before it is worth looking for the end of an entry.
const WORTH_READING: usize = 4_096;
/// Longest text of one element that is kept.
const MOST_FIELD: usize = 4_096;

/// Reads a sitemap piece by piece.
#[derive(Debug)]
pub struct SitemapStream {
    base: Url,
    source: TextSource,
    /// Bytes of text still taken.
    room: usize,
    /// Text whose entry has not ended.
    waiting: String,
    /// How much of it has been looked through.
    searched: usize,
    /// Whether it is XML, as far as is known.
    xml: Option<bool>,
    entry: EntryFields,
    /// The element now open.
    element: TagName,
    stopped: bool,
}

/// From bytes to text.
enum TextSource {
    /// Too few bytes have come to tell what it is.
    Head(Vec<u8>),
    Plain(Decoder),
    Packed(Box<MultiGzDecoder<Vec<u8>>>, Option<Decoder>),
}

impl std::fmt::Debug for TextSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TextSource::Head(_) => "Head",
            TextSource::Plain(_) => "Plain",
            TextSource::Packed(..) => "Packed",
        })
    }
}

const URL: TagName = name("url");
const SITEMAP: TagName = name("sitemap");
const ITEM: TagName = name("item");
const ENTRY: TagName = name("entry");
const LINK: TagName = name("link");
const LOC: TagName = name("loc");

/// What ends an entry, as it is searched for.
const ENDS: [&[u8]; 4] = [b"</url>", b"</sitemap>", b"</item>", b"</entry>"];

/// The fields of the entry now read.
#[derive(Debug, Default)]
struct EntryFields {
    location: String,
    modified: String,
    priority: String,
    change: String,
}

impl EntryFields {
    /// The field that an element fills; names of extensions have a prefix and fill none.
    fn field(&mut self, element: TagName) -> Option<&mut String> {
        const MODIFIED: [TagName; 4] =
            [name("lastmod"), name("pubdate"), name("updated"), name("dc:date")];
        match element {
            LOC | LINK => Some(&mut self.location),
            _ if MODIFIED.contains(&element) => Some(&mut self.modified),
            _ if element == name("priority") => Some(&mut self.priority),
            _ if element == name("changefreq") => Some(&mut self.change),
            _ => None,
        }
    }

    fn finish(&self, base: &Url) -> Option<SitemapUrl> {
        let location = Some(self.location.trim()).filter(|location| !location.is_empty())?;
        let change = self.change.trim();
        Some(SitemapUrl {
            url: base.join(location).ok()?,
            modified: Some(self.modified.trim().to_owned()).filter(|m| !m.is_empty()),
            priority: self.priority.trim().parse().ok().filter(|p| (0.0..=1.0).contains(p)),
            change: CHANGES.iter().find(|c| c.0.eq_ignore_ascii_case(change)).map(|c| c.1),
        })
    }
}

impl SitemapStream {
    /// A sitemap found at `base`.
    #[must_use]
    pub fn new(base: &Url) -> SitemapStream {
        SitemapStream {
            base: base.clone(),
            source: TextSource::Head(Vec::new()),
            room: MOST_BYTES,
            waiting: String::new(),
            searched: 0,
            xml: None,
            entry: EntryFields::default(),
            element: 0,
            stopped: false,
        }
    }

    /// Takes the next bytes and gives the entries that end in them. `take` says whether it wants
    /// more; so does this: once it says no, there is nothing more to come.
    pub fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(SitemapEntry) -> bool) -> bool {
        if let TextSource::Head(head) = &mut self.source {
            head.extend_from_slice(bytes);
            if head.len() >= HEAD {
                self.begin(take);
            }
        } else {
            self.decode(bytes, false, take);
        }
        !self.stopped && self.room > 0
    }

    /// Gives what was waiting for more.
    pub fn finish(mut self, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        if matches!(self.source, TextSource::Head(_)) {
            self.begin(take);
        }
        self.decode(&[], true, take);
        let rest = std::mem::take(&mut self.waiting);
        self.xml = self.xml.or_else(|| is_xml(&rest));
        self.read(&rest, take);
    }

    /// Bytes kept now: what the promise of bounded memory is about.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        let EntryFields { location, modified, priority, change } = &self.entry;
        [&self.waiting, location, modified, priority, change].map(String::capacity).iter().sum()
    }

    /// Looks at the head, and reads it.
    fn begin(&mut self, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        let TextSource::Head(head) = &mut self.source else { return };
        let head = std::mem::take(head);
        self.source = if head.starts_with(b"\x1F\x8B") {
            TextSource::Packed(Box::new(MultiGzDecoder::new(Vec::new())), None)
        } else {
            TextSource::Plain(decoder(&head))
        };
        self.decode(&head, false, take);
    }

    fn decode(&mut self, bytes: &[u8], last: bool, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        let source = std::mem::replace(&mut self.source, TextSource::Head(Vec::new()));
        self.source = match source {
            TextSource::Plain(mut decoder) => {
                self.text(&mut decoder, bytes, last, take);
                TextSource::Plain(decoder)
            }
            TextSource::Packed(mut unpacked, mut decoder) => {
                // A broken stream gives what came before the break.
                for step in bytes.chunks(PACKED_STEP) {
                    let whole = unpacked.write_all(step).and_then(|()| unpacked.flush()).is_ok();
                    self.unpacked(unpacked.get_mut(), &mut decoder, false, take);
                    if !whole {
                        self.room = 0;
                    }
                    if self.stopped || self.room == 0 {
                        break;
                    }
                }
                if last {
                    // An end without its sum is an end all the same.
                    let _ = unpacked.try_finish();
                    self.unpacked(unpacked.get_mut(), &mut decoder, true, take);
                }
                TextSource::Packed(unpacked, decoder)
            }
            head @ TextSource::Head(_) => head,
        };
    }

    /// Reads what gzip has given.
    fn unpacked(
        &mut self,
        bytes: &mut Vec<u8>,
        known: &mut Option<Decoder>,
        last: bool,
        take: &mut dyn FnMut(SitemapEntry) -> bool,
    ) {
        if known.is_none() && bytes.len() < HEAD && !last {
            return;
        }
        let decoder = known.get_or_insert_with(|| decoder(bytes));
        self.text(decoder, bytes, last, take);
        bytes.clear();
    }

    /// Turns bytes into text and reads as much of it as is whole.
    fn text(
        &mut self,
        decoder: &mut Decoder,
        bytes: &[u8],
        last: bool,
        take: &mut dyn FnMut(SitemapEntry) -> bool,
    ) {
        let mut rest = &bytes[..bytes.len().min(self.room)];
        self.room -= rest.len();
        while !self.stopped {
            let step = &rest[..rest.len().min(MOST_WAITING / 4)];
            rest = &rest[step.len()..];
            self.waiting.reserve(decoder.max_utf8_buffer_length(step.len()).unwrap_or_default());
            let _ = decoder.decode_to_string(step, &mut self.waiting, last && rest.is_empty());
            self.read_whole(take);
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Reads what waits, up to the end of the last whole entry or line.
    fn read_whole(&mut self, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        if self.waiting.len() < self.searched + WORTH_READING {
            return;
        }
        self.xml = self.xml.or_else(|| is_xml(&self.waiting));
        let Some(xml) = self.xml else { return self.waiting.clear() };
        let bytes = self.waiting.as_bytes();
        let whole = if xml { end_of_last_entry(bytes) } else { end_of_last_line(bytes) };
        let end = match whole {
            Some(end) => end,
            None if bytes.len() < MOST_WAITING => {
                self.searched = bytes.len();
                return;
            }
            // An entry too long to wait for: its fields are kept, its tags are whole.
            None if xml => memchr::memrchr(b'<', bytes).filter(|at| *at > 0).unwrap_or(bytes.len()),
            None => bytes.len(),
        };
        let mut waiting = std::mem::take(&mut self.waiting);
        self.read(&waiting[..end], take);
        waiting.drain(..end);
        (self.waiting, self.searched) = (waiting, 0);
    }

    fn read(&mut self, text: &str, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        if self.xml == Some(true) {
            self.read_xml(text, take);
            return;
        }
        for url in text.split(['\n', '\r']).filter_map(|line| Url::parse(line.trim()).ok()) {
            let plain = SitemapUrl { url, modified: None, priority: None, change: None };
            self.stopped = self.stopped || !take(SitemapEntry::Page(plain));
        }
    }

    fn read_xml(&mut self, text: &str, take: &mut dyn FnMut(SitemapEntry) -> bool) {
        for token in Scanner::xml(text) {
            match token {
                _ if self.stopped => return,
                HtmlToken::Start(tag) => self.start(&tag),
                HtmlToken::End(name) => {
                    self.element = 0;
                    self.stopped = !self.end(name).is_none_or(&mut *take);
                }
                HtmlToken::Text(text) => self.add(&value_of(text)),
                HtmlToken::Cdata(text) => self.add(text),
                HtmlToken::Raw(..) => {}
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        self.element = tag.name;
        if [URL, SITEMAP, ITEM, ENTRY].contains(&tag.name) {
            self.entry = EntryFields::default();
        } else if tag.name == LINK
            && let Some(href) = tag.attribute("href")
            && tag.attribute("rel").is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"))
        {
            // Atom names its page in an attribute.
            self.entry.location.clear();
            self.add(&href);
        }
    }

    fn end(&mut self, name: TagName) -> Option<SitemapEntry> {
        if ![URL, SITEMAP, ITEM, ENTRY].contains(&name) {
            return None;
        }
        let entry = std::mem::take(&mut self.entry).finish(&self.base)?;
        Some(if name == SITEMAP { SitemapEntry::Sitemap(entry) } else { SitemapEntry::Page(entry) })
    }

    fn add(&mut self, text: &str) {
        let Some(field) = self.entry.field(self.element) else { return };
        let room = MOST_FIELD.saturating_sub(field.len());
        field.push_str(&text[..text.floor_char_boundary(room)]);
    }
}

/// The decoder of what begins like this: by BOM, XML declaration, else UTF-8.
fn decoder(head: &[u8]) -> Decoder {
    let encoding = match Encoding::for_bom(head) {
        Some((encoding, _)) => encoding,
        None => crate::charset::prescan(&head[..head.len().min(HEAD)]).unwrap_or(UTF_8),
    };
    encoding.new_decoder_with_bom_removal()
}

/// Whether the text begins with markup; none while there is only white space.
fn is_xml(text: &str) -> Option<bool> {
    text.trim_start().bytes().next().map(|b| b == b'<')
}

/// Where the last whole entry ends, but not inside a comment.
fn end_of_last_entry(bytes: &[u8]) -> Option<usize> {
    let last = |end: &[u8]| memchr::memmem::rfind(bytes, end).map(|at| at + end.len());
    let end = ENDS.iter().filter_map(|end| last(end)).max()?;
    let comment = memchr::memmem::rfind(&bytes[..end], b"<!--");
    let open = comment.filter(|&at| memchr::memmem::find(&bytes[at..end], b"-->").is_none());
    Some(open.unwrap_or(end)).filter(|&end| end > 0)
}

fn end_of_last_line(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr2(b'\n', b'\r', bytes).map(|at| at + 1)
}
