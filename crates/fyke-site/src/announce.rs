//! Our own feeds have a hub, where `[push] hub` names one: each query that was asked for as a feed of late is asked again
//! from time to time, and when a document comes up that was not among its hits, the hub is told.

use super::{Service, Site};
use axum::extract::FromRef;
use fyke_crawl::HubPublisher;
use fyke_index::SearchOptions;
use fyke_web::Url;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Feeds that are watched, those that were asked for last.
const MOST_WATCHED: usize = 64;
/// Hits of a feed that are looked at, and those that are remembered.
const HITS: usize = 20;
const MOST_KNOWN: usize = 2_000;
/// How often.
const EVERY: Duration = Duration::from_secs(1);

/// The feeds that somebody reads.
#[derive(Debug, Default)]
pub(crate) struct WatchedFeeds {
    watched: Mutex<FeedsByQuery>,
}

#[derive(Debug, Default)]
struct FeedsByQuery {
    /// By query; the number says when it was asked for.
    feeds: HashMap<String, WatchedFeed>,
    asked: u64,
}

#[derive(Debug)]
struct WatchedFeed {
    asked: u64,
    hits: HashSet<u64>,
}

impl WatchedFeeds {
    /// Somebody asked for a feed, and got these hits.
    pub(crate) fn note(&self, query: &str, hits: impl IntoIterator<Item = u64>) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.asked += 1;
        let asked = watched.asked;
        if let Some(feed) = watched.feeds.get_mut(query) {
            feed.asked = asked;
            return;
        }
        if watched.feeds.len() >= MOST_WATCHED {
            let oldest = watched.feeds.iter().min_by_key(|(_, feed)| feed.asked);
            let oldest = oldest.map(|(query, _)| query.clone());
            oldest.and_then(|query| watched.feeds.remove(&query));
        }
        let hits = hits.into_iter().collect();
        watched.feeds.insert(query.to_owned(), WatchedFeed { asked, hits });
    }

    fn queries(&self) -> Vec<String> {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.feeds.keys().cloned().collect()
    }

    /// Whether a feed has hits by now that the hub was not told of.
    fn has_news(&self, query: &str, hits: &[u64]) -> bool {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let feed = watched.feeds.get(query);
        feed.is_some_and(|feed| hits.iter().any(|hit| !feed.hits.contains(hit)))
    }

    /// The hub took it that a feed has these hits.
    fn note_told(&self, query: &str, hits: &[u64]) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(feed) = watched.feeds.get_mut(query) else { return };
        if feed.hits.len() > MOST_KNOWN {
            feed.hits.clear();
        }
        feed.hits.extend(hits);
    }
}

/// A feed that has something new.
struct FeedNews {
    query: String,
    url: Url,
    /// What it has by now.
    hits: Vec<u64>,
}

/// The address of a feed, as the hub knows it.
pub(crate) fn feed_url(home: &str, query: &str) -> Option<Url> {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    let query: String = query.bytes().map(escape).collect();
    Url::parse(&format!("{}/search.rss?q={query}", home.trim_end_matches('/'))).ok()
}

/// Starts to watch feeds, where a hub is to be told of them; for as long as the runtime lives.
pub(crate) fn start(service: &Service) {
    let site = Arc::<Site>::from_ref(service);
    let Ok(hub) = Url::parse(&site.config.push.hub) else { return };
    let options = match fyke_stages::fetch_options(&site.config, std::slice::from_ref(&hub)) {
        Ok(options) => options,
        Err(error) => {
            tracing::warn!(%error, "the hub cannot be told of news");
            return;
        }
    };
    let (service, mut publisher) = (service.clone(), HubPublisher::new(hub, options));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(EVERY).await;
            let site = Arc::<Site>::from_ref(&service);
            let news = tokio::task::spawn_blocking(move || news(&site)).await.unwrap_or_default();
            // What it did not take is news the next time, too.
            for FeedNews { query, url, hits } in news {
                match publisher.publish(&url).await {
                    Ok(200..=299) => {
                        tracing::debug!(feed = url.as_str(), "the hub was told");
                        Arc::<Site>::from_ref(&service).feeds.note_told(&query, &hits);
                    }
                    Ok(status) => tracing::warn!(status, "the hub did not take the news"),
                    Err(failed) => tracing::warn!(failed.detail, "the hub was not reached"),
                }
            }
        }
    });
}

/// The feeds that have something new. What cannot be read now is looked at the next time.
fn news(site: &Site) -> Vec<FeedNews> {
    let options = SearchOptions { limit: HITS, ..site.options };
    let mut news = Vec::new();
    for query in site.feeds.queries() {
        let Ok(found) = site.search(&query, &options) else { continue };
        let hits: Vec<u64> = found.hits.iter().map(|hit| hit.id).collect();
        if site.feeds.has_news(&query, &hits) {
            let url = feed_url(&site.config.push.callback, &query);
            news.extend(url.map(|url| FeedNews { query, url, hits }));
        }
    }
    news
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_has_news_when_a_hit_was_not_there_before() {
        let feeds = WatchedFeeds::default();
        feeds.note("eels", [1, 2]);
        assert!(!feeds.has_news("eels", &[2, 1]) && !feeds.has_news("nets", &[7]));
        assert!(feeds.has_news("eels", &[3, 1]));
        assert!(feeds.has_news("eels", &[3, 1]), "the hub did not take it");
        feeds.note_told("eels", &[3, 1]);
        assert!(!feeds.has_news("eels", &[3, 1]) && !feeds.has_news("eels", &[]));
    }

    #[test]
    fn the_feeds_that_were_asked_for_last_are_watched() {
        let feeds = WatchedFeeds::default();
        feeds.note("first", []);
        feeds.note("second", []);
        for n in 2..MOST_WATCHED {
            feeds.note(&n.to_string(), []);
        }
        feeds.note("first", []);
        feeds.note("one more", []);
        let queries = feeds.queries();
        assert_eq!(queries.len(), MOST_WATCHED);
        assert!(queries.iter().any(|query| query == "first"));
        assert!(queries.iter().all(|query| query != "second"));
    }

    #[test]
    fn the_address_of_a_feed_is_the_one_that_it_names() {
        let url = feed_url("https://search.test/", "tidal \"mill\" é&x").expect("a URL");
        assert_eq!(
            url.as_str(),
            "https://search.test/search.rss?q=tidal%20%22mill%22%20%C3%A9%26x"
        );
    }
}
