//! From the frontier to the fetchers: address, robots.txt and budget come before every request.

use super::shard::{Errand, Event, Fetched, Shard, Wanted, is_queued};
use crate::budget::{Grant, Reserved};
use crate::fetch::{Address, Failed, Fetch, Limits, Outcome, Request};
use crate::frontier::{HostId, Next, Task};
use crate::robots::RobotsAnswer;
use crate::verdict::judge_failure;
use fyke_store::{Position, Reason, RowKind, StoreError};
use fyke_web::Url;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// robots.txt is read up to here (RFC 9309 asks for 500 KiB at least).
const ROBOTS_BYTES: u64 = 512 * 1024;
/// What a sitemap may unpack to; the standard's own limit.
pub(super) const SITEMAP_BYTES: usize = 50 << 20;
/// URLs looked at before the loop turns to what has come back.
const MOST_STARTS: usize = 64;
/// How soon to look again for what another thread may give back of the budget, in milliseconds.
const SOON: u64 = 20;

/// What to wait for now.
pub(super) enum Dispatched {
    /// Something comes at this time, or with the next event.
    Until(u64),
    /// Nothing is left here and nothing under way.
    Nothing,
    /// The budget is used up and nothing under way anywhere.
    Exhausted,
}

/// What became of one task of the frontier.
enum Started {
    /// It is under way, or was settled without a request.
    Yes,
    /// The budget has nothing left now, or not even for those under way.
    NoBudget(Grant),
}

