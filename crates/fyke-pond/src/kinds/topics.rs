//! A forum as Discourse makes it: topics by slug and number, pages of them by number, and for every post a URL
//! with its number behind that shows the page it stands on.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title};
use std::fmt::Write as _;

const TOPICS: usize = 80;
const POSTS: usize = 5;
const PER_PAGE: usize = 20;
const SITE: &str = "topics.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "topics",
    host: SITE,
    what: "80 topics under /t/slug/number and a second page of each; a URL with its number for each of five posts that \
           shows the same page; lists in four orders.",
    documents: 2 * TOPICS,
    most_requests: 900,
    page,
};

/// A topic's own number.
fn id(topic: usize) -> usize {
    1_900 + topic * 37
}

fn path(topic: usize) -> String {
    format!("/t/{}/{}", title(SITE, topic).replace(' ', "-"), id(topic))
}

fn page(asked: &str) -> Option<KindPage> {
    let (path_asked, query) = split(asked);
    if path_asked == "/" || path_asked == "/latest" {
        return listing(number(query, "page").unwrap_or(0));
    }
    let mut parts = path_asked.strip_prefix("/t/")?.split('/').skip(1);
    let wanted: usize = parts.next()?.parse().ok()?;
    let topic = (0..TOPICS).find(|topic| id(*topic) == wanted)?;
    let post: usize = parts.next().map_or(Some(1), |post| post.parse().ok())?;
    let second = query == "page=2" || post > POSTS;
    (post <= 2 * POSTS).then_some(())?;
    document(topic * 2 + usize::from(second), topic_page(topic, second))
}

fn listing(page: usize) -> Option<KindPage> {
    let mut rows = String::new();
    for topic in (page.saturating_mul(PER_PAGE)..TOPICS).take(PER_PAGE) {
        rows += &item(&path(topic), &title(SITE, topic));
        // To the last post.
        rows += &item(&format!("{}/{}", path(topic), POSTS + topic % POSTS), "Last");
    }
    for order in ["views", "posts", "activity", "created"] {
        rows += &item(&format!("/latest?order={order}&page={page}"), order);
    }
    if (page + 1).saturating_mul(PER_PAGE) < TOPICS {
        rows += &item(&format!("/latest?page={}", page + 1), "More");
    }
    list(html(SITE, "Latest topics", &format!("<ul>{rows}</ul>")))
}

fn topic_page(topic: usize, second: bool) -> String {
    let mut main = String::new();
    let first = if second { POSTS + 1 } else { 1 };
    for post in first..first + POSTS {
        let _ = writeln!(main, "<p>{}</p>", text(SITE, topic * 100 + post, 3));
        main += &item(&format!("{}/{post}", path(topic)), "Link to this post");
    }
    main += &item(&format!("{}?page=2", path(topic)), "Next page");
    html(SITE, &title(SITE, topic), &main)
}
