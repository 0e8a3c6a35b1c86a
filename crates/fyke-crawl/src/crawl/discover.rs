//! URLs found: filters, duplicate URL elimination, the prioritiser (000 "Filters", "Duplicate URL
//! elimination", "Front queues"). Every URL gets one row, whatever becomes of it.

use super::hosts::GIVEN_UP;
use super::{Crawl, FRONT_QUEUES};
use crate::derive::SITEMAP;
use crate::fetch::Fetch;
use crate::frontier::{Entry, Task};
use crate::options::Sitemaps;
use crate::trap;
use fyke_store::{Reason, Row, StoreError};
use fyke_web::{Url, UrlId};
use std::collections::VecDeque;

/// Pages of calendars are taken up to this many links from a seed.
const CALENDAR_DEPTH: u16 = 12;

/// Reasons under which rows may stand that the next run takes up again.
const MENDABLE: [Reason; 7] = [
    Reason::RobotsUnreachable,
    Reason::BudgetHost,
    Reason::Dns,
    Reason::Connect,
    Reason::Timeout,
    Reason::Tls,
    Reason::PrivateAddress,
];

/// A URL and how it was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) url: Url,
    pub(super) parent: Option<UrlId>,
    pub(super) depth: u16,
    pub(super) nofollow: bool,
}

/// The prioritiser: nearer to a seed is better; the queues cover 0, 1, 2, 3–4, 5–8, 9–16, 17–32, more.
fn priority(depth: u16) -> u8 {
    let queue = match depth {
        0..=2 => depth,
        depth => 3 + (depth - 1).ilog2() as u16 - 1,
    };
    (queue + 1).min(FRONT_QUEUES as u16) as u8
}

/// The year of a time in milliseconds since 1970, near enough for calendars.
fn year(now: u64) -> i64 {
    1970 + (now / 31_556_952_000) as i64
}

fn new_row(found: &Found, reason: Reason, detail: String, now: u64) -> Row {
    Row {
        url: found.url.as_str().to_owned(),
        reason,
        parent: found.parent,
        depth: found.depth,
        priority: priority(found.depth),
        found: i64::try_from(now).unwrap_or(i64::MAX),
        fetched: None,
        status: 0,
        tries: 0,
        capture: None,
        digest: None,
        redirect: None,
        detail,
    }
}

