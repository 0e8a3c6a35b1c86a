//! A query as a feed (RSS 2.0 with OpenSearch's counts): the best documents of now, to be looked at
//! again and again.

use super::answer::{self, RequestTrouble, SearchRequest};
use super::{Site, turns};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use fyke_index::{Fragment, Hit, SearchOptions};
use fyke_web::escape;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use std::sync::Arc;

/// Items of a feed.
const ITEMS: usize = 20;

#[derive(Template)]
#[template(path = "rss.xml")]
struct Feed {
    name: String,
    query: String,
    home: String,
    total: usize,
    items: Vec<RssItem>,
}

struct RssItem {
    key: String,
    url: String,
    title: String,
    summary: String,
    /// When the page was captured, as mail writes it.
    time: String,
}

pub(crate) async fn feed(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
    headers: HeaderMap,
) -> Response {
    let home = answer::home(&headers);
    match turns::search(&site, move |site| feed_of(site, &asked.text("q"), &home)).await {
        Ok(feed) => {
            let kind = [(header::CONTENT_TYPE, "application/rss+xml; charset=utf-8")];
            (kind, answer::render(&feed).into_body()).into_response()
        }
        Err(trouble) => trouble.answer(),
    }
}

fn feed_of(site: &Site, query: &str, home: &str) -> Result<Feed, RequestTrouble> {
    let options = SearchOptions { limit: ITEMS, ..site.options };
    let found = site.search(query, &options)?;
    Ok(Feed {
        name: allowed(&site.name),
        query: allowed(query),
        home: allowed(home),
        total: found.total,
        items: found.hits.iter().map(item).collect(),
    })
}

fn item(hit: &Hit) -> RssItem {
    let title = if hit.title.is_empty() { &hit.url } else { &hit.title };
    let summary: String = hit.snippet.iter().map(|Fragment { text, .. }| text.as_str()).collect();
    let time = Timestamp::from_millisecond(hit.time).unwrap_or(Timestamp::UNIX_EPOCH);
    RssItem {
        key: answer::key(hit.id),
        url: allowed(&hit.url),
        title: allowed(title),
        summary: allowed(&summary),
        time: rfc2822::to_string(&time.to_zoned(jiff::tz::TimeZone::UTC)).unwrap_or_default(),
    }
}

/// A text without the characters that XML cannot hold, however they are written.
fn allowed(text: &str) -> String {
    text.chars().filter(|c| escape::allowed(*c) == *c).collect()
}
