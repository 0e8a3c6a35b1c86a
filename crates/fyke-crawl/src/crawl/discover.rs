//! URLs found: filters, duplicate URL elimination, the prioritiser (000 "Filters", "Duplicate URL
//! elimination", "Front queues"). Every URL gets one row, whatever becomes of it.

use super::post::Letter;
use super::shard::{Shard, is_queued};
use crate::fetch::Fetch;
use crate::frontier::{HostId, PRIORITIES};
use crate::glance::Target;
use crate::guide::Weighed;
use crate::options::Sitemaps;
use crate::scope::Scope;
use crate::trap;
use fyke_store::{Known, Listed, Position, Reason, Row, RowKind, StoreError};
use fyke_web::url::partition_of;
use fyke_web::{Url, UrlId};

/// Pages of calendars are taken up to this many links from a seed.
const CALENDAR_DEPTH: u16 = 12;

/// Why a sitemap is left for the next run.
const TOO_MANY_SITEMAPS: &str = "sitemap: its host names more than are read in one run";

/// How a URL was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) parent: Option<UrlId>,
    /// The domain of the page it was found on, by hash.
    pub(super) from: Option<u64>,
    pub(super) depth: u16,
    /// The page it was found on is a copy of another.
    pub(super) is_copy: bool,
    /// What the guide of a focused crawl makes of it.
    pub(super) weighed: Option<Weighed>,
}

impl Found {
    pub(super) const SEED: Found =
        Found { parent: None, from: None, depth: 0, is_copy: false, weighed: None };
}

/// The prioritiser: nearer to a seed is better; the queues cover 0, 1, 2, 3–4, 5–8, 9–16, 17–32, more.
pub(super) fn priority(depth: u16) -> u8 {
    let queue = match depth {
        0..=2 => depth,
        depth => 3 + (depth - 1).ilog2() as u16 - 1,
    };
    (queue + 1).min(PRIORITIES as u16) as u8
}

/// The year of a time in milliseconds since 1970, near enough for calendars.
fn year(now: u64) -> i64 {
    1970 + (now / 31_556_952_000) as i64
}

/// The filters. What depends on the URL alone comes first, what depends on how it was found last;
/// robots.txt is asked when the URL's turn comes.
fn admit(scope: &Scope, target: &Target, found: Found, now: u64) -> (Reason, String) {
    if let Some(trap) = trap::check(&target.url, year(now)) {
        return trap;
    }
    if let Err(refusal) = scope.check(&target.url) {
        return refusal;
    }
    admit_way(scope, target, found)
}

/// The filters that look at how a URL was found: another way to it may pass them.
fn admit_way(scope: &Scope, target: &Target, found: Found) -> (Reason, String) {
    if target.nofollow {
        return (Reason::Nofollow, String::new());
    }
    if !scope.admits_depth(found.depth) {
        return (Reason::ScopeDepth, String::new());
    }
    if found.depth > CALENDAR_DEPTH && trap::is_calendar(&target.url) {
        return (Reason::TrapCalendar, format!("more than {CALENDAR_DEPTH} links from a seed"));
    }
    super::focus::admit(found)
}

/// Judges a row again by the filters and its depth.
pub(super) fn judge_again(row: &mut Row, scope: &Scope, now: u64) {
    if let Ok(url) = Url::parse(&row.url) {
        let target = Target { id: url.id(), url, nofollow: false };
        (row.reason, row.detail) =
            admit(scope, &target, Found { depth: row.depth, ..Found::SEED }, now);
        row.priority = priority(row.depth);
    }
}

fn new_row(url: &Url, how: Found, (reason, detail): (Reason, String), now: u64) -> Row {
    let found = i64::try_from(now).unwrap_or(i64::MAX);
    let weight = how.weighed.and_then(|weighed| weighed.priority);
    let priority = weight.unwrap_or_else(|| priority(how.depth));
    let priority = (priority.saturating_add(u8::from(how.is_copy))).min(PRIORITIES as u8);
    let (parent, depth) = (how.parent, how.depth);
    let off_subject = how.weighed.map(|weighed| u16::from(weighed.off));
    Row { parent, depth, priority, detail, off_subject, ..Row::new(url.as_str(), reason, found) }
}

/// Whether a URL waits as a sitemap, was read as one, or is left for the next run as one too many. Any
/// other is asked for as a sitemap when a host names it.
fn is_settled_sitemap(row: &Row) -> bool {
    let is_settled = matches!(row.reason, Reason::Queued | Reason::Type | Reason::BudgetHost);
    row.kind == RowKind::Sitemap && is_settled
}

