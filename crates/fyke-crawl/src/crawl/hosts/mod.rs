//! The hosts of one thread: what is known of each, when it may be asked, and by which rule of its robots.txt.
//! Nobody else writes a host's row.

mod library;
mod rules;
mod standing;

pub(super) use rules::RulesNext;
pub(super) use standing::Shelved;

use super::cell::CrawlCell;
use super::millis;
use super::node::CrawlNode;
use crate::control::{HOSTS, HostNow};
use crate::fetch::{Address, Blame, Failed, Outcome};
use crate::frontier::{Frontier, HostId, Outlook};
use crate::options::CrawlOptions;
use crate::politeness::{Backoff, Politeness, decay, is_loopback};
use fyke_store::{HostRow, Reason, StoreError};
use fyke_web::Url;
use library::Library;
use rules::{Bound, longest_delay};
use standing::Closed;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

/// The longest back-off.
const LONGEST_BACKOFF: u64 = 3_600_000;
/// Pause after a request that we broke off, at least.
const PAUSE: u64 = 3000;
/// Why nothing more is asked of a host that somebody banned.
const BANNED: &str = "banned for this run";
/// Why nothing more is asked of a host that asked for a long wait.
const IMPATIENT: &str = "a longer wait than this run has patience for";

/// One host in this run.
#[derive(Debug, Default)]
struct Host {
    /// Without the robots.txt, which stays in the ledger.
    row: HostRow,
    /// The rules that bind, without TLS and with it.
    robots: [Option<Bound>; 2],
    /// Times robots.txt could not be had in this run.
    robots_tries: u32,
    /// The host where its robots.txt is looked for meanwhile, if that is another.
    robots_at: Option<String>,
    address: Option<Known>,
    /// Times in a row that it gave no answer in this run.
    silent: u32,
    /// Nothing more is asked of it in this run.
    closed: Option<Box<Closed>>,
}

impl Host {
    /// Why it waits, in words.
    fn why(&self, outlook: Outlook, now: u64) -> String {
        let is_later = outlook.until.is_some_and(|until| until > now);
        match (&self.closed, &self.robots_at) {
            (Some(closed), _) => closed.detail.clone(),
            (None, Some(elsewhere)) => format!("its robots.txt is looked for at {elsewhere}"),
            (None, None) if !self.row.waits.is_empty() && is_later => self.row.waits.clone(),
            _ if is_later => "the gap between two requests".to_owned(),
            _ if outlook.in_line => "other hosts of its address are asked first".to_owned(),
            _ => String::new(),
        }
    }
}

/// Where a host is, for which port (each scheme has its own), and until when that may be believed.
#[derive(Debug)]
struct Known {
    address: Address,
    port: u16,
    until: u64,
    /// Addresses in a row that took no connection.
    silent: usize,
}

/// A host that was met for the first time in this run.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) host: HostId,
    /// Pages over the collection's life.
    pub(super) pages: u64,
    /// The sitemaps that its robots.txt names, as the ledger has it.
    pub(super) sitemaps: Vec<Url>,
}

/// The answer to "may this URL be asked for now?".
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leave {
    Yes,
    /// Nothing more is asked of the host in this run.
    Closed,
    /// Its address has to be found first.
    Unresolved,
    /// Its robots.txt has to be asked for first.
    Unruled,
    /// By this rule of its robots.txt.
    Forbidden(String),
}

/// The hosts of one thread, by number in its frontier.
pub(super) struct Hosts<'a> {
    /// Their queues and gaps.
    pub(super) frontier: Frontier,
    cell: &'a CrawlCell<'a>,
    options: &'a CrawlOptions,
    politeness: Politeness,
    backoff: Backoff,
    /// When the crawl began.
    begun: u64,
    hosts: Vec<Host>,
    library: Library,
    /// Closed hosts with URLs in the queue that are still to be shelved.
    closing: BTreeSet<HostId>,
}

