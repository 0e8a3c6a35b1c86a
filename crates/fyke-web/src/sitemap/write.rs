//! Sitemaps written: files within the protocol's limits, and the index that names them (003 §3.2.3).

use super::SitemapUrl;
use crate::Url;
use crate::escape::escape;
use std::fmt::Write;

/// The protocol's limits on a file.
const MOST_URLS: usize = 50_000;
const MOST_BYTES: usize = 50 << 20;
const OPENING: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const CLOSING: &str = "</urlset>\n";

/// The text of one sitemap after the other, until all entries are listed. One file only is in
/// memory at a time; without entries there is one, empty.
pub fn files(entries: impl IntoIterator<Item = SitemapUrl>) -> impl Iterator<Item = String> {
    let mut entries = entries.into_iter().peekable();
    let mut begun = false;
    std::iter::from_fn(move || {
        if entries.peek().is_none() && begun {
            return None;
        }
        begun = true;
        let mut text = format!("{OPENING}<urlset xmlns=\"{NAMESPACE}\">\n");
        let mut listed = 0;
        while let Some(entry) = entries.peek() {
            let line = line(entry);
            if listed == MOST_URLS || text.len() + line.len() + CLOSING.len() > MOST_BYTES {
                break;
            }
            text.push_str(&line);
            listed += 1;
            entries.next();
        }
        text.push_str(CLOSING);
        Some(text)
    })
}

/// The index of further sitemaps; the protocol allows 50,000, and the rest is left out.
#[must_use]
pub fn index<'a>(sitemaps: impl IntoIterator<Item = &'a Url>) -> String {
    let mut text = format!("{OPENING}<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    for url in sitemaps.into_iter().take(MOST_URLS) {
        text.push_str("<sitemap>");
        push_element(&mut text, "loc", url.as_str());
        text.push_str("</sitemap>\n");
    }
    text.push_str("</sitemapindex>\n");
    text
}

fn line(entry: &SitemapUrl) -> String {
    let mut text = "<url>".to_owned();
    push_element(&mut text, "loc", entry.url.as_str());
    if let Some(modified) = &entry.modified {
        push_element(&mut text, "lastmod", modified);
    }
    if let Some(change) = entry.change {
        push_element(&mut text, "changefreq", change.word());
    }
    if let Some(priority) = entry.priority {
        let _ = write!(text, "<priority>{priority}</priority>");
    }
    text.push_str("</url>\n");
    text
}

fn push_element(text: &mut String, name: &str, value: &str) {
    let _ = write!(text, "<{name}>");
    // The protocol of sitemaps wants the apostrophe escaped, too.
    text.push_str(&escape(value).replace('\'', "&apos;"));
    let _ = write!(text, "</{name}>");
}
