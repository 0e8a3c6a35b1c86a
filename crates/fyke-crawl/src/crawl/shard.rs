//! One thread of a crawl: its hosts, their frontier, and the loop that starts what may start, waits
//! for what comes first, and writes what is due.

use super::dispatch::Dispatched;
use super::domains::{Domain, Links};
use super::hosts::Host;
use super::library::Library;
use super::post::{Idle, Letter, Mailbox, Post};
use super::read::{Read, Reader, shows_health};
use super::shared::{Shared, Standing};
use super::sitemaps::{Slot, Waiting};
use super::{TICK, millis};
use crate::budget::Reserved;
use crate::control::{HOSTS, HostNow};
use crate::fetch::{Address, Failed, Fetch, Outcome};
use crate::frontier::{Frontier, HostId, Origin, Outlook, Task};
use crate::options::{Progress, Stopped};
use crate::politeness::Backoff;
use fyke_store::{Ledger, Packer, Position, Reason, Row, StoreError};
use fyke_web::{Url, UrlId};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

/// The longest back-off.
const LONGEST_BACKOFF: u64 = 3_600_000;
/// How long requests under way may go on after a stop.
const GRACE: Duration = Duration::from_secs(1);
/// Letters that fill a batch.
const BATCH: usize = 256;

/// A URL taken from the frontier, with its row.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) id: UrlId,
    pub(super) url: Url,
    pub(super) position: Position,
    pub(super) row: Row,
    /// Of a sitemap on its way.
    pub(super) slot: Option<Slot>,
}

/// What is asked of a host.
#[derive(Debug)]
pub(super) enum Errand {
    Row(Box<Wanted>),
    Robots { of: Origin, url: Url, hops: u8 },
}

impl Errand {
    pub(super) fn url(&self) -> &Url {
        match self {
            Errand::Row(wanted) => &wanted.url,
            Errand::Robots { url, .. } => url,
        }
    }

    /// As the frontier keeps it.
    pub(super) fn task(self) -> Task {
        match self {
            Errand::Row(wanted) => Task::Row(wanted.position),
            Errand::Robots { of, url, hops } => Task::Robots { of, url, hops },
        }
    }
}

/// What a task brings back to the loop.
pub(super) enum Event {
    Resolved { host: HostId, errand: Errand, address: Result<Address, Failed> },
    Fetched(Box<Fetched>),
    Read(Box<Read>),
}

/// The end of a request.
pub(super) struct Fetched {
    pub(super) host: HostId,
    pub(super) errand: Errand,
    pub(super) outcome: Outcome,
    pub(super) reserved: Reserved,
}

/// One thread's part of the crawl.
pub(super) struct Shard<'a, F> {
    pub(super) shared: &'a Shared<'a, F>,
    pub(super) post: &'a Post,
    pub(super) number: usize,
    pub(super) frontier: Frontier,
    /// By number in the frontier.
    pub(super) hosts: Vec<Host>,
    /// Closed hosts with URLs in the queue that are still to be shelved.
    pub(super) closing: BTreeSet<HostId>,
    /// Sitemaps whose turn comes when others have ended.
    pub(super) waiting: Waiting,
    pub(super) domains: HashMap<u64, Domain>,
    pub(super) library: Library,
    /// Domains, by hash, whose hosts wait until another domain links to them.
    pub(super) exhausted: HashSet<u64>,
    pub(super) links: Links,
    packer: Arc<Mutex<Packer>>,
    pub(super) backoff: Backoff,
    pub(super) tasks: JoinSet<Event>,
    /// Requests under way, and answers not yet read.
    pub(super) fetching: usize,
    /// Answers to be read, whose hosts may be asked again meanwhile.
    unread: Vec<Fetched>,
    mailbox: Mailbox,
    outgoing: Vec<Vec<Letter>>,
    bans: u64,
    looks: u64,
    told: u64,
}

