//! robots.txt and the sitemaps it names (000 "Robots.txt", RFC 9309): asked for before the first page
//! of a host, kept for 24 hours, across restarts too. What cannot be had forbids everything: it is tried
//! again with back-off. After five times the last good copy binds for an hour more, as the RFC allows;
//! without one the host's URLs wait for the next run with the reason robots.unreachable.

use super::Hosts;
use crate::crawl::millis;
use crate::frontier::{HostId, Origin, Task};
use crate::robots::RobotsAnswer;
use crate::verdict::HostStanding;
use fyke_store::{Position, Reason, RobotsCopy, StoreError};
use fyke_web::robots::RobotsVerdict;
use fyke_web::{Robots, RobotsStatus, Url};
use std::sync::Arc;

/// How long a robots.txt binds, in milliseconds.
const FRESH: u64 = 24 * 3_600_000;
/// How long the last good copy of one that cannot be had binds before it is asked for again.
const STALE: u64 = 3_600_000;
const MOST_TRIES: u32 = 5;

/// The rules of a robots.txt: what the library has them under, until when they bind, and the Crawl-delay
/// in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    key: u64,
    until: u64,
    pub(super) delay: u64,
}

impl Bound {
    fn new(key: u64, robots: &Robots, until: u64) -> Bound {
        // A day is taken for the most that anyone means. The clock counts whole milliseconds: one more is
        // never too early.
        let delay = robots.crawl_delay.map_or(0, |delay| millis(delay).min(24 * 3_600_000) + 1);
        Bound { key, until, delay }
    }
}

/// The rule a URL is refused by, in words.
pub(super) fn in_words(verdict: &RobotsVerdict) -> String {
    match (&verdict.rule, verdict.line) {
        (Some(rule), Some(line)) => format!("{rule} (line {line})"),
        (Some(rule), None) => rule.clone(),
        (None, _) => String::new(),
    }
}

/// What comes after an answer about a robots.txt.
#[derive(Debug)]
pub(in crate::crawl) enum RulesNext {
    /// The rules are known; they name these sitemaps.
    Known(Vec<Url>),
    /// It has to be asked for there.
    Ask(Url),
    /// Nothing, for now.
    Wait,
}

