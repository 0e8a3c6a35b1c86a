//! How a host stands: well, in trouble, asked for a pause, or closed for this run with what it has queued.

use super::{BANNED, Hosts, IMPATIENT};
use crate::crawl::node::HostsLeft;
use crate::crawl::{is_queued, millis};
use crate::frontier::{HostId, Origin, Task};
use crate::politeness::decay;
use crate::verdict::HostStanding;
use fyke_store::{Reason, StoreError};

/// URLs of closed hosts that are shelved in one turn of the loop.
const SLICE: usize = 256;

/// After so many rounds of different URLs without an answer a host is given up, though its robots.txt comes.
const ROUNDS: u32 = 4;

/// Refusals in a row after which a host is backed off from: it may have had enough.
const MOST_REFUSALS: u32 = 5;

/// Why a host is done with, and the reason its URLs get; none leaves them queued.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    reason: Option<Reason>,
    pub(super) detail: String,
    /// It gave no answer too often: the next run takes up what was not asked for.
    given_up: bool,
}

/// What was left of closed hosts.
#[derive(Debug, Default)]
pub(in crate::crawl) struct Shelved {
    /// Robots.txt files of other hosts that were looked for there, with the redirects so far.
    pub(in crate::crawl) robots: Vec<(Origin, u8)>,
    /// URLs of hosts that were given up.
    pub(in crate::crawl) given_up: u64,
}

