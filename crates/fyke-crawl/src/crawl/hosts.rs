//! What the crawl knows of each host, and what hosts have to wait for.

use super::millis;
use super::robots::RobotsAnswer;
use super::shard::{Shard, is_queued};
use crate::budget::Share;
use crate::fetch::{Address, Fetch};
use crate::frontier::{HostId, Outlook, Task};
use crate::politeness::{believed, decay};
use crate::verdict::Standing;
use fyke_store::{HostRow, Reason, StoreError};
use fyke_web::{Robots, Url};

/// Why nothing more is asked of a host that asked for a long wait.
pub(super) const IMPATIENT: &str = "a longer wait than this run has patience for";
/// Why nothing more is asked of a host that somebody banned.
pub(super) const BANNED: &str = "banned for this run";

/// URLs of closed hosts that are shelved in one turn of the loop.
const SLICE: usize = 256;

/// One host in this run.
#[derive(Debug, Default)]
pub(super) struct Host {
    /// Without the robots.txt, which stays in the ledger.
    pub(super) row: HostRow,
    /// Its domain, by hash.
    pub(super) domain: u64,
    pub(super) share: Share,
    /// The rules that bind, without TLS and with it.
    pub(super) robots: [Option<Bound>; 2],
    /// Times robots.txt could not be had in this run.
    pub(super) robots_tries: u32,
    /// The host where its robots.txt is looked for meanwhile, if that is another.
    pub(super) robots_at: Option<String>,
    pub(super) address: Option<Known>,
    /// Times in a row that it gave no answer in this run.
    pub(super) silent: u32,
    /// Nothing more is asked of it in this run.
    pub(super) closed: Option<Box<Closed>>,
    pub(super) sitemaps: u32,
    pub(super) sitemap_urls: u32,
}

impl Host {
    /// Why it waits, in words.
    pub(super) fn why(&self, outlook: Outlook, now: u64) -> String {
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

/// The rules of a robots.txt: what the library has them under, until when they bind, and the Crawl-delay
/// in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) key: u64,
    pub(super) until: u64,
    pub(super) delay: u64,
}

/// Where a host is, for which port (each scheme has its own), and until when that may be believed.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) address: Address,
    pub(super) port: u16,
    pub(super) until: u64,
    /// Addresses in a row that took no connection.
    pub(super) silent: usize,
}

/// Why a host is done with, and the reason its URLs get; none leaves them queued.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    reason: Option<Reason>,
    detail: String,
    /// It gave no answer too often: the next run takes up what was not asked for.
    given_up: bool,
}

