//! From the frontier to the fetchers: address, robots.txt and budget come before every request.

use super::{Crawl, Event};
use crate::budget::{Grant, Reserved};
use crate::derive::{SITEMAP, derive};
use crate::fetch::{Address, Failed, Fetch, Limits, Outcome, Request};
use crate::frontier::{Entry, Next, Task};
use crate::verdict::{Content, judge_failure};
use fyke_store::{Reason, StoreError};
use fyke_web::{Capture, sitemap};
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

/// robots.txt is read up to here (RFC 9309 asks for 500 KiB at least).
const ROBOTS_BYTES: u64 = 512 * 1024;
/// URLs one sitemap may give; the standard's own limit.
const SITEMAP_URLS: usize = 50_000;
/// What a sitemap may unpack to; the standard's own limit.
const SITEMAP_BYTES: usize = 50 << 20;

/// URLs looked at before the loop turns to what has come back.
const MOST_STARTS: usize = 1024;

/// What to wait for now.
pub(super) enum Dispatched {
    /// Something comes at this time, or with the next event.
    Until(u64),
    /// Nothing is left and nothing under way.
    Done,
    /// The budget is used up and nothing under way.
    Exhausted,
}

/// What became of one URL of the frontier.
enum Started {
    /// It is under way, or was settled without a request.
    Yes,
    /// The budget has nothing left now.
    NoBudget,
}

