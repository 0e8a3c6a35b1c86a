//! Sitemaps: urlset, index, plain text and feeds (003 §3.2.3), read as they come and written.

mod stream;
mod write;

pub use stream::SitemapStream;
pub use write::{files, index};

use crate::Url;
use crate::capture::gunzip;
use crate::read::lists_pages;
use encoding_rs::UTF_8;
use std::borrow::Cow;

/// Bytes that are given to the stream at a time.
const STEP: usize = 65_536;

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
    /// `changefreq`.
    pub change: Option<ChangeFrequency>,
}

/// How often a page is said to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeFrequency {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

/// The words of `changefreq`.
const CHANGES: [(&str, ChangeFrequency); 7] = [
    ("always", ChangeFrequency::Always),
    ("hourly", ChangeFrequency::Hourly),
    ("daily", ChangeFrequency::Daily),
    ("weekly", ChangeFrequency::Weekly),
    ("monthly", ChangeFrequency::Monthly),
    ("yearly", ChangeFrequency::Yearly),
    ("never", ChangeFrequency::Never),
];

impl ChangeFrequency {
    /// As a sitemap writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        CHANGES.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }
}

/// What a stream gives.
#[derive(Clone, Debug, PartialEq)]
pub enum SitemapEntry {
    Page(SitemapUrl),
    /// A further sitemap; priority and change say nothing.
    Sitemap(SitemapUrl),
}

/// Reads a sitemap (XML, text with a URL a line, or either in gzip), at most `most` entries. Never
/// fails.
#[must_use]
pub fn parse(text: &[u8], base: &Url, most: usize) -> Sitemap {
    let mut found = Sitemap::default();
    let mut left = most;
    let mut take = |entry: SitemapEntry| {
        if left > 0 {
            left -= 1;
            match entry {
                SitemapEntry::Page(page) => found.urls.push(page),
                SitemapEntry::Sitemap(further) => found.sitemaps.push(further.url),
            }
        }
        left > 0
    };
    let mut stream = SitemapStream::new(base);
    for step in text.chunks(STEP) {
        if !stream.feed(step, &mut take) {
            return found;
        }
    }
    stream.finish(&mut take);
    found
}

/// Bytes by which a list of URLs is known, and lines of them.
const HEAD: usize = 4_096;
const HEAD_LINES: usize = 20;

