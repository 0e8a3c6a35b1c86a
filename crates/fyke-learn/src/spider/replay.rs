//! Sends a spider over a web that is known, as if it were not: it sees the links of the pages that it has
//! fetched, and no more. Links are followed by what they are worth, the first found first among equals;
//! each page is fetched once (002 §2.1).
//!
//! What a link is worth may change as the spider learns. The best link is valued again when its turn
//! comes, and goes back if it has become worse; all of them are valued again after a few fetches, then
//! ever more seldom, so that a million links take seconds.

use super::{HarvestCurve, RecordedWeb};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// All links are valued again after so many fetches at least, and after so many parts of all fetches.
const SWEEP_FETCHES: usize = 5;
const SWEEP_PARTS: usize = 32;
/// Most links that are valued again, and go back, before one is followed.
const MOST_BACK: usize = 32;

/// How a spider chooses.
pub trait Policy {
    /// Is shown a page that was fetched, before its links are valued.
    fn read(&mut self, _web: &RecordedWeb, _page: u32) {}

    /// What following a link is worth.
    fn worth(&self, web: &RecordedWeb, link: u32) -> f64;

    /// Is told what was fetched: by which links it was known, and the links on it that lead to pages not
    /// known before.
    fn fetched(&mut self, _web: &RecordedWeb, _fetched: &ReplayedPage<'_>) {}

    /// Whether it changes its mind.
    fn learns(&self) -> bool {
        false
    }
}

/// A page that was fetched.
#[derive(Debug)]
pub struct ReplayedPage<'a> {
    pub page: u32,
    /// The links by which it was known.
    pub by: &'a [u32],
    /// Its links to pages that were not known before, with what they are worth.
    pub new: &'a [(u32, f64)],
}

/// A page to fetch: how good it is, then how long it has been known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct QueuedPage {
    worth: f64,
    order: Reverse<u32>,
    page: u32,
}

impl Eq for QueuedPage {}

impl Ord for QueuedPage {
    fn cmp(&self, other: &QueuedPage) -> std::cmp::Ordering {
        self.worth.total_cmp(&other.worth).then(self.order.cmp(&other.order))
    }
}

impl PartialOrd for QueuedPage {
    fn partial_cmp(&self, other: &QueuedPage) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// No link, no order.
const NONE: u32 = u32::MAX;

/// The state of a walk.
struct ReplayWalk<'a> {
    web: &'a RecordedWeb,
    queue: BinaryHeap<QueuedPage>,
    /// Of each page: when it became known, by which link it is best known and what that is worth, whether
    /// it was fetched, the last link to it that was found.
    order: Vec<u32>,
    best: Vec<(f64, u32)>,
    is_fetched: Vec<bool>,
    last: Vec<u32>,
    /// Of each link the one found before it that leads to the same page.
    before: Vec<u32>,
    known: u32,
}

/// Sends a spider over a web from these pages; every page that can be reached is fetched in the end.
pub fn replay(web: &RecordedWeb, starts: &[u32], policy: &mut dyn Policy) -> HarvestCurve {
    let pages = web.pages();
    let mut walk = ReplayWalk {
        web,
        queue: BinaryHeap::new(),
        order: vec![NONE; pages],
        best: vec![(0., NONE); pages],
        is_fetched: vec![false; pages],
        last: vec![NONE; pages],
        before: vec![NONE; web.len()],
        known: 0,
    };
    starts.iter().for_each(|start| walk.discover(*start, 0.));
    let mut curve = HarvestCurve::default();
    let mut sweep = SWEEP_FETCHES;
    while let Some(page) = walk.next(policy) {
        curve.followed += 1;
        if web.is_target(page) {
            curve.found.push(curve.followed);
        }
        policy.read(web, page);
        let new = walk.read(page, policy);
        if policy.learns() {
            let by = walk.links_to(page);
            policy.fetched(web, &ReplayedPage { page, by: &by, new: &new });
            if curve.followed >= sweep {
                walk.sweep(policy);
                sweep = curve.followed + SWEEP_FETCHES.max(curve.followed / SWEEP_PARTS);
            }
        }
    }
    curve
}

impl ReplayWalk<'_> {
    /// The next page to fetch.
    fn next(&mut self, policy: &dyn Policy) -> Option<u32> {
        let mut back = 0;
        while let Some(queued) = self.queue.pop() {
            let page = queued.page as usize;
            let (worth, link) = self.best[page];
            if self.is_fetched[page] || queued.worth != worth {
                continue;
            }
            if policy.learns() && link != NONE {
                let now = policy.worth(self.web, link);
                self.best[page].0 = now;
                let next = self.queue.peek().map_or(f64::NEG_INFINITY, |next| next.worth);
                if now < worth && now < next && back < MOST_BACK {
                    back += 1;
                    self.queue.push(QueuedPage { worth: now, ..queued });
                    continue;
                }
            }
            self.is_fetched[page] = true;
            return Some(queued.page);
        }
        None
    }

    /// Takes up the links of a page that was fetched; those to pages not known before come back.
    fn read(&mut self, page: u32, policy: &dyn Policy) -> Vec<(u32, f64)> {
        let mut new = Vec::new();
        for link in self.web.links(page) {
            let to = self.web.leads(link) as usize;
            if to >= self.is_fetched.len() || self.is_fetched[to] {
                continue;
            }
            let worth = policy.worth(self.web, link);
            self.before[link as usize] = std::mem::replace(&mut self.last[to], link);
            if self.order[to] == NONE {
                self.best[to] = (worth, link);
                self.discover(to as u32, worth);
                new.push((link, worth));
            } else if worth > self.best[to].0 {
                self.best[to] = (worth, link);
                self.queue_again(to as u32, worth);
            }
        }
        new
    }

    fn discover(&mut self, page: u32, worth: f64) {
        self.order[page as usize] = self.known;
        self.known += 1;
        self.queue_again(page, worth);
    }

    fn queue_again(&mut self, page: u32, worth: f64) {
        self.queue.push(QueuedPage { worth, order: Reverse(self.order[page as usize]), page });
    }

    /// The links by which a page is known.
    fn links_to(&self, page: u32) -> Vec<u32> {
        let first = Some(self.last[page as usize]).filter(|link| *link != NONE);
        let before = |link: &u32| Some(self.before[*link as usize]).filter(|link| *link != NONE);
        std::iter::successors(first, before).collect()
    }

    /// Values every page that is waiting again.
    fn sweep(&mut self, policy: &dyn Policy) {
        let waiting = std::mem::take(&mut self.queue).into_vec();
        let mut valued = Vec::with_capacity(waiting.len());
        for queued in waiting {
            let page = queued.page as usize;
            let (worth, link) = self.best[page];
            if self.is_fetched[page] || queued.worth != worth {
                continue;
            }
            let worth = if link == NONE { worth } else { policy.worth(self.web, link) };
            valued.push(QueuedPage { worth, ..queued });
        }
        valued.iter().for_each(|queued| self.best[queued.page as usize].0 = queued.worth);
        self.queue = valued.into();
    }
}
