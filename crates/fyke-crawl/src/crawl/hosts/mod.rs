//! The hosts of one thread: what is known of each, when it may be asked, and by which rule of its robots.txt.
//! Nobody else writes a host's row.

mod library;
mod refusals;
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
use crate::politeness::{Backoff, Politeness, believed, decay, is_loopback};
use fyke_store::{HostRow, Reason, StoreError};
use fyke_web::Url;
use library::Library;
use refusals::Refusals;
use rules::Bound;
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

/// A host's number, whichever of its sides is meant: they count up from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HostNumber(pub(super) usize);

/// One host in this run: what its two sides share.
#[derive(Debug)]
struct Host {
    /// Without the robots.txt, which stays in the ledger.
    row: HostRow,
    /// Crawl-delays without TLS and with it: the longer one binds both.
    delays: [u64; 2],
    /// The side that was met first.
    first: HostId,
    /// It was looked whether made-up paths were asked for.
    is_probed: bool,
}

/// One side of a host in this run, with TLS or without. What goes wrong with one says nothing of the other.
#[derive(Debug)]
struct HostSide {
    host: HostNumber,
    is_secure: bool,
    /// Failures, and why and until when it waits.
    trouble: HostRow,
    /// The rules that bind.
    robots: Option<Bound>,
    /// Times robots.txt could not be had in this run.
    robots_tries: u32,
    /// The host where its robots.txt is looked for meanwhile, if that is another.
    robots_at: Option<String>,
    address: Option<Known>,
    /// Times in a row that it took no connection in this run.
    silent: u32,
    /// Different URLs in a row that failed in this run.
    doubts: u32,
    refusals: Refusals,
    /// It gave an answer in this run, whatever it was.
    has_answered: bool,
    /// Its robots.txt is asked for to see whether it is there at all: why it is given up if it is not.
    checked: Option<(Reason, String)>,
    /// Nothing more is asked of it in this run.
    closed: Option<Box<Closed>>,
}

/// Where one side of a host is, and until when that may be believed.
#[derive(Debug)]
struct Known {
    address: Address,
    until: u64,
    /// Addresses in a row that took no connection.
    silent: usize,
}

/// A side of a host that was met for the first time in this run.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) host: HostId,
    pub(super) number: HostNumber,
    /// Pages of the host over the collection's life.
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

