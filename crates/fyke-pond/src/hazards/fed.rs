//! A host whose entries stand only in its feeds.

use super::{Hazard, PLAIN, prose};
use crate::feeds::{self, FeedEntry};

pub const ROW: Hazard = Hazard {
    name: "feeds",
    hosts: &["feeds.test"],
    what: "The home page names an RSS and an Atom feed; its eight entries stand only there, four \
           in each. A good crawler reads both.",
    answer: |pond, ask| match ask.path {
        "/" => {
            let head = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">\
                        <link rel=\"alternate\" type=\"application/atom+xml\" href=\"/atom.xml\">";
            let text = prose::text(pond, "feeds.test", 8);
            Some(prose::page("News of the office", head, &format!("<p>{text}</p>")))
        }
        "/feed.xml" => Some(feeds::rss(ask.host, &entries(1))),
        "/atom.xml" => Some(feeds::atom(ask.host, &entries(5))),
        path => {
            let number: u32 = path.strip_prefix("/entry/")?.parse().ok()?;
            let title = format!("Entry {number}");
            (1..=8).contains(&number).then(|| prose::article(pond, ask, &title, ""))
        }
    },
    links: &[("http://feeds.test/", "News of the office")],
    ..PLAIN
};

fn entries(first: u32) -> Vec<FeedEntry> {
    let entry = |n| FeedEntry { path: format!("/entry/{n}"), title: format!("Entry {n}") };
    (first..first + 4).map(entry).collect()
}
