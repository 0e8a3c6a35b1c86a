//! What belongs to one folder of a crawl: the collection, what earlier runs left of its domains, the texts
//! that were seen, and when the next commit is due. Several threads work on it.
//!
//! A crawl has one cell or several. A cell holds all hosts of some registrable domains, and only its threads
//! look into its ledger: what another finds of its URLs goes to it by post.

use super::budgets::domain_hash;
use super::clock::Clock;
use super::contents::Contents;
use super::evidence::EvidenceNote;
use super::node::LONGEST_GAP;
use crate::budget::Inlinks;
use fyke_store::{Collection, Ledger, Packer, StoreError};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;
use std::sync::Mutex;
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

/// The cell, of so many, that owns a domain, given by its hash.
pub(super) fn cell_of(domain: u64, cells: usize) -> usize {
    (((domain >> 32) * cells as u64) >> 32) as usize
}

/// The cell that owns a URL, of all that there are.
pub(super) fn owner<'c, 'a>(cells: &'c [CrawlCell<'a>], url: &Url) -> Option<&'c CrawlCell<'a>> {
    cells.iter().find(|cell| !cell.is_elsewhere(url))
}

/// One folder of a crawl.
pub(super) struct CrawlCell<'a> {
    /// Which cell it is, and of how many.
    pub(super) number: usize,
    cells: usize,
    pub(super) collection: &'a Collection,
    /// By the hash of the domain.
    pub(super) domains: HashMap<u64, EarlierRuns>,
    pub(super) contents: Contents,
    /// What was learned of hosts that no thread has met yet.
    pub(super) evidence: EvidenceNote,
    /// Something was crawled before: another process may have asked these hosts a moment ago.
    pub(super) is_resumed: bool,
    /// Of visits that found nothing new.
    pub(super) packer: Mutex<Option<Packer>>,
    /// Until when the gap of some host lasts that was asked then. Which others share its address is not known before
    /// they are looked up.
    pub(super) gaps_until: u64,
    /// When the next commit is due.
    due: AtomicU64,
    /// Bytes of captures put since the last commit.
    waiting: AtomicU64,
    /// Pages put, and those that are safe.
    put: AtomicU64,
    safe: AtomicU64,
    /// The URLs that were looked for.
    #[cfg(test)]
    pub(super) looked_for: Mutex<std::collections::HashSet<UrlId>>,
}

impl<'a> CrawlCell<'a> {
    /// Cell `number` of so many.
    pub(super) fn new(
        collection: &'a Collection,
        number: usize,
        cells: usize,
    ) -> Result<CrawlCell<'a>, StoreError> {
        let mut domains: HashMap<u64, EarlierRuns> = HashMap::new();
        let (mut gaps_until, longest) = (0, Clock::new().now() + LONGEST_GAP);
        for host in collection.ledger.hosts() {
            let (authority, row) = host?;
            let domain = domains.entry(domain_hash(&authority)).or_default();
            domain.pages += row.pages;
            domain.bytes += row.bytes;
            domain.inlinks.join(Inlinks(row.inlinks));
            // A longer wait was asked for by that host, and binds it alone.
            let ready = u64::try_from(row.not_before).unwrap_or(0);
            gaps_until = gaps_until.max(Some(ready).filter(|ready| *ready <= longest).unwrap_or(0));
        }
        Ok(CrawlCell {
            number,
            cells,
            collection,
            domains,
            contents: Contents::open(&collection.root().join("ledger/contents"))?,
            evidence: EvidenceNote::open(collection.root()),
            is_resumed: !collection.ledger.is_empty(),
            packer: Mutex::default(),
            gaps_until,
            due: AtomicU64::new(NEVER),
            waiting: AtomicU64::new(0),
            put: AtomicU64::new(0),
            safe: AtomicU64::new(0),
            #[cfg(test)]
            looked_for: Mutex::default(),
        })
    }

    /// Whether a URL belongs to another cell, whose ledger alone knows it.
    pub(super) fn is_elsewhere(&self, url: &Url) -> bool {
        self.cells > 1 && !self.owns(url.domain_hash())
    }

    /// Whether the URLs of a domain, given by its hash, belong to this cell.
    pub(super) fn owns(&self, domain: u64) -> bool {
        cell_of(domain, self.cells) == self.number
    }

    pub(super) fn ledger(&self) -> &'a Ledger {
        &self.collection.ledger
    }

    /// The ledger, to look for a URL of this cell or to write its row. Tests see who was looked for.
    pub(super) fn ledger_of(&self, id: UrlId) -> &'a Ledger {
        #[cfg(test)]
        crate::control::lock(&self.looked_for).insert(id);
        #[cfg(not(test))]
        let _ = id;
        self.ledger()
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