impl<F: Fetch> Shard<'_, F> {
    /// Starts whatever may start now.
    pub(super) fn dispatch(&mut self) -> Result<Dispatched, StoreError> {
        for _ in 0..MOST_STARTS {
            if self.fetching >= self.most_fetching() {
                return Ok(Dispatched::Until(u64::MAX));
            }
            let now = self.shared.now();
            match self.next(now)? {
                Next::Fetch(host, task) => match self.start(host, task)? {
                    Started::Yes => {}
                    Started::NoBudget(Grant::Exhausted) if self.is_idle() => {
                        return Ok(Dispatched::Exhausted);
                    }
                    Started::NoBudget(_) => return Ok(Dispatched::Until(now + SOON)),
                },
                Next::WaitUntil(_) if self.is_spent() => return Ok(Dispatched::Exhausted),
                Next::WaitUntil(time) => return Ok(Dispatched::Until(time)),
                // A task that was lost leaves its host taken: its URL waits for the next run.
                Next::InFlight | Next::Done if self.is_idle() => {
                    return Ok(Dispatched::Nothing);
                }
                Next::InFlight | Next::Done => return Ok(Dispatched::Until(u64::MAX)),
            }
        }
        Ok(Dispatched::Until(0))
    }

    /// Whether nothing may be asked for any more, whatever waits.
    fn is_spent(&self) -> bool {
        self.is_idle() && self.shared.budget().refusal(true) == Some(Grant::Exhausted)
    }

    /// What the frontier gives; in a focused crawl only what is good enough by now.
    fn next(&mut self, now: u64) -> Result<Next, StoreError> {
        if self.shared.spider.is_none() {
            return self.frontier.next(now);
        }
        let worst = self.shared.pace.worst(self.number, &self.frontier.queued(), now);
        let next = self.frontier.next_best(now, worst)?;
        if let (Next::Fetch(..), Some(priority)) = (&next, self.frontier.taken()) {
            self.shared.pace.took(priority, now);
        }
        Ok(next)
    }

    fn start(&mut self, host: HostId, task: Task) -> Result<Started, StoreError> {
        let now = self.shared.now();
        let errand = match task {
            Task::Robots { of, url, hops } => Errand::Robots { of, url, hops },
            Task::Row(position) => match self.wanted(position)? {
                Some(wanted) if self.falls_back(host, &wanted)? => {
                    self.frontier.release(host, now);
                    return Ok(Started::Yes);
                }
                Some(wanted) => Errand::Row(Box::new(wanted)),
                None => {
                    self.frontier.release(host, now);
                    return Ok(Started::Yes);
                }
            },
        };
        if self.hosts[host.index()].closed.is_some() {
            self.shelve(host, errand.task())?;
            self.frontier.release(host, now);
            return Ok(Started::Yes);
        }
        let port = errand.url().port();
        let address = self.hosts[host.index()].address.as_ref();
        if address.is_none_or(|known| known.port != port || known.until <= now) {
            self.resolve(host, errand);
            return Ok(Started::Yes);
        }
        match errand {
            Errand::Robots { .. } => Ok(match self.shared.reserve(false, ROBOTS_BYTES) {
                Grant::Granted(reserved) => self.spawn(host, errand, reserved),
                grant => self.put_back(host, errand, grant),
            }),
            Errand::Row(wanted) => self.ask_row(host, wanted),
        }
    }

    /// The URL of a record, if it is still queued.
    fn wanted(&self, position: Position) -> Result<Option<Wanted>, StoreError> {
        let Some((id, mut row)) = self.ledger().at(position)? else { return Ok(None) };
        let mut position = position;
        // What was written since, if anything: it may have turned out to be a sitemap.
        if let Some(latest) = self.ledger().position(id)?.filter(|latest| *latest != position)
            && let Some((_, newer)) = self.ledger().at(latest)?
        {
            (position, row) = (latest, newer);
        }
        let url = Url::parse(&row.url).ok().filter(|_| is_queued(&row));
        Ok(url.map(|url| Wanted { id, url, position, row, slot: None }))
    }

    /// Finds the host's address; the host stays taken meanwhile, but nothing is asked of it.
    fn resolve(&mut self, host: HostId, errand: Errand) {
        let fetch = Arc::clone(&self.shared.fetch);
        self.tasks.spawn(async move {
            let address = fetch.resolve(errand.url()).await;
            Event::Resolved { host, errand, address }
        });
    }

    pub(super) fn resolved(
        &mut self,
        host: HostId,
        errand: Errand,
        address: Result<Address, Failed>,
    ) -> Result<(), StoreError> {
        let now = self.shared.now();
        match address {
            Ok(mut address) => {
                // The one that took the last connection comes first.
                let last = self.hosts[host.index()].address.as_ref();
                let last = last.and_then(|known| known.address.sockets.first());
                let place = last.and_then(|last| address.sockets.iter().position(|s| s == last));
                (0..place.unwrap_or(0)).for_each(|_| address.turn());
                self.frontier.resolved(host, address.key);
                if self.shared.is_resumed {
                    // The process before may have asked it a moment ago.
                    let floor = self.shared.politeness().at(Some(address.key)).floor;
                    self.frontier.hold(host, self.shared.clock.wall + floor + 1);
                }
                let until = now + super::millis(address.ttl);
                let port = errand.url().port();
                let known = super::hosts::Known { address, port, until, silent: 0 };
                self.hosts[host.index()].address = Some(known);
                self.frontier.push_urgent(host, errand.task());
                self.frontier.release(host, now);
                Ok(())
            }
            Err(failed) => {
                self.frontier.release(host, now);
                self.shared.errors.fetch_add(1, Relaxed);
                match errand {
                    Errand::Robots { of, hops, .. } => {
                        self.hand_over(of, hops, RobotsAnswer::Failed(failed.detail))
                    }
                    Errand::Row(mut wanted) => {
                        wanted.row.tries += 1;
                        wanted.row.status = failed.status;
                        let (verdict, standing) = judge_failure(&failed, wanted.row.tries);
                        self.settle(host, *wanted, verdict)?;
                        self.stand(host, standing)
                    }
                }
            }
        }
    }

    /// Asks for a page or a sitemap, if robots.txt and the budget allow it.
    fn ask_row(&mut self, host: HostId, mut wanted: Box<Wanted>) -> Result<Started, StoreError> {
        let now = self.shared.now();
        let row = &wanted.row;
        // A URL counts once, when it is first asked for; a redirect to another spelling did not.
        let is_sitemap = row.kind == RowKind::Sitemap;
        let counts = !is_sitemap && (row.fetched.is_none() || row.redirect.is_some());
        let Some(robots) = self.rules(host, wanted.url.scheme() == "https", now)? else {
            return self.ask_robots(host, wanted, counts);
        };
        let verdict = robots.check(wanted.url.path_and_query());
        if !verdict.allowed {
            wanted.row.reason = Reason::Robots;
            wanted.row.detail = super::robots::rule(&verdict);
            self.put(&wanted)?;
            self.frontier.release(host, now);
            return Ok(Started::Yes);
        }
        if counts && !self.has_room(host, &wanted)? {
            return Ok(Started::Yes);
        }
        let most = match is_sitemap {
            true if !self.take_slot(host, &mut wanted) => return Ok(Started::Yes),
            true => super::sitemaps::most_bytes(&wanted.row),
            false => self.shared.options.max_bytes,
        };
        Ok(match self.shared.reserve(counts, most as u64) {
            Grant::Granted(reserved) => {
                self.count_reserved(host, reserved);
                self.spawn(host, Errand::Row(wanted), reserved)
            }
            grant => self.put_back(host, Errand::Row(wanted), grant),
        })
    }

    /// Asks for the host's robots.txt, if the budgets have room for a page after it.
    fn ask_robots(
        &mut self,
        host: HostId,
        wanted: Box<Wanted>,
        counts: bool,
    ) -> Result<Started, StoreError> {
        if counts {
            let refusal = self.shared.budget().refusal(true);
            if let Some(refusal) = refusal {
                return Ok(self.put_back(host, Errand::Row(wanted), refusal));
            }
            if !self.has_room(host, &wanted)? {
                return Ok(Started::Yes);
            }
        }
        match self.counts_robots(host) {
            true => self.queue_robots(host, &wanted),
            false => self.wait_for_room(host, &wanted)?,
        }
        Ok(Started::Yes)
    }

    /// Whether the host and its domain may give one more page; if not, this one is put aside.
    fn has_room(&mut self, host: HostId, wanted: &Wanted) -> Result<bool, StoreError> {
        let per_host = self.shared.options.budget.per_host_pages;
        if !self.hosts[host.index()].share.has_room(per_host) {
            self.frontier.release(host, self.shared.now());
            self.close(host, Some(Reason::BudgetHost), "")?;
            self.shelve(host, Task::Row(wanted.position))?;
            return Ok(false);
        }
        let has_room = self.domain_has_room(host);
        if !has_room {
            self.wait_for_room(host, wanted)?;
        }
        Ok(has_room)
    }

    /// The URL waits with its host until the domain has room.
    fn wait_for_room(&mut self, host: HostId, wanted: &Wanted) -> Result<(), StoreError> {
        self.frontier.push(host, wanted.row.priority, wanted.position)?;
        self.frontier.release(host, self.shared.now());
        Ok(())
    }

    fn count_reserved(&mut self, host: HostId, reserved: Reserved) {
        let host = &mut self.hosts[host.index()];
        host.share.reserved += u64::from(reserved.page);
        if let Some(domain) = self.domains.get_mut(&host.domain) {
            domain.share.reserved += u64::from(reserved.page);
        }
    }

    fn put_back(&mut self, host: HostId, errand: Errand, grant: Grant) -> Started {
        self.frontier.push_urgent(host, errand.task());
        self.frontier.release(host, self.shared.now());
        Started::NoBudget(grant)
    }

    fn spawn(&mut self, host: HostId, errand: Errand, reserved: Reserved) -> Started {
        let max_bytes = usize::try_from(reserved.bytes).unwrap_or(usize::MAX);
        let limits = Limits { max_bytes, timeout: self.shared.options.timeout };
        let fetch = Arc::clone(&self.shared.fetch);
        let address = self.hosts[host.index()].address.as_ref();
        let request = Request {
            url: errand.url().clone(),
            sockets: address.map(|known| known.address.sockets.clone()).unwrap_or_default(),
            limits,
            now: i64::try_from(self.shared.now()).unwrap_or(i64::MAX),
        };
        self.fetching += 1;
        self.tasks.spawn(async move {
            // The fetcher keeps its own time; this is a wall behind it.
            let wall = limits.timeout + Duration::from_secs(5);
            let outcome = match tokio::time::timeout(wall, fetch.fetch(request)).await {
                Ok(outcome) => outcome,
                Err(_) => Outcome::Failed(Failed {
                    elapsed: wall,
                    ..Failed::of_page(Reason::Timeout, "the fetch did not end in time")
                }),
            };
            Event::Fetched(Box::new(Fetched { host, errand, outcome, reserved }))
        });
        Started::Yes
    }
}
