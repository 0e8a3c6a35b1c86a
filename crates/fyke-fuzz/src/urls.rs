//! URLs, robots.txt, sitemaps and feeds.

use crate::{first_line, text};
use fyke_web::feed::{self, Feed};
use fyke_web::sitemap::{self, Sitemap, SitemapEntry, SitemapStream};
use fyke_web::{Robots, Url};

/// The first line is a URL, the rest a link found there.
pub fn url(bytes: &[u8]) {
    let (line, rest) = first_line(bytes);
    let (line, link) = (text(line), text(rest));
    // Behind a blank no URL is plain: the long way must lead to the same place.
    let base = Url::parse(&line);
    assert_eq!(base, Url::parse(&format!(" {line}")), "the short and the long way differ: {line}");
    if let Ok(stored) = Url::stored(&line) {
        whole(&stored);
    }
    let base = base.unwrap_or_else(|_| Url::parse("https://a.test/d/e?f").expect("a URL"));
    let joined = base.join(&link);
    assert_eq!(joined, base.join(&format!(" {link}")), "the two ways differ: {link} on {base}");
    if let Ok(joined) = joined {
        whole(&joined);
    }
}

/// What holds for every URL.
fn whole(url: &Url) {
    assert!(url.as_str().len() <= 2_048, "{url}");
    assert_eq!(Url::stored(url.as_str()).as_ref(), Ok(url), "a URL reads back");
    assert_eq!(url.path_and_query().split('?').next(), Some(url.path()));
    assert!(
        url.authority().starts_with(url.host()) && url.host().ends_with(url.registrable_domain())
    );
    let normal = Url::stored(&url.normal()).expect("a normal form is a URL");
    assert_eq!(normal.normal(), url.normal(), "a normal form is its own: {url}");
    assert_eq!(normal.id(), url.id(), "{url}");
    if !url.is_file() {
        let robots = url.at("/robots.txt").expect("a host has a robots.txt");
        assert_eq!((robots.authority(), robots.port()), (url.authority(), url.port()));
    }
}

/// The first line is a path, the rest a robots.txt.
pub fn robots(bytes: &[u8]) {
    let (path, file) = first_line(bytes);
    let path = format!("/{}", text(path));
    let robots = Robots::parse(file, "fyke");
    assert!(robots.check("/robots.txt").allowed);
    let verdict = robots.check(&path);
    assert!(verdict.allowed || verdict.rule.is_some());
    assert_eq!(verdict.rule.is_some(), verdict.line.is_some());
    assert!(verdict.line.is_none_or(|line| line <= file.len() + 1));
    assert!(robots.crawl_delay.is_none_or(|delay| delay.as_secs() <= 86_400));
    if !file.contains(&b'\r') {
        let ended: Vec<u8> =
            file.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
        assert_eq!(Robots::parse(&ended, "fyke"), robots, "line ends of another kind");
    }
}

const MOST: usize = 50;

/// The first byte says how large the pieces are, the rest is a sitemap.
pub fn sitemap(bytes: &[u8]) {
    let Some((step, file)) = bytes.split_first() else { return };
    let base = Url::parse("http://a.test/d/sitemap.xml").expect("a URL");
    let whole = sitemap::parse(file, &base, MOST);
    assert_eq!(in_pieces(file, &base, usize::from(*step).max(1)), whole, "cut in another way");
    let written: Vec<String> = sitemap::files(whole.urls.iter().cloned()).collect();
    assert_eq!(written.len(), 1);
    let again = sitemap::parse(written[0].as_bytes(), &base, MOST);
    let places =
        |sitemap: &Sitemap| sitemap.urls.iter().map(|entry| entry.url.clone()).collect::<Vec<_>>();
    assert_eq!(places(&again), places(&whole), "written and read back");
    let index = sitemap::parse(sitemap::index(&whole.sitemaps).as_bytes(), &base, MOST);
    assert_eq!(index.sitemaps, whole.sitemaps);
}

fn in_pieces(file: &[u8], base: &Url, step: usize) -> Sitemap {
    let (mut found, mut left) = (Sitemap::default(), MOST);
    let mut take = |entry| {
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
    if file.chunks(step).all(|piece| stream.feed(piece, &mut take)) {
        stream.finish(&mut take);
    }
    found
}

/// A feed: what is read of it is bounded, and the same when it is read again.
pub fn feed(bytes: &[u8]) {
    let base = Url::parse("http://a.test/d/feed.xml").expect("a URL");
    let read = || feed::read(bytes, None, &base);
    let Some(found) = read() else { return };
    assert_eq!(read().as_ref(), Some(&found), "read twice");
    let Feed { items, hubs, title, .. } = &found;
    assert!(items.len() <= feed::MOST_ITEMS && hubs.len() <= 4);
    let lines = items.iter().flat_map(|item| [&item.title, &item.author, &item.guid]);
    for line in lines.chain([title]) {
        assert!(!line.contains(['\n', '\0']), "a line: {line:?}");
    }
    // Escaping may lengthen a text.
    let most = 6 * bytes.len() + 64;
    assert!(items.iter().all(|item| item.text().len() <= most), "text out of nothing");
}
