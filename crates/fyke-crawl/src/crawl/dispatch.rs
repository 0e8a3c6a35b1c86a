//! From the frontier to the fetchers: address, robots.txt and budget come before every request.

use super::budgets::Room;
use super::evidence::Prospect;
use super::fetches::{Errand, HostAt, Wanted};
use super::hosts::Leave;
use super::robots::RobotsFor;
use super::shard::Shard;
use super::sitemaps;
use crate::budget::Grant;
use crate::control::lock;
use crate::fetch::{Address, Failed, Fetch};
use crate::frontier::{HostId, Next, PRIORITIES, Task};
use crate::robots::RobotsAnswer;
use crate::verdict::judge_failure;
use fyke_store::{Reason, RowKind, StoreError};

/// robots.txt is read up to here (RFC 9309 asks for 500 KiB at least).
const ROBOTS_BYTES: u64 = 512 * 1024;
/// URLs looked at before the loop turns to what has come back.
const MOST_STARTS: usize = 64;
/// How soon to look again for what another thread may give back of the budget, in milliseconds.
const SOON: u64 = 20;

/// How long a host waits with further pages while those that came are in the browser, in milliseconds.
const A_WHILE: u64 = 250;

/// What to wait for now.
pub(super) enum Dispatched {
    /// Something comes at this time, or with the next event.
    Until(u64),
    /// Nothing is left here and nothing under way.
    Nothing,
    /// The budget is used up and nothing under way anywhere.
    Exhausted,
}

/// What a request needs of the budgets: so many bytes, and a page where it counts as one, or one asked for again.
#[derive(Clone, Copy)]
pub(super) struct RoomNeeded {
    pub(super) page: bool,
    pub(super) again: bool,
    pub(super) bytes: u64,
}

/// What became of one task of the frontier.
pub(super) enum Started {
    /// It is under way; its host is taken.
    Yes,
    /// Nothing is asked, now: it was settled or put back, and its host is free.
    Freed,
    /// The budget has nothing left now, or not even for those under way.
    NoBudget(Grant),
}