impl Hosts<'_> {
    /// Draws the consequences of an answer for its host.
    pub(in crate::crawl) fn stand(
        &mut self,
        id: HostId,
        standing: HostStanding,
        now: u64,
    ) -> Result<(), StoreError> {
        let what = match standing {
            HostStanding::Same => return Ok(()),
            HostStanding::Well => {
                let side = self.of_mut(id);
                (side.doubts, side.refusals.count) = (0, 0);
                return self.is_well(id, now);
            }
            HostStanding::Held(until) => {
                let wait = self.fail(id, now);
                return self.hold_sides(id, until.max(wait), now);
            }
            HostStanding::Trouble(what) => what,
            HostStanding::Refusing(what) => {
                let refusals = &mut self.of_mut(id).refusals;
                refusals.count += 1;
                match refusals.count >= MOST_REFUSALS {
                    true => what,
                    false => return Ok(()),
                }
            }
            HostStanding::Doubtful(what) => match self.doubt(id) {
                Some(_) => what,
                None => return Ok(()),
            },
            HostStanding::Unanswered(reason, what) => {
                return match self.doubt(id) {
                    Some(rounds) if rounds < ROUNDS => self.check_on(id, reason, what, now),
                    Some(_) => self.give_up(id, reason, &what, now),
                    None => Ok(()),
                };
            }
            HostStanding::Silent(reason, what) => {
                let side = &mut self.sides[id.index()];
                side.silent += 1;
                if side.silent >= self.options.host_failures {
                    side.trouble.failures += 1;
                    return self.give_up(id, reason, &what, now);
                }
                what
            }
        };
        let until = self.fail(id, now) + 1;
        let trouble = &mut self.of_mut(id).trouble;
        trouble.not_before = i64::try_from(until).unwrap_or(i64::MAX).max(trouble.not_before);
        trouble.waits = format!("back-off: {what}");
        self.frontier.hold(id, until);
        self.put_side(id, now)?;
        self.cell.hurry();
        match until > now + millis(self.options.patience) {
            true => self.close(id, None, IMPATIENT, now),
            false => Ok(()),
        }
    }

    /// Counts one more URL that failed, in a row of different ones; how many rounds are full, if one is now.
    fn doubt(&mut self, id: HostId) -> Option<u32> {
        let round = self.options.host_failures.max(1);
        let doubts = &mut self.sides[id.index()].doubts;
        *doubts += 1;
        doubts.is_multiple_of(round).then_some(*doubts / round)
    }

    /// Many URLs of a side in a row got no answer: it is asked for its robots.txt, which it gave before. If that
    /// does not come either, the side is given up.
    fn check_on(
        &mut self,
        id: HostId,
        reason: Reason,
        what: String,
        now: u64,
    ) -> Result<(), StoreError> {
        let (authority, is_secure) = (self.frontier.name(id).to_owned(), self.of(id).is_secure);
        let Some(url) = self.url(id, "/robots.txt") else {
            return self.give_up(id, reason, &what, now);
        };
        self.of_mut(id).checked = Some((reason, what));
        let of = Origin { is_secure, authority };
        self.frontier.push_urgent(id, Task::Robots { of, url, hops: 0 });
        Ok(())
    }

    /// A side gave an answer, whatever it was.
    pub(in crate::crawl) fn is_reached(&mut self, id: HostId) {
        self.of_mut(id).checked = None;
    }

    /// How long a URL waits that failed so often.
    pub(in crate::crawl) fn retry_wait(&self, tries: u16) -> u64 {
        self.backoff.wait(u32::from(tries))
    }

    /// A side answered: an answer halves what is held against it.
    pub(in crate::crawl) fn is_well(&mut self, id: HostId, now: u64) -> Result<(), StoreError> {
        let side = self.of_mut(id);
        let had_trouble = side.trouble.failures > 0 || !side.trouble.waits.is_empty();
        side.silent = 0;
        side.trouble.failures = decay(side.trouble.failures);
        side.trouble.waits.clear();
        if had_trouble {
            self.put_side(id, now)?;
        }
        let waits = self.delay_in_words(id);
        if self.host(id).row.waits == waits {
            return Ok(());
        }
        self.host_mut(id).row.waits = waits;
        self.put(id, now)
    }

    /// Counts a failure of a side; until when it is backed off from.
    fn fail(&mut self, id: HostId, now: u64) -> u64 {
        let backoff = self.backoff;
        let trouble = &mut self.of_mut(id).trouble;
        trouble.failures += 1;
        now + backoff.wait(trouble.failures)
    }

    /// A server asked to be left alone until then: that is the word of the whole host. A time that is over
    /// already says no more than that there is trouble.
    fn hold_sides(&mut self, id: HostId, until: u64, now: u64) -> Result<(), StoreError> {
        let row = &mut self.host_mut(id).row;
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
    pub(in crate::crawl) fn close_sides(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        for side in self.both(host) {
            if !self.is_closed(side) {
                self.close(side, reason, detail, now)?;
            }
        }
        Ok(())
    }

    /// Asks nothing more of this side of a host in this run.
    pub(in crate::crawl) fn close(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        let authority = self.frontier.name(host);
        let is_secure = self.of(host).is_secure;
        tracing::info!(authority, is_secure, detail, "host closed for this run");
        let closed = Closed { reason, detail: detail.to_owned(), given_up: false };
        self.of_mut(host).closed = Some(Box::new(closed));
        self.closing.insert(host);
        self.put(host, now)
    }

    pub(in crate::crawl) fn is_closed(&self, host: HostId) -> bool {
        self.of(host).closed.is_some()
    }

    /// What is left of the hosts when a pass ends.
    pub(in crate::crawl) fn left(&self, now: u64) -> HostsLeft {
        let mut left = HostsLeft::default();
        for (number, side) in self.sides.iter().enumerate() {
            let id = HostId(number as u32);
            if side.has_answered && (side.trouble.failures > 0 || side.doubts > 0) {
                left.troubled.insert(self.frontier.name(id).to_owned());
            }
            let until = side.trouble.not_before.max(self.host(id).row.not_before);
            let until = u64::try_from(until).ok().filter(|until| *until > now);
            let waits = side.closed.as_ref().is_some_and(|closed| closed.reason.is_none());
            left.goes_on = [left.goes_on, until.filter(|_| waits)].into_iter().flatten().min();
        }
        left
    }

    /// Somebody wants nothing more to be asked of this host in this run.
    pub(in crate::crawl) fn ban(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        self.close(host, None, BANNED, now)
    }

    /// Asks nothing more of this side of a host in this run, for it gave no answer too often.
    pub(super) fn give_up(
        &mut self,
        host: HostId,
        reason: Reason,
        what: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        self.close(host, Some(reason), &format!("host given up for this run: {what}"), now)?;
        if let Some(closed) = &mut self.of_mut(host).closed {
            closed.given_up = true;
        }
        self.put_side(host, now)
    }

    /// The host has the same pages as another: nothing more is asked of it, in later runs neither.
    pub(in crate::crawl) fn set_mirror(
        &mut self,
        host: HostId,
        of: String,
        now: u64,
    ) -> Result<(), StoreError> {
        if self.both(host).all(|side| self.is_closed(side)) {
            return Ok(());
        }
        let detail = format!("the same pages as {of}");
        self.host_mut(host).row.mirror_of = of;
        self.close_sides(host, Some(Reason::Mirror), &detail, now)
    }

    /// Queues a URL behind those of its priority; one of a closed host is shelved soon.
    pub(in crate::crawl) fn queue(
        &mut self,
        host: HostId,
        priority: u8,
        position: fyke_store::Position,
    ) -> Result<(), StoreError> {
        if self.is_closed(host) {
            self.closing.insert(host);
        }
        self.frontier.push(host, priority, position)
    }

    /// Whether URLs of closed hosts are still to be shelved.
    pub(in crate::crawl) fn is_closing(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Shelves a part of what closed hosts have queued, little enough that the other hosts do not wait; none
    /// when nothing is left of it.
    pub(in crate::crawl) fn shelve_some(
        &mut self,
        now: u64,
    ) -> Result<Option<Shelved>, StoreError> {
        let Some(&host) = self.closing.first() else { return Ok(None) };
        let tasks = self.frontier.drain(host, SLICE)?;
        if tasks.len() < SLICE {
            self.closing.remove(&host);
        }
        self.cell.touch(now);
        let mut shelved = Shelved::default();
        for task in tasks {
            self.shelve(host, task, &mut shelved)?;
        }
        Ok(Some(shelved))
    }

    /// Writes why a URL of a closed host is not asked for.
    pub(in crate::crawl) fn shelve(
        &self,
        host: HostId,
        task: Task,
        shelved: &mut Shelved,
    ) -> Result<(), StoreError> {
        let position = match task {
            Task::Row(position) => position,
            Task::Robots { of, hops, .. } => {
                shelved.robots.push((of, hops));
                return Ok(());
            }
        };
        let Some(Closed { reason: Some(reason), detail, given_up }) =
            self.of(host).closed.as_deref()
        else {
            return Ok(());
        };
        let ledger = self.cell.ledger();
        let Some((id, _)) = ledger.at(position)? else { return Ok(()) };
        shelved.given_up += u64::from(*given_up);
        let update = ledger.update(id, |row| {
            let waits = is_queued(row);
            (row.reason, row.detail, row.given_up) = (*reason, detail.clone(), *given_up);
            waits
        });
        update.map(drop)
    }
}