impl<F: Fetch> Shard<'_, F> {
    /// The host, with what the ledger knows of it. A host met for the first time in this run is left
    /// alone for what an earlier run promised, and for one gap: the process that was killed may have
    /// asked it a moment ago.
    pub(super) fn host(&mut self, authority: &str) -> Result<HostId, StoreError> {
        if let Some(host) = self.frontier.known(authority) {
            return Ok(host);
        }
        let mut row = self.ledger().host(authority)?.unwrap_or_default();
        // A new run is a new chance: what was promised binds, the grudge is halved.
        row.failures = decay(row.failures);
        let now = self.shared.now();
        let mut until = believed(u64::try_from(row.not_before).unwrap_or(0), now);
        row.not_before = row.not_before.min(i64::try_from(until).unwrap_or(i64::MAX));
        let copies = [row.robots.take(), self.secure_copy(authority)?];
        let robots = copies.map(|copy| self.fresh(copy, now));
        let delay = longest_delay(&robots);
        if let Ok(home) = Url::parse(&format!("http://{authority}/")) {
            self.shared.fetch.prefetch(&home);
        }
        let id = self.frontier.host(authority);
        let domain = self.join_domain(id, authority);
        self.frontier.set_delay(id, delay);
        if self.shared.is_resumed {
            until =
                until.max(self.shared.clock.wall + self.shared.politeness().floor.max(delay) + 1);
        }
        if until > now {
            self.frontier.hold(id, until);
        }
        let share = Share { used: row.pages, reserved: 0 };
        self.hosts.push(Host { row, domain, share, robots, ..Host::default() });
        let of = &self.hosts[id.index()].row.mirror_of;
        match self.shared.control.is_banned(authority) {
            true => self.close(id, None, BANNED)?,
            false if of.is_empty() => {
                self.queue_sitemaps(id)?;
                if until > now + millis(self.shared.options.patience) {
                    self.close(id, None, IMPATIENT)?;
                }
            }
            false => {
                let detail = format!("the same pages as {of}");
                self.close(id, Some(Reason::Mirror), &detail)?;
            }
        }
        Ok(id)
    }

    /// Writes what is known of the host.
    pub(super) fn put_host(&self, host: HostId) -> Result<(), StoreError> {
        self.shared.touch(self.shared.now());
        self.ledger().put_host(self.frontier.name(host), &self.hosts[host.index()].row)
    }

    /// Draws the consequences of an answer for its host.
    pub(super) fn stand(&mut self, id: HostId, standing: Standing) -> Result<(), StoreError> {
        let now = self.shared.now();
        let backoff = self.backoff;
        let host = &mut self.hosts[id.index()];
        let (until, waits) = match standing {
            Standing::Same => return Ok(()),
            Standing::Well => {
                let had_trouble = host.row.failures > 0 || !host.row.waits.is_empty();
                host.silent = 0;
                host.row.failures = decay(host.row.failures);
                host.row.waits.clear();
                return if had_trouble { self.put_host(id) } else { Ok(()) };
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
                if host.silent >= self.shared.options.host_failures {
                    return self.give_up(id, reason, &what);
                }
                (now + backoff.wait(host.row.failures) + 1, format!("back-off: {what}"))
            }
        };
        let until = until.max(u64::try_from(host.row.not_before).unwrap_or(0));
        host.row.not_before = i64::try_from(until).unwrap_or(i64::MAX);
        host.row.waits = waits;
        self.frontier.hold(id, until);
        self.put_host(id)?;
        self.shared.hurry();
        if until > now + millis(self.shared.options.patience) {
            return self.close(id, None, IMPATIENT);
        }
        Ok(())
    }

    /// Asks nothing more of this host in this run.
    pub(super) fn close(
        &mut self,
        host: HostId,
        reason: Option<Reason>,
        detail: &str,
    ) -> Result<(), StoreError> {
        let authority = self.frontier.name(host);
        tracing::info!(authority, detail, "host closed for this run");
        let closed = Closed { reason, detail: detail.to_owned(), given_up: false };
        self.hosts[host.index()].closed = Some(Box::new(closed));
        self.closing.insert(host);
        self.put_host(host)
    }

    /// Asks nothing more of this host in this run, for it gave no answer too often.
    fn give_up(&mut self, host: HostId, reason: Reason, what: &str) -> Result<(), StoreError> {
        self.close(host, Some(reason), &format!("host given up for this run: {what}"))?;
        if let Some(closed) = &mut self.hosts[host.index()].closed {
            closed.given_up = true;
        }
        Ok(())
    }

    /// Shelves a part of what closed hosts have queued, little enough that the other hosts do not wait;
    /// false when nothing is left of it.
    pub(super) fn shelve_some(&mut self) -> Result<bool, StoreError> {
        let Some(&host) = self.closing.first() else { return Ok(false) };
        let tasks = self.frontier.drain(host, SLICE)?;
        if tasks.len() < SLICE {
            self.closing.remove(&host);
        }
        self.shared.touch(self.shared.now());
        tasks.into_iter().try_for_each(|task| self.shelve(host, task))?;
        Ok(true)
    }

    /// Writes why a URL of a closed host is not asked for.
    pub(super) fn shelve(&mut self, host: HostId, task: Task) -> Result<(), StoreError> {
        let position = match task {
            Task::Row(position) => position,
            Task::Robots { of, hops, .. } => {
                let what = "its robots.txt leads to a host that is given up".to_owned();
                return self.hand_over(of, hops, RobotsAnswer::Failed(what));
            }
        };
        let Some(Closed { reason: Some(reason), detail, given_up }) =
            self.hosts[host.index()].closed.as_deref().cloned()
        else {
            return Ok(());
        };
        let Some((id, _)) = self.ledger().at(position)? else { return Ok(()) };
        let update = self.ledger().update(id, |row| {
            let waits = is_queued(row);
            (row.reason, row.detail, row.given_up) = (reason, detail.clone(), given_up);
            waits
        });
        update.map(drop)
    }
}

/// Of two Crawl-delays of one host the longer one binds.
pub(super) fn longest_delay(robots: &[Option<Bound>; 2]) -> u64 {
    robots.iter().flatten().map(|bound| bound.delay).max().unwrap_or(0)
}

/// Crawl-delay in milliseconds; a day is taken for the most that anyone means. The clock counts whole
/// milliseconds: one more is never too early.
pub(super) fn delay(robots: &Robots) -> u64 {
    robots.crawl_delay.map_or(0, |delay| millis(delay).min(24 * 3_600_000) + 1)
}