impl<'a, F: Fetch> Shard<'a, F> {
    pub(super) fn new(
        shared: &'a Shared<'a, F>,
        post: &'a Post,
        number: usize,
        mailbox: Mailbox,
    ) -> Shard<'a, F> {
        let options = shared.options;
        let overflow = shared.collection.root().join(format!("ledger/overflow-{number}"));
        Shard {
            frontier: Frontier::new(shared.politeness(), Arc::clone(&shared.addresses), &overflow),
            hosts: Vec::new(),
            closing: BTreeSet::new(),
            waiting: Waiting::default(),
            domains: HashMap::new(),
            library: Library::default(),
            exhausted: HashSet::new(),
            links: Links::default(),
            packer: Arc::new(Mutex::new(Packer::new())),
            backoff: Backoff { base: millis(options.retry_base), most: LONGEST_BACKOFF },
            tasks: JoinSet::new(),
            fetching: 0,
            unread: Vec::new(),
            mailbox,
            outgoing: (0..shared.threads).map(|_| Vec::new()).collect(),
            bans: 0,
            looks: 0,
            told: 0,
            shared,
            post,
            number,
        }
    }

    pub(super) fn ledger(&self) -> &'a Ledger {
        &self.shared.collection.ledger
    }

    /// Requests this thread may have under way.
    pub(super) fn most_fetching(&self) -> usize {
        let (connections, threads) = (self.shared.options.connections.max(1), self.shared.threads);
        connections / threads + usize::from(self.number < connections % threads)
    }

    /// The loop.
    pub(super) async fn run(
        mut self,
        mut observe: Option<&mut dyn FnMut(&Progress)>,
    ) -> Result<(), StoreError> {
        let done = self.work(&mut observe).await;
        // The others must not wait for a thread that is gone.
        self.post.ring_all();
        done?;
        self.finish().await
    }

    async fn work(
        &mut self,
        observe: &mut Option<&mut dyn FnMut(&Progress)>,
    ) -> Result<(), StoreError> {
        loop {
            self.read_letters()?;
            let now = self.shared.now();
            if self.shared.is_over(now) {
                return Ok(());
            }
            let wake = self.step(now)?;
            self.send_letters(1);
            self.read_answers();
            let wake = match self.shelve_some()? {
                true => {
                    // Requests under way go on between two parts.
                    tokio::task::yield_now().await;
                    now
                }
                false => wake,
            };
            let times = [self.shared.due(), self.shared.time_up, Some(now + TICK)];
            let wake = times.into_iter().flatten().fold(wake, u64::min);
            tokio::select! {
                biased;
                () = self.shared.control.asked() => {}
                Some(event) = self.tasks.join_next() => self.take(event)?,
                () = self.post.bell(self.number) => {}
                () = tokio::time::sleep_until(self.shared.clock.at(wake)) => {}
            }
            while let Some(event) = self.tasks.try_join_next() {
                self.take(event)?;
            }
            let now = self.shared.now();
            self.shared.sync_if_due(now)?;
            if now >= self.told + TICK {
                self.tell(now);
                if let Some(observe) = observe {
                    observe(&self.shared.progress());
                }
            }
        }
    }

    /// Starts what may start; returns until when nothing more can be done.
    fn step(&mut self, now: u64) -> Result<u64, StoreError> {
        for authority in self.shared.control.banned_since(&mut self.bans) {
            if let Some(host) = self.frontier.known(&authority) {
                self.close(host, None, super::hosts::BANNED)?;
            }
        }
        if self.shared.control.is_paused() {
            return Ok(now + TICK);
        }
        self.bring_sitemaps();
        let dispatched = self.dispatch()?;
        // What goes out now is no longer on this thread's hands when it says that it is idle.
        self.send_letters(1);
        match dispatched {
            Dispatched::Until(wake) => {
                self.post.set_idle(self.number, Idle::No);
                Ok(wake)
            }
            Dispatched::Exhausted => {
                self.shared.end(Stopped::Budget);
                self.post.ring_all();
                Ok(now)
            }
            // The loop shelves what is left of closed hosts, and other threads give back slots.
            Dispatched::Nothing if !self.closing.is_empty() || self.has_waiting() => {
                self.post.set_idle(self.number, Idle::No);
                Ok(u64::MAX)
            }
            Dispatched::Nothing => self.rest(now),
        }
    }

    /// Nothing is left here. When that is so everywhere, no link can come any more: every thread closes
    /// its exhausted domains, and when all have the pass ends.
    fn rest(&mut self, now: u64) -> Result<u64, StoreError> {
        let mine = if self.exhausted.is_empty() { Idle::Yes } else { Idle::Waiting };
        match (self.post.set_idle(self.number, mine), mine) {
            (Idle::No, _) => return Ok(u64::MAX),
            (Idle::Waiting, Idle::Yes) => {
                self.post.ring_others(self.number);
                return Ok(u64::MAX);
            }
            (Idle::Waiting, _) => self.close_exhausted()?,
            (Idle::Yes, _) => {
                self.shared.end(Stopped::Finished);
                self.post.ring_all();
            }
        }
        Ok(now)
    }

    fn take(&mut self, event: Result<Event, JoinError>) -> Result<(), StoreError> {
        match event {
            Ok(Event::Resolved { host, errand, address }) => self.resolved(host, errand, address),
            Ok(Event::Fetched(fetched)) => {
                self.free(&fetched);
                // A guide wants to have read every page before it says what comes next.
                if self.shared.spider.is_none() && shows_health(&fetched.errand, &fetched.outcome) {
                    self.unread.push(*fetched);
                    return Ok(());
                }
                let read = Reader::of(self.shared, &self.packer).read(*fetched);
                self.read(read)
            }
            Ok(Event::Read(read)) => self.read(*read),
            // A lost task's URL is still queued in the ledger.
            Err(error) => {
                self.fetching = self.fetching.saturating_sub(1);
                tracing::warn!(%error, "a fetch ended without an answer");
                Ok(())
            }
        }
    }

    /// Has the answers read that came, after what may start by now has started: what comes back from
    /// there comes while these are read.
    fn read_answers(&mut self) {
        for fetched in self.unread.drain(..) {
            let reader = Reader::of(self.shared, &self.packer);
            self.tasks.spawn(async move {
                tokio::task::yield_now().await;
                Event::Read(Box::new(reader.read(fetched)))
            });
        }
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.tasks.is_empty() && self.unread.is_empty()
    }

    /// Writes what comes of an answer that was read.
    fn read(&mut self, read: Read) -> Result<(), StoreError> {
        self.fetching -= 1;
        // A page, its links and its host go to disk together or not at all.
        let collection = self.shared.collection;
        collection.group(|| self.fetched(read))
    }

    /// Lets requests under way end, for a moment, and tells where things stand.
    async fn finish(&mut self) -> Result<(), StoreError> {
        let end = Instant::now() + GRACE;
        self.read_answers();
        while let Ok(Some(event)) = tokio::time::timeout_at(end, self.tasks.join_next()).await {
            self.take(event)?;
            self.read_answers();
        }
        self.tasks.abort_all();
        self.tell(self.shared.now());
        Ok(())
    }

    /// Hands a letter to the thread that owns the partition; true when it is this one.
    pub(super) fn is_mine(&self, partition: u8) -> bool {
        self.post.owner(partition) == self.number
    }

    pub(super) fn write(&mut self, partition: u8, letter: Letter) {
        let to = self.post.owner(partition);
        self.outgoing[to].push(letter);
        if self.outgoing[to].len() >= BATCH {
            self.send_letters(BATCH);
        }
    }

    /// Sends every batch of at least so many letters.
    fn send_letters(&mut self, least: usize) {
        for (to, letters) in self.outgoing.iter_mut().enumerate() {
            if letters.len() >= least {
                self.post.send(to, std::mem::take(letters));
            }
        }
    }

    fn read_letters(&mut self) -> Result<(), StoreError> {
        while let Ok(letters) = self.mailbox.try_recv() {
            self.post.count_received(self.number);
            for letter in letters {
                self.read_letter(letter)?;
            }
        }
        Ok(())
    }

    fn read_letter(&mut self, letter: Letter) -> Result<(), StoreError> {
        match letter {
            Letter::Url { authority, position, priority, from } => {
                self.take_in(&authority, position, priority, from)
            }
            Letter::Inlink { authority, from } => self.vouched(&authority, from),
            Letter::Robots { of, url, hops } => self.ask_elsewhere(of, url, hops),
            Letter::Rules { of, hops, found } => self.found_rules(of, hops, found),
            Letter::Mirror { authority, of } => self.is_mirror(&authority, of),
        }
    }

    /// Says how this thread's frontier stands, and its hosts if somebody looks.
    fn tell(&mut self, now: u64) {
        self.told = now;
        let standing = Standing {
            priorities: self.frontier.queued(),
            in_flight: self.fetching as u64,
            hosts_waiting: self.frontier.hosts_waiting() as u64,
        };
        self.shared.tell(self.number, standing);
        if self.shared.control.is_watched_since(&mut self.looks) {
            self.shared.control.tell(self.number, self.hosts_now(now));
        }
    }

    /// The hosts with the most queued URLs.
    fn hosts_now(&self, now: u64) -> Vec<HostNow> {
        let ids = (0..self.hosts.len()).map(|n| HostId(n as u32));
        let mut most: Vec<(Outlook, HostId)> =
            ids.map(|id| (self.frontier.outlook(id), id)).collect();
        if most.len() > HOSTS {
            most.select_nth_unstable_by(HOSTS, |a, b| b.0.queued.cmp(&a.0.queued));
            most.truncate(HOSTS);
        }
        let told = most.into_iter().map(|(outlook, id)| {
            let host = &self.hosts[id.index()];
            HostNow {
                authority: self.frontier.name(id).to_owned(),
                queued: outlook.queued,
                pages: host.row.pages,
                failures: host.row.failures,
                until: outlook.until,
                why: host.why(outlook, now),
            }
        });
        told.collect()
    }
}

/// Whether a row is still to be fetched.
pub(super) fn is_queued(row: &Row) -> bool {
    row.reason == Reason::Queued
}
