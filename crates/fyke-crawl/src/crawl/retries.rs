//! URLs that failed and wait to be tried again, each for a time of its own, while their hosts are asked for others.

use crate::frontier::HostId;
use fyke_store::Position;
use fyke_web::UrlId;
use std::collections::{BTreeMap, HashSet};

/// A URL that failed and is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RetriedUrl {
    pub(super) id: UrlId,
    /// Where its record stands.
    pub(super) position: Position,
    pub(super) priority: u8,
    /// How often it failed so far.
    pub(super) tries: u16,
}

/// The URLs of one thread that are tried again.
#[derive(Debug, Default)]
pub(super) struct Retries {
    /// By the time they wait for and a number that counts up.
    waiting: BTreeMap<(u64, u64), (HostId, RetriedUrl)>,
    count: u64,
    /// Those that failed in this run and are not settled: that they fail again says nothing of their hosts.
    failed: HashSet<UrlId>,
}

impl Retries {
    /// Has a URL wait until then.
    pub(super) fn put(&mut self, host: HostId, url: RetriedUrl, until: u64) {
        self.count += 1;
        self.failed.insert(url.id);
        self.waiting.insert((until, self.count), (host, url));
    }

    /// A URL whose wait is over.
    pub(super) fn take(&mut self, now: u64) -> Option<(HostId, RetriedUrl)> {
        let first = self.waiting.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }

    /// When the first wait is over.
    pub(super) fn first(&self) -> Option<u64> {
        self.waiting.first_key_value().map(|((until, _), _)| *until)
    }

    /// Whether a URL waits to be tried again: whatever place it has in the frontier comes too early.
    pub(super) fn waits(&self, id: UrlId) -> bool {
        self.failed.contains(&id) && self.waiting.values().any(|(_, url)| url.id == id)
    }

    /// Whether a URL failed in this run before; that is forgotten, for it was tried again.
    pub(super) fn forget(&mut self, id: UrlId) -> bool {
        self.failed.remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_come_back_when_their_time_has_come_and_are_known_to_have_failed() {
        let url =
            |n: u64| RetriedUrl { id: UrlId(n), position: Position(n), priority: 1, tries: 1 };
        let mut retries = Retries::default();
        for (n, until) in [(1, 30), (2, 10), (3, 10)] {
            retries.put(HostId(0), url(n), until);
        }
        assert_eq!((retries.first(), retries.take(9)), (Some(10), None));
        assert_eq!([1, 2, 4].map(|n| retries.waits(UrlId(n))), [true, true, false]);
        let taken: Vec<_> = std::iter::from_fn(|| retries.take(29)).map(|(_, url)| url).collect();
        assert_eq!(taken, [url(2), url(3)]);
        assert_eq!(retries.first(), Some(30));
        assert_eq!([1, 2].map(|n| retries.waits(UrlId(n))), [true, false]);
        assert_eq!([2, 2, 4].map(|n| retries.forget(url(n).id)), [true, false, false]);
    }
}
