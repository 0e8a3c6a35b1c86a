//! robots.txt and the sitemaps it names (000 "Robots.txt", RFC 9309): asked for before the first page
//! of a host, kept for 24 hours, across restarts too. 4xx allows everything; 5xx, 429 and no answer
//! forbid everything: tried again with back-off. After three times the last good copy binds for an
//! hour more, as the RFC allows; without one the host's URLs wait for the next run with the reason
//! robots.unreachable.

use super::hosts::delay;
use super::post::{Letter, Rules};
use super::shard::{Shard, Wanted};
use crate::fetch::{Fetch, Outcome};
use crate::frontier::{HostId, Task};
use crate::options::{AGENT, Sitemaps};
use crate::verdict::{Standing, asks_for_later};
use fyke_store::{Reason, RobotsCopy, StoreError};
use fyke_web::robots::Verdict;
use fyke_web::{Capture, Robots, Url};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};

/// How long a robots.txt binds, in milliseconds.
pub(super) const FRESH: u64 = 24 * 3_600_000;
/// How long the last good copy of one that cannot be had binds before it is asked for again.
const STALE: u64 = 3_600_000;
const MOST_HOPS: u8 = 5;
const MOST_TRIES: u32 = 3;
const MOST_BYTES: usize = 500 * 1024;
/// Sitemaps and sitemap URLs of one host.
pub(super) const MOST_SITEMAPS: u32 = 50;
const MOST_SITEMAP_URLS: u32 = 50_000;
/// Parsed files that are looked through for dead ones when there are so many.
const SWEEP: usize = 4096;

/// The rule a URL is refused by, in words.
pub(super) fn rule(verdict: &Verdict) -> String {
    match (&verdict.rule, verdict.line) {
        (Some(rule), Some(line)) => format!("{rule} (line {line})"),
        (Some(rule), None) => rule.clone(),
        (None, _) => String::new(),
    }
}

/// The text of a robots.txt, none when it did not come whole: what is missing might forbid. What
/// lies past the limit never counts.
pub(crate) fn text(capture: &Capture) -> Option<Vec<u8>> {
    let (body, cut) = capture.body(MOST_BYTES);
    let is_whole = !cut && capture.truncated.is_none() || body.len() >= MOST_BYTES;
    is_whole.then(|| body.into_owned())
}

