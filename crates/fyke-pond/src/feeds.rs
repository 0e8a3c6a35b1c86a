//! Feeds: RSS 2.0 and Atom, for the news host and the hazard host that has nothing else.

use crate::plan::{self, HostKind};
use crate::{Answer, AnswerKind, Ask, Body, Pond, sites};
use std::fmt::Write as _;

/// Articles in an ordinary feed.
const MOST: usize = 20;

/// `/feed.xml` and `/atom.xml` of news hosts: the newest articles.
pub fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let write = match ask.path {
        "/feed.xml" => rss,
        "/atom.xml" => atom,
        _ => return None,
    };
    let host = plan::host(pond, ask.host).filter(|host| host.kind == HostKind::News)?;
    let entries: Vec<FeedEntry> = (0..host.items.min(MOST))
        .map(|n| {
            let (mut path, mut title) = (Vec::new(), Vec::new());
            let article = sites::item(pond, &host, n);
            article.path(&mut path);
            article.title(&mut title);
            FeedEntry { path: lossy(&path), title: lossy(&title) }
        })
        .collect();
    Some(write(ask.host, &entries))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEntry {
    pub path: String,
    pub title: String,
}

/// RSS 2.0 of entries.
pub fn rss(host: &str, entries: &[FeedEntry]) -> Answer {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel>\
         <title>{host}</title><link>http://{host}/</link><description>News</description>\n"
    );
    for FeedEntry { path, title } in entries {
        let (url, title) = (escape(&format!("http://{host}{path}")), escape(title));
        let _ = writeln!(
            xml,
            "<item><title>{title}</title><link>{url}</link><guid>{url}</guid>\
             <pubDate>Mon, 01 Jan 2024 08:00:00 GMT</pubDate></item>"
        );
    }
    feed("application/rss+xml", xml + "</channel></rss>\n")
}

/// Atom (RFC 4287) of entries.
pub fn atom(host: &str, entries: &[FeedEntry]) -> Answer {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\
         <title>{host}</title><id>http://{host}/</id><updated>2024-01-01T08:00:00Z</updated>\n"
    );
    for FeedEntry { path, title } in entries {
        let (url, title) = (escape(&format!("http://{host}{path}")), escape(title));
        let _ = writeln!(
            xml,
            "<entry><title>{title}</title><link href=\"{url}\"/><id>{url}</id>\
             <updated>2024-01-01T08:00:00Z</updated></entry>"
        );
    }
    feed("application/atom+xml", xml + "</feed>\n")
}

fn feed(content_type: &str, xml: String) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", format!("{content_type}; charset=utf-8"))],
        body: Body::Bytes(xml.into_bytes()),
        kind: AnswerKind::Feed,
    }
}

/// Text as XML needs it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
