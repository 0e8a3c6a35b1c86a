//! What the threads of one process share, whatever folder they work on: the network, what the crawl was told,
//! the budget, the addresses, the clock, the tally, the end.

use super::again::AgainCounters;
use super::cell::CrawlCell;
use super::clock::Clock;
use super::discovery::LinkWorth;
use super::due::DueRows;
use super::focus::Pace;
use super::millis;
use super::seeds;
use super::sitemaps::Slots;
use crate::budget::Budget;
use crate::control::{Control, lock};
use crate::frontier::{Addresses, PRIORITIES};
use crate::guide::Spider;
use crate::options::{CrawlError, CrawlOptions, CrawlProgress, Stopped};
use crate::politeness::Politeness;
use crate::render::Renderer;
use crate::scope::Scope;
use fyke_store::StoreError;
use fyke_web::Url;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Gaps without anything better before a focused crawl turns to what is worth less.
const PATIENCE: u64 = 2;
/// What the factor × time rule can make of a gap at most.
pub(super) const LONGEST_GAP: u64 = 60_000;

/// What one thread has to tell of its frontier.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThreadState {
    pub(super) priorities: [u64; PRIORITIES],
    pub(super) in_flight: u64,
    pub(super) hosts_waiting: u64,
}

/// What this run met so far.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) bytes: AtomicU64,
    pub(super) errors: AtomicU64,
    /// Pages whose text was seen before.
    pub(super) copies: AtomicU64,
    /// URLs of hosts that were given up.
    pub(super) given_up: AtomicU64,
    pub(super) again: AgainCounters,
}

impl Counters {
    pub(super) fn count_error(&self) {
        self.errors.fetch_add(1, Relaxed);
    }
}

/// What a pass leaves of its hosts.
#[derive(Clone, Debug, Default)]
pub(super) struct HostsLeft {
    /// Those that answered, but with errors.
    pub(super) troubled: BTreeSet<String>,
    /// When the first of those that wait may be asked again.
    pub(super) goes_on: Option<u64>,
}

/// The process's part of one crawl.
pub(super) struct CrawlNode<'a, F> {
    pub(super) options: &'a CrawlOptions,
    pub(super) fetch: Arc<F>,
    pub(super) scope: Scope,
    /// Of a focused crawl.
    pub(super) spider: Option<Arc<Spider>>,
    /// Runs the scripts of pages, where that is set.
    pub(super) renderer: Option<Renderer>,
    pub(super) pace: Pace,
    pub(super) worth: LinkWorth,
    pub(super) addresses: Arc<Addresses>,
    pub(super) clock: Clock,
    /// Of all cells, as many for each. No more than connections, or one a cell.
    pub(super) threads: usize,
    pub(super) control: Control,
    pub(super) time_up: Option<u64>,
    /// When the node was made.
    begun: u64,
    pub(super) budget: Mutex<Budget>,
    pub(super) counters: Counters,
    pub(super) slots: Slots,
    pub(super) due: DueRows,
    states: Mutex<Vec<ThreadState>>,
    left: Mutex<HostsLeft>,
    passes: AtomicU64,
    ended: Mutex<Option<Result<Stopped, StoreError>>>,
}

impl<'a, F> CrawlNode<'a, F> {
    /// The budget begins with what earlier runs used of it.
    pub(super) fn new(
        cells: &[CrawlCell<'_>],
        fetch: F,
        options: &'a CrawlOptions,
        control: Control,
    ) -> Result<CrawlNode<'a, F>, CrawlError> {
        let mut budget = Budget::new(options.budget);
        let domains = cells.iter().flat_map(|cell| cell.domains.values());
        domains.for_each(|domain| budget.load(domain.pages, domain.bytes));
        let clock = Clock::new();
        let threads = options.threads.clamp(1, options.connections.max(1));
        let threads = threads.div_ceil(cells.len()) * cells.len();
        let plain = options.bare_seeds.iter().filter_map(seeds::plain);
        let seeds: Vec<Url> = options.seeds.iter().cloned().chain(plain).collect();
        let scope = Scope::new(&options.scope, &seeds)?;
        seeds::follow(&scope, &seeds, |url| seeds::row(cells, url))?;
        Ok(CrawlNode {
            options,
            fetch: Arc::new(fetch),
            scope,
            spider: options.focus.as_ref().map(|focus| Arc::new(Spider::new(focus))),
            renderer: options
                .render
                .clone()
                .map(|render| Renderer::new(render, &options.credentials)),
            pace: Pace::new(threads, PATIENCE * millis(options.floor)),
            worth: LinkWorth::new(options),
            addresses: Arc::new(Addresses::new(options.per_address)),
            time_up: options.budget.time.map(|time| clock.now().saturating_add(time)),
            begun: clock.now(),
            clock,
            threads,
            control,
            budget: Mutex::new(budget),
            counters: Counters::default(),
            slots: Slots::default(),
            due: DueRows::default(),
            states: Mutex::default(),
            left: Mutex::default(),
            passes: AtomicU64::new(0),
            ended: Mutex::default(),
        })
    }

