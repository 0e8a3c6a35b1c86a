//! A query as a feed (RSS 2.0 with OpenSearch's counts): the best documents of now, to be looked at
//! again and again.

use super::answer::{self, RequestTrouble, SearchRequest};
use super::{Site, announce, turns};
use crate::search::SUMMARY;
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use fyke_index::{Fragment, Hit, SearchOptions, static_summary};
use fyke_web::{UrlId, escape};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use std::sync::Arc;

/// Items of a feed.
const ITEMS: usize = 20;

#[derive(Template)]
#[template(path = "rss.xml")]
struct SearchFeed {
    name: String,
    query: String,
    home: String,
    /// Who tells of news in it; empty: nobody.
    hub: String,
    total: usize,
    items: Vec<RssItem>,
}

struct RssItem {
    key: String,
    /// Of the page, or of the section that the query is about.
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
            let mut answer = (kind, answer::render(&feed).into_body()).into_response();
            let own = announce::feed_url(&feed.home, &feed.query).filter(|_| !feed.hub.is_empty());
            let links = own.map(|own| format!("<{}>; rel=hub, <{own}>; rel=self", feed.hub));
            if let Some(links) = links.and_then(|links| HeaderValue::from_str(&links).ok()) {
                answer.headers_mut().insert(header::LINK, links);
            }
            answer
        }
        Err(trouble) => trouble.answer(),
    }
}

/// The feed of a query. Where a hub tells of it, it calls itself by the name that the hub knows.
fn feed_of(site: &Site, query: &str, home: &str) -> Result<SearchFeed, RequestTrouble> {
    let options = SearchOptions { limit: ITEMS, ..site.options };
    let found = site.search(query, &options)?;
    let hub = site.config.push.hub.as_str();
    let home = if hub.is_empty() { home } else { site.config.push.callback.trim_end_matches('/') };
    if !hub.is_empty() {
        site.feeds.note(query, found.hits.iter().map(|hit| hit.id));
    }
    Ok(SearchFeed {
        name: allowed(&site.name),
        query: allowed(query),
        home: allowed(home),
        hub: allowed(hub),
        total: found.total,
        items: found.hits.iter().map(|hit| item(site, hit)).collect::<Result<_, _>>()?,
    })
}

/// An item is the same whatever query it came by, so that readers know it again: its summary is the
/// document's own. Only its link leads to the section that this query is about.
fn item(site: &Site, hit: &Hit) -> Result<RssItem, RequestTrouble> {
    let title = if hit.title.is_empty() { &hit.url } else { &hit.title };
    let document = site.view().documents.get(UrlId(hit.id))?;
    let summary = document.map(|document| static_summary(&document.text, SUMMARY));
    let snippet = || hit.snippet.iter().map(|Fragment { text, .. }| text.as_str()).collect();
    let summary = summary.filter(|summary| !summary.is_empty()).unwrap_or_else(snippet);
    let time = Timestamp::from_millisecond(hit.time).unwrap_or(Timestamp::UNIX_EPOCH);
    Ok(RssItem {
        key: answer::key(hit.id),
        url: allowed(hit.section.as_ref().map_or(&hit.url, |section| &section.url)),
        title: allowed(title),
        summary: allowed(&summary),
        time: rfc2822::to_string(&time.to_zoned(jiff::tz::TimeZone::UTC)).unwrap_or_default(),
    })
}

/// A text without the characters that XML cannot hold, however they are written.
fn allowed(text: &str) -> String {
    text.chars().filter(|c| escape::allowed(*c) == *c).collect()
}
