//! The URL frontier by the Mercator scheme (000 "Mercator URL frontier"): front queues prioritise,
//! back queues enforce politeness, a heap knows the earliest time of each back queue. No I/O and no
//! clock: time comes in as `now`, in milliseconds.
//!
//! It departs from the scheme in three ways. A host that must wait long (Retry-After, a long
//! Crawl-delay) is *parked*: it keeps its URLs but gives its back queue to another host. A server
//! address has a gap and a limit of its own, so that many hosts on one machine are one burden. And
//! a host remembers its earliest time when its back queue goes to another host.

mod back;
mod front;

use crate::politeness::Politeness;
use back::BackQueues;
use front::FrontQueues;
use fyke_web::{Url, UrlId};
use std::net::IpAddr;

/// What a URL in the frontier is wanted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Its row in the ledger says: a page, or a sitemap.
    Row,
    /// The robots.txt of host `of`, after `hops` redirects.
    Robots { of: String, hops: u8 },
}

/// A URL to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: UrlId,
    pub url: Url,
    /// Front queue, 1 (best) to K.
    pub priority: u8,
    pub task: Task,
}

/// The frontier's answer to "what may be asked for now?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Fetch this; its host is busy until [`Frontier::done`] or [`Frontier::release`].
    Fetch(Entry),
    /// Nothing before this time.
    WaitUntil(u64),
    /// Only the end of a request under way can bring something.
    InFlight,
    /// Nothing queued, nothing under way.
    Done,
}

/// Sizes and manners.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Requests at once; there are three times as many back queues.
    pub fetchers: usize,
    /// K.
    pub front_queues: usize,
    pub politeness: Politeness,
    /// Requests in flight per server address; 0 switches the address rules off.
    pub per_address: usize,
}

/// The queues of one crawl.
#[derive(Debug)]
pub struct Frontier {
    front: FrontQueues,
    back: BackQueues,
    dropped: Vec<Entry>,
}

impl Frontier {
    #[must_use]
    pub fn new(options: &Options) -> Frontier {
        Frontier {
            front: FrontQueues::new(options.front_queues),
            back: BackQueues::new(options),
            dropped: Vec::new(),
        }
    }

    /// Takes a URL in from the top.
    pub fn push(&mut self, entry: Entry) {
        self.front.push(entry);
        self.refill();
    }

    /// Puts a URL at the head of its host's queue, past the front queues: for what must come before
    /// the host's pages, and for what was taken out but not asked for.
    pub fn push_urgent(&mut self, entry: Entry) {
        self.back.push_front(entry, &mut self.dropped);
        self.refill();
    }

    /// The next URL that may be asked for at `now`.
    pub fn next(&mut self, now: u64) -> Next {
        loop {
            let next = self.back.next(now);
            let refilled = self.refill();
            if !refilled || matches!(next, Next::Fetch(_)) {
                return next;
            }
        }
    }

    /// The request to this host ended at `now` after `elapsed` ms: frees the host and sets its
    /// earliest time, and that of its address.
    pub fn done(&mut self, authority: &str, elapsed: u64, now: u64) {
        self.back.done(authority, Some(elapsed), now);
        self.refill();
    }

    /// The host was taken but nothing was asked of it: frees it without a gap.
    pub fn release(&mut self, authority: &str, now: u64) {
        self.back.done(authority, None, now);
        self.refill();
    }

    /// Sets the host's Crawl-delay; it binds from the end of the last request on, the one that
    /// brought the news included.
    pub fn set_delay(&mut self, authority: &str, delay: u64) {
        self.back.set_delay(authority, delay);
        self.refill();
    }

    /// No request to this host before `until`, whatever its gap says.
    pub fn hold(&mut self, authority: &str, until: u64) {
        self.back.hold(authority, until);
        self.refill();
    }

    /// No request to this host while it waits; its gap and what it was held for bind afterwards.
    pub fn set_waits(&mut self, authority: &str, waits: bool) {
        self.back.set_waits(authority, waits);
        self.refill();
    }

    /// The host is served from this address.
    pub fn resolved(&mut self, authority: &str, address: IpAddr) {
        self.back.set_address(authority, address);
    }

    /// Gives the host up: its queued URLs come back at once; those still in front queues, and those
    /// pushed later, through [`Frontier::take_dropped`].
    pub fn drop_host(&mut self, authority: &str) -> Vec<Entry> {
        let entries = self.back.drop_host(authority);
        self.refill();
        entries
    }

    /// URLs of hosts that were given up, as they turn up.
    pub fn take_dropped(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.dropped)
    }

    /// URLs queued, those under way not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.front.len() + self.back.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hosts with queued URLs and no request under way.
    #[must_use]
    pub fn hosts_waiting(&self) -> usize {
        self.back.waiting()
    }

    /// The host of each back queue (none: the queue is empty), with how many URLs it holds.
    pub fn back_queues(&self) -> impl Iterator<Item = Option<(&str, usize)>> {
        self.back.queues()
    }

    /// Keeps every back queue non-empty while there are URLs: parked hosts that came due first, then
    /// the front queues. A URL whose host has a place already is appended there, and another pulled.
    fn refill(&mut self) -> bool {
        let mut refilled = false;
        while self.back.has_free() {
            if !self.back.assign_returning() {
                let Some(entry) = self.front.pull() else { break };
                self.back.push(entry, &mut self.dropped);
            }
            refilled = true;
        }
        refilled
    }
}