impl<F: Fetch> Crawl<'_, F> {
    /// Takes up what earlier runs left: everything queued, and what only this time of waiting could
    /// mend (robots unreachable, no answer, hosts given up, host budgets that were raised).
    pub(super) fn load(&mut self) -> Result<(), StoreError> {
        let mut queue = Vec::new();
        let ledger = &self.journal.collection.ledger;
        for host in ledger.hosts() {
            let (name, row) = host?;
            self.budget.load(&name, row.pages, row.bytes);
        }
        for row in ledger.queued() {
            let (_, id, row) = row?;
            queue.push((id, row));
        }
        queue.sort_unstable_by_key(|(id, row)| (row.priority, row.found, *id));
        let mut again = Vec::new();
        let counts = ledger.counts()?;
        if MENDABLE.iter().any(|reason| counts.get(reason).is_some_and(|&n| n > 0)) {
            for row in ledger.rows() {
                let (id, row) = row?;
                if self.is_mendable(&row) {
                    again.push((id, row));
                }
            }
        }
        let now = self.clock.now();
        for (id, mut row) in again {
            row.reason = Reason::Queued;
            row.detail.clear();
            row.tries = 0;
            queue.push((id, row.clone()));
            self.journal.put(id, row, false, now);
        }
        for (id, row) in queue {
            if let Ok(url) = Url::parse(&row.url) {
                self.frontier.push(Entry { id, url, priority: row.priority, task: Task::Row });
            }
        }
        Ok(())
    }

    fn is_mendable(&self, row: &Row) -> bool {
        match row.reason {
            Reason::RobotsUnreachable => true,
            Reason::BudgetHost => {
                Url::parse(&row.url).is_ok_and(|url| self.budget.host_has_room(url.authority()))
            }
            reason if MENDABLE.contains(&reason) => {
                row.status == 0 || row.detail.starts_with(GIVEN_UP)
            }
            _ => false,
        }
    }

    pub(super) fn seed(&mut self) -> Result<(), StoreError> {
        for url in &self.options.seeds {
            let url = url.clone();
            self.discover(Found { url, parent: None, depth: 0, nofollow: false })?;
        }
        if let Sitemaps::List(urls) = &self.options.sitemaps {
            for url in urls {
                self.discover_sitemap(url.clone(), url.authority())?;
            }
        }
        Ok(())
    }

    /// Takes in a URL. One that is known already is judged again only where this way of finding it
    /// may lead further: by a link that may be followed, or nearer to a seed.
    pub(super) fn discover(&mut self, found: Found) -> Result<(), StoreError> {
        let id = found.url.id();
        let known = self.journal.standing(id)?;
        match known {
            None => {}
            Some((Reason::Nofollow, _)) if !found.nofollow => {}
            Some((reason, depth))
                if found.depth < depth && (!found.nofollow || reason == Reason::Nofollow) =>
            {
                return self.relax(id, found.depth);
            }
            Some(_) => return Ok(()),
        }
        let (reason, detail) = self.admit(&found);
        let now = self.clock.now();
        let row = new_row(&found, reason, detail, now);
        let priority = row.priority;
        self.journal.put(id, row, known.is_none(), now);
        if reason == Reason::Queued {
            self.frontier.push(Entry { id, url: found.url, priority, task: Task::Row });
        }
        Ok(())
    }

    /// The filters. What depends on the URL alone comes first, what depends on how it was found last.
    fn admit(&self, found: &Found) -> (Reason, String) {
        let url = &found.url;
        if let Some(trap) = trap::check(url, year(self.clock.wall)) {
            return trap;
        }
        if let Err(refusal) = self.scope.check(url) {
            return refusal;
        }
        if found.nofollow {
            return (Reason::Nofollow, String::new());
        }
        if !self.scope.admits_depth(found.depth) {
            return (Reason::ScopeDepth, String::new());
        }
        if found.depth > CALENDAR_DEPTH && trap::is_calendar(url) {
            return (Reason::TrapCalendar, format!("more than {CALENDAR_DEPTH} links from a seed"));
        }
        let robots = self.hosts.get(url.authority()).and_then(|host| host.robots.as_ref());
        let verdict = robots.map(|(robots, _)| robots.check(url.path_and_query()));
        match verdict {
            Some(verdict) if !verdict.allowed => (Reason::Robots, super::robots::rule(&verdict)),
            _ => (Reason::Queued, String::new()),
        }
    }

    /// A known URL turned out to be nearer to a seed, and so is everything it leads to: the depth of
    /// a URL is that of the shortest way, in whatever order the ways are found.
    fn relax(&mut self, id: UrlId, depth: u16) -> Result<(), StoreError> {
        let now = self.clock.now();
        // Nearest first, so that few rows are written twice.
        let mut work = VecDeque::from([(id, depth)]);
        while let Some((id, depth)) = work.pop_front() {
            let Some(mut row) = self.journal.row(id)? else { continue };
            if row.depth <= depth {
                continue;
            }
            row.depth = depth;
            if matches!(row.reason, Reason::ScopeDepth | Reason::TrapCalendar)
                && let Ok(url) = Url::parse(&row.url)
            {
                let found = Found { url, parent: row.parent, depth, nofollow: false };
                (row.reason, row.detail) = self.admit(&found);
                if row.reason == Reason::Queued {
                    let (url, priority) = (found.url, priority(depth));
                    self.frontier.push(Entry { id, url, priority, task: Task::Row });
                }
            }
            if row.fetched.is_some() {
                let links = self.journal.links(id)?.into_iter().filter(|link| !link.nofollow);
                work.extend(links.map(|link| (link.target, depth.saturating_add(1))));
            }
            if let Some(target) = row.redirect.as_deref().and_then(|url| Url::parse(url).ok()) {
                work.push_front((target.id(), depth));
            }
            self.journal.put(id, row, false, now);
        }
        Ok(())
    }

    /// Takes in a sitemap named by host `of`: on that host, or anywhere in scope.
    pub(super) fn discover_sitemap(&mut self, url: Url, of: &str) -> Result<(), StoreError> {
        let id = url.id();
        let known = self.journal.row(id)?;
        if known.as_ref().is_some_and(|row| row.detail.starts_with(SITEMAP))
            || !self.counts_sitemap(of)
        {
            return Ok(());
        }
        let now = self.clock.now();
        let is_new = known.is_none();
        let (reason, detail) = match url.authority() == of {
            true => (Reason::Queued, SITEMAP.to_owned()),
            false => match self.scope.check(&url) {
                Ok(()) => (Reason::Queued, SITEMAP.to_owned()),
                Err(refusal) if is_new => refusal,
                Err(_) => return Ok(()),
            },
        };
        // A page that was fetched before it turned out to be a sitemap is asked for once more.
        let found = Found { url, parent: None, depth: 0, nofollow: false };
        let mut row = known.unwrap_or_else(|| new_row(&found, reason, String::new(), now));
        let is_queued = !is_new && row.reason == Reason::Queued;
        (row.reason, row.detail) = (reason, detail);
        self.journal.put(id, row, is_new, now);
        if reason == Reason::Queued && !is_queued {
            self.frontier.push(Entry { id, url: found.url, priority: 1, task: Task::Row });
        }
        Ok(())
    }
}
