//! The hosts of one thread: what is known of each, when it may be asked, and by which rule of its robots.txt.
//! Nobody else writes a host's row.
//!
//! What is known of a host stands in the `table`, with one part for each question: where it is (`whereabouts`), how
//! it stands (`standing`, `refusals`), by which rules (`rules`, with the texts in the `library`), and whether it is done
//! with (`closed`). This file puts their answers into the frontier and the ledger.

mod closed;
mod library;
mod refusals;
mod rules;
mod standing;
mod table;
mod told;
mod whereabouts;

pub(super) use closed::{ClosedSides, Shelved};
pub(super) use refusals::TriedUrl;
pub(super) use rules::{Leave, RulesNext};
pub(super) use table::{HostNumber, Met};
pub(super) use told::{left, told};

use super::cell::CrawlCell;
use super::millis;
use super::node::CrawlNode;
use super::robots::RobotsFor;
use crate::fetch::{Address, Blame, Failed, Outcome};
use crate::frontier::{Frontier, HostId, Origin, Task};
use crate::options::CrawlOptions;
use crate::politeness::{Backoff, Politeness, is_loopback};
use crate::robots::RobotsAnswer;
use crate::verdict::HostStanding;
use closed::Closed;
use fyke_store::{Position, Reason, RobotsCopy, StoreError};
use fyke_web::Url;
use rules::{Bound, FRESH, Rulebook, STALE, SideName};
use standing::{Consequence, SideStanding, Silence, StandingLimits};
use std::net::SocketAddr;
use std::sync::Arc;
use table::{HostTable, NewSide};

/// The longest back-off.
const LONGEST_BACKOFF: u64 = 3_600_000;
/// Pause after a request that we broke off, at least.
const PAUSE: u64 = 3000;
/// Times a robots.txt is asked for that cannot be had.
const MOST_TRIES: u32 = 5;
/// Why nothing more is asked of a host that somebody banned.
const BANNED: &str = "banned for this run";
/// Why nothing more is asked of a host that asked for a long wait.
const IMPATIENT: &str = "a longer wait than this run has patience for";

/// The hosts of one thread.
pub(super) struct Hosts<'a> {
    /// Their queues and gaps.
    pub(super) frontier: Frontier,
    cell: &'a CrawlCell<'a>,
    options: &'a CrawlOptions,
    politeness: Politeness,
    limits: StandingLimits,
    /// When the crawl began.
    begun: u64,
    table: HostTable<'a>,
    rulebook: Rulebook<'a>,
    /// Those that nothing more is asked of.
    pub(super) closed: ClosedSides,
}

