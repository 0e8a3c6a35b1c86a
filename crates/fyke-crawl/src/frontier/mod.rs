//! The URL frontier, after the Mercator scheme (000 "Mercator URL frontier"): back queues of one host
//! each enforce politeness, a heap knows the earliest time of each. No clock: time comes in as `now`,
//! in milliseconds; no I/O but the overflow's.
//!
//! It departs from the scheme in three ways, so that every host with queued URLs is kept busy and
//! memory stays bounded. Every host has a back queue, not three times as many as there are fetchers:
//! a queue is a few URLs in memory and the rest on disk, which costs less than the wait for a free
//! one. So priorities are kept inside the back queues, and the biased selector of the front queues
//! chooses among the hosts that may be asked now. And a server address has a gap and a limit of its
//! own, so that many hosts on one machine are one burden.

mod addresses;
mod back;
mod overflow;
mod queue;
mod ready;

pub use addresses::Addresses;
pub use queue::PRIORITIES;

use crate::politeness::Politeness;
use back::BackQueues;
use fyke_store::{Position, StoreError};
use fyke_web::Url;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

/// The number of one side of a host in one frontier, with TLS or without: they count up from 0. Each side has
/// its queue and its holds; the gap, and that one request is under way at a time, binds both together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostId(pub u32);

impl HostId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a robots.txt binds (RFC 9309, 2.3): the plain side of an authority, or the one with TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub is_secure: bool,
    pub authority: String,
}

impl Origin {
    #[must_use]
    pub fn of(url: &Url) -> Origin {
        Origin { is_secure: url.scheme() == "https", authority: url.authority().to_owned() }
    }
}

/// What a host is to be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A URL whose record stands there in the ledger: a page, or a sitemap.
    Row(Position),
    /// The robots.txt of `of`, found at `url` after `hops` redirects.
    Robots { of: Origin, url: Url, hops: u8 },
    /// What the scripts of a page ask for, by the number under which somebody waits for it.
    Part(u64),
}

/// The frontier's answer to "what may be asked for now?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Fetch this; its host is busy until [`Frontier::done`] or [`Frontier::release`].
    Fetch(HostId, Task),
    /// Nothing before this time.
    WaitUntil(u64),
    /// Only the end of a request under way, or news from outside, can bring something.
    InFlight,
    /// Nothing that could be asked for, nothing under way.
    Done,
}

/// What a host has before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// When it may next be asked; none: something else has to happen first.
    pub until: Option<u64>,
    /// URLs queued.
    pub queued: u64,
    /// Another host of its address is asked first.
    pub in_line: bool,
}

/// The queues of one thread's hosts.
#[derive(Debug)]
pub struct Frontier {
    back: BackQueues,
}

impl Frontier {
    /// `overflow` is where the scratch file goes, `addresses` what all frontiers of a crawl share.
    #[must_use]
    pub fn new(politeness: Politeness, addresses: Arc<Addresses>, overflow: &Path) -> Frontier {
        Frontier { back: BackQueues::new(politeness, addresses, overflow) }
    }

    /// The side of an authority, with TLS or without.
    pub fn host(&mut self, authority: &str, is_secure: bool) -> HostId {
        self.back.host(authority, is_secure)
    }

    /// The sides of an authority that were met before: without TLS, and with it.
    #[must_use]
    pub fn known(&self, authority: &str) -> [Option<HostId>; 2] {
        self.back.known(authority)
    }

    /// The authority of a host.
    #[must_use]
    pub fn name(&self, host: HostId) -> &str {
        self.back.name(host)
    }

    /// Queues a URL behind those of its priority, 1 (best) to [`PRIORITIES`].
    ///
    /// # Errors
    /// When the overflow cannot be written (so all of these).
    pub fn push(&mut self, host: HostId, priority: u8, url: Position) -> Result<(), StoreError> {
        self.back.push(host, priority, url)
    }

    /// Puts a task before everything else the host is asked for, even while it waits.
    pub fn push_urgent(&mut self, host: HostId, task: Task) {
        self.back.push_urgent(host, task);
    }

    /// What may be asked for at `now`, with the bias towards better priorities that lets none starve.
    pub fn next(&mut self, now: u64) -> Result<Next, StoreError> {
        self.back.next(now, None)
    }

    /// The best that may be asked for at `now`, if its priority is no worse than `worst`.
    pub fn next_best(&mut self, now: u64, worst: u8) -> Result<Next, StoreError> {
        self.back.next(now, Some(worst))
    }

    /// The priority of the URL that was given last; none if it was urgent.
    #[must_use]
    pub fn taken(&self) -> Option<u8> {
        self.back.taken()
    }

    /// The request ended at `now` after `elapsed` ms: frees the host and sets its earliest time, and
    /// that of its address.
    pub fn done(&mut self, host: HostId, elapsed: u64, now: u64) {
        self.back.done(host, Some(elapsed), now);
    }

    /// The host was taken but nothing was asked of it: frees it without a gap.
    pub fn release(&mut self, host: HostId, now: u64) {
        self.back.done(host, None, now);
    }

    /// Sets the host's Crawl-delay; it binds from the end of the last request on, the one that
    /// brought the news included.
    pub fn set_delay(&mut self, host: HostId, delay: u64) {
        self.back.set_delay(host, delay);
    }

    /// No request to this side of the host before `until`, whatever its gap says.
    pub fn hold(&mut self, host: HostId, until: u64) {
        self.back.hold(host, until);
    }

    /// Nothing but a robots.txt, and parts of pages that count already, is asked of this host while it waits.
    pub fn set_waits(&mut self, host: HostId, waits: bool) {
        self.back.set_waits(host, waits);
    }

    /// The host's robots.txt is looked for elsewhere: parts wait, too, until that ends.
    pub fn set_seeks(&mut self, host: HostId, seeks: bool) {
        self.back.set_seeks(host, seeks);
    }

    /// The host is served from this address.
    pub fn resolved(&mut self, host: HostId, address: IpAddr) {
        self.back.set_address(host, address);
    }

    /// From when on its gap lets the host be asked.
    #[must_use]
    pub fn ready(&self, host: HostId) -> u64 {
        self.back.ready(host)
    }

    /// Takes so many tasks out of the host's queue, or all there are.
    pub fn drain(&mut self, host: HostId, most: usize) -> Result<Vec<Task>, StoreError> {
        self.back.drain(host, most)
    }

    /// URLs queued, those under way not counted.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.back.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// URLs queued by priority, the best first.
    #[must_use]
    pub fn queued(&self) -> [u64; PRIORITIES] {
        self.back.queued()
    }

    /// Hosts with queued URLs and no request under way.
    #[must_use]
    pub fn hosts_waiting(&self) -> usize {
        self.back.waiting()
    }

    /// What the host has before it.
    #[must_use]
    pub fn outlook(&self, host: HostId) -> Outlook {
        self.back.outlook(host)
    }
}
