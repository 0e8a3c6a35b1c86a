//! The crawl: one loop that owns the frontier and the store; fetches run beside it as tasks, which
//! parse what they got, so the loop stays light (000 "Processing steps in crawling").
//!
//! Life of a URL: `discover` writes its row (queued, or why not) → the frontier gives it when its
//! host may be asked → `dispatch` sees to the address, robots.txt and the budget, and starts the
//! fetch → `answer` writes what came of it. A row is on disk 200 ms later, or at once when a server
//! said when to come back.
//!
//! With everything in scope fetched and no budget reached, neither the set of URLs fetched nor their
//! reasons depend on timing: filters look at the URL alone, a URL found again nearer to a seed or by
//! a link that may be followed is judged again.

mod answer;
mod discover;
mod dispatch;
mod hosts;
mod journal;
pub(crate) mod robots;

use crate::budget::{Budget, Reserved};
use crate::derive::derive_documents;
use crate::fetch::{Address, Failed, Fetch, Outcome};
use crate::frontier::{self, Entry, Frontier};
use crate::options::{CrawlError, CrawlOptions, Progress, Stop, Stopped, Summary};
use crate::politeness::{Backoff, Politeness};
use crate::scope::Scope;
use crate::verdict::Content;
use dispatch::Dispatched;
use fyke_store::{Collection, HostRow, StoreError};
use hosts::Host;
use journal::Journal;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

/// K, the number of front queues.
const FRONT_QUEUES: usize = 8;
/// What the factor × time rule can make of a gap at most, and the longest back-off.
const LONGEST_GAP: u64 = 60_000;
const LONGEST_BACKOFF: u64 = 3_600_000;
/// How often progress is shown while nothing happens.
const TICK: u64 = 250;
/// How long requests under way may go on after a stop.
const GRACE: Duration = Duration::from_secs(1);

/// What a task brings back to the loop.
enum Event {
    Resolved { entry: Entry, address: Result<Address, Failed> },
    Fetched { entry: Entry, outcome: Box<Outcome>, content: Content, reserved: Reserved },
}

/// One run of a crawl.
struct Crawl<'a, F> {
    options: &'a CrawlOptions,
    fetch: Arc<F>,
    journal: Journal<'a>,
    frontier: Frontier,
    hosts: HashMap<String, Host>,
    /// Hosts whose row has changed since the last commit.
    changed: BTreeSet<String>,
    budget: Budget,
    scope: Scope,
    backoff: Backoff,
    clock: Clock,
    tasks: JoinSet<Event>,
    /// The tasks that make a request.
    fetching: HashSet<Id>,
    /// Something was crawled before: another process may have asked these hosts a moment ago.
    is_resumed: bool,
    progress: Progress,
    shown: u64,
}

/// Time in milliseconds since 1970 that never goes back (and stands still in tests that say so).
struct Clock {
    origin: Instant,
    wall: u64,
}

