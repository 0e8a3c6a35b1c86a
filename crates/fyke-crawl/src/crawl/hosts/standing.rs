//! How a host stands: well, in trouble, asked for a pause, or closed for this run with what it has queued.

use super::{BANNED, Hosts, IMPATIENT};
use crate::crawl::{is_queued, millis};
use crate::frontier::{HostId, Origin, Task};
use crate::politeness::decay;
use crate::verdict::Standing;
use fyke_store::{Reason, StoreError};

/// URLs of closed hosts that are shelved in one turn of the loop.
const SLICE: usize = 256;

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
}

impl Hosts<'_> {
    /// Draws the consequences of an answer for its host.
    pub(in crate::crawl) fn stand(
        &mut self,
        id: HostId,
        standing: Standing,
        now: u64,
    ) -> Result<(), StoreError> {
        let backoff = self.backoff;
        let host = &mut self.hosts[id.index()];
        let (until, waits) = match standing {
            Standing::Same => return Ok(()),
            Standing::Well => {
                let had_trouble = host.row.failures > 0 || !host.row.waits.is_empty();
                host.silent = 0;
                host.row.failures = decay(host.row.failures);
                host.row.waits.clear();
                return if had_trouble { self.put(id, now) } else { Ok(()) };
            }
            // The clock counts whole milliseconds: one more is never too early. A time that is over
            // already says no more than that there is trouble.
            Standing::Held(until) => {
                host.row.failures += 1;
                let wait = now + backoff.wait(host.row.failures);
                (until.max(wait) + 1, "Retry-After".to_owned())
            }
            Standing::Trouble(what) => {
                host.row.failures += 1;
                (now + backoff.wait(host.row.failures) + 1, format!("back-off: {what}"))
            }
            Standing::Silent(reason, what) => {
                host.row.failures += 1;
                host.silent += 1;
                if host.silent >= self.options.host_failures {
                    return self.give_up(id, reason, &what, now);
                }
                (now + backoff.wait(host.row.failures) + 1, format!("back-off: {what}"))
            }
        };
        let until = until.max(u64::try_from(host.row.not_before).unwrap_or(0));
        host.row.not_before = i64::try_from(until).unwrap_or(i64::MAX);
        host.row.waits = waits;
        self.frontier.hold(id, until);
        self.put(id, now)?;
        self.cell.hurry();
        if until > now + millis(self.options.patience) {
            return self.close(id, None, IMPATIENT, now);
        }
        Ok(())
    }

    /// Asks nothing more of this host in this run.
    pub(in crate::crawl) fn close(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        let authority = self.frontier.name(host);
        tracing::info!(authority, detail, "host closed for this run");
        let closed = Closed { reason, detail: detail.to_owned(), given_up: false };
        self.of_mut(host).closed = Some(Box::new(closed));
        self.closing.insert(host);
        self.put(host, now)
    }

    pub(in crate::crawl) fn is_closed(&self, host: HostId) -> bool {
        self.of(host).closed.is_some()
    }

    /// Somebody wants nothing more to be asked of this host in this run.
    pub(in crate::crawl) fn ban(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        self.close(host, None, BANNED, now)
    }

    /// Asks nothing more of this host in this run, for it gave no answer too often.
    fn give_up(
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
        Ok(())
    }

    /// The host has the same pages as another: nothing more is asked of it, in later runs neither.
    pub(in crate::crawl) fn set_mirror(
        &mut self,
        host: HostId,
        of: String,
        now: u64,
    ) -> Result<(), StoreError> {
        let known = self.of_mut(host);
        if known.closed.is_some() {
            return Ok(());
        }
        let detail = format!("the same pages as {of}");
        known.row.mirror_of = of;
        self.close(host, Some(Reason::Mirror), &detail, now)
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
        let update = ledger.update(id, |row| {
            let waits = is_queued(row);
            (row.reason, row.detail, row.given_up) = (*reason, detail.clone(), *given_up);
            waits
        });
        update.map(drop)
    }
}
