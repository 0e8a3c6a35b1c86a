//! What the threads of a crawl share: the collection, the budget, the addresses, the clock, the tally.

use super::contents::Contents;
use super::focus::Pace;
use super::millis;
use super::sitemaps::Slots;
use crate::budget::{Budget, Grant, Inlinks, Reserved};
use crate::control::{Control, lock};
use crate::frontier::{Addresses, PRIORITIES};
use crate::guide::Spider;
use crate::options::{CrawlError, CrawlOptions, Progress, Stopped};
use crate::politeness::Politeness;
use crate::scope::Scope;
use fyke_store::{Collection, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// What was put is committed when it is so old, in milliseconds …
const OLDEST: u64 = 200;
/// … or when captures of so many bytes wait.
const MOST_BYTES: u64 = 32 << 20;
/// Gaps without anything better before a focused crawl turns to what is worth less.
const PATIENCE: u64 = 2;
/// What the factor × time rule can make of a gap at most.
const LONGEST_GAP: u64 = 60_000;
/// No commit is due.
const NEVER: u64 = u64::MAX;

/// Time in milliseconds since 1970 that never goes back (and stands still in tests that say so).
#[derive(Debug)]
pub(super) struct Clock {
    origin: Instant,
    pub(super) wall: u64,
}

impl Clock {
    /// The wall is looked at once in a process: from there on two crawls, too, are as far apart as they
    /// were for whoever waited.
    fn new() -> Clock {
        static FIRST: OnceLock<(Instant, Duration)> = OnceLock::new();
        let origin = Instant::now();
        let wall = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (first, wall) = FIRST.get_or_init(|| (origin, wall()));
        let wall = *wall + origin.saturating_duration_since(*first);
        Clock { origin, wall: wall.as_millis() as u64 }
    }

    pub(super) fn now(&self) -> u64 {
        self.wall + self.origin.elapsed().as_millis() as u64
    }

    pub(super) fn at(&self, time: u64) -> Instant {
        // A month is for ever; adding more might leave the clock's range.
        let ahead = time.saturating_sub(self.wall).min(1 << 31);
        self.origin + Duration::from_millis(ahead)
    }
}

/// What one thread has to tell of its frontier.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    pub(super) priorities: [u64; PRIORITIES],
    pub(super) in_flight: u64,
    pub(super) hosts_waiting: u64,
}

/// What earlier runs fetched of a domain, and the domains that link to it.
pub(super) type Before = (u64, Inlinks);

/// The shared part of one crawl.
pub(super) struct Shared<'a, F> {
    pub(super) collection: &'a Collection,
    pub(super) options: &'a CrawlOptions,
    pub(super) fetch: Arc<F>,
    pub(super) scope: Scope,
    /// Of a focused crawl.
    pub(super) spider: Option<Arc<Spider>>,
    pub(super) pace: Pace,
    pub(super) addresses: Arc<Addresses>,
    pub(super) clock: Clock,
    /// No more than connections: each has one at least.
    pub(super) threads: usize,
    pub(super) control: Control,
    /// By the hash of the domain.
    pub(super) domains: HashMap<u64, Before>,
    /// Something was crawled before: another process may have asked these hosts a moment ago.
    pub(super) is_resumed: bool,
    pub(super) time_up: Option<u64>,
    budget: Mutex<Budget>,
    /// When the next commit is due.
    due: AtomicU64,
    /// Bytes of captures put since the last commit.
    waiting: AtomicU64,
    /// Pages put, and those that are safe.
    put: AtomicU64,
    safe: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) errors: AtomicU64,
    /// Pages whose text was seen before.
    pub(super) copies: AtomicU64,
    pub(super) contents: Contents,
    pub(super) slots: Slots,
    standings: Mutex<Vec<Standing>>,
    passes: AtomicU64,
    ended: Mutex<Option<Result<Stopped, StoreError>>>,
}

