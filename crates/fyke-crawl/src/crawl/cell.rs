//! What belongs to the folder of one crawl: the collection, what earlier runs left of its domains, the texts
//! that were seen, and when the next commit is due. Several threads work on it.

use super::budgets::domain_hash;
use super::contents::Contents;
use crate::budget::Inlinks;
use fyke_store::{Collection, Ledger, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What was put is committed when it is so old, in milliseconds …
const OLDEST: u64 = 200;
/// The same for what must not be missed.
const SOON: u64 = 20;
/// … or when captures of so many bytes wait.
const MOST_BYTES: u64 = 32 << 20;
/// No commit is due.
const NEVER: u64 = u64::MAX;

/// What earlier runs fetched, and the domains that link there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EarlierRuns {
    pub(super) pages: u64,
    pub(super) bytes: u64,
    pub(super) inlinks: Inlinks,
}

/// The folder of one crawl.
pub(super) struct CrawlCell<'a> {
    pub(super) collection: &'a Collection,
    /// By the hash of the domain.
    pub(super) domains: HashMap<u64, EarlierRuns>,
    pub(super) contents: Contents,
    /// Something was crawled before: another process may have asked these hosts a moment ago.
    pub(super) is_resumed: bool,
    /// When the next commit is due.
    due: AtomicU64,
    /// Bytes of captures put since the last commit.
    waiting: AtomicU64,
    /// Pages put, and those that are safe.
    put: AtomicU64,
    safe: AtomicU64,
}

impl<'a> CrawlCell<'a> {
    pub(super) fn new(collection: &'a Collection) -> Result<CrawlCell<'a>, StoreError> {
        let mut domains: HashMap<u64, EarlierRuns> = HashMap::new();
        for host in collection.ledger.hosts() {
            let (authority, row) = host?;
            let domain = domains.entry(domain_hash(&authority)).or_default();
            domain.pages += row.pages;
            domain.bytes += row.bytes;
            domain.inlinks.join(Inlinks(row.inlinks));
        }
        Ok(CrawlCell {
            collection,
            domains,
            contents: Contents::open(&collection.root().join("ledger/contents"))?,
            is_resumed: !collection.ledger.is_empty(),
            due: AtomicU64::new(NEVER),
            waiting: AtomicU64::new(0),
            put: AtomicU64::new(0),
            safe: AtomicU64::new(0),
        })
    }

    pub(super) fn ledger(&self) -> &'a Ledger {
        &self.collection.ledger
    }

    /// There is something to commit.
    pub(super) fn touch(&self, now: u64) {
        if self.due.load(Relaxed) == NEVER {
            self.due.fetch_min(now + OLDEST, Relaxed);
        }
    }

    /// There is something to commit that the next run must not miss.
    pub(super) fn touch_soon(&self, now: u64) {
        self.due.fetch_min(now + SOON, Relaxed);
    }

    /// Commit as soon as possible.
    pub(super) fn hurry(&self) {
        self.due.store(0, Relaxed);
    }

    /// A capture of so many bytes was put.
    pub(super) fn count_capture(&self, bytes: u64, is_page: bool) {
        self.put.fetch_add(u64::from(is_page), Relaxed);
        if self.waiting.fetch_add(bytes, Relaxed) + bytes >= MOST_BYTES {
            self.hurry();
        }
    }

    /// Pages of this run that are safe.
    pub(super) fn pages(&self) -> u64 {
        self.safe.load(Relaxed)
    }

    /// When the next commit is due, if there is one.
    pub(super) fn due(&self) -> Option<u64> {
        Some(self.due.load(Relaxed)).filter(|due| *due != NEVER)
    }

    /// Commits if that is due and nobody else has begun to.
    pub(super) fn sync_if_due(&self, now: u64) -> Result<(), StoreError> {
        let due = self.due.load(Relaxed);
        let is_mine = due <= now && self.due.compare_exchange(due, NEVER, Relaxed, Relaxed).is_ok();
        if is_mine { self.sync() } else { Ok(()) }
    }

    /// Makes durable whatever was put before.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.waiting.store(0, Relaxed);
        let put = self.put.load(Relaxed);
        self.collection.sync()?;
        self.safe.fetch_max(put, Relaxed);
        Ok(())
    }
}
