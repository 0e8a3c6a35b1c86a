//! URLs for a crawl that runs already: somebody finds them one after the other, as the hits of a search
//! engine, and waits for what comes of each. The crawl does not end while more may come. They are taken for
//! seeds, so that all its rules hold for them as for any other.

use crate::control::lock;
use fyke_web::Url;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The way from whoever finds URLs to the crawl, and back. Clone it and give one side to the crawl.
#[derive(Clone, Debug, Default)]
pub struct SeedFeed {
    shared: Arc<FeedState>,
}

#[derive(Debug, Default)]
struct FeedState {
    waiting: Mutex<FeedWaiting>,
    /// Somebody gave URLs, or closed the feed.
    given: Notify,
    /// Turns of the crawl, after each of which the ledger may say more.
    turns: Mutex<u64>,
    turned: Condvar,
}

#[derive(Debug, Default)]
struct FeedWaiting {
    urls: Vec<Url>,
    is_closed: bool,
    is_over: bool,
}

impl SeedFeed {
    /// Gives the crawl more URLs.
    pub fn give(&self, urls: impl IntoIterator<Item = Url>) {
        lock(&self.shared.waiting).urls.extend(urls);
        self.ring();
    }

    /// No more will come: the crawl ends when all is fetched.
    pub fn close(&self) {
        lock(&self.shared.waiting).is_closed = true;
        self.ring();
    }

    /// The crawl has ended, whatever waits.
    pub fn end(&self) {
        lock(&self.shared.waiting).is_over = true;
        self.turn();
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        lock(&self.shared.waiting).is_over
    }

    fn ring(&self) {
        self.shared.given.notify_waiters();
        self.shared.given.notify_one();
    }

    /// Waits until the crawl has taken more turns than `seen`, but no longer than this; gives its turns.
    #[must_use]
    pub fn wait(&self, seen: u64, longest: Duration) -> u64 {
        let turns = lock(&self.shared.turns);
        let waited = self.shared.turned.wait_timeout_while(turns, longest, |turns| *turns <= seen);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Whether more may come.
    pub(crate) fn is_open(&self) -> bool {
        !lock(&self.shared.waiting).is_closed
    }

    /// Takes the URLs that are meant.
    pub(crate) fn take(&self, is_meant: impl Fn(&Url) -> bool) -> Vec<Url> {
        let mut waiting = lock(&self.shared.waiting);
        if waiting.urls.is_empty() {
            return Vec::new();
        }
        let (taken, left) = std::mem::take(&mut waiting.urls).into_iter().partition(is_meant);
        waiting.urls = left;
        taken
    }

    /// Waits for URLs.
    pub(crate) async fn given(&self) {
        self.shared.given.notified().await;
    }

    /// A thread of the crawl has taken a turn.
    pub(crate) fn turn(&self) {
        *lock(&self.shared.turns) += 1;
        self.shared.turned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_by_those_whose_they_are() {
        let feed = SeedFeed::default();
        let url = |text: &str| Url::parse(text).unwrap();
        feed.give([url("http://a.test/"), url("http://b.test/")]);
        let taken = feed.take(|url| url.host() == "b.test");
        assert_eq!(taken, [url("http://b.test/")]);
        assert_eq!(feed.take(|_| true), [url("http://a.test/")]);
        assert!(feed.is_open() && !feed.is_over());
        feed.close();
        assert!(!feed.is_open());
        assert_eq!(feed.wait(0, Duration::ZERO), 0);
        feed.end();
        assert!(feed.is_over());
        assert_eq!(feed.wait(0, Duration::from_secs(60)), 1);
    }
}
