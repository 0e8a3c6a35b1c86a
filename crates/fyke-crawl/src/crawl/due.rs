//! URLs that are due to be asked for again. They are looked for in the ledger when a crawl begins, from time to time
//! while it runs, and before it ends; those found are queued as any URL is, by their records, and their rows stay as they
//! are until an answer has come: what a kill leaves is due in the next run. Memory is bounded: of more than
//! [`MOST_DUE`] those that are worth most come first, and the others when these are done.
//!
//! New pages and visits share a run: where it is limited to so many pages, half of them are left to visits, and more
//! where fewer new URLs wait. In a host's queue a visit stands with the new URLs of its priority.

use super::cell::CrawlCell;
use super::load;
use super::node::CrawlNode;
use super::post::Post;
use crate::control::lock;
use crate::fetch::Fetch;
use crate::revisit::{RevisitCensus, RevisitPlan, next_visit};
use fyke_store::{PlacedRow, Position, Reason, RowKind, StoreError};
use fyke_web::{Url, UrlId};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// URLs that are due and wait, at the most.
const MOST_DUE: usize = 1 << 16;
/// How long a crawl goes on before it looks through the ledger again, in milliseconds, and the part of the time that may
/// take.
const LOOK: u64 = 600_000;
const LOOK_SHARE: u32 = 100;
/// Rows between two looks at whether the crawl has ended.
const ROWS: usize = 1024;

/// What is due, for all threads of a crawl.
#[derive(Debug, Default)]
pub(super) struct DueRows {
    state: Mutex<DueState>,
}

#[derive(Debug, Default)]
struct DueState {
    plan: Option<Arc<RevisitPlan>>,
    /// Those that were queued and are not yet asked for.
    waiting: HashSet<UrlId>,
    /// Those that led to themselves once in this run.
    respelled: HashSet<UrlId>,
    /// Visits that may still be queued in this run.
    room: Option<u64>,
    /// More was due than was queued, or something became due meanwhile.
    has_more: bool,
    /// Visits made when the ledger was looked through last: without one more, another look finds the same.
    visits: u64,
    /// When the ledger may be looked through again.
    next_look: u64,
    /// The soonest time at which something will be due that is not yet.
    next_due: Option<i64>,
}

impl DueRows {
    /// Whether a URL was queued because it is due.
    pub(super) fn waits(&self, id: UrlId) -> bool {
        lock(&self.state).waiting.contains(&id)
    }

    /// A URL that was due was asked for, or is left for another run.
    pub(super) fn take(&self, id: UrlId) -> bool {
        lock(&self.state).waiting.remove(&id)
    }

    /// A URL that is due led to itself, and is asked for once more; false when it was before.
    pub(super) fn respell(&self, id: UrlId) -> bool {
        lock(&self.state).respelled.insert(id)
    }

    /// Whether nothing that is due waits.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.state).waiting.is_empty()
    }

    /// Something may be due by now that was not when the ledger was looked through.
    pub(super) fn note_news(&self) {
        lock(&self.state).has_more = true;
    }

    /// By what visits are set; none before the ledger was looked through.
    pub(super) fn plan(&self) -> Option<Arc<RevisitPlan>> {
        lock(&self.state).plan.clone()
    }

    /// A new pass: what the one before left in its queues is due all the same.
    pub(super) fn begin(&self) {
        let mut state = lock(&self.state);
        let left = state.waiting.len() as u64;
        state.room = state.room.map(|room| room + left);
        state.waiting.clear();
        state.respelled.clear();
    }

    fn is_time_to_look(&self, now: u64) -> bool {
        let state = lock(&self.state);
        state.next_look <= now && state.waiting.is_empty() && state.room != Some(0)
    }

    /// When something will be due that is not yet, as far as is known.
    pub(super) fn next_due(&self) -> Option<u64> {
        lock(&self.state).next_due.map(|due| u64::try_from(due).unwrap_or(0))
    }
}

/// A row that is due.
struct DueRow {
    worth: f64,
    position: Position,
    id: UrlId,
    priority: u8,
    url: String,
    /// It counts as a page of the run.
    is_page: bool,
}

impl DueRow {
    fn placed(self) -> load::PlacedUrl {
        load::PlacedUrl { position: self.position, url: self.url, priority: self.priority }
    }
}

impl Ord for DueRow {
    fn cmp(&self, other: &DueRow) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.position.cmp(&self.position))
    }
}