/// The hosts of one thread.
pub(super) struct Hosts<'a> {
    /// Their queues and gaps.
    pub(super) frontier: Frontier,
    cell: &'a CrawlCell<'a>,
    options: &'a CrawlOptions,
    politeness: Politeness,
    backoff: Backoff,
    /// When the crawl began.
    begun: u64,
    /// By number.
    hosts: Vec<Host>,
    /// By number in the frontier.
    sides: Vec<HostSide>,
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
            sides: Vec::new(),
            library: Library::default(),
            closing: BTreeSet::new(),
        }
    }

    fn of(&self, side: HostId) -> &HostSide {
        &self.sides[side.index()]
    }

    fn of_mut(&mut self, side: HostId) -> &mut HostSide {
        &mut self.sides[side.index()]
    }

    /// The host of a side.
    pub(super) fn number(&self, side: HostId) -> HostNumber {
        self.of(side).host
    }

    fn host(&self, side: HostId) -> &Host {
        &self.hosts[self.number(side).0]
    }

    fn host_mut(&mut self, side: HostId) -> &mut Host {
        let number = self.number(side);
        &mut self.hosts[number.0]
    }

    /// The sides of the same host that were met, this one among them.
    fn both(&self, side: HostId) -> impl Iterator<Item = HostId> + use<> {
        self.frontier.known(self.frontier.name(side)).into_iter().flatten()
    }

    /// Takes in a side of a host that is new in this run, with what the ledger knows of it. It is left alone for
    /// what an earlier run promised, and for one gap: the process that was killed may have asked it a moment
    /// ago.
    pub(super) fn meet(
        &mut self,
        authority: &str,
        is_secure: bool,
        is_banned: bool,
        now: u64,
    ) -> Result<Met, StoreError> {
        let mut row = self.cell.ledger().host(authority)?.unwrap_or_default();
        row.not_before = believed(row.not_before, now);
        let [plain, mut secure] =
            [self.side_row(authority, false)?, self.side_row(authority, true)?];
        let copies = [row.robots.take(), secure.robots.take()];
        let bounds = copies.map(|copy| self.fresh(copy, now));
        let mut trouble = if is_secure { secure } else { plain };
        // A new run is a new chance: what was promised binds, the grudge is halved.
        trouble.not_before = believed(trouble.not_before, now);
        trouble.failures = decay(trouble.failures.max(std::mem::take(&mut row.failures)));
        let side = self.frontier.host(authority, is_secure);
        let known = self.both(side).find(|known| *known != side);
        let number = known.map_or(HostNumber(self.hosts.len()), |known| self.number(known));
        if known.is_none() {
            let delays = bounds.map(|bound| bound.map_or(0, |bound| bound.delay));
            self.hosts.push(Host { row, delays, first: side, is_probed: false });
        }
        let robots = bounds[usize::from(is_secure)];
        let (host, promised) = (number, trouble.not_before);
        self.sides.push(HostSide::new(host, is_secure, trouble, robots));
        let promised = promised.max(self.host(side).row.not_before);
        let until = self.hold_at_first(side, u64::try_from(promised).unwrap_or(0), now);
        let (pages, of) = (self.host(side).row.pages, self.host(side).row.mirror_of.clone());
        let mut sitemaps = Vec::new();
        match is_banned {
            true => self.ban(side, now)?,
            false if of.is_empty() => {
                sitemaps = self.sitemaps(side);
                if until > now + millis(self.options.patience) {
                    self.close(side, None, IMPATIENT, now)?;
                }
            }
            false => {
                let detail = format!("the same pages as {of}");
                self.close(side, Some(Reason::Mirror), &detail, now)?;
            }
        }
        Ok(Met { host: side, number, pages, sitemaps })
    }

    /// Sets the delay of a side that is new in this run, and holds it for what was promised; returns until when.
    fn hold_at_first(&mut self, side: HostId, promised: u64, now: u64) -> u64 {
        let delay = longest(&self.host(side).delays);
        self.frontier.set_delay(side, delay);
        let mut until = promised;
        if self.cell.is_resumed {
            // A Crawl-delay is in what was promised: it was written when the host was asked.
            until = until.max(self.begun + self.politeness.floor + 1);
        }
        if until > now {
            self.frontier.hold(side, until);
        }
        until
    }

    /// What an earlier run knew of one side of a host.
    fn side_row(&self, authority: &str, is_secure: bool) -> Result<HostRow, StoreError> {
        match self.cell.is_resumed {
            true => Ok(self.cell.ledger().side(authority, is_secure)?.unwrap_or_default()),
            false => Ok(HostRow::default()),
        }
    }

    /// Writes what is known of the host.
    fn put(&self, side: HostId, now: u64) -> Result<(), StoreError> {
        self.cell.touch(now);
        self.cell.ledger().put_host(self.frontier.name(side), &self.host(side).row)
    }

    /// Writes the trouble of a side.
    fn put_side(&self, side: HostId, now: u64) -> Result<(), StoreError> {
        self.cell.touch(now);
        let HostSide { is_secure, trouble, .. } = self.of(side);
        self.cell.ledger().put_side(self.frontier.name(side), *is_secure, trouble)
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
        if address.is_none_or(|known| known.until <= now) {
            return Ok(Leave::Unresolved);
        }
        if is_robots {
            return Ok(Leave::Yes);
        }
        let Some(robots) = self.rules(host, now)? else {
            return Ok(Leave::Unruled);
        };
        let verdict = robots.check(url.path_and_query());
        Ok(match verdict.allowed {
            true => Leave::Yes,
            false => Leave::Forbidden(rules::in_words(&verdict)),
        })
    }

    /// A side of the host was found.
    pub(super) fn resolved(&mut self, host: HostId, mut address: Address, now: u64) {
        // The one that took the last connection comes first.
        let last = self.of(host).address.as_ref();
        let last = last.and_then(|known| known.address.sockets.first());
        let place = last.and_then(|last| address.sockets.iter().position(|s| s == last));
        (0..place.unwrap_or(0)).for_each(|_| address.turn());
        self.frontier.resolved(host, address.key);
        if self.cell.is_resumed {
            // The process before may have asked it a moment ago, under the name of another host, too.
            let floor = self.politeness.at(Some(address.key)).floor;
            let gap = if self.options.per_address > 0 { self.cell.gaps_until } else { 0 };
            self.frontier.hold(host, gap.max(self.begun + floor + 1));
        }
        let until = now + millis(address.ttl);
        let known = Known { address, until, silent: 0 };
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
        let row = &mut self.host_mut(host).row;
        row.not_before = row.not_before.max(ready);
        if outcome.is_broken_off() {
            // The server may take a while to notice: as long again as it had, or a few seconds.
            self.frontier.hold(host, now + elapsed.max(PAUSE));
        }
    }

    /// A request is about to begin. Where a Crawl-delay binds, that is written before its end, so that the next
    /// run knows of it however this one ends.
    pub(super) fn asks(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        let delay = longest(&self.host(host).delays);
        if delay <= self.politeness.floor {
            return Ok(());
        }
        let until = i64::try_from(now + delay).unwrap_or(i64::MAX);
        let row = &mut self.host_mut(host).row;
        row.not_before = row.not_before.max(until);
        self.put(host, now)?;
        self.cell.touch_soon(now);
        Ok(())
    }

    /// Whether this host wants a pause between two requests; none does only on loopback.
    fn has_gap(&self, host: HostId) -> bool {
        let delay = longest(&self.host(host).delays);
        let host = self.of(host);
        let is_here = host.address.as_ref().is_some_and(|known| is_loopback(known.address.key));
        !is_here || !self.options.floor.is_zero() || self.options.factor > 0.0 || delay > 0
    }

    /// Takes in how a request ended; true when the same has to be asked once more, of another address or
    /// over another connection.
    pub(super) fn is_lost(&mut self, host: HostId, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Failed(failed) if failed.blame == Blame::Address => self.turn(host),
            Outcome::Failed(failed) => failed.blame == Blame::Connection,
            Outcome::Captured(_) => {
                let side = self.of_mut(host);
                side.has_answered = true;
                if let Some(known) = &mut side.address {
                    known.silent = 0;
                }
                false
            }
        }
    }

    /// Turns to the host's next address; false when all have been silent.
    fn turn(&mut self, host: HostId) -> bool {
        let Some(known) = &mut self.sides[host.index()].address else { return false };
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
        let row = &mut self.host_mut(host).row;
        row.pages += u64::from(is_page);
        row.bytes += bytes;
        self.put(host, now)?;
        self.mind_delay(host, now)
    }

    /// Whether the host has given so many pages, and nobody asked that before in this run.
    pub(super) fn has_now_given(&mut self, host: HostId, pages: u64) -> bool {
        let host = self.host_mut(host);
        let is_time = host.row.pages >= pages && !host.is_probed;
        host.is_probed |= is_time;
        is_time
    }

    /// Writes which domains link to the host's.
    pub(super) fn set_inlinks(
        &mut self,
        host: HostId,
        inlinks: [u64; 4],
        now: u64,
    ) -> Result<(), StoreError> {
        self.host_mut(host).row.inlinks = inlinks;
        self.put(host, now)
    }

    /// The host waits no longer for room in its domain's budget.
    pub(super) fn reopen(&mut self, host: HostId) {
        let elsewhere = self.of(host).robots_at.is_some();
        self.frontier.set_waits(host, elsewhere);
    }

    /// The hosts with the most queued URLs.
    pub(super) fn told(&self, now: u64) -> Vec<HostNow> {
        let mut queued: Vec<(u64, HostNumber)> =
            (0..self.hosts.len()).map(|number| (0, HostNumber(number))).collect();
        for (number, side) in self.sides.iter().enumerate() {
            queued[side.host.0].0 += self.frontier.outlook(HostId(number as u32)).queued;
        }
        if queued.len() > HOSTS {
            queued.select_nth_unstable_by(HOSTS, |a, b| b.0.cmp(&a.0));
            queued.truncate(HOSTS);
        }
        queued.into_iter().map(|(queued, number)| self.tell(number, queued, now)).collect()
    }

    /// How a host stands: by the side that may be asked first of those with queued URLs.
    fn tell(&self, number: HostNumber, queued: u64, now: u64) -> HostNow {
        let host = &self.hosts[number.0];
        let sides = self.both(host.first).map(|side| (self.frontier.outlook(side), side));
        let first = sides.min_by_key(|(outlook, _)| {
            (outlook.queued == 0, outlook.until.is_none(), outlook.until)
        });
        let failures = self.both(host.first).map(|side| self.of(side).trouble.failures).max();
        HostNow {
            authority: self.frontier.name(host.first).to_owned(),
            queued,
            pages: host.row.pages,
            failures: failures.unwrap_or(0),
            until: first.and_then(|(outlook, _)| outlook.until),
            why: first.map(|(outlook, side)| self.why(side, outlook, now)).unwrap_or_default(),
        }
    }

    /// Why a side waits, in words.
    fn why(&self, side: HostId, outlook: Outlook, now: u64) -> String {
        let (row, side) = (&self.host(side).row, self.of(side));
        let is_later = outlook.until.is_some_and(|until| until > now);
        let waits = [&side.trouble.waits, &row.waits].into_iter().find(|waits| !waits.is_empty());
        match (&side.closed, &side.robots_at, waits) {
            (Some(closed), ..) => closed.detail.clone(),
            (None, Some(elsewhere), _) => format!("its robots.txt is looked for at {elsewhere}"),
            (None, None, Some(waits)) if is_later => waits.clone(),
            _ if is_later => "the gap between two requests".to_owned(),
            _ if outlook.in_line => "other hosts of its address are asked first".to_owned(),
            _ => String::new(),
        }
    }
}

impl HostSide {
    fn new(host: HostNumber, is_secure: bool, trouble: HostRow, robots: Option<Bound>) -> HostSide {
        HostSide {
            host,
            is_secure,
            trouble,
            robots,
            robots_tries: 0,
            robots_at: None,
            address: None,
            silent: 0,
            doubts: 0,
            refusals: Refusals::default(),
            has_answered: false,
            checked: None,
            closed: None,
        }
    }
}

/// Of two Crawl-delays of one host the longer one binds.
fn longest(delays: &[u64; 2]) -> u64 {
    delays[0].max(delays[1])
}