/// Whether these bytes are a sitemap or a feed, in gzip or not, or a text with a URL on every line.
#[must_use]
pub fn is_sitemap(bytes: &[u8]) -> bool {
    let head = match bytes.starts_with(b"\x1F\x8B") {
        true => Cow::Owned(gunzip(bytes, HEAD).0),
        false => Cow::Borrowed(&bytes[..bytes.len().min(HEAD)]),
    };
    let (text, ..) = UTF_8.decode(&head);
    if text.trim_start().starts_with('<') {
        return lists_pages(&text);
    }
    // The last line of a head may be cut.
    let whole =
        if head.len() < HEAD { &text } else { text.rsplit_once('\n').map_or("", |(t, _)| t) };
    let mut lines =
        whole.lines().filter(|line| !line.trim().is_empty()).take(HEAD_LINES).peekable();
    lines.peek().is_some() && lines.all(|line| Url::parse(line.trim()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

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
        check(
            "<rss><channel><link>/home</link><item><title>x</title><link>/x</link></item></channel>",
            &["http://a.test/x"],
            &[],
        );
        check(
            "<feed><link href='/'/><entry><link rel='self' href='/no'/><link href='/x&amp;y'/></entry>",
            &["http://a.test/x&y"],
            &[],
        );
    }

    #[test]
    fn time_and_priority_are_kept() {
        let text = "<url><loc>/x</loc><lastmod>2024-05-01</lastmod><priority>0.8</priority></url>\
                    <url><loc>/y</loc><priority>7</priority></url>";
        let found = parse(text.as_bytes(), &base(), 100).urls;
        assert_eq!(found[0].modified.as_deref(), Some("2024-05-01"));
        assert_eq!((found[0].priority, found[1].priority), (Some(0.8), None));
        assert_eq!((found[1].modified.as_deref(), found[1].change), (None, None));
        let text = "<url><loc>/x</loc><changefreq> Weekly </changefreq></url>";
        assert_eq!(
            parse(text.as_bytes(), &base(), 100).urls[0].change,
            Some(ChangeFrequency::Weekly)
        );
    }

    #[test]
    fn no_more_entries_than_asked_for_are_read() {
        let text = "<url><loc>/x</loc></url>".repeat(50);
        assert_eq!(parse(text.as_bytes(), &base(), 7).urls.len(), 7);
        assert_eq!(parse("http://a.test/\n".repeat(50).as_bytes(), &base(), 7).urls.len(), 7);
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// The entries of a stream that is fed `step` bytes at a time.
    fn streamed(bytes: &[u8], step: usize) -> Vec<SitemapEntry> {
        let mut found = Vec::new();
        let mut stream = SitemapStream::new(&base());
        let mut take = |entry| {
            found.push(entry);
            true
        };
        bytes.chunks(step).for_each(|step| _ = stream.feed(step, &mut take));
        stream.finish(&mut take);
        found
    }

    #[test]
    fn gzip_and_other_encodings_are_read() {
        let text = "<url><loc>/x</loc></url>".repeat(700);
        assert_eq!(parse(&gzip(text.as_bytes()), &base(), 10_000).urls.len(), 700);
        let (half, whole) = (gzip(text.as_bytes()), parse(text.as_bytes(), &base(), 10_000));
        assert!(parse(&half[..half.len() - 9], &base(), 10_000).urls.len() <= 700);
        let members = [gzip(text.as_bytes()), gzip(text.as_bytes())].concat();
        assert_eq!(parse(&members, &base(), 10_000).urls.len(), 1_400);
        let wide: Vec<u8> = "\u{FEFF}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(parse(&wide, &base(), 10_000), whole);
        let latin = b"<?xml version='1.0' encoding='ISO-8859-2'?><url><loc>/\xBE</loc></url>";
        assert_eq!(parse(latin, &base(), 9).urls[0].url.as_str(), "http://a.test/%C5%BE");
    }

    #[test]
    fn lists_of_urls_are_known_by_their_first_bytes() {
        let check = |bytes: &[u8], expected: bool| {
            assert_eq!(is_sitemap(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        };
        let maps = [
            "<?xml version='1.0'?><!-- made by x --><urlset xmlns='x'><url>",
            "<sitemapindex>",
            "<?xml version='1.0'?><rss version='2.0'><channel>",
            "<feed xmlns='http://www.w3.org/2005/Atom'>",
            "<rdf:RDF xmlns:rdf='x'>",
            "http://a.test/1\r\n\r\n https://b.test/2 \n",
        ];
        for map in maps {
            check(map.as_bytes(), true);
            check(&gzip(map.as_bytes()), true);
        }
        check("http://a.test/some/page\n".repeat(300).as_bytes(), true);
        let wide: Vec<u8> = "\u{FEFF}<urlset>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&wide, true);
        for page in ["", "<!DOCTYPE html><p>http://a.test/", "<html><urlset>", "See http://a.test/"]
        {
            check(page.as_bytes(), false);
        }
        check("http://a.test/1\nand some words\n".as_bytes(), false);
        check(&gzip(b"\0\x01"), false);
        check(b"\x1F\x8B junk", false);
    }

    #[test]
    fn memory_does_not_grow_with_the_file() {
        let mut stream = SitemapStream::new(&base());
        let mut found = 0;
        let mut take = |_| {
            found += 1;
            true
        };
        let entry = b"<url><loc>http://a.test/some/page</loc><x>".to_vec();
        let entry = [entry, vec![b' '; 500_000], b"</x></url>".to_vec()].concat();
        for _ in 0..20 {
            entry.chunks(10_000).for_each(|step| _ = stream.feed(step, &mut take));
            assert!(stream.kept() < 400_000, "{} bytes kept", stream.kept());
        }
        stream.finish(&mut take);
        assert_eq!(found, 20);
    }

    #[test]
    fn what_is_written_is_read_again_in_files_within_the_limits() {
        let page = |n: usize| SitemapUrl {
            url: Url::parse(&format!("http://a.test/?a={n}&b='<")).unwrap(),
            modified: Some("2024-05-01".into()).filter(|_| n.is_multiple_of(2)),
            priority: Some(0.25).filter(|_| n.is_multiple_of(3)),
            change: Some(ChangeFrequency::Daily).filter(|_| n.is_multiple_of(5)),
        };
        let check = |count: usize, expected: usize| {
            let pages: Vec<SitemapUrl> = (0..count).map(page).collect();
            let files: Vec<String> = files(pages.clone()).collect();
            assert_eq!(files.len(), expected, "{count} pages");
            let read = files.iter().flat_map(|file| parse(file.as_bytes(), &base(), count).urls);
            assert!(read.eq(pages), "{count} pages");
        };
        check(0, 1);
        check(7, 1);
        check(50_001, 2);
        let names = [Url::parse("http://a.test/1.xml?a&b").unwrap(), base()];
        assert_eq!(parse(index(&names).as_bytes(), &base(), 9).sitemaps, names);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn how_the_bytes_are_cut_does_not_matter(
            pages in prop::collection::vec("[a-z0-9&;>\\[\\]č -]{0,30}|<!-- <url><loc>no</loc></url><url> -->", 0..200),
            step in 1usize..3_000, packed: bool, plain: bool,
        ) {
            let of = |page: &String| if plain { format!("http://a.test/{page}\n") } else {
                format!("<url><loc>http://a.test/{page}</loc></url>\n")
            };
            let text: String = pages.iter().map(of).collect();
            let bytes = if packed { gzip(text.as_bytes()) } else { text.clone().into_bytes() };
            prop_assert!(streamed(&bytes, step) == streamed(text.as_bytes(), usize::MAX));
        }

        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>, markup in "[<>/urlocsitemap&;!\\[\\]C-]{0,200}") {
            let _ = parse(&bytes, &base(), 10);
            prop_assert!(parse(markup.as_bytes(), &base(), 10).urls.len() <= 10);
        }
    }
}
