//! robots.txt and the sitemaps it names (000 "Robots.txt", RFC 9309): asked for before the first page
//! of a host, kept for 24 hours, across restarts too. 4xx allows everything; 5xx, 429 and no answer
//! forbid everything: tried again with back-off. After five times the last good copy binds for an
//! hour more, as the RFC allows; without one the host's URLs wait for the next run with the reason
//! robots.unreachable.

use super::hosts::{Bound, delay, longest_delay};
use super::post::Letter;
use super::shard::{Shard, Wanted};
use crate::fetch::{Fetch, Outcome};
use crate::frontier::{HostId, Origin, Task};
use crate::options::Sitemaps;
use crate::verdict::{Standing, asks_for_later};
use fyke_store::{Reason, RobotsCopy, StoreError};
use fyke_web::robots::Verdict;
use fyke_web::{Capture, Robots, Url};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// How long a robots.txt binds, in milliseconds.
pub(super) const FRESH: u64 = 24 * 3_600_000;
/// How long the last good copy of one that cannot be had binds before it is asked for again.
const STALE: u64 = 3_600_000;
const MOST_HOPS: u8 = 5;
const MOST_TRIES: u32 = 5;
const MOST_BYTES: usize = 500 * 1024;
/// Sitemaps and sitemap URLs of one host.
pub(super) const MOST_SITEMAPS: u32 = 50;
const MOST_SITEMAP_URLS: u32 = 50_000;

/// The rule a URL is refused by, in words.
pub(super) fn rule(verdict: &Verdict) -> String {
    match (&verdict.rule, verdict.line) {
        (Some(rule), Some(line)) => format!("{rule} (line {line})"),
        (Some(rule), None) => rule.clone(),
        (None, _) => String::new(),
    }
}

/// What came of asking for a robots.txt.
#[derive(Debug)]
pub(crate) enum RobotsAnswer {
    /// It, or none: the status to be kept, 200 or that there is none, and the text.
    Text(u16, Vec<u8>),
    /// It is kept elsewhere: a redirect from the first to the second.
    Elsewhere(Url, Url),
    /// It could not be had.
    Failed(String),
}

impl RobotsAnswer {
    /// What an answer says. Whatever is neither a file nor the word that there is none, nor leads anywhere,
    /// leaves the rules unknown.
    pub(crate) fn of(capture: &Capture) -> RobotsAnswer {
        match (capture.status, capture.redirect()) {
            (_, Some(Ok(to))) => RobotsAnswer::Elsewhere(capture.url.clone(), to),
            (_, Some(Err(_))) => RobotsAnswer::Failed("a redirect that leads nowhere".to_owned()),
            (200 | 203, _) => match text(capture) {
                Some(body) => RobotsAnswer::Text(200, body),
                None => RobotsAnswer::Failed("cut short or not decodable".to_owned()),
            },
            (204, _) => RobotsAnswer::Text(200, Vec::new()),
            (status @ (400..=428 | 430..=499), _) => RobotsAnswer::Text(status, Vec::new()),
            (status, _) => RobotsAnswer::Failed(format!("status {status}")),
        }
    }

    /// The same after so many redirects. More than five on one host mean that there is no robots.txt; across
    /// hosts somebody made a mistake, and what is not known is forbidden.
    pub(crate) fn after(self, hops: u8, of: &Origin) -> RobotsAnswer {
        let is_own = |url: &Url| url.authority() == of.authority;
        match self {
            RobotsAnswer::Elsewhere(from, to) if hops >= MOST_HOPS => match is_own(&from)
                && is_own(&to)
            {
                true => RobotsAnswer::Text(404, Vec::new()),
                false => RobotsAnswer::Failed(format!("redirected more than {MOST_HOPS} times")),
            },
            rules => rules,
        }
    }
}