impl<'a> Hosts<'a> {
    pub(super) fn new<F>(
        cell: &'a CrawlCell<'a>,
        node: &CrawlNode<'a, F>,
        number: usize,
    ) -> Hosts<'a> {
        let overflow = cell.collection.root().join(format!("ledger/overflow-{number}"));
        let (options, politeness) = (node.options, node.politeness());
        let backoff = Backoff { base: millis(options.retry_base), most: LONGEST_BACKOFF };
        Hosts {
            frontier: Frontier::new(politeness, Arc::clone(&node.addresses), &overflow),
            cell,
            options,
            politeness,
            limits: StandingLimits { failures: options.host_failures, backoff },
            begun: node.clock.wall,
            table: HostTable::new(cell),
            rulebook: Rulebook::new(cell),
            closed: ClosedSides::default(),
        }
    }

    /// The host of a side.
    pub(super) fn number(&self, side: HostId) -> HostNumber {
        self.table.side(side).host
    }

    /// How a side stands.
    pub(super) fn standing(&mut self, side: HostId) -> &mut SideStanding {
        &mut self.table.side_mut(side).standing
    }

    /// The sides of the same host that were met, this one among them.
    fn both(&self, side: HostId) -> impl Iterator<Item = HostId> + use<> {
        self.frontier.known(self.frontier.name(side)).into_iter().flatten()
    }

    /// A side as the ledger knows it.
    fn name(&self, side: HostId) -> SideName<'_> {
        let is_secure = self.table.side(side).is_secure;
        SideName { authority: self.frontier.name(side), is_secure }
    }

    /// The URL of this path on a side of a host.
    pub(super) fn url(&self, side: HostId, path: &str) -> Option<Url> {
        let SideName { authority, is_secure } = self.name(side);
        let scheme = if is_secure { "https" } else { "http" };
        Url::parse(&format!("{scheme}://{authority}{path}")).ok()
    }

    fn put(&self, side: HostId, now: u64) -> Result<(), StoreError> {
        self.table.put(self.frontier.name(side), side, now)
    }

    fn put_side(&self, side: HostId, now: u64) -> Result<(), StoreError> {
        self.table.put_side(self.frontier.name(side), side, now)
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
        let mut earlier = self.table.earlier(authority)?;
        let bounds = earlier.take_robots().map(|copy| self.rulebook.fresh(copy, now));
        let side = self.frontier.host(authority, is_secure);
        let sister = self.both(side).find(|known| *known != side);
        let number = self.table.enter(NewSide { is_secure, sister, bounds }, side, earlier, now);
        let until = self.hold_at_first(side, now);
        let row = &self.table.host(side).row;
        let (pages, of) = (row.pages, row.mirror_of.clone());
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
    fn hold_at_first(&mut self, side: HostId, now: u64) -> u64 {
        let (host, standing) = (self.table.host(side), &self.table.side(side).standing);
        self.frontier.set_delay(side, host.delay());
        let promised = standing.trouble.not_before.max(host.row.not_before);
        let mut until = u64::try_from(promised).unwrap_or(0);
        if self.cell.is_resumed {
            // A Crawl-delay is in what was promised: it was written when the host was asked.
            until = until.max(self.begun + self.politeness.floor + 1);
        }
        if until > now {
            self.frontier.hold(side, until);
        }
        until
    }

    /// May this URL be asked of its host now? `is_robots`: it is a robots.txt, or stands for one.
    pub(super) fn leave(
        &mut self,
        host: HostId,
        url: &Url,
        is_robots: bool,
        now: u64,
    ) -> Result<Leave, StoreError> {
        if self.closed.has(host) {
            return Ok(Leave::Closed);
        }
        let side = self.table.side(host);
        if !side.whereabouts.are_known(now) {
            return Ok(Leave::Unresolved);
        }
        if is_robots {
            return Ok(Leave::Yes);
        }
        let Some(bound) = side.rules.bound(now) else { return Ok(Leave::Unruled) };
        let is_secure = side.is_secure;
        let name = SideName { authority: self.frontier.name(host), is_secure };
        let Some(robots) = self.rulebook.rules(name, bound)? else { return Ok(Leave::Unruled) };
        let verdict = robots.check(url.path_and_query());
        Ok(match verdict.allowed {
            true => Leave::Yes,
            false => Leave::Forbidden(rules::in_words(&verdict)),
        })
    }

    /// A side of the host was found.
    pub(super) fn resolved(&mut self, host: HostId, address: Address, now: u64) {
        let whereabouts = &mut self.table.side_mut(host).whereabouts;
        whereabouts.found(address, now);
        let Some(address) = whereabouts.counted() else { return };
        self.frontier.resolved(host, address);
        if self.cell.is_resumed {
            // The process before may have asked it a moment ago, under the name of another host, too.
            let floor = self.politeness.at(Some(address)).floor;
            let gap = if self.options.per_address > 0 { self.cell.gaps_until } else { 0 };
            self.frontier.hold(host, gap.max(self.begun + floor + 1));
        }
    }

    /// Where to connect to.
    pub(super) fn sockets(&self, host: HostId) -> Vec<SocketAddr> {
        self.table.side(host).whereabouts.sockets()
    }

    /// A request is about to begin. Where a Crawl-delay binds, that is written before its end, so that the next
    /// run knows of it however this one ends.
    pub(super) fn asks(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        let delay = self.table.host(host).delay();
        if delay <= self.politeness.floor {
            return Ok(());
        }
        self.table.host_mut(host).promise(now + delay);
        self.put(host, now)?;
        self.cell.touch_soon(now);
        Ok(())
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
        self.table.host_mut(host).promise(self.frontier.ready(host));
        if outcome.is_broken_off() {
            // The server may take a while to notice: as long again as it had, or a few seconds.
            self.frontier.hold(host, now + elapsed.max(PAUSE));
        }
    }

    /// Whether this host wants a pause between two requests; none does only on loopback.
    fn has_gap(&self, host: HostId) -> bool {
        let is_here = self.table.side(host).whereabouts.counted().is_some_and(is_loopback);
        let delay = self.table.host(host).delay();
        !is_here || !self.options.floor.is_zero() || self.options.factor > 0.0 || delay > 0
    }

    /// Takes in how a request ended; true when the same has to be asked once more, of another address or
    /// over another connection.
    pub(super) fn is_lost(&mut self, host: HostId, outcome: &Outcome) -> bool {
        let side = self.table.side_mut(host);
        match outcome {
            Outcome::Failed(failed) if failed.blame == Blame::Address => {
                let has_more = side.whereabouts.turn();
                if let Some(address) = side.whereabouts.counted() {
                    self.frontier.resolved(host, address);
                }
                has_more
            }
            Outcome::Failed(failed) => failed.blame == Blame::Connection,
            Outcome::Captured(_) => {
                side.standing.note_answer();
                side.whereabouts.answered();
                false
            }
        }
    }

    /// Writes what the host has given: so many bytes, and a page if it counts.
    pub(super) fn count(
        &mut self,
        host: HostId,
        is_page: bool,
        bytes: u64,
        now: u64,
    ) -> Result<(), StoreError> {
        let row = &mut self.table.host_mut(host).row;
        row.pages += u64::from(is_page);
        row.bytes += bytes;
        self.put(host, now)?;
        self.mind_delay(host, now)
    }

    /// Whether the host has given so many pages, and nobody asked that before in this run.
    pub(super) fn has_now_given(&mut self, host: HostId, pages: u64) -> bool {
        self.table.host_mut(host).has_now_given(pages)
    }

    /// Writes which domains link to the host's.
    pub(super) fn set_inlinks(
        &mut self,
        host: HostId,
        inlinks: [u64; 4],
        now: u64,
    ) -> Result<(), StoreError> {
        self.table.host_mut(host).row.inlinks = inlinks;
        self.put(host, now)
    }

    /// The host waits no longer for room in its domain's budget.
    pub(super) fn reopen(&mut self, host: HostId) {
        let elsewhere = self.table.side(host).rules.elsewhere.is_some();
        self.frontier.set_waits(host, elsewhere);
    }

    /// Puts the host's robots.txt before the URL that was to be fetched.
    pub(super) fn queue_robots(&mut self, host: HostId, url: &Url, position: Position) {
        self.frontier.push_urgent(host, Task::Row(position));
        if let Ok(robots) = url.at("/robots.txt") {
            let task = Task::Robots { of: Origin::of(url), url: robots, hops: 0 };
            self.frontier.push_urgent(host, task);
        }
    }

    /// Whether nothing was heard of any robots.txt of this host, nor asked in this run.
    pub(super) fn is_unasked(&self, host: HostId) -> bool {
        let mut rules = self.both(host).map(|side| &self.table.side(side).rules);
        rules.all(|rules| rules.bound.is_none() && rules.tries == 0)
    }

    /// Takes what was found of the robots.txt of this host. What cannot be had forbids everything: it is tried
    /// again with back-off. After five times the last good copy binds for an hour more, as the RFC allows;
    /// without one the host's URLs wait for the next run with the reason robots.unreachable.
    pub(super) fn take_rules(
        &mut self,
        host: HostId,
        asked: &RobotsFor,
        found: RobotsAnswer,
        now: u64,
    ) -> Result<RulesNext, StoreError> {
        match found.after(asked.hops, &asked.of) {
            RobotsAnswer::Text(status, body) => {
                let fetched = i64::try_from(now).unwrap_or(i64::MAX);
                let mut copy = RobotsCopy { fetched, status, body };
                // "Not modified": what came last binds anew, if anything did.
                if status == 304
                    && let Some(last) = self.rulebook.stored(self.name(host))?
                {
                    (copy.status, copy.body) = (last.status, last.body);
                }
                self.keep_rules(host, copy, now)?;
                Ok(RulesNext::Known(self.sitemaps(host)))
            }
            // By way of the target's own queue, so that its politeness binds.
            RobotsAnswer::Elsewhere(_, to) => {
                let is_other = to.authority() != asked.of.authority;
                self.wait_for_rules(host, is_other.then(|| to.authority().to_owned()));
                Ok(RulesNext::Ask(to))
            }
            RobotsAnswer::Failed(detail) => {
                self.rules_failed(host, &detail, now)?;
                Ok(RulesNext::Wait)
            }
        }
    }

    /// The host waits while its robots.txt is looked for elsewhere; none ends the wait.
    fn wait_for_rules(&mut self, host: HostId, elsewhere: Option<String>) {
        self.frontier.set_waits(host, elsewhere.is_some());
        self.frontier.set_seeks(host, elsewhere.is_some());
        self.table.side_mut(host).rules.elsewhere = elsewhere;
    }

    fn keep_rules(&mut self, host: HostId, copy: RobotsCopy, now: u64) -> Result<(), StoreError> {
        let bound = self.rulebook.bind(&copy.body, now + FRESH);
        self.table.side_mut(host).rules.tries = 0;
        self.bind(host, bound);
        let floor = self.politeness.floor;
        let known = self.table.host_mut(host);
        known.row.waits = known.delay_in_words(floor);
        self.put(host, now)?;
        self.table.put_robots(self.name(host), host, copy)?;
        self.wait_for_rules(host, None);
        self.mind_delay(host, now)
    }

    /// robots.txt could not be had: everything is forbidden for now.
    fn rules_failed(&mut self, host: HostId, detail: &str, now: u64) -> Result<(), StoreError> {
        self.wait_for_rules(host, None);
        let side = self.table.side_mut(host);
        if let Some(silence) = side.standing.is_gone() {
            return self.give_up(host, &silence, now);
        }
        side.rules.tries += 1;
        if side.rules.tries < MOST_TRIES {
            return self.stand(host, HostStanding::Trouble(format!("robots.txt: {detail}")), now);
        }
        let is_secure = side.is_secure;
        let name = SideName { authority: self.frontier.name(host), is_secure };
        match self.rulebook.last_good(name, now + STALE)? {
            None => self.close(host, Some(Reason::RobotsUnreachable), detail, now),
            Some(bound) => {
                self.bind(host, bound);
                Ok(())
            }
        }
    }

    fn bind(&mut self, side: HostId, bound: Bound) {
        let host = self.table.bind(side, bound);
        self.frontier.set_delay(side, host.delay());
        host.promise(self.frontier.ready(side));
    }

    /// The sitemaps that the host's robots.txt names.
    fn sitemaps(&mut self, of: HostId) -> Vec<Url> {
        let bound = self.table.side(of).rules.bound;
        let home = self.url(of, "/robots.txt");
        home.map_or_else(Vec::new, |home| self.rulebook.sitemaps(bound, &home))
    }

    /// Leaves a host to a later run when its Crawl-delay asks for more patience than this one has.
    fn mind_delay(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        let patience = millis(self.options.patience);
        let delay = self.table.host(host).delay();
        match delay > patience && self.frontier.ready(host) > now + patience {
            true => self.close_sides(host, None, IMPATIENT, now),
            false => Ok(()),
        }
    }

    /// Draws the consequences of an answer for its host.
    pub(super) fn stand(
        &mut self,
        id: HostId,
        standing: HostStanding,
        now: u64,
    ) -> Result<(), StoreError> {
        match self.table.side_mut(id).standing.take(standing, &self.limits, now) {
            Consequence::Nothing => Ok(()),
            Consequence::Praise => self.is_well(id, now),
            Consequence::HoldHost(until) => self.hold_host(id, until, now),
            Consequence::HoldSide(until) => {
                self.frontier.hold(id, until);
                self.put_side(id, now)?;
                self.cell.hurry();
                match until > now + millis(self.options.patience) {
                    true => self.close(id, None, IMPATIENT, now),
                    false => Ok(()),
                }
            }
            Consequence::CheckOn => self.check_on(id, now),
            Consequence::GiveUp(silence) => self.give_up(id, &silence, now),
        }
    }

    /// Many URLs of a side in a row got no answer: it is asked for its robots.txt, which it gave before. If that
    /// does not come either, the side is given up.
    fn check_on(&mut self, id: HostId, now: u64) -> Result<(), StoreError> {
        let SideName { authority, is_secure } = self.name(id);
        let of = Origin { is_secure, authority: authority.to_owned() };
        if let Some(url) = self.url(id, "/robots.txt") {
            self.frontier.push_urgent(id, Task::Robots { of, url, hops: 0 });
            return Ok(());
        }
        let silence = self.standing(id).is_gone();
        silence.map_or(Ok(()), |silence| self.give_up(id, &silence, now))
    }

    /// How long a URL waits that failed so often.
    pub(super) fn retry_wait(&self, tries: u16) -> u64 {
        self.limits.backoff.wait(u32::from(tries))
    }

    /// A side answered: an answer halves what is held against it.
    pub(super) fn is_well(&mut self, id: HostId, now: u64) -> Result<(), StoreError> {
        if self.standing(id).praise() {
            self.put_side(id, now)?;
        }
        let host = self.table.host_mut(id);
        let waits = host.delay_in_words(self.politeness.floor);
        if host.row.waits == waits {
            return Ok(());
        }
        host.row.waits = waits;
        self.put(id, now)
    }

    /// A server asked to be left alone until then: that is the word of the whole host. A time that is over
    /// already says no more than that there is trouble.
    fn hold_host(&mut self, id: HostId, until: u64, now: u64) -> Result<(), StoreError> {
        let row = &mut self.table.host_mut(id).row;
        // The clock counts whole milliseconds: one more is never too early.
        let until = (until + 1).max(u64::try_from(row.not_before).unwrap_or(0));
        row.not_before = i64::try_from(until).unwrap_or(i64::MAX);
        row.waits = "Retry-After".to_owned();
        self.both(id).for_each(|side| self.frontier.hold(side, until));
        self.put(id, now)?;
        self.put_side(id, now)?;
        self.cell.hurry();
        match until > now + millis(self.options.patience) {
            true => self.close_sides(id, None, IMPATIENT, now),
            false => Ok(()),
        }
    }

    /// Asks nothing more of any side of this host in this run.
    pub(super) fn close_sides(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        for side in self.both(host) {
            if !self.closed.has(side) {
                self.close(side, reason, detail, now)?;
            }
        }
        Ok(())
    }

    /// Asks nothing more of this side of a host in this run.
    pub(super) fn close(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        let closed = Closed { reason, detail: detail.to_owned(), given_up: false };
        self.close_as(host, closed, now)
    }

    fn close_as(&mut self, host: HostId, closed: Closed, now: u64) -> Result<(), StoreError> {
        let SideName { authority, is_secure } = self.name(host);
        tracing::info!(authority, is_secure, detail = closed.detail, "host closed for this run");
        self.closed.close(host, closed);
        self.put(host, now)
    }

    /// Somebody wants nothing more to be asked of this host in this run.
    pub(super) fn ban(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        self.close(host, None, BANNED, now)
    }

    /// Asks nothing more of this side of a host in this run, for it gave no answer too often.
    fn give_up(&mut self, host: HostId, silence: &Silence, now: u64) -> Result<(), StoreError> {
        let Silence { reason, what } = silence;
        let detail = format!("host given up for this run: {what}");
        let closed = Closed { reason: Some(*reason), detail, given_up: true };
        self.close_as(host, closed, now)?;
        self.put_side(host, now)
    }

    /// The host has the same pages as another: nothing more is asked of it, in later runs neither.
    pub(super) fn set_mirror(
        &mut self,
        host: HostId,
        of: String,
        now: u64,
    ) -> Result<(), StoreError> {
        if self.both(host).all(|side| self.closed.has(side)) {
            return Ok(());
        }
        let detail = format!("the same pages as {of}");
        self.table.host_mut(host).row.mirror_of = of;
        self.close_sides(host, Some(Reason::Mirror), &detail, now)
    }

    /// Queues a URL behind those of its priority; one of a closed host is shelved soon.
    pub(super) fn queue(
        &mut self,
        host: HostId,
        priority: u8,
        position: Position,
    ) -> Result<(), StoreError> {
        self.closed.note_queued(host);
        self.frontier.push(host, priority, position)
    }
}