impl<F: Fetch> Crawl<'_, F> {
    /// Starts whatever may start now.
    pub(super) fn dispatch(&mut self) -> Result<Dispatched, StoreError> {
        for _ in 0..MOST_STARTS {
            if self.fetching.len() >= self.options.connections.max(1) {
                return Ok(Dispatched::Until(u64::MAX));
            }
            let next = self.frontier.next(self.clock.now());
            self.shelve_dropped()?;
            match next {
                Next::Fetch(entry) => {
                    if let Started::NoBudget = self.start(entry)? {
                        return Ok(match self.tasks.is_empty() {
                            true => Dispatched::Exhausted,
                            false => Dispatched::Until(u64::MAX),
                        });
                    }
                }
                Next::WaitUntil(time) if time < u64::MAX => return Ok(Dispatched::Until(time)),
                // A task that was lost leaves its host taken: its URL waits for the next run.
                _ if self.tasks.is_empty() => return Ok(Dispatched::Done),
                _ => return Ok(Dispatched::Until(u64::MAX)),
            }
        }
        Ok(Dispatched::Until(0))
    }

    fn start(&mut self, entry: Entry) -> Result<Started, StoreError> {
        let authority = entry.url.authority().to_owned();
        let now = self.clock.now();
        let host = self.host(&authority)?;
        if host.closed.is_some() {
            self.shelve(&entry)?;
            self.frontier.release(&authority, now);
            return Ok(Started::Yes);
        }
        let port = entry.url.port();
        if host.address.as_ref().is_none_or(|(_, of, until)| *of != port || *until <= now) {
            self.resolve(entry);
            return Ok(Started::Yes);
        }
        match entry.task {
            Task::Robots { .. } => Ok(self.ask_robots(entry, &authority)),
            Task::Row => self.ask_row(entry, &authority),
        }
    }

    /// Finds the host's address; the host stays taken meanwhile, but nothing is asked of it.
    fn resolve(&mut self, entry: Entry) {
        let fetch = Arc::clone(&self.fetch);
        self.tasks.spawn(async move {
            let address = fetch.resolve(&entry.url).await;
            Event::Resolved { entry, address }
        });
    }

    pub(super) fn resolved(
        &mut self,
        entry: Entry,
        address: Result<Address, Failed>,
    ) -> Result<(), StoreError> {
        let authority = entry.url.authority().to_owned();
        let now = self.clock.now();
        match address {
            Ok(address) => {
                self.frontier.resolved(&authority, address.key);
                let until = now + super::millis(address.ttl);
                self.host(&authority)?.address = Some((address, entry.url.port(), until));
                self.frontier.push_urgent(entry);
                self.frontier.release(&authority, now);
                Ok(())
            }
            Err(failed) => {
                self.frontier.release(&authority, now);
                self.progress.errors += 1;
                match entry.task.clone() {
                    Task::Robots { of, .. } => self.robots_failed(&of, &failed.detail),
                    Task::Row => {
                        let Some(mut row) = self.journal.row(entry.id)? else { return Ok(()) };
                        row.tries += 1;
                        row.status = failed.status;
                        let (verdict, standing) = judge_failure(&failed, row.tries);
                        self.settle(entry, row, verdict)?;
                        self.stand(&authority, standing)
                    }
                }
            }
        }
    }

    fn ask_robots(&mut self, entry: Entry, authority: &str) -> Started {
        match self.budget.reserve(authority, false, ROBOTS_BYTES) {
            Grant::Granted(reserved) => {
                self.spawn(entry, false, reserved);
                Started::Yes
            }
            _ => self.put_back(entry, authority),
        }
    }

    /// Asks for a page or a sitemap, if robots.txt and the budget allow it.
    fn ask_row(&mut self, entry: Entry, authority: &str) -> Result<Started, StoreError> {
        let now = self.clock.now();
        let row = self.journal.row(entry.id)?.filter(|row| row.reason == Reason::Queued);
        let Some(mut row) = row else {
            self.frontier.release(authority, now);
            return Ok(Started::Yes);
        };
        let robots = self.host(authority)?.robots.as_ref().filter(|(_, until)| *until > now);
        let Some((robots, _)) = robots else {
            self.queue_robots(entry, authority);
            return Ok(Started::Yes);
        };
        let verdict = robots.check(entry.url.path_and_query());
        if !verdict.allowed {
            row.reason = Reason::Robots;
            row.detail = super::robots::rule(&verdict);
            self.journal.put(entry.id, row, false, now);
            self.frontier.release(authority, now);
            return Ok(Started::Yes);
        }
        let is_sitemap = row.detail == SITEMAP;
        // A URL counts once, when it is first asked for; a redirect to another spelling did not.
        let counts = !is_sitemap && (row.fetched.is_none() || row.redirect.is_some());
        match self.budget.reserve(authority, counts, self.options.max_bytes as u64) {
            Grant::Granted(reserved) => {
                self.spawn(entry, is_sitemap, reserved);
                Ok(Started::Yes)
            }
            Grant::HostExhausted => {
                self.frontier.release(authority, now);
                self.close(authority, Some(Reason::BudgetHost), "")?;
                self.shelve(&entry)?;
                Ok(Started::Yes)
            }
            Grant::Later | Grant::Exhausted => Ok(self.put_back(entry, authority)),
        }
    }

    fn put_back(&mut self, entry: Entry, authority: &str) -> Started {
        self.frontier.push_urgent(entry);
        self.frontier.release(authority, self.clock.now());
        Started::NoBudget
    }

    fn spawn(&mut self, entry: Entry, is_sitemap: bool, reserved: Reserved) {
        let max_bytes = usize::try_from(reserved.bytes).unwrap_or(usize::MAX);
        let limits = Limits { max_bytes, timeout: self.options.timeout };
        let fetch = Arc::clone(&self.fetch);
        let host = self.hosts.get(entry.url.authority());
        let sockets = host.and_then(|host| host.address.as_ref());
        let request = Request {
            url: entry.url.clone(),
            sockets: sockets.map(|(address, ..)| address.sockets.clone()).unwrap_or_default(),
            limits,
            now: i64::try_from(self.clock.now()).unwrap_or(i64::MAX),
        };
        let task = self.tasks.spawn(async move {
            // The fetcher keeps its own time; this is a wall behind it.
            let wall = limits.timeout + Duration::from_secs(5);
            let outcome = match tokio::time::timeout(wall, fetch.fetch(request)).await {
                Ok(outcome) => outcome,
                Err(_) => Outcome::Failed(Failed {
                    elapsed: wall,
                    ..Failed::of_page(Reason::Timeout, "the fetch did not end in time")
                }),
            };
            let content = match (&outcome, &entry.task) {
                (Outcome::Captured(c), Task::Row) if c.capture.status == 200 => {
                    read(&c.capture, is_sitemap)
                }
                _ => Content::Nothing,
            };
            Event::Fetched { entry, outcome: Box::new(outcome), content, reserved }
        });
        self.fetching.insert(task.id());
    }
}

fn read(capture: &Capture, is_sitemap: bool) -> Content {
    match is_sitemap {
        false => Content::Page(Box::new(derive(capture))),
        // As with pages: should the parser break, one sitemap is lost and not its host.
        true => {
            let parse = || sitemap::parse(&unpacked(capture), &capture.url, SITEMAP_URLS);
            catch_unwind(parse).map_or(Content::Nothing, Content::Sitemap)
        }
    }
}

/// The sitemap's text: content encoding taken off, and gzip once more where the file itself is a .gz.
fn unpacked(capture: &Capture) -> Vec<u8> {
    let (body, _) = capture.body(SITEMAP_BYTES);
    if !body.starts_with(&[0x1f, 0x8b]) {
        return body;
    }
    let headers = vec![("content-encoding".to_owned(), "gzip".to_owned())];
    let inner =
        Capture { headers, payload: body, url: capture.url.clone(), truncated: None, ..*capture };
    inner.body(SITEMAP_BYTES).0
}