/// The text of a robots.txt, none when it did not come whole: what is missing might forbid. What
/// lies past the limit never counts.
fn text(capture: &Capture) -> Option<Vec<u8>> {
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
            let of = Origin::of(&wanted.url);
            self.frontier.push_urgent(host, Task::Robots { of, url, hops: 0 });
        }
        self.frontier.release(host, self.shared.now());
    }

    /// Takes the answer to a robots.txt request that host `asked` gave.
    pub(super) fn robots_answer(
        &mut self,
        asked: HostId,
        (of, hops): (Origin, u8),
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let now = self.shared.now();
        let capture = match outcome {
            Outcome::Captured(captured) => captured.capture,
            Outcome::Failed(failed) => {
                self.shared.errors.fetch_add(1, Relaxed);
                let detail = format!("{}: {}", failed.reason.name(), failed.detail);
                return self.hand_over(of, hops, RobotsAnswer::Failed(detail));
            }
        };
        match capture.status {
            429 | 500..=599 => {
                self.shared.errors.fetch_add(1, Relaxed);
                if let held @ Standing::Held(_) = asks_for_later(&capture, now) {
                    self.stand(asked, held)?;
                }
            }
            _ => self.stand(asked, Standing::Well)?,
        }
        self.hand_over(of, hops, RobotsAnswer::of(&capture))
    }

    /// Gives what was found to the thread whose host it is about.
    pub(super) fn hand_over(
        &mut self,
        of: Origin,
        hops: u8,
        found: RobotsAnswer,
    ) -> Result<(), StoreError> {
        let partition = super::domains::partition(&of.authority);
        if self.is_mine(partition) {
            return self.found_rules(of, hops, found);
        }
        self.write(partition, Letter::Rules { of, hops, found });
        Ok(())
    }

    /// Takes what was found of a robots.txt of one of this thread's hosts.
    pub(super) fn found_rules(
        &mut self,
        of: Origin,
        hops: u8,
        found: RobotsAnswer,
    ) -> Result<(), StoreError> {
        let host = self.host(&of.authority)?;
        match found.after(hops, &of) {
            RobotsAnswer::Text(status, body) => {
                self.robots_known((host, of.is_secure), status, body)
            }
            RobotsAnswer::Elsewhere(_, to) => self.robots_redirect((host, of), hops, to),
            RobotsAnswer::Failed(detail) => self.robots_failed((host, of.is_secure), &detail),
        }
    }

    /// Follows a redirect by way of the target's own queue, so that its politeness binds.
    fn robots_redirect(
        &mut self,
        (host, of): (HostId, Origin),
        hops: u8,
        to: Url,
    ) -> Result<(), StoreError> {
        let elsewhere = (to.authority() != of.authority).then(|| to.authority().to_owned());
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
        of: Origin,
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

    fn robots_known(
        &mut self,
        (host, is_secure): (HostId, bool),
        status: u16,
        body: Vec<u8>,
    ) -> Result<(), StoreError> {
        let now = self.shared.now();
        let (key, robots) = self.library.take_in(&body);
        let fetched = i64::try_from(now).unwrap_or(i64::MAX);
        let copy = RobotsCopy { fetched, status, body };
        let known = &mut self.hosts[host.index()];
        known.robots_tries = 0;
        let bound = Bound { key, until: now + FRESH, delay: delay(&robots) };
        self.bind(host, is_secure, bound);
        if is_secure {
            self.ledger().put_secure_robots(self.frontier.name(host), copy)?;
        } else {
            self.hosts[host.index()].row.robots = Some(copy);
        }
        self.put_host(host)?;
        // It stays in the ledger; a million of them would fill the memory.
        self.hosts[host.index()].row.robots = None;
        self.wait_for_robots(host, None);
        self.queue_sitemaps(host)
    }

    fn bind(&mut self, host: HostId, is_secure: bool, bound: Bound) {
        let robots = &mut self.hosts[host.index()].robots;
        robots[usize::from(is_secure)] = Some(bound);
        self.frontier.set_delay(host, longest_delay(robots));
    }

    /// The rules that bind a host's URLs now, if they are known.
    pub(super) fn rules(
        &mut self,
        host: HostId,
        is_secure: bool,
        now: u64,
    ) -> Result<Option<Arc<Robots>>, StoreError> {
        let bound = self.hosts[host.index()].robots[usize::from(is_secure)];
        let Some(bound) = bound.filter(|bound| bound.until > now) else { return Ok(None) };
        if let Some(robots) = self.library.get(bound.key) {
            return Ok(Some(robots));
        }
        let copy = self.stored(host, is_secure)?;
        Ok(copy.and_then(|copy| self.good(&copy)).map(|(_, robots)| robots))
    }

    /// The robots.txt that the ledger has.
    fn stored(&self, host: HostId, is_secure: bool) -> Result<Option<RobotsCopy>, StoreError> {
        let authority = self.frontier.name(host);
        match is_secure {
            true => self.ledger().secure_robots(authority),
            false => Ok(self.ledger().host(authority)?.and_then(|row| row.robots)),
        }
    }

    /// The robots.txt with TLS of a host that an earlier run may have met.
    pub(super) fn secure_copy(&self, authority: &str) -> Result<Option<RobotsCopy>, StoreError> {
        match self.shared.is_resumed {
            true => self.ledger().secure_robots(authority),
            false => Ok(None),
        }
    }

    /// A robots.txt from the ledger, if it is still fresh and was an answer.
    pub(super) fn fresh(&mut self, copy: Option<RobotsCopy>, now: u64) -> Option<Bound> {
        let copy = copy?;
        // One from the future was fetched while the clock was wrong, nobody knows when.
        let until = u64::try_from(copy.fetched).unwrap_or(0).saturating_add(FRESH);
        let is_fresh = until > now && until <= now + 2 * FRESH;
        let (key, robots) = self.good(&copy).filter(|_| is_fresh)?;
        Some(Bound { key, until, delay: delay(&robots) })
    }

    /// The rules in a copy, if it was an answer.
    fn good(&mut self, copy: &RobotsCopy) -> Option<(u64, Arc<Robots>)> {
        match copy.status {
            200 => Some(self.library.take_in(&copy.body)),
            400..=499 => Some(self.library.take_in(&[])),
            _ => None,
        }
    }

    /// robots.txt could not be had: everything is forbidden for now.
    fn robots_failed(
        &mut self,
        (host, is_secure): (HostId, bool),
        detail: &str,
    ) -> Result<(), StoreError> {
        self.wait_for_robots(host, None);
        let known = &mut self.hosts[host.index()];
        known.robots_tries += 1;
        if known.robots_tries < MOST_TRIES {
            return self.stand(host, Standing::Trouble(format!("robots.txt: {detail}")));
        }
        let stored = self.stored(host, is_secure)?;
        match stored.and_then(|copy| self.good(&copy)) {
            None => self.close(host, Some(Reason::RobotsUnreachable), detail),
            Some((key, robots)) => {
                let until = self.shared.now() + STALE;
                self.bind(host, is_secure, Bound { key, until, delay: delay(&robots) });
                Ok(())
            }
        }
    }

    /// Queues the sitemaps that the host's robots.txt names.
    pub(super) fn queue_sitemaps(&mut self, of: HostId) -> Result<(), StoreError> {
        if self.shared.options.sitemaps != Sitemaps::Auto {
            return Ok(());
        }
        let bound = self.hosts[of.index()].robots;
        for Bound { key, .. } in bound.into_iter().flatten() {
            let Some(robots) = self.library.get(key) else { continue };
            let urls = robots.sitemaps.iter().filter_map(|line| Url::parse(line.trim()).ok());
            for url in urls {
                self.discover_sitemap(&url, of)?;
            }
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