impl<'a> Hosts<'a> {
    pub(super) fn new<F>(
        cell: &'a CrawlCell<'a>,
        node: &CrawlNode<'a, F>,
        number: usize,
    ) -> Hosts<'a> {
        let overflow = cell.collection.root().join(format!("ledger/overflow-{number}"));
        let (options, politeness) = (node.options, node.politeness());
        Hosts {
            frontier: Frontier::new(politeness, Arc::clone(&node.addresses), &overflow),
            cell,
            options,
            politeness,
            backoff: Backoff { base: millis(options.retry_base), most: LONGEST_BACKOFF },
            begun: node.clock.wall,
            hosts: Vec::new(),
            library: Library::default(),
            closing: BTreeSet::new(),
        }
    }

    fn of(&self, host: HostId) -> &Host {
        &self.hosts[host.index()]
    }

    fn of_mut(&mut self, host: HostId) -> &mut Host {
        &mut self.hosts[host.index()]
    }

    /// Takes in a host that is new in this run, with what the ledger knows of it. It is left alone for what
    /// an earlier run promised, and for one gap: the process that was killed may have asked it a moment ago.
    pub(super) fn meet(
        &mut self,
        authority: &str,
        is_banned: bool,
        now: u64,
    ) -> Result<Met, StoreError> {
        let mut row = self.cell.ledger().host(authority)?.unwrap_or_default();
        // A new run is a new chance: what was promised binds, the grudge is halved.
        row.failures = decay(row.failures);
        let mut until = u64::try_from(row.not_before).unwrap_or(0);
        let copies = [row.robots.take(), self.secure_copy(authority)?];
        let robots = copies.map(|copy| self.fresh(copy, now));
        let delay = longest_delay(&robots);
        let host = self.frontier.host(authority);
        self.frontier.set_delay(host, delay);
        if self.cell.is_resumed {
            until = until.max(self.begun + self.politeness.floor.max(delay) + 1);
        }
        if until > now {
            self.frontier.hold(host, until);
        }
        let (pages, of) = (row.pages, row.mirror_of.clone());
        self.hosts.push(Host { row, robots, ..Host::default() });
        let mut sitemaps = Vec::new();
        match is_banned {
            true => self.ban(host, now)?,
            false if of.is_empty() => {
                sitemaps = self.sitemaps(host);
                if until > now + millis(self.options.patience) {
                    self.close(host, None, IMPATIENT, now)?;
                }
            }
            false => {
                let detail = format!("the same pages as {of}");
                self.close(host, Some(Reason::Mirror), &detail, now)?;
            }
        }
        Ok(Met { host, pages, sitemaps })
    }

    /// Writes what is known of the host.
    fn put(&self, host: HostId, now: u64) -> Result<(), StoreError> {
        self.cell.touch(now);
        self.cell.ledger().put_host(self.frontier.name(host), &self.of(host).row)
    }

    /// May this URL be asked of its host now? `is_robots`: it is a robots.txt, or stands for one.
    pub(super) fn leave(
        &mut self,
        host: HostId,
        url: &Url,
        is_robots: bool,
        now: u64,
    ) -> Result<Leave, StoreError> {
        let known = self.of(host);
        if known.closed.is_some() {
            return Ok(Leave::Closed);
        }
        let address = known.address.as_ref();
        if address.is_none_or(|known| known.port != url.port() || known.until <= now) {
            return Ok(Leave::Unresolved);
        }
        if is_robots {
            return Ok(Leave::Yes);
        }
        let Some(robots) = self.rules(host, url.scheme() == "https", now)? else {
            return Ok(Leave::Unruled);
        };
        let verdict = robots.check(url.path_and_query());
        Ok(match verdict.allowed {
            true => Leave::Yes,
            false => Leave::Forbidden(rules::in_words(&verdict)),
        })
    }

    /// The host was found, for the port of this URL.
    pub(super) fn resolved(&mut self, host: HostId, mut address: Address, url: &Url, now: u64) {
        // The one that took the last connection comes first.
        let last = self.of(host).address.as_ref();
        let last = last.and_then(|known| known.address.sockets.first());
        let place = last.and_then(|last| address.sockets.iter().position(|s| s == last));
        (0..place.unwrap_or(0)).for_each(|_| address.turn());
        self.frontier.resolved(host, address.key);
        if self.cell.is_resumed {
            // The process before may have asked it a moment ago.
            let floor = self.politeness.at(Some(address.key)).floor;
            self.frontier.hold(host, self.begun + floor + 1);
        }
        let until = now + millis(address.ttl);
        let known = Known { address, port: url.port(), until, silent: 0 };
        self.of_mut(host).address = Some(known);
    }

    /// Where to connect to.
    pub(super) fn sockets(&self, host: HostId) -> Vec<SocketAddr> {
        let known = self.of(host).address.as_ref();
        known.map(|known| known.address.sockets.clone()).unwrap_or_default()
    }

    /// The request has ended: the host may be asked again after its gap.
    pub(super) fn free(&mut self, host: HostId, outcome: &Outcome, now: u64) {
        // The clock counts whole milliseconds: one more is never too early for a host with a gap.
        let now = now + u64::from(self.has_gap(host));
        if let Outcome::Failed(Failed { blame: Blame::Address, .. }) = outcome {
            // Nobody was asked anything.
            return self.frontier.release(host, now);
        }
        let elapsed = millis(outcome.elapsed());
        self.frontier.done(host, elapsed, now);
        let ready = i64::try_from(self.frontier.ready(host)).unwrap_or(i64::MAX);
        let row = &mut self.of_mut(host).row;
        row.not_before = row.not_before.max(ready);
        if outcome.is_broken_off() {
            // The server may take a while to notice: as long again as it had, or a few seconds.
            self.frontier.hold(host, now + elapsed.max(PAUSE));
        }
    }

    /// Whether this host wants a pause between two requests; none does only on loopback.
    fn has_gap(&self, host: HostId) -> bool {
        let host = self.of(host);
        let is_here = host.address.as_ref().is_some_and(|known| is_loopback(known.address.key));
        !is_here
            || !self.options.floor.is_zero()
            || self.options.factor > 0.0
            || longest_delay(&host.robots) > 0
    }

    /// Takes in how a request ended; true when the same has to be asked once more, of another address or
    /// over another connection.
    pub(super) fn is_lost(&mut self, host: HostId, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Failed(failed) if failed.blame == Blame::Address => self.turn(host),
            Outcome::Failed(failed) => failed.blame == Blame::Connection,
            Outcome::Captured(_) => {
                if let Some(known) = &mut self.of_mut(host).address {
                    known.silent = 0;
                }
                false
            }
        }
    }

    /// Turns to the host's next address; false when all have been silent.
    fn turn(&mut self, host: HostId) -> bool {
        let Some(known) = &mut self.hosts[host.index()].address else { return false };
        known.address.turn();
        known.silent = (known.silent + 1) % known.address.tried();
        self.frontier.resolved(host, known.address.key);
        known.silent > 0
    }

    /// Writes what the host has given: so many bytes, and a page if it counts.
    pub(super) fn count(
        &mut self,
        host: HostId,
        is_page: bool,
        bytes: u64,
        now: u64,
    ) -> Result<(), StoreError> {
        let row = &mut self.of_mut(host).row;
        row.pages += u64::from(is_page);
        row.bytes += bytes;
        self.put(host, now)
    }

    /// Writes which domains link to the host's.
    pub(super) fn set_inlinks(
        &mut self,
        host: HostId,
        inlinks: [u64; 4],
        now: u64,
    ) -> Result<(), StoreError> {
        self.of_mut(host).row.inlinks = inlinks;
        self.put(host, now)
    }

    /// The host waits no longer for room in its domain's budget.
    pub(super) fn reopen(&mut self, host: HostId) {
        let elsewhere = self.of(host).robots_at.is_some();
        self.frontier.set_waits(host, elsewhere);
    }

    /// The hosts with the most queued URLs.
    pub(super) fn told(&self, now: u64) -> Vec<HostNow> {
        let ids = (0..self.hosts.len()).map(|n| HostId(n as u32));
        let mut most: Vec<(Outlook, HostId)> =
            ids.map(|id| (self.frontier.outlook(id), id)).collect();
        if most.len() > HOSTS {
            most.select_nth_unstable_by(HOSTS, |a, b| b.0.queued.cmp(&a.0.queued));
            most.truncate(HOSTS);
        }
        let told = most.into_iter().map(|(outlook, id)| {
            let host = self.of(id);
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
