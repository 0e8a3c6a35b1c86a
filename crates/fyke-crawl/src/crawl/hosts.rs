//! What the crawl knows of each host, and what hosts have to wait for.

use super::{Crawl, millis};
use crate::fetch::{Address, Fetch};
use crate::frontier::Entry;
use crate::options::AGENT;
use crate::politeness::decay;
use crate::verdict::Standing;
use fyke_store::{HostRow, Reason, StoreError};
use fyke_web::Robots;

/// Marks rows that were never asked for, or not often enough, because their host was given up: the
/// next run takes them up again.
pub(super) const GIVEN_UP: &str = "host given up for this run: ";

/// One host in this run.
#[derive(Debug, Default)]
pub(super) struct Host {
    pub(super) row: HostRow,
    /// The rules that bind, and until when. One robots.txt binds both schemes of an authority: the
    /// one of whichever scheme was asked for first.
    pub(super) robots: Option<(Robots, u64)>,
    /// Times robots.txt could not be had in this run.
    pub(super) robots_tries: u32,
    /// The host where its robots.txt is looked for meanwhile, if that is another.
    pub(super) robots_at: Option<String>,
    /// Where it is, for which port (each scheme has its own), and until when that may be believed.
    pub(super) address: Option<(Address, u16, u64)>,
    /// Times in a row that it gave no answer in this run.
    pub(super) silent: u32,
    /// Nothing more is asked of it in this run.
    pub(super) closed: Option<Closed>,
    pub(super) sitemaps: usize,
    pub(super) sitemap_urls: usize,
}

/// Why a host is done with, and the reason its URLs get; none leaves them queued.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    reason: Option<Reason>,
    detail: String,
}

impl<F: Fetch> Crawl<'_, F> {
    /// The host, with what the ledger knows of it. A host met for the first time in this run is left
    /// alone for what an earlier run promised, and for one gap: the process that was killed may have
    /// asked it a moment ago.
    pub(super) fn host(&mut self, authority: &str) -> Result<&mut Host, StoreError> {
        if !self.hosts.contains_key(authority) {
            let mut row = self.journal.collection.ledger.host(authority)?.unwrap_or_default();
            // A new run is a new chance: what was promised binds, the grudge is halved.
            row.failures = decay(row.failures);
            let now = self.clock.now();
            let mut until = u64::try_from(row.not_before).unwrap_or(0);
            let robots = Self::robots_copy(row.robots.as_ref(), now);
            let delay = robots.as_ref().map_or(0, |(robots, _)| delay(robots));
            self.frontier.set_delay(authority, delay);
            if self.is_resumed {
                until = until.max(self.clock.wall + millis(self.options.floor).max(delay) + 1);
            }
            if until > now {
                self.frontier.hold(authority, until);
            }
            let host = Host { row, robots, ..Host::default() };
            self.hosts.insert(authority.to_owned(), host);
            self.queue_sitemaps(authority)?;
        }
        Ok(self.hosts.get_mut(authority).expect("it was just put there"))
    }

    /// A robots.txt from the ledger, if it is still fresh and was an answer.
    fn robots_copy(copy: Option<&fyke_store::RobotsCopy>, now: u64) -> Option<(Robots, u64)> {
        let copy = copy?;
        let until = u64::try_from(copy.fetched).unwrap_or(0) + super::robots::FRESH;
        let body: &[u8] = match copy.status {
            200 => &copy.body,
            400..=499 => &[],
            _ => return None,
        };
        (until > now).then(|| (Robots::parse(body, AGENT), until))
    }

    /// Draws the consequences of an answer for its host.
    pub(super) fn stand(&mut self, authority: &str, standing: Standing) -> Result<(), StoreError> {
        let now = self.clock.now();
        let backoff = self.backoff;
        let most_silent = self.options.host_failures;
        let host = self.host(authority)?;
        let (until, waits) = match standing {
            Standing::Same => return Ok(()),
            Standing::Well => {
                let had_trouble = host.row.failures > 0 || !host.row.waits.is_empty();
                host.silent = 0;
                host.row.failures = decay(host.row.failures);
                host.row.waits.clear();
                if had_trouble {
                    self.changed.insert(authority.to_owned());
                }
                return Ok(());
            }
            // The clock counts whole milliseconds: one more is never too early.
            Standing::Held(until) => (until + 1, "Retry-After".to_owned()),
            Standing::Trouble(what) => {
                host.row.failures += 1;
                (now + backoff.wait(host.row.failures) + 1, format!("back-off: {what}"))
            }
            Standing::Silent(reason, what) => {
                host.row.failures += 1;
                host.silent += 1;
                if host.silent >= most_silent {
                    return self.close(authority, Some(reason), &format!("{GIVEN_UP}{what}"));
                }
                (now + backoff.wait(host.row.failures) + 1, format!("back-off: {what}"))
            }
        };
        let until = until.max(u64::try_from(host.row.not_before).unwrap_or(0));
        host.row.not_before = i64::try_from(until).unwrap_or(i64::MAX);
        host.row.waits = waits;
        self.changed.insert(authority.to_owned());
        self.frontier.hold(authority, until);
        self.journal.hurry(now);
        if until > now + millis(self.options.patience) {
            return self.close(authority, None, "a longer wait than this run has patience for");
        }
        Ok(())
    }

    /// Asks nothing more of this host in this run.
    pub(super) fn close(
        &mut self,
        authority: &str,
        reason: Option<Reason>,
        detail: &str,
    ) -> Result<(), StoreError> {
        tracing::info!(authority, detail, "host closed for this run");
        self.host(authority)?.closed = Some(Closed { reason, detail: detail.to_owned() });
        self.changed.insert(authority.to_owned());
        self.journal.touch(self.clock.now());
        for entry in self.frontier.drop_host(authority) {
            self.shelve(&entry)?;
        }
        Ok(())
    }

    /// Writes why a URL of a closed host is not asked for.
    pub(super) fn shelve(&mut self, entry: &Entry) -> Result<(), StoreError> {
        if let crate::frontier::Task::Robots { of, .. } = &entry.task {
            return self.robots_failed(of, "its robots.txt leads to a host that is given up");
        }
        let authority = entry.url.authority().to_owned();
        let Some(Closed { reason: Some(reason), detail }) = self.host(&authority)?.closed.clone()
        else {
            return Ok(());
        };
        if let Some(mut row) = self.journal.row(entry.id)? {
            row.reason = reason;
            row.detail = detail;
            self.journal.put(entry.id, row, false, self.clock.now());
        }
        Ok(())
    }

    /// URLs of closed hosts that turned up since.
    pub(super) fn shelve_dropped(&mut self) -> Result<(), StoreError> {
        for entry in self.frontier.take_dropped() {
            self.shelve(&entry)?;
        }
        Ok(())
    }
}

/// Crawl-delay in milliseconds; a day is taken for the most that anyone means.
pub(super) fn delay(robots: &Robots) -> u64 {
    robots.crawl_delay.map_or(0, |delay| millis(delay).min(24 * 3_600_000))
}