impl Hosts<'_> {
    /// Puts the host's robots.txt before the URL that was to be fetched.
    pub(in crate::crawl) fn queue_robots(&mut self, host: HostId, url: &Url, position: Position) {
        self.frontier.push_urgent(host, Task::Row(position));
        if let Ok(robots) = url.at("/robots.txt") {
            let task = Task::Robots { of: Origin::of(url), url: robots, hops: 0 };
            self.frontier.push_urgent(host, task);
        }
    }

    /// Whether nothing was heard of any robots.txt of this host, nor asked in this run.
    pub(in crate::crawl) fn is_unasked(&self, host: HostId) -> bool {
        let mut sides = self.both(host).map(|side| self.of(side));
        sides.all(|side| side.robots.is_none() && side.robots_tries == 0)
    }

    /// Takes what was found of the robots.txt of this host after so many redirects.
    pub(in crate::crawl) fn take_rules(
        &mut self,
        host: HostId,
        (of, hops): (&Origin, u8),
        found: RobotsAnswer,
        now: u64,
    ) -> Result<RulesNext, StoreError> {
        match found.after(hops, of) {
            RobotsAnswer::Text(status, body) => {
                let fetched = i64::try_from(now).unwrap_or(i64::MAX);
                let mut copy = RobotsCopy { fetched, status, body };
                // "Not modified": what came last binds anew, if anything did.
                if status == 304
                    && let Some(last) = self.stored(host)?
                {
                    (copy.status, copy.body) = (last.status, last.body);
                }
                self.keep_rules(host, copy, now)?;
                Ok(RulesNext::Known(self.sitemaps(host)))
            }
            // By way of the target's own queue, so that its politeness binds.
            RobotsAnswer::Elsewhere(_, to) => {
                let elsewhere = (to.authority() != of.authority).then(|| to.authority().to_owned());
                self.wait_for_rules(host, elsewhere);
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
        self.of_mut(host).robots_at = elsewhere;
    }

    fn keep_rules(&mut self, host: HostId, copy: RobotsCopy, now: u64) -> Result<(), StoreError> {
        let (key, robots) = self.library.take_in(&copy.body);
        self.of_mut(host).robots_tries = 0;
        self.bind(host, Bound::new(key, &robots, now + FRESH));
        self.host_mut(host).row.waits = self.delay_in_words(host);
        self.put(host, now)?;
        // It stays in the ledger; a million of them would fill the memory.
        if self.of(host).is_secure {
            self.of_mut(host).trouble.robots = Some(copy);
            self.put_side(host, now)?;
            self.of_mut(host).trouble.robots = None;
        } else {
            self.host_mut(host).row.robots = Some(copy);
            self.put(host, now)?;
            self.host_mut(host).row.robots = None;
        }
        self.wait_for_rules(host, None);
        self.mind_delay(host, now)
    }

    /// robots.txt could not be had: everything is forbidden for now.
    fn rules_failed(&mut self, host: HostId, detail: &str, now: u64) -> Result<(), StoreError> {
        self.wait_for_rules(host, None);
        let known = self.of_mut(host);
        if let Some((reason, what)) = known.checked.take() {
            return self.give_up(host, reason, &what, now);
        }
        known.robots_tries += 1;
        if known.robots_tries < MOST_TRIES {
            return self.stand(host, HostStanding::Trouble(format!("robots.txt: {detail}")), now);
        }
        let stored = self.stored(host)?;
        match stored.and_then(|copy| self.good(&copy)) {
            None => self.close(host, Some(Reason::RobotsUnreachable), detail, now),
            Some((key, robots)) => {
                self.bind(host, Bound::new(key, &robots, now + STALE));
                Ok(())
            }
        }
    }

    fn bind(&mut self, host: HostId, bound: Bound) {
        let side = self.of_mut(host);
        side.robots = Some(bound);
        let is_secure = side.is_secure;
        self.host_mut(host).delays[usize::from(is_secure)] = bound.delay;
        self.frontier.set_delay(host, super::longest(&self.host(host).delays));
        let ready = i64::try_from(self.frontier.ready(host)).unwrap_or(i64::MAX);
        let row = &mut self.host_mut(host).row;
        row.not_before = row.not_before.max(ready);
    }

    /// The Crawl-delay that a host waits for, empty where the gap is longer.
    pub(super) fn delay_in_words(&self, host: HostId) -> String {
        let delay = super::longest(&self.host(host).delays);
        match delay > self.politeness.floor + 1 {
            true => format!("Crawl-delay: {} s", (delay - 1) as f64 / 1000.0),
            false => String::new(),
        }
    }

    /// Leaves a host to a later run when its Crawl-delay asks for more patience than this one has.
    pub(super) fn mind_delay(&mut self, host: HostId, now: u64) -> Result<(), StoreError> {
        let patience = millis(self.options.patience);
        let delay = super::longest(&self.host(host).delays);
        match delay > patience && self.frontier.ready(host) > now + patience {
            true => self.close_sides(host, None, super::IMPATIENT, now),
            false => Ok(()),
        }
    }

    /// The rules that bind the URLs of a side now, if they are known.
    pub(super) fn rules(
        &mut self,
        host: HostId,
        now: u64,
    ) -> Result<Option<Arc<Robots>>, StoreError> {
        let bound = self.of(host).robots;
        let Some(bound) = bound.filter(|bound| bound.until > now) else { return Ok(None) };
        if let Some(robots) = self.library.get(bound.key) {
            return Ok(Some(robots));
        }
        let copy = self.stored(host)?;
        Ok(copy.and_then(|copy| self.good(&copy)).map(|(_, robots)| robots))
    }

    /// The robots.txt that the ledger has.
    fn stored(&self, host: HostId) -> Result<Option<RobotsCopy>, StoreError> {
        let authority = self.frontier.name(host);
        match self.of(host).is_secure {
            true => self.cell.ledger().secure_robots(authority),
            false => Ok(self.cell.ledger().host(authority)?.and_then(|row| row.robots)),
        }
    }

    /// A robots.txt from the ledger, if it is still fresh and was an answer.
    pub(super) fn fresh(&mut self, copy: Option<RobotsCopy>, now: u64) -> Option<Bound> {
        let copy = copy?;
        // One from the future was fetched while the clock was wrong, nobody knows when.
        let until = u64::try_from(copy.fetched).unwrap_or(0).saturating_add(FRESH);
        let is_fresh = until > now && until <= now + 2 * FRESH;
        let (key, robots) = self.good(&copy).filter(|_| is_fresh)?;
        Some(Bound::new(key, &robots, until))
    }

    /// The rules in a copy, if it was an answer.
    fn good(&mut self, copy: &RobotsCopy) -> Option<(u64, Arc<Robots>)> {
        match RobotsStatus::of(copy.status) {
            RobotsStatus::Rules => Some(self.library.take_in(&copy.body)),
            RobotsStatus::Absent => Some(self.library.take_in(&[])),
            RobotsStatus::Unknown => None,
        }
    }

    /// The sitemaps that the host's robots.txt names.
    pub(super) fn sitemaps(&mut self, of: HostId) -> Vec<Url> {
        let mut urls = Vec::new();
        if let Some(Bound { key, .. }) = self.of(of).robots
            && let Some(robots) = self.library.get(key)
        {
            let home = self.url(of, "/robots.txt");
            let resolve = |line: &String| home.as_ref()?.join(line.trim()).ok();
            urls.extend(robots.sitemaps.iter().filter_map(resolve));
        }
        urls
    }

    /// The URL of this path on a side of a host.
    pub(in crate::crawl) fn url(&self, side: HostId, path: &str) -> Option<Url> {
        let scheme = if self.of(side).is_secure { "https" } else { "http" };
        Url::parse(&format!("{scheme}://{}{path}", self.frontier.name(side))).ok()
    }
}
