//! Sitemaps: urlset, index and plain text; feeds of links are read by the same rule (003 §3.2.3).
//! Read as a stream, so memory is bounded by the entries kept.

use crate::{Url, capture, charset};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::borrow::Cow;

/// Longest text of one element that is kept.
const MOST_FIELD: usize = 4_096;

/// What a sitemap lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sitemap {
    /// Pages.
    pub urls: Vec<SitemapUrl>,
    /// Further sitemaps, when this is an index.
    pub sitemaps: Vec<Url>,
}

/// One `<url>` of a sitemap.
#[derive(Clone, Debug, PartialEq)]
pub struct SitemapUrl {
    pub url: Url,
    /// `lastmod` as written.
    pub modified: Option<String>,
    /// `priority`, 0 to 1.
    pub priority: Option<f32>,
}

/// Takes gzip off a sitemap that has it (by its first bytes), at most `limit` bytes.
#[must_use]
pub fn unpacked(bytes: &[u8], limit: usize) -> Cow<'_, [u8]> {
    if bytes.starts_with(b"\x1F\x8B") {
        return Cow::Owned(capture::gunzip(bytes, limit).0);
    }
    Cow::Borrowed(&bytes[..bytes.len().min(limit)])
}

/// Reads a sitemap (XML, or text with a URL a line), at most `most` entries. Never fails.
#[must_use]
pub fn parse(text: &[u8], base: &Url, most: usize) -> Sitemap {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let text = match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(charset::decode(text, None).0),
    };
    if text.trim_start().starts_with('<') {
        from_xml(&text, base, most)
    } else {
        let urls = text.lines().filter_map(|line| Url::parse(line.trim()).ok());
        let plain = |url| SitemapUrl { url, modified: None, priority: None };
        Sitemap { urls: urls.map(plain).take(most).collect(), sitemaps: Vec::new() }
    }
}

/// The fields of the entry now read.
#[derive(Default)]
struct Entry {
    location: String,
    modified: String,
    priority: String,
}

impl Entry {
    /// The field that an element fills; names of extensions have a prefix and fill none.
    fn field(&mut self, element: &str) -> Option<&mut String> {
        match element {
            "loc" => Some(&mut self.location),
            "lastmod" => Some(&mut self.modified),
            "priority" => Some(&mut self.priority),
            _ => None,
        }
    }

    fn finish(self, base: &Url) -> Option<SitemapUrl> {
        let url =
            base.join(self.location.trim()).ok().filter(|_| !self.location.trim().is_empty())?;
        let modified = Some(self.modified.trim().to_owned()).filter(|m| !m.is_empty());
        let priority = self.priority.trim().parse().ok().filter(|p| (0.0..=1.0).contains(p));
        Some(SitemapUrl { url, modified, priority })
    }
}

fn from_xml(text: &str, base: &Url, most: usize) -> Sitemap {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut found = Sitemap::default();
    let mut entry = Entry::default();
    let mut element = String::new();
    // An error ends the reading; what came before it counts.
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(start) => {
                element.clear();
                element.push_str(start.name().as_ref());
                if matches!(element.as_str(), "url" | "sitemap") {
                    entry = Entry::default();
                }
            }
            Event::End(end) => {
                match end.name().as_ref() {
                    "url" => found.urls.extend(std::mem::take(&mut entry).finish(base)),
                    "sitemap" => {
                        let named = std::mem::take(&mut entry).finish(base);
                        found.sitemaps.extend(named.map(|entry| entry.url));
                    }
                    _ => {}
                }
                element.clear();
                if found.urls.len() + found.sitemaps.len() >= most {
                    break;
                }
            }
            other => add_text(&other, entry.field(&element)),
        }
    }
    found
}

/// Text comes in pieces, cut at each reference.
fn add_text(event: &Event<'_>, field: Option<&mut String>) {
    let Some(field) = field.filter(|field| field.len() < MOST_FIELD) else { return };
    match event {
        Event::Text(text) => push_bounded(field, text),
        Event::CData(text) => push_bounded(field, text),
        Event::GeneralRef(name) => match name.resolve_char_ref() {
            Ok(Some(character)) => field.push(character),
            _ => match name.as_ref() {
                "amp" => field.push('&'),
                "lt" => field.push('<'),
                "gt" => field.push('>'),
                "quot" => field.push('"'),
                "apos" => field.push('\''),
                _ => {}
            },
        },
        _ => {}
    }
}

fn push_bounded(field: &mut String, text: &str) {
    field.push_str(&text[..text.floor_char_boundary(MOST_FIELD)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn base() -> Url {
        Url::parse("http://a.test/sitemap.xml").unwrap()
    }

    fn check(text: &str, urls: &[&str], sitemaps: &[&str]) {
        let found = parse(text.as_bytes(), &base(), 100);
        let found_urls: Vec<_> = found.urls.iter().map(|entry| entry.url.as_str()).collect();
        let found_maps: Vec<_> = found.sitemaps.iter().map(Url::as_str).collect();
        assert_eq!((found_urls.as_slice(), found_maps.as_slice()), (urls, sitemaps), "{text}");
    }

    #[test]
    fn pages_and_further_sitemaps_are_listed() {
        check(
            "<?xml version='1.0'?><urlset><url><loc> http://a.test/x?a=1&amp;b=2 </loc></url>\
             <url><loc><![CDATA[http://a.test/y]]></loc></url><url></url></urlset>",
            &["http://a.test/x?a=1&b=2", "http://a.test/y"],
            &[],
        );
        check(
            "<sitemapindex><sitemap><loc>/more.xml.gz</loc></sitemap></sitemapindex>",
            &[],
            &["http://a.test/more.xml.gz"],
        );
        check(
            "http://a.test/1\r\nnot a url\nhttp://a.test/2\n",
            &["http://a.test/1", "http://a.test/2"],
            &[],
        );
        check(
            "<urlset><url><loc>http://a.test/x?a=1&b=2</loc></url>",
            &["http://a.test/x?a=1&b=2"],
            &[],
        );
        check(
            "<urlset><url><loc>http://a.test/x</loc>\
             <image:image><image:loc>/i.png</image:loc></image:image></url>",
            &["http://a.test/x"],
            &[],
        );
        check(
            "<urlset><url><loc>http://a.test/x</loc></url><url><loc>http://a.t",
            &["http://a.test/x"],
            &[],
        );
        check("", &[], &[]);
    }

    #[test]
    fn time_and_priority_are_kept() {
        let text = "<url><loc>/x</loc><lastmod>2024-05-01</lastmod><priority>0.8</priority></url>\
                    <url><loc>/y</loc><priority>7</priority></url>";
        let found = parse(text.as_bytes(), &base(), 100).urls;
        assert_eq!(found[0].modified.as_deref(), Some("2024-05-01"));
        assert_eq!((found[0].priority, found[1].priority), (Some(0.8), None));
        assert_eq!(found[1].modified, None);
    }

    #[test]
    fn no_more_entries_than_asked_for_are_read() {
        let text = "<url><loc>/x</loc></url>".repeat(50);
        assert_eq!(parse(text.as_bytes(), &base(), 7).urls.len(), 7);
        assert_eq!(parse("http://a.test/\n".repeat(50).as_bytes(), &base(), 7).urls.len(), 7);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>, markup in "[<>/urlocsitemap&;!\\[\\]C-]{0,200}") {
            let _ = parse(&bytes, &base(), 10);
            let _ = unpacked(&bytes, 1_000);
            prop_assert!(parse(markup.as_bytes(), &base(), 10).urls.len() <= 10);
        }
    }
}
