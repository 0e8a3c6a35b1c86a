//! The finder's half of discovery: filters and the prioritiser (000 "Filters", "Front queues"). It looks at a
//! URL, how it was found and the scope, and at nothing else, so whoever finds a URL can judge it.

use crate::crawl::focus;
use crate::frontier::PRIORITIES;
use crate::glance::LinkTarget;
use crate::guide::WeighedLink;
use crate::scope::Scope;
use crate::trap;
use fyke_derive::UrlFate;
use fyke_store::{Known, Listed, Reason, Row, RowKind};
use fyke_web::{Url, UrlId};

/// Why a sitemap is left for the next run.
const TOO_MANY_SITEMAPS: &str = "sitemap: its host names more than are read in one run";

/// How a URL was found.
#[derive(Clone, Copy, Debug)]
pub(in crate::crawl) struct Found {
    pub(in crate::crawl) parent: Option<UrlId>,
    /// The domain of the page it was found on, by hash.
    pub(in crate::crawl) from: Option<u64>,
    pub(in crate::crawl) depth: u16,
    /// Redirects in a row that lead to it.
    pub(in crate::crawl) redirects: u8,
    /// The page it was found on is a copy of another.
    pub(in crate::crawl) is_copy: bool,
    /// What the guide of a focused crawl makes of it.
    pub(in crate::crawl) weighed: Option<WeighedLink>,
    /// What the page it was found on gives to it, and by how many priorities it stands ahead of others of its depth.
    pub(in crate::crawl) share: u32,
    pub(in crate::crawl) ahead: i8,
    /// What it is asked for as.
    pub(in crate::crawl) kind: RowKind,
}

impl Found {
    pub(in crate::crawl) const SEED: Found = Found {
        parent: None,
        from: None,
        depth: 0,
        redirects: 0,
        is_copy: false,
        weighed: None,
        share: 0,
        ahead: 0,
        kind: RowKind::Page,
    };

    /// The same for one link of the page: the next page of a list is as near as the list.
    pub(in crate::crawl) fn along(self, target: &LinkTarget) -> Found {
        match target.is_next {
            true => Found { depth: next_depth(self.depth, &target.url), ..self },
            false => self,
        }
    }
}

/// How far the next page of a list is from a seed, where a link of the list is so far. The next page of a calendar is
/// farther away: it has no last one.
pub(in crate::crawl) fn next_depth(link: u16, next: &Url) -> u16 {
    if next.is_dated() { link } else { link.saturating_sub(1).max(1) }
}

/// The prioritiser: nearer to a seed is better, the queues cover 0, 1, 2, 3–4, 5–8, 9–16, 17–32, more; then what seems
/// to be worth more. A guide has an order of its own. What is found on a copy waits behind others.
pub(in crate::crawl) fn priority(found: &Found) -> u8 {
    let weight = found.weighed.and_then(|weighed| weighed.priority);
    let priority = weight.unwrap_or_else(|| match found.depth {
        0 => 1,
        depth => by_depth(depth).saturating_add_signed(-found.ahead).max(1),
    });
    priority.saturating_add(u8::from(found.is_copy)).min(PRIORITIES as u8)
}

/// The queue of a distance from the seeds.
fn by_depth(depth: u16) -> u8 {
    let queue = match depth {
        0..=2 => depth,
        depth => 3 + (depth - 1).ilog2() as u16 - 1,
    };
    (queue + 1).min(PRIORITIES as u16) as u8
}

/// The filters, at one time.
#[derive(Clone, Copy, Debug)]
pub(in crate::crawl) struct Finder<'a> {
    pub(in crate::crawl) scope: &'a Scope,
    pub(in crate::crawl) now: u64,
}

impl Finder<'_> {
    /// The row of a URL that was found, if it is news to an owner who knows so much of it: one that is known is
    /// judged again only when it was refused for the way it was found, and this one is better.
    pub(in crate::crawl) fn find(
        &self,
        target: &LinkTarget,
        found: Found,
        known: Known,
        listed: Option<&Listed>,
    ) -> Option<Row> {
        let is_better = |fate: &UrlFate| Known::under(fate.reason) > known;
        let is_news = match known {
            Known::No => true,
            Known::Yes => false,
            _ => is_better(&self.admit_way(target, found)),
        };
        is_news.then(|| {
            let row = self.row(&target.url, found, self.admit(target, found));
            Row { listed: listed.cloned(), ..row }
        })
    }

    /// The row of a sitemap that a host names. `is_own`: it lies on that host, or that host vouches
    /// for it; any other must be in scope.
    /// `has_room`: the host has not named too many.
    pub(in crate::crawl) fn find_sitemap(&self, url: &Url, is_own: bool, has_room: bool) -> Row {
        let refusal = if is_own { None } else { self.scope.check(url).err() };
        let admitted = refusal.unwrap_or_else(|| match has_room {
            true => UrlFate { reason: Reason::Queued, detail: String::new() },
            false => UrlFate { reason: Reason::BudgetHost, detail: TOO_MANY_SITEMAPS.to_owned() },
        });
        Row { kind: RowKind::Sitemap, ..self.row(url, Found::SEED, admitted) }
    }

    /// The filters. What depends on the URL alone comes first, what depends on how it was found last;
    /// robots.txt is asked when the URL's turn comes.
    fn admit(&self, target: &LinkTarget, found: Found) -> UrlFate {
        if let Some(trap) = trap::check(&target.url) {
            return trap;
        }
        if let Err(refusal) = self.scope.check(&target.url) {
            return refusal;
        }
        self.admit_way(target, found)
    }

    /// The filters that look at how a URL was found: another way to it may pass them.
    fn admit_way(&self, target: &LinkTarget, found: Found) -> UrlFate {
        let refused = |reason| UrlFate { reason, detail: String::new() };
        if target.nofollow {
            return refused(Reason::Nofollow);
        }
        if !self.scope.admits_depth(found.depth) {
            return refused(Reason::ScopeDepth);
        }
        focus::admit(found)
    }

    /// Judges a row again by the filters and its depth.
    pub(in crate::crawl) fn judge_again(&self, row: &mut Row) {
        if let Ok(url) = Url::parse(&row.url) {
            let target = LinkTarget::new(url);
            let found = Found { depth: row.depth, ..Found::SEED };
            let UrlFate { reason, detail } = self.admit(&target, found);
            (row.reason, row.detail) = (reason, detail);
            row.priority = by_depth(row.depth);
        }
    }

    pub(in crate::crawl) fn row(
        &self,
        url: &Url,
        how: Found,
        UrlFate { reason, detail }: UrlFate,
    ) -> Row {
        let found = i64::try_from(self.now).unwrap_or(i64::MAX);
        let (parent, redirects, depth) = (how.parent, how.redirects, how.depth);
        let off_subject = how.weighed.map(|weighed| u16::from(weighed.off));
        Row {
            parent,
            redirects,
            depth,
            priority: priority(&how),
            kind: how.kind,
            detail,
            off_subject,
            on_copy: how.is_copy,
            ..Row::new(url.as_str(), reason, found)
        }
    }
}