impl<F: Fetch> Shard<'_, F> {
    /// Puts the host's robots.txt before the URL that was to be fetched.
    pub(super) fn queue_robots(&mut self, host: HostId, wanted: &Wanted) {
        let url = wanted.url.at("/robots.txt");
        self.frontier.push_urgent(host, Task::Row(wanted.position));
        if let Ok(url) = url {
            let of = self.frontier.name(host).to_owned();
            self.frontier.push_urgent(host, Task::Robots { of, url, hops: 0 });
        }
        self.frontier.release(host, self.shared.now());
    }

    /// Takes the answer to a robots.txt request that host `asked` gave.
    pub(super) fn robots_answer(
        &mut self,
        asked: HostId,
        (of, url, hops): (String, Url, u8),
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let now = self.shared.now();
        let capture = match outcome {
            Outcome::Captured(captured) => captured.capture,
            Outcome::Failed(failed) => {
                self.shared.errors.fetch_add(1, Relaxed);
                let detail = format!("{}: {}", failed.reason.name(), failed.detail);
                return self.hand_over(of, hops, Rules::Failed(detail));
            }
        };
        let found = match capture.status {
            200 => match text(&capture) {
                Some(body) => Rules::Text(200, body),
                None => Rules::Failed("cut short or not decodable".to_owned()),
            },
            301 | 302 | 303 | 307 | 308 => {
                let target = capture.header("location").and_then(|to| capture.url.join(to).ok());
                match target {
                    Some(target) => Rules::Elsewhere(url, target),
                    None => Rules::Text(404, Vec::new()),
                }
            }
            429 | 500..=599 => {
                self.shared.errors.fetch_add(1, Relaxed);
                if let held @ Standing::Held(_) = asks_for_later(&capture, now) {
                    self.stand(asked, held)?;
                }
                let failed = Rules::Failed(format!("status {}", capture.status));
                return self.hand_over(of, hops, failed);
            }
            status => Rules::Text(if status < 400 { 404 } else { status }, Vec::new()),
        };
        self.stand(asked, Standing::Well)?;
        self.hand_over(of, hops, found)
    }

    /// Gives what was found to the thread whose host it is about.
    pub(super) fn hand_over(
        &mut self,
        of: String,
        hops: u8,
        found: Rules,
    ) -> Result<(), StoreError> {
        let partition = super::domains::partition(&of);
        if self.is_mine(partition) {
            return self.found_rules(&of, hops, found);
        }
        self.write(partition, Letter::Rules { of, hops, found });
        Ok(())
    }

    /// Takes what was found of a robots.txt of one of this thread's hosts.
    pub(super) fn found_rules(
        &mut self,
        of: &str,
        hops: u8,
        found: Rules,
    ) -> Result<(), StoreError> {
        let host = self.host(of)?;
        match found {
            Rules::Text(status, body) => self.robots_known(host, status, body),
            Rules::Elsewhere(from, to) => self.robots_redirect(host, hops, &from, to),
            Rules::Failed(detail) => self.robots_failed(host, &detail),
        }
    }

    /// Follows a redirect by way of the target's own queue, so that its politeness binds. More than
    /// five on one host mean that there is no robots.txt; across hosts somebody made a mistake, and
    /// what is not known is forbidden.
    fn robots_redirect(
        &mut self,
        host: HostId,
        hops: u8,
        from: &Url,
        to: Url,
    ) -> Result<(), StoreError> {
        let of = self.frontier.name(host).to_owned();
        if hops >= MOST_HOPS {
            return match from.authority() == of && to.authority() == of {
                true => self.robots_known(host, 404, Vec::new()),
                false => {
                    let what = format!("redirected more than {MOST_HOPS} times");
                    self.robots_failed(host, &what)
                }
            };
        }
        let elsewhere = Some(to.authority()).filter(|at| *at != of).map(str::to_owned);
        self.wait_for_robots(host, elsewhere);
        let partition = to.partition();
        if self.is_mine(partition) {
            return self.ask_elsewhere(of, to, hops + 1);
        }
        self.write(partition, Letter::Robots { of, url: to, hops: hops + 1 });
        Ok(())
    }

    /// Asks one of this thread's hosts for the robots.txt of another.
    pub(super) fn ask_elsewhere(
        &mut self,
        of: String,
        url: Url,
        hops: u8,
    ) -> Result<(), StoreError> {
        let host = self.host(url.authority())?;
        let task = Task::Robots { of, url, hops };
        if self.hosts[host.index()].closed.is_some() {
            return self.shelve(host, task);
        }
        self.frontier.push_urgent(host, task);
        Ok(())
    }

    /// The host waits while its robots.txt is looked for elsewhere; none ends the wait.
    fn wait_for_robots(&mut self, host: HostId, elsewhere: Option<String>) {
        self.frontier.set_waits(host, elsewhere.is_some());
        self.hosts[host.index()].robots_at = elsewhere;
    }

    fn robots_known(&mut self, host: HostId, status: u16, body: Vec<u8>) -> Result<(), StoreError> {
        let now = self.shared.now();
        let robots = self.parsed(&body);
        self.frontier.set_delay(host, delay(&robots));
        let fetched = i64::try_from(now).unwrap_or(i64::MAX);
        let known = &mut self.hosts[host.index()];
        known.robots = Some((robots, now + FRESH));
        known.robots_tries = 0;
        known.row.robots = Some(RobotsCopy { fetched, status, body });
        self.put_host(host)?;
        // It stays in the ledger; a million of them would fill the memory.
        self.hosts[host.index()].row.robots = None;
        self.wait_for_robots(host, None);
        self.queue_sitemaps(host)
    }

    /// The rules in a robots.txt; files with the same text share them.
    fn parsed(&mut self, body: &[u8]) -> Arc<Robots> {
        let key = xxhash_rust::xxh3::xxh3_64(body);
        if let Some(robots) = self.rules.get(&key).and_then(Weak::upgrade) {
            return robots;
        }
        if self.rules.len() >= SWEEP {
            self.rules.retain(|_, robots| robots.strong_count() > 0);
        }
        let robots = Arc::new(Robots::parse(body, AGENT));
        self.rules.insert(key, Arc::downgrade(&robots));
        robots
    }

    /// A robots.txt from the ledger, if it is still fresh and was an answer.
    pub(super) fn robots_copy(
        &mut self,
        copy: Option<RobotsCopy>,
        now: u64,
    ) -> Option<(Arc<Robots>, u64)> {
        let copy = copy?;
        let until = u64::try_from(copy.fetched).unwrap_or(0) + FRESH;
        (until > now).then(|| self.good(&copy).map(|robots| (robots, until)))?
    }

    /// The rules in a copy, if it was an answer.
    fn good(&mut self, copy: &RobotsCopy) -> Option<Arc<Robots>> {
        match copy.status {
            200 => Some(self.parsed(&copy.body)),
            400..=499 => Some(self.parsed(&[])),
            _ => None,
        }
    }

    /// robots.txt could not be had: everything is forbidden for now.
    fn robots_failed(&mut self, host: HostId, detail: &str) -> Result<(), StoreError> {
        self.wait_for_robots(host, None);
        let known = &mut self.hosts[host.index()];
        known.robots_tries += 1;
        if known.robots_tries < MOST_TRIES {
            return self.stand(host, Standing::Trouble(format!("robots.txt: {detail}")));
        }
        let stored = self.ledger().host(self.frontier.name(host))?;
        match stored.and_then(|row| self.good(&row.robots?)) {
            None => self.close(host, Some(Reason::RobotsUnreachable), detail),
            Some(robots) => {
                self.frontier.set_delay(host, delay(&robots));
                let until = self.shared.now() + STALE;
                self.hosts[host.index()].robots = Some((robots, until));
                Ok(())
            }
        }
    }

    /// Queues the sitemaps that the host's robots.txt names.
    pub(super) fn queue_sitemaps(&mut self, of: HostId) -> Result<(), StoreError> {
        if self.shared.options.sitemaps != Sitemaps::Auto {
            return Ok(());
        }
        let Some((robots, _)) = &self.hosts[of.index()].robots else { return Ok(()) };
        let robots = Arc::clone(robots);
        let urls = robots.sitemaps.iter().filter_map(|line| Url::parse(line.trim()).ok());
        for url in urls {
            self.discover_sitemap(&url, of)?;
        }
        Ok(())
    }

    /// How many URLs and sitemaps this sitemap's host may still give by sitemaps; counts `wanted` of them.
    pub(super) fn sitemap_room(&mut self, of: HostId, wanted: usize) -> usize {
        let host = &mut self.hosts[of.index()];
        let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
        let room = MOST_SITEMAP_URLS.saturating_sub(host.sitemap_urls).min(wanted);
        host.sitemap_urls += room;
        room as usize
    }

    /// Whether one more sitemap may be read for this host.
    pub(super) fn counts_sitemap(&mut self, of: HostId) -> bool {
        let host = &mut self.hosts[of.index()];
        host.sitemaps += 1;
        host.sitemaps <= MOST_SITEMAPS
    }
}