impl<F: Fetch> Shard<'_, F> {
    pub(super) fn seed(&mut self) -> Result<(), StoreError> {
        for url in &self.shared.options.seeds {
            if self.is_mine(url.partition()) {
                let target = Target { id: url.id(), url: url.clone(), nofollow: false };
                self.discover(&target, Found::SEED)?;
            }
        }
        if let Sitemaps::List(urls) = &self.shared.options.sitemaps {
            for url in urls.iter().filter(|url| self.is_mine(url.partition())).collect::<Vec<_>>() {
                let host = self.host(url.authority())?;
                self.discover_sitemap(url, host)?;
            }
        }
        Ok(())
    }

    /// Takes in a URL. One that is known already is judged again only when it was refused for the way
    /// it was found, and this one is better.
    pub(super) fn discover(&mut self, target: &Target, found: Found) -> Result<(), StoreError> {
        self.discover_listed(target, found, None).map(drop)
    }

    /// As [`Shard::discover`], with what a sitemap says of the URL; true when it is queued now.
    pub(super) fn discover_listed(
        &mut self,
        target: &Target,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<bool, StoreError> {
        let known = self.ledger().known(target.id)?;
        let is_better = |(reason, _): &(Reason, String)| Known::under(*reason) > known;
        let scope = &self.shared.scope;
        if known == Known::Yes
            || (known != Known::No && !is_better(&admit_way(scope, target, found)))
        {
            if known == Known::Yes {
                self.vouch(target, found.from)?;
            }
            return self.note_listing(target.id, listed).map(|()| false);
        }
        let now = self.shared.now();
        let judged = admit(scope, target, found, now);
        let row = Row { listed, ..new_row(&target.url, found, judged, now) };
        let Some(position) = self.ledger().find(target.id, &row)? else {
            // Another thread was faster.
            return self.vouch(target, found.from).map(|()| false);
        };
        self.shared.touch(now);
        if is_queued(&row) {
            self.route(&target.url, position, row.priority, found.from)?;
        }
        Ok(is_queued(&row))
    }

    /// Keeps what a sitemap says of a URL that is known already.
    fn note_listing(&mut self, id: UrlId, listed: Option<Listed>) -> Result<(), StoreError> {
        let Some(listed) = listed else { return Ok(()) };
        // The URL may be another thread's, which writes what came of it at any moment.
        let update = self.ledger().update(id, |row| {
            let before = row.listed.replace(listed.clone());
            before != row.listed
        });
        update.map(drop)
    }

    /// Brings a queued URL to the thread that owns its host.
    pub(super) fn route(
        &mut self,
        url: &Url,
        position: Position,
        priority: u8,
        from: Option<u64>,
    ) -> Result<(), StoreError> {
        let domain = url.domain_hash();
        let from = from.filter(|from| *from != domain);
        let partition = partition_of(domain);
        if self.is_mine(partition) {
            return self.take_in(url.authority(), position, priority, from);
        }
        let authority = url.authority().to_owned();
        self.write(partition, Letter::Url { authority, position, priority, from });
        Ok(())
    }

    /// Queues a URL of one of this thread's hosts.
    pub(super) fn take_in(
        &mut self,
        authority: &str,
        position: Position,
        priority: u8,
        from: Option<u64>,
    ) -> Result<(), StoreError> {
        let host = self.host(authority)?;
        if let Some(from) = from {
            self.count_inlink(host, from)?;
        }
        if self.hosts[host.index()].closed.is_some() {
            self.closing.insert(host);
        }
        self.frontier.push(host, priority, position)
    }

    /// Takes in a sitemap named by host `of`: on that host, or anywhere in scope.
    pub(super) fn discover_sitemap(&mut self, url: &Url, of: HostId) -> Result<(), StoreError> {
        let id = url.id();
        let known = self.ledger().get(id)?;
        if known.as_ref().is_some_and(is_settled_sitemap) {
            return Ok(());
        }
        let is_one_too_many = !self.counts_sitemap(of);
        if is_one_too_many && known.is_some() {
            return Ok(());
        }
        let admitted = match is_one_too_many {
            true => (Reason::BudgetHost, TOO_MANY_SITEMAPS.to_owned()),
            false => (Reason::Queued, String::new()),
        };
        let (reason, detail) = match url.authority() == self.frontier.name(of) {
            true => admitted,
            false => match self.shared.scope.check(url) {
                Ok(()) => admitted,
                Err(refusal) if known.is_none() => refusal,
                Err(_) => return Ok(()),
            },
        };
        let now = self.shared.now();
        self.shared.touch(now);
        let mut waits = false;
        let position = match known {
            None => {
                let row = new_row(url, Found::SEED, (reason, detail), now);
                let row = Row { kind: RowKind::Sitemap, ..row };
                self.ledger().find(id, &row)?
            }
            // A page that was fetched before it turned out to be a sitemap is asked for once more.
            Some(_) => self.ledger().update(id, |row| {
                waits = is_queued(row);
                let is_new = !is_settled_sitemap(row);
                (row.kind, row.given_up) = (RowKind::Sitemap, false);
                (row.reason, row.detail) = (reason, detail.clone());
                is_new
            })?,
        };
        match position {
            Some(position) if reason == Reason::Queued && !waits => {
                self.route(url, position, 1, None)
            }
            _ => Ok(()),
        }
    }
}