impl PartialOrd for DueRow {
    fn partial_cmp(&self, other: &DueRow) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for DueRow {
    fn eq(&self, other: &DueRow) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for DueRow {}

/// What one look through the ledger found.
#[derive(Default)]
struct Look {
    /// The best, the worst of them on top.
    due: BinaryHeap<Reverse<DueRow>>,
    census: RevisitCensus,
    left_out: bool,
    next_due: Option<i64>,
}

/// Looks through the ledger for what is due and queues it; true when there was any.
pub(super) fn queue_due<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
    post: &Post,
    is_running: bool,
) -> Result<bool, StoreError> {
    if node.options.revisit.policy.is_none() {
        return Ok(false);
    }
    let usual = LOOK.min(super::millis(node.options.revisit.soonest));
    if !is_anything_fetched(cells)? {
        lock(&node.due.state).next_look = node.now() + usual;
        return Ok(false);
    }
    let began = Instant::now();
    let plan = match node.due.plan() {
        Some(plan) => plan,
        None => Arc::new(census(cells, node)?.plan(&node.options.revisit, now(node))),
    };
    let room = room(cells, node)?;
    let Look { due, census, left_out, next_due } = look(cells, node, &plan, room)?;
    let due: Vec<DueRow> = due.into_sorted_vec().into_iter().map(|Reverse(row)| row).collect();
    let pages = due.iter().filter(|row| row.is_page).count() as u64;
    {
        let mut state = lock(&node.due.state);
        state.plan = Some(Arc::new(census.plan(&node.options.revisit, now(node))));
        (state.has_more, state.next_due) = (left_out, next_due);
        state.visits = node.counters.again.visits.load(Relaxed);
        state.room = state.room.map(|room| room.saturating_sub(pages));
        state.respelled.clear();
        state.waiting.extend(due.iter().map(|row| row.id));
        let pause = usual.max(super::millis(began.elapsed() * LOOK_SHARE));
        state.next_look = node.now() + pause;
    }
    let is_any = !due.is_empty();
    lock(&node.budget).keep_for_visits(pages);
    load::send(node, post, due.into_iter().map(|row| Ok(row.placed())), is_running)?;
    Ok(is_any)
}

/// Looks through the ledger from time to time, until the pass ends.
pub(super) fn keep_looking<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
    post: &Post,
) -> Result<(), StoreError> {
    while node.options.revisit.policy.is_some() && !node.is_ended() {
        std::thread::park_timeout(Duration::from_millis(super::TICK));
        if !node.is_ended() && node.due.is_time_to_look(node.now()) {
            queue_due(cells, node, post, true)?;
        }
    }
    Ok(())
}

/// Whether another pass has something to ask for again: what one look had no room for, or what a sitemap announced.
pub(super) fn has_more<F>(node: &CrawlNode<'_, F>) -> bool {
    let state = lock(&node.due.state);
    let has_gone_on = node.counters.again.visits.load(Relaxed) > state.visits;
    state.has_more && has_gone_on && state.room != Some(0)
}

fn is_anything_fetched(cells: &[CrawlCell<'_>]) -> Result<bool, StoreError> {
    for cell in cells {
        let counts = cell.ledger().counts()?;
        if counts.iter().any(|(reason, count)| *reason != Reason::Queued && *count > 0) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn now<F>(node: &CrawlNode<'_, F>) -> i64 {
    i64::try_from(node.now()).unwrap_or(i64::MAX)
}

/// Goes over all rows for the first plan.
fn census<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
) -> Result<RevisitCensus, StoreError> {
    let mut census = RevisitCensus::default();
    for (n, row) in cells.iter().flat_map(|cell| cell.ledger().rows()).enumerate() {
        if n % ROWS == 0 && node.is_ended() {
            break;
        }
        census.add(&row?.1);
    }
    Ok(census)
}

/// How many visits may be queued: of a run that is limited to so many pages half, or what new URLs leave.
fn room<F: Fetch>(cells: &[CrawlCell<'_>], node: &CrawlNode<'_, F>) -> Result<usize, StoreError> {
    let mut state = lock(&node.due.state);
    if let (None, Some(most)) = (state.room, node.options.budget.run_pages) {
        let mut queued = 0;
        for cell in cells {
            queued += cell.ledger().counts()?.get(&Reason::Queued).copied().unwrap_or(0);
        }
        state.room = Some((most / 2).max(most.saturating_sub(queued)));
    }
    let most = MOST_DUE - state.waiting.len().min(MOST_DUE);
    Ok(state.room.map_or(most, |room| most.min(usize::try_from(room).unwrap_or(most))))
}

fn look<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
    plan: &RevisitPlan,
    room: usize,
) -> Result<Look, StoreError> {
    let (mut look, now) = (Look::default(), now(node));
    for (n, row) in cells.iter().flat_map(|cell| cell.ledger().placed()).enumerate() {
        let PlacedRow { position, id, row } = row?;
        if n % ROWS == 0 && node.is_ended() {
            break;
        }
        look.census.add(&row);
        let Some(time) = next_visit(&row, plan) else { continue };
        if time > now {
            look.next_due = Some(look.next_due.map_or(time, |next| next.min(time)));
            continue;
        }
        // A hub is asked because a feed names it.
        let is_in_scope = |url: &Url| row.kind == RowKind::Hub || node.scope.check(url).is_ok();
        let is_meant = |url: Url| is_in_scope(&url) && !node.due.waits(id);
        if !Url::parse(&row.url).is_ok_and(is_meant) {
            continue;
        }
        let worth = plan.worth(&row, now);
        look.due.push(Reverse(DueRow {
            worth,
            position,
            id,
            priority: row.priority,
            is_page: row.kind == RowKind::Page,
            url: row.url,
        }));
        if look.due.len() > room {
            look.due.pop();
            look.left_out = true;
        }
    }
    Ok(look)
}