impl<'a, F> Shared<'a, F> {
    pub(super) fn new(
        collection: &'a Collection,
        fetch: F,
        options: &'a CrawlOptions,
        control: Control,
    ) -> Result<Shared<'a, F>, CrawlError> {
        let mut budget = Budget::new(options.budget);
        let mut domains: HashMap<u64, Before> = HashMap::new();
        for host in collection.ledger.hosts() {
            let (authority, row) = host?;
            budget.load(row.pages, row.bytes);
            let domain = domains.entry(super::domains::hash_of(&authority)).or_default();
            domain.0 += row.pages;
            domain.1.join(Inlinks(row.inlinks));
        }
        let clock = Clock::new();
        let threads = options.threads.clamp(1, options.connections.max(1));
        Ok(Shared {
            collection,
            options,
            fetch: Arc::new(fetch),
            scope: Scope::new(&options.scope, &options.seeds)?,
            spider: options.focus.as_ref().map(|focus| Arc::new(Spider::new(focus))),
            pace: Pace::new(threads, PATIENCE * millis(options.floor)),
            addresses: Arc::new(Addresses::new(options.per_address)),
            time_up: options.budget.time.map(|time| clock.now().saturating_add(time)),
            clock,
            threads,
            control,
            domains,
            is_resumed: !collection.ledger.is_empty(),
            budget: Mutex::new(budget),
            due: AtomicU64::new(NEVER),
            waiting: AtomicU64::new(0),
            put: AtomicU64::new(0),
            safe: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            copies: AtomicU64::new(0),
            contents: Contents::open(&collection.root().join("ledger/contents"))?,
            slots: Slots::default(),
            standings: Mutex::default(),
            passes: AtomicU64::new(0),
            ended: Mutex::default(),
        })
    }

    /// A new pass of the threads.
    pub(super) fn begin(&self) {
        self.passes.fetch_add(1, Relaxed);
        *lock(&self.ended) = None;
        *lock(&self.standings) = vec![Standing::default(); self.threads];
    }

    pub(super) fn is_first_pass(&self) -> bool {
        self.passes.load(Relaxed) == 1
    }

    pub(super) fn now(&self) -> u64 {
        self.clock.now()
    }

    pub(super) fn budget(&self) -> MutexGuard<'_, Budget> {
        lock(&self.budget)
    }

    pub(super) fn reserve(&self, page: bool, most: u64) -> Grant {
        self.budget().reserve(page, most)
    }

    pub(super) fn settle(&self, reserved: Reserved, counts: bool, bytes: u64) {
        self.budget().settle(reserved, counts, bytes);
    }

    /// There is something to commit.
    pub(super) fn touch(&self, now: u64) {
        if self.due.load(Relaxed) == NEVER {
            self.due.fetch_min(now + OLDEST, Relaxed);
        }
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

    /// Ends the pass, for the reason that was given first.
    pub(super) fn end(&self, stopped: Stopped) {
        lock(&self.ended).get_or_insert(Ok(stopped));
    }

    /// Ends the pass with an error, which counts for more than any other end.
    pub(super) fn fail(&self, error: StoreError) -> Result<(), StoreError> {
        let mut ended = lock(&self.ended);
        if !matches!(*ended, Some(Err(_))) {
            *ended = Some(Err(error));
        }
        Ok(())
    }

    pub(super) fn is_ended(&self) -> bool {
        lock(&self.ended).is_some()
    }

    /// How the pass ended.
    pub(super) fn ended(&self) -> Result<Stopped, StoreError> {
        lock(&self.ended).take().unwrap_or(Ok(Stopped::Finished))
    }

    pub(super) fn tell(&self, thread: usize, standing: Standing) {
        if let Some(place) = lock(&self.standings).get_mut(thread) {
            *place = standing;
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let elapsed = self.clock.origin.elapsed();
        let fetched = self.safe.load(Relaxed);
        let mut progress = Progress {
            fetched,
            known: self.collection.ledger.len(),
            bytes: self.bytes.load(Relaxed),
            errors: self.errors.load(Relaxed),
            copies: self.copies.load(Relaxed),
            harvest: self.spider.as_ref().map(|spider| spider.harvest()),
            elapsed,
            rate: fetched as f64 / elapsed.as_secs_f64().max(0.001),
            ..Progress::default()
        };
        for standing in lock(&self.standings).iter() {
            for (sum, more) in progress.priorities.iter_mut().zip(standing.priorities) {
                *sum += more;
                progress.queued += more;
            }
            progress.in_flight += standing.in_flight;
            progress.hosts_waiting += standing.hosts_waiting;
        }
        progress
    }

    /// Whether time is up or somebody asked for the end; says so to the others.
    pub(super) fn is_over(&self, now: u64) -> bool {
        if self.control.is_stopped() {
            self.end(Stopped::Stopped);
        } else if self.time_up.is_some_and(|time| time <= now) {
            self.end(Stopped::Time);
        }
        self.is_ended()
    }

    /// The gap rule as it is set.
    pub(super) fn politeness(&self) -> Politeness {
        let (floor, factor) = (millis(self.options.floor), self.options.factor);
        Politeness { floor, factor, longest: LONGEST_GAP }
    }
}
