//! OPML: lists of feeds as feed readers exchange them. Outlines may stand inside each other; whoever has an `xmlUrl`
//! is a feed.

use crate::escape::escape;
use crate::html::{HtmlToken, Scanner, name};
use std::collections::HashSet;
use std::fmt::Write;

/// Feeds of one list that are read.
const MOST_FEEDS: usize = 100_000;
/// Longest title or address, in bytes.
const MOST_LINE: usize = 2_048;

/// One feed of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpmlFeed {
    pub title: String,
    /// As it is written.
    pub url: String,
    /// The page that it belongs to; empty where the list does not say.
    pub home: String,
}

/// The feeds of a list, each once. Never fails: what is no list has none.
#[must_use]
pub fn read(text: &str) -> Vec<OpmlFeed> {
    let (mut feeds, mut seen) = (Vec::new(), HashSet::new());
    for token in Scanner::xml(text) {
        let HtmlToken::Start(tag) = token else { continue };
        if tag.name != name("outline") || feeds.len() == MOST_FEEDS {
            continue;
        }
        let value = |name: &str| {
            let value = tag.attribute(name).unwrap_or_default();
            let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
            line[..line.floor_char_boundary(MOST_LINE)].to_owned()
        };
        let url = value("xmlUrl");
        if url.is_empty() || !seen.insert(url.clone()) {
            continue;
        }
        let titles = ["title", "text"].map(value);
        let title = titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default();
        feeds.push(OpmlFeed { title, url, home: value("htmlUrl") });
    }
    feeds
}

/// A list of feeds.
#[must_use]
pub fn write(title: &str, feeds: &[OpmlFeed]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n\
         <head><title>{}</title></head>\n<body>\n",
        escape(title)
    );
    for OpmlFeed { title, url, home } in feeds {
        let name = escape(if title.is_empty() { url } else { title });
        let _ = write!(text, "<outline type=\"rss\" text=\"{name}\" xmlUrl=\"{}\"", escape(url));
        if !home.is_empty() {
            let _ = write!(text, " htmlUrl=\"{}\"", escape(home));
        }
        text.push_str("/>\n");
    }
    text.push_str("</body>\n</opml>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_is_read_with_its_groups() {
        let text = "<?xml version='1.0'?><opml version='1.0'><body><outline text='News'>\
            <outline text='A &amp; B' type='rss' xmlUrl='http://a.test/feed?x=1&amp;y' htmlUrl='http://a.test/'/>\
            <outline text='again' xmlUrl='http://a.test/feed?x=1&amp;y'/></outline>\
            <outline title='C' xmlurl='http://c.test/'/><outline text='no feed' url='http://d.test/'>";
        let of = |title: &str, url: &str, home: &str| OpmlFeed {
            title: title.to_owned(),
            url: url.to_owned(),
            home: home.to_owned(),
        };
        let expected = [
            of("A & B", "http://a.test/feed?x=1&y", "http://a.test/"),
            of("C", "http://c.test/", ""),
        ];
        assert_eq!(read(text), expected);
        assert_eq!(read(&write("mine", &expected)), expected);
        assert_eq!(read("no list"), []);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            lines in prop::collection::vec("[a-z<>&\"' ]{0,9}[a-z]", 0..9), text in "[<>a-z='\"/ ]{0,99}",
        ) {
            let feed = |(n, line): (usize, &String)| OpmlFeed {
                title: line.split_whitespace().collect::<Vec<_>>().join(" "),
                url: format!("http://a.test/{n}?a&b"),
                home: String::new(),
            };
            let feeds: Vec<OpmlFeed> = lines.iter().enumerate().map(feed).collect();
            prop_assert_eq!(read(&write("x", &feeds)), feeds);
            let _ = read(&format!("<outline {text}"));
        }
    }
}