impl<F: Fetch> Shard<'_, F> {
    /// Starts whatever may start now.
    pub(super) fn dispatch(&mut self) -> Result<Dispatched, StoreError> {
        let mut is_short = false;
        for _ in 0..MOST_STARTS {
            if !self.fetches.has_room() {
                return Ok(Dispatched::Until(u64::MAX));
            }
            let now = self.node.now();
            match self.next(now)? {
                Next::Fetch(host, task) => match self.start(host, task)? {
                    Started::Yes => {}
                    Started::Freed => self.hosts.frontier.release(host, self.node.now()),
                    Started::NoBudget(grant) => {
                        self.hosts.frontier.release(host, self.node.now());
                        // What is under way may wait for what comes next.
                        if self.parts.are_awaited() {
                            is_short = true;
                            continue;
                        }
                        return Ok(match grant {
                            Grant::Exhausted if self.fetches.is_idle() => Dispatched::Exhausted,
                            _ => Dispatched::Until(now + SOON),
                        });
                    }
                },
                Next::WaitUntil(_) if self.is_spent() => return Ok(Dispatched::Exhausted),
                Next::WaitUntil(time) => {
                    let retry = self.retries.first().unwrap_or(u64::MAX);
                    return Ok(Dispatched::Until(time.min(retry)));
                }
                // A task that was lost leaves its host taken: its URL waits for the next run.
                Next::InFlight | Next::Done if self.fetches.is_idle() => {
                    return Ok(match self.retries.first() {
                        None => Dispatched::Nothing,
                        Some(_) if self.is_spent() => Dispatched::Exhausted,
                        Some(time) => Dispatched::Until(time),
                    });
                }
                Next::InFlight | Next::Done => {
                    return Ok(Dispatched::Until(self.retries.first().unwrap_or(u64::MAX)));
                }
            }
        }
        // What the budget has nothing for came up again and again.
        let wake = if is_short { self.node.now() + SOON } else { 0 };
        Ok(Dispatched::Until(wake))
    }

    /// Whether nothing may be asked for any more, whatever waits.
    fn is_spent(&self) -> bool {
        self.is_used_up() && self.node.due.is_empty()
    }

    /// Whether no page may be asked for that is new.
    fn is_used_up(&self) -> bool {
        self.fetches.is_idle() && self.budgets.refusal() == Some(Grant::Exhausted)
    }

    /// Whether a page that is new is left for another run, as what is due may still be asked for.
    fn gives_way(&self) -> bool {
        self.budgets.refusal() == Some(Grant::Exhausted) && !self.node.due.is_empty()
    }

    /// What the frontier gives; in a focused crawl only what is good enough by now.
    fn next(&mut self, now: u64) -> Result<Next, StoreError> {
        let frontier = &mut self.hosts.frontier;
        if self.node.spider.is_none() {
            return frontier.next(now);
        }
        let worst = self.node.pace.worst(self.mail.number, &frontier.queued(), now);
        let next = frontier.next_best(now, worst)?;
        if let (Next::Fetch(..), Some(priority)) = (&next, frontier.taken()) {
            self.node.pace.took(priority, now);
        }
        Ok(next)
    }

    fn start(&mut self, host: HostId, task: Task) -> Result<Started, StoreError> {
        let errand = match task {
            Task::Robots { of, url, hops } => Errand::Robots { asked: RobotsFor { of, hops }, url },
            Task::Part(number) => match self.parts.url(number) {
                Some(url) => Errand::Part { number, url },
                // The page waits no longer.
                None => return Ok(Started::Freed),
            },
            Task::Row(position) => {
                match Wanted::at(position, self.cell.ledger(), &self.node.due)? {
                    // It has a second place in the frontier, and this one is to be passed over.
                    Some(wanted) if self.fetches.is_being_read(wanted.id) => {
                        return Ok(Started::Freed);
                    }
                    Some(wanted) if self.retries.waits(wanted.id) => return Ok(Started::Freed),
                    Some(wanted) if self.falls_back(host, &wanted)? => return Ok(Started::Freed),
                    Some(wanted) if self.fetches.is_rendering_enough(host) => {
                        let now = self.node.now();
                        self.hosts.frontier.push(host, wanted.row.priority, wanted.position)?;
                        self.hosts.frontier.hold(host, now + A_WHILE);
                        return Ok(Started::Freed);
                    }
                    Some(wanted) => Errand::Row(Box::new(wanted)),
                    None => return Ok(Started::Freed),
                }
            }
        };
        let is_robots = matches!(errand, Errand::Robots { .. });
        let leave = self.hosts.leave(host, errand.url(), is_robots, self.node.now())?;
        match (leave, errand) {
            // It is due in the next run.
            (Leave::Closed, Errand::Row(wanted)) if wanted.is_again => {
                self.pass_over(&wanted);
                Ok(Started::Freed)
            }
            (Leave::Closed, errand) => self.shelve(host, errand.task()),
            (Leave::Unresolved, errand) => {
                self.fetches.resolve(host, errand);
                Ok(Started::Yes)
            }
            (leave, Errand::Part { number, url }) => self.ask_part(host, &leave, (number, url)),
            (_, errand @ Errand::Robots { .. }) => self.ask(
                host,
                errand,
                RoomNeeded { page: false, again: false, bytes: ROBOTS_BYTES },
            ),
            (Leave::Unruled, Errand::Row(wanted)) => self.ask_robots(host, &wanted),
            // What was fetched stays as it is: robots.txt says what is asked for, not what was.
            (Leave::Forbidden(_), Errand::Row(wanted)) if wanted.is_again => {
                self.pass_over(&wanted);
                self.answers.put_off(*wanted, self.node.now())?;
                Ok(Started::Freed)
            }
            (Leave::Forbidden(rule), Errand::Row(mut wanted)) => {
                (wanted.row.reason, wanted.row.detail) = (Reason::Robots, rule);
                self.answers.put(&wanted, self.node.now())?;
                self.end_unasked(host, &wanted)?;
                Ok(Started::Freed)
            }
            (Leave::Yes, Errand::Row(wanted)) => self.ask_promising(host, wanted),
        }
    }

    /// A query that is not asked is no longer under way.
    fn end_unasked(&mut self, host: HostId, wanted: &Wanted) -> Result<(), StoreError> {
        match wanted.row.kind {
            RowKind::Query => self.end_query(host, wanted.id),
            _ => Ok(()),
        }
    }

    /// What is due is not asked for in this run, and leaves its page of the run to others.
    fn pass_over(&self, wanted: &Wanted) {
        self.node.due.take(wanted.id);
        if wanted.row.kind == RowKind::Page {
            lock(&self.node.budget).leave_visit();
        }
    }

    /// Asks for a page or a sitemap, unless what others like it have brought speaks against it.
    fn ask_promising(
        &mut self,
        host: HostId,
        mut wanted: Box<Wanted>,
    ) -> Result<Started, StoreError> {
        let prospect = match wanted.row.kind {
            RowKind::Page if !wanted.is_again => {
                let ledger = self.cell.ledger();
                self.evidence_of(host).prospect(&wanted.url, &wanted.row, ledger)?
            }
            // It was queued when its host was named.
            RowKind::Query if !self.node.options.forms.are_for(&wanted.url) => {
                let why = "the forms of its host are not sent any more";
                Prospect::Hopeless(Reason::FormRefused, why.to_owned())
            }
            _ => Prospect::Good,
        };
        match prospect {
            // A guide has its own order.
            Prospect::Doubtful if self.node.spider.is_none() && self.was_taken_early() => {
                self.hosts.frontier.push(host, PRIORITIES as u8, wanted.position)?;
                Ok(Started::Freed)
            }
            Prospect::Good | Prospect::Doubtful => self.ask_row(host, wanted),
            Prospect::Hopeless(reason, detail) => {
                (wanted.row.reason, wanted.row.detail) = (reason, detail);
                self.answers.put(&wanted, self.node.now())?;
                self.end_unasked(host, &wanted)?;
                Ok(Started::Freed)
            }
        }
    }

    /// Whether the URL that the frontier gave last could have come later.
    fn was_taken_early(&self) -> bool {
        let taken = self.hosts.frontier.taken();
        taken.is_some_and(|priority| usize::from(priority) < PRIORITIES)
    }

    /// Whether a URL that comes up is worth less by now than when it was queued: then it goes back.
    fn falls_back(&mut self, host: HostId, wanted: &Wanted) -> Result<bool, StoreError> {
        let Some(spider) = self.node.spider.as_deref() else { return Ok(false) };
        let Some(taken) = self.hosts.frontier.taken() else { return Ok(false) };
        match spider.standing(wanted.id) {
            Some(now) if now > taken => {
                self.hosts.frontier.push(host, now, wanted.position)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Writes why a task of a closed host is not asked for.
    fn shelve(&mut self, host: HostId, task: Task) -> Result<Started, StoreError> {
        let shelved = self.hosts.closed.shelve(host, vec![task], self.cell.ledger())?;
        self.shelved(shelved)?;
        Ok(Started::Freed)
    }

    /// The host was looked for.
    pub(super) fn resolved(
        &mut self,
        host: HostId,
        errand: Errand,
        address: Result<Address, Failed>,
    ) -> Result<(), StoreError> {
        let now = self.node.now();
        let failed = match address {
            Ok(address) => {
                self.hosts.resolved(host, address, now);
                self.hosts.frontier.push_urgent(host, errand.task());
                self.hosts.frontier.release(host, now);
                return Ok(());
            }
            Err(failed) => failed,
        };
        self.hosts.frontier.release(host, now);
        self.node.counters.count_error();
        match errand {
            Errand::Part { number, .. } => {
                self.parts.refuse(number);
                Ok(())
            }
            Errand::Robots { asked, .. } => {
                self.hand_over(asked, RobotsAnswer::Failed(failed.detail))
            }
            Errand::Row(wanted) if wanted.is_again => {
                self.pass_over(&wanted);
                let judged = judge_failure(&failed, 1);
                self.answers.put_off(*wanted, now)?;
                self.hosts.stand(host, judged.host, now)
            }
            Errand::Row(mut wanted) => {
                wanted.row.tries += 1;
                wanted.row.status = failed.status;
                let judged = judge_failure(&failed, wanted.row.tries);
                self.retries.forget(wanted.id);
                let follow_up = self.answers.settle(*wanted, judged.url, now)?;
                self.follow_up(host, follow_up)?;
                self.hosts.stand(host, judged.host, now)
            }
        }
    }

    /// Asks for a page or a sitemap, if the budgets allow it.
    fn ask_row(&mut self, host: HostId, mut wanted: Box<Wanted>) -> Result<Started, StoreError> {
        if wanted.row.kind == RowKind::Hub {
            wanted.post = self.posting(&wanted)?;
            if wanted.post.is_none() {
                self.leave_hub(*wanted)?;
                return Ok(Started::Freed);
            }
        }
        let counts = counts(&wanted);
        let is_private = self.node.options.credentials.are_for(&wanted.url);
        if wanted.is_again && wanted.row.private != is_private {
            wanted.forget_copy();
        }
        // It stays in the ledger's queue, and what is due may go on.
        if counts && self.gives_way() {
            return Ok(Started::Freed);
        }
        if counts && let Some(started) = self.wait_for_room(host, &wanted)? {
            return Ok(started);
        }
        let most = match wanted.row.kind == RowKind::Sitemap {
            true if !self.sitemaps.take_slot(host, &mut wanted) => return Ok(Started::Freed),
            true => sitemaps::most_bytes(&wanted.row),
            false => self.node.options.max_bytes,
        };
        let again = wanted.is_again && wanted.row.kind == RowKind::Page;
        let need = RoomNeeded { page: counts, again, bytes: most as u64 };
        self.ask(host, Errand::Row(wanted), need)
    }

    /// Puts the host's robots.txt before the URL, if the budgets have room for a page after it.
    fn ask_robots(&mut self, host: HostId, wanted: &Wanted) -> Result<Started, StoreError> {
        if counts(wanted) {
            if self.gives_way() {
                return Ok(Started::Freed);
            }
            if let Some(refusal) = self.budgets.refusal() {
                self.hosts.frontier.push_urgent(host, Task::Row(wanted.position));
                return Ok(Started::NoBudget(refusal));
            }
            if let Some(started) = self.wait_for_room(host, wanted)? {
                return Ok(started);
            }
        }
        match self.hosts.is_unasked(host) && !self.budgets.counts_robots(host) {
            true => {
                self.hosts.frontier.set_waits(host, true);
                self.hosts.frontier.push(host, wanted.row.priority, wanted.position)?;
            }
            false => self.hosts.queue_robots(host, &wanted.url, wanted.position),
        }
        Ok(Started::Freed)
    }

    /// Puts a page aside where its host or its domain may give no more; none where it may.
    fn wait_for_room(
        &mut self,
        host: HostId,
        wanted: &Wanted,
    ) -> Result<Option<Started>, StoreError> {
        match self.budgets.room(host) {
            Room::Yes => return Ok(None),
            Room::HostFull => {
                let now = self.node.now();
                self.hosts.close_sides(host, Some(Reason::BudgetHost), "", now)?;
                return self.shelve(host, Task::Row(wanted.position)).map(Some);
            }
            Room::DomainFull(hosts) => {
                hosts.iter().for_each(|host| self.hosts.frontier.set_waits(*host, true));
            }
        }
        self.hosts.frontier.push(host, wanted.row.priority, wanted.position)?;
        Ok(Some(Started::Freed))
    }

    /// Asks, where the budgets have what that needs.
    pub(super) fn ask(
        &mut self,
        host: HostId,
        errand: Errand,
        need: RoomNeeded,
    ) -> Result<Started, StoreError> {
        let RoomNeeded { page, again, bytes } = need;
        let granted = match again {
            true => self.budgets.reserve_again(bytes),
            false => self.budgets.reserve(host, page, bytes),
        };
        match granted {
            Grant::Granted(reserved) => {
                let now = self.node.now();
                self.hosts.asks(host, now)?;
                let host = HostAt { host, sockets: self.hosts.sockets(host) };
                self.fetches.ask(host, errand, reserved, now);
                Ok(Started::Yes)
            }
            _ if let Errand::Part { number, .. } = errand => {
                self.parts.refuse(number);
                Ok(Started::Freed)
            }
            grant => {
                self.hosts.frontier.push_urgent(host, errand.task());
                Ok(Started::NoBudget(grant))
            }
        }
    }
}

/// Whether a URL counts as a page: once, when it is first asked for; a redirect to another spelling did not.
fn counts(wanted: &Wanted) -> bool {
    let row = &wanted.row;
    let is_page = matches!(row.kind, RowKind::Page | RowKind::Query);
    !wanted.is_again && is_page && (row.fetched.is_none() || row.redirect.is_some())
}