    /// A new pass of the threads.
    pub(super) fn begin(&self) {
        self.passes.fetch_add(1, Relaxed);
        *lock(&self.ended) = None;
        self.due.begin();
        *lock(&self.left) = HostsLeft::default();
        *lock(&self.states) = vec![ThreadState::default(); self.threads];
    }

    pub(super) fn is_first_pass(&self) -> bool {
        self.passes.load(Relaxed) == 1
    }

    pub(super) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Ends the pass, for the reason that was given first.
    pub(super) fn end(&self, stopped: Stopped) {
        lock(&self.ended).get_or_insert(Ok(stopped));
    }

    /// Ends the pass with an error, which counts for more than any other end.
    pub(super) fn fail(&self, error: StoreError) {
        let mut ended = lock(&self.ended);
        if !matches!(*ended, Some(Err(_))) {
            *ended = Some(Err(error));
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        lock(&self.ended).is_some()
    }

    /// How the pass ended.
    pub(super) fn ended(&self) -> Result<Stopped, StoreError> {
        lock(&self.ended).take().unwrap_or(Ok(Stopped::Finished))
    }

    /// Whether the crawl waits for what hubs tell, though nothing is left to do; no longer than until something is due.
    pub(super) fn lingers(&self, now: u64) -> bool {
        let end = self.begun.saturating_add(millis(self.options.lingers));
        now < self.due.next_due().map_or(end, |due| end.min(due))
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

    /// A thread says what it leaves of its hosts.
    pub(super) fn leave(&self, mut left: HostsLeft) {
        let mut all = lock(&self.left);
        all.troubled.append(&mut left.troubled);
        all.goes_on = [all.goes_on, left.goes_on].into_iter().flatten().min();
    }

    /// What the last pass left of the hosts.
    pub(super) fn hosts_left(&self) -> HostsLeft {
        lock(&self.left).clone()
    }

    pub(super) fn tell(&self, thread: usize, state: ThreadState) {
        if let Some(place) = lock(&self.states).get_mut(thread) {
            *place = state;
        }
    }

    pub(super) fn progress(&self, cells: &[CrawlCell<'_>]) -> CrawlProgress {
        let (elapsed, fetched) = (self.clock.elapsed(), cells.iter().map(CrawlCell::pages).sum());
        let mut progress = CrawlProgress {
            fetched,
            known: cells.iter().map(|cell| cell.ledger().len()).sum(),
            bytes: self.counters.bytes.load(Relaxed),
            errors: self.counters.errors.load(Relaxed),
            copies: self.counters.copies.load(Relaxed),
            given_up: self.counters.given_up.load(Relaxed),
            again: self.counters.again.visits.load(Relaxed),
            harvest: self.spider.as_ref().map(|spider| spider.harvest()),
            elapsed,
            rate: fetched as f64 / elapsed.as_secs_f64().max(0.001),
            ..CrawlProgress::default()
        };
        for state in lock(&self.states).iter() {
            for (sum, more) in progress.priorities.iter_mut().zip(state.priorities) {
                *sum += more;
                progress.queued += more;
            }
            progress.in_flight += state.in_flight;
            progress.hosts_waiting += state.hosts_waiting;
        }
        progress
    }

    /// The gap rule as it is set.
    pub(super) fn politeness(&self) -> Politeness {
        let (floor, factor) = (millis(self.options.floor), self.options.factor);
        Politeness { floor, factor, longest: LONGEST_GAP }
    }

    /// Requests that a thread may have under way.
    pub(super) fn most_fetching(&self, thread: usize) -> usize {
        let connections = self.options.connections.max(1);
        let share = connections / self.threads + usize::from(thread < connections % self.threads);
        share.max(1)
    }
}