impl Clock {
    fn new() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock { origin: Instant::now(), wall: wall.as_millis() as u64 }
    }

    fn now(&self) -> u64 {
        self.wall + self.origin.elapsed().as_millis() as u64
    }

    fn at(&self, time: u64) -> Instant {
        // A month is for ever; adding more might leave the clock's range.
        let ahead = time.saturating_sub(self.wall).min(1 << 31);
        self.origin + Duration::from_millis(ahead)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Crawls until nothing is left, a budget is used up, or `stop` says so; always goes on from where
/// the collection stands. `observe` is called several times a second.
///
/// # Errors
/// When the collection cannot be written (what was acknowledged is safe; run again to go on), or a
/// scope pattern cannot be read.
pub async fn crawl<F: Fetch>(
    collection: &mut Collection,
    fetch: F,
    options: &CrawlOptions,
    mut observe: impl FnMut(&Progress),
    stop: Stop,
) -> Result<Summary, CrawlError> {
    collection.captures.set_operator(&options.contact);
    derive_documents(collection, |_| ())?;
    let mut crawl = Crawl::new(collection, fetch, options)?;
    crawl.load()?;
    crawl.seed()?;
    // Before the first request, so that a run that is killed at once is known to have begun.
    crawl.commit()?;
    let stopped = crawl.run(&mut observe, &stop).await?;
    crawl.finish().await?;
    crawl.show(&mut observe);
    Ok(crawl.summary(stopped)?)
}

impl<'a, F: Fetch> Crawl<'a, F> {
    fn new(
        collection: &'a mut Collection,
        fetch: F,
        options: &'a CrawlOptions,
    ) -> Result<Crawl<'a, F>, CrawlError> {
        let scope = Scope::new(&options.scope, &options.seeds)?;
        let floor = millis(options.floor);
        let journal = Journal::new(collection)?;
        let frontier = Frontier::new(&frontier::Options {
            fetchers: options.connections,
            front_queues: FRONT_QUEUES,
            politeness: Politeness { floor, factor: options.factor, longest: LONGEST_GAP },
            per_address: options.per_address,
        });
        Ok(Crawl {
            is_resumed: journal.known() > 0,
            options,
            fetch: Arc::new(fetch),
            journal,
            frontier,
            hosts: HashMap::new(),
            changed: BTreeSet::new(),
            budget: Budget::new(options.budget),
            scope,
            backoff: Backoff { base: millis(options.retry_base), most: LONGEST_BACKOFF },
            clock: Clock::new(),
            tasks: JoinSet::new(),
            fetching: HashSet::new(),
            progress: Progress::default(),
            shown: 0,
        })
    }

    /// The loop: start what may start, wait for what comes first, write what is due.
    async fn run(
        &mut self,
        observe: &mut impl FnMut(&Progress),
        stop: &Stop,
    ) -> Result<Stopped, StoreError> {
        let time_up = self.options.budget.time.map(|time| self.clock.now() + time);
        loop {
            let now = self.clock.now();
            if stop.is_stopped() {
                return Ok(Stopped::Stopped);
            }
            if time_up.is_some_and(|time| time <= now) {
                return Ok(Stopped::Time);
            }
            let wake = match self.dispatch()? {
                Dispatched::Done => return Ok(Stopped::Finished),
                Dispatched::Exhausted => return Ok(Stopped::Budget),
                Dispatched::Until(wake) => wake,
            };
            let times = [self.journal.due(), time_up, Some(now + TICK)];
            let wake = times.into_iter().flatten().fold(wake, u64::min);
            tokio::select! {
                biased;
                () = stop.asked() => {}
                Some(event) = self.tasks.join_next_with_id() => self.take(event)?,
                () = tokio::time::sleep_until(self.clock.at(wake)) => {}
            }
            while let Some(event) = self.tasks.try_join_next_with_id() {
                self.take(event)?;
            }
            let now = self.clock.now();
            if self.journal.due().is_some_and(|due| due <= now) {
                self.commit()?;
            }
            if now >= self.shown + TICK {
                self.show(observe);
            }
        }
    }

    fn take(&mut self, event: Result<(Id, Event), JoinError>) -> Result<(), StoreError> {
        let id = event.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        self.fetching.remove(&id);
        match event {
            Ok((_, Event::Resolved { entry, address })) => self.resolved(entry, address),
            Ok((_, Event::Fetched { entry, outcome, content, reserved })) => {
                self.fetched(entry, *outcome, content, reserved)
            }
            // A lost task's URL is still queued in the ledger.
            Err(error) => {
                tracing::warn!(%error, "a fetch ended without an answer");
                Ok(())
            }
        }
    }

    /// Lets requests under way end, for a moment, and writes everything.
    async fn finish(&mut self) -> Result<(), StoreError> {
        let end = Instant::now() + GRACE;
        while let Ok(Some(event)) =
            tokio::time::timeout_at(end, self.tasks.join_next_with_id()).await
        {
            self.take(event)?;
        }
        self.tasks.abort_all();
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let hosts: Vec<(String, HostRow)> = std::mem::take(&mut self.changed)
            .into_iter()
            .filter_map(|name| self.hosts.get(&name).map(|host| (name, host.row.clone())))
            .collect();
        let (pages, documents) = self.journal.commit(hosts)?;
        self.progress.fetched += pages;
        self.progress.documents += documents;
        Ok(())
    }

    fn show(&mut self, observe: &mut impl FnMut(&Progress)) {
        let elapsed = self.clock.origin.elapsed();
        self.shown = self.clock.now();
        self.progress.queued = self.frontier.len() as u64;
        self.progress.known = self.journal.known();
        self.progress.in_flight = self.fetching.len();
        self.progress.hosts_waiting = self.frontier.hosts_waiting();
        self.progress.elapsed = elapsed;
        self.progress.rate = self.progress.fetched as f64 / elapsed.as_secs_f64().max(0.001);
        observe(&self.progress);
    }

    fn summary(&self, stopped: Stopped) -> Result<Summary, StoreError> {
        let reasons = self.journal.collection.ledger.counts()?;
        Ok(Summary {
            stopped,
            pages_fetched: self.progress.fetched,
            budget_pages_used: self.budget.pages(),
            documents: self.progress.documents,
            bytes: self.progress.bytes,
            errors: self.progress.errors,
            queued: reasons.get(&fyke_store::Reason::Queued).copied().unwrap_or(0),
            known: reasons.values().sum(),
            reasons,
            elapsed: self.clock.origin.elapsed(),
        })
    }
}
