//! The crawl: threads that share nothing but the ledger, the budget and the post. Each owns hosts by
//! the hash of their registrable domain, with a frontier of its own, and fetches, parses and packs
//! what comes (000 "Distributed crawler: URLs are split by host"). Links to another thread's hosts
//! leave in batches.
//!
//! Life of a URL: `discovery` judges it and writes its record (queued, or why not) → its owner's frontier
//! gives it when its host may be asked → `dispatch` sees to the address, robots.txt and the budget, and
//! starts the fetch → `answer` writes what came of it. A record is on disk 200 ms later, or at once
//! when a server said when to come back.
//!
//! A thread (`shard`) is a loop over parts that own what they know: `hosts` (may I, when, by which rule),
//! `budgets`, `discovery` (what to do with a URL that is found), `answers`, `sitemaps`, `fetches`, `retries` (URLs that
//! failed and wait), `evidence` (what URLs of a host have brought), and its box in the `post`. A part asks no other part:
//! the loop passes on what one returns, and what one finds for the owner of a host is a letter, also when that is the
//! same thread. Threads share the `cell` (the
//! folder) and the `node` (the process). A process can work on several cells: their threads share the node and
//! write each other the same letters, but none looks into another cell's folder.
//!
//! What was fetched before is asked for again when it is due: `revisit` says when (by the row alone; a feed or another
//! kind sets its own visits there, or in [`Row::due`]), `due` looks through the ledger and queues it, `again` judges the
//! answer. Its place in the frontier is that of its record, as with any URL.
//!
//! With everything in scope fetched and no budget reached, neither the set of URLs fetched nor their
//! reasons depend on timing, but for URLs that are left out for what others like them have brought (`evidence`):
//! filters look at the URL alone, a URL that was refused for the way it was
//! found is judged again when it is found by a better one, and what is left of those refused for their
//! distance is judged anew once all ways are known (`depth`).

mod again;
mod answer;
mod answers;
mod budgets;
mod cell;
mod clock;
mod contents;
mod depth;
mod discovery;
mod dispatch;
mod due;
mod evidence;
mod feeds;
mod fetches;
mod focus;
mod form_asking;
mod hosts;
mod letter;
mod load;
mod missing;
mod node;
mod parts;
mod post;
mod read;
mod recall;
mod rescope;
mod retries;
mod robots;
mod seeds;
mod shard;
mod sitemaps;
#[cfg(test)]
mod two_cells;

use crate::budget::Grant;
use crate::control::{Control, lock};
use crate::fetch::Fetch;
use crate::options::{CrawlError, CrawlOptions, CrawlProgress, Stopped, Summary};
pub use seeds::follow_seeds;

use cell::CrawlCell;
use discovery::Finder;
use fyke_store::{Collection, Reason, Row, StoreError};
use fyke_web::authority_of;
use node::{CrawlNode, HostsLeft};
use post::{Post, PostBox};
use shard::Shard;
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;
use std::thread::ScopedJoinHandle;
use std::time::Duration;
use tokio::runtime::RuntimeFlavor;

/// How often progress is shown, in milliseconds.
const TICK: u64 = 250;

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a row is still to be fetched.
fn is_queued(row: &Row) -> bool {
    row.reason == Reason::Queued
}

/// Crawls until nothing is left, a budget is used up, or `control` says so; always goes on from where
/// the collection stands. `observe` is called several times a second. Documents are not made here:
/// see [`fyke_derive::derive_pages`].
///
/// With more than one thread, or called from a runtime of several, this blocks the caller's thread.
///
/// # Errors
/// When the collection cannot be written (what was acknowledged is safe; run again to go on), or a
/// scope pattern cannot be read.
pub async fn crawl<F: Fetch>(
    collection: &Collection,
    fetch: F,
    options: &CrawlOptions,
    observe: &mut dyn FnMut(&CrawlProgress),
    control: Control,
) -> Result<Summary, CrawlError> {
    let cell = CrawlCell::new(collection, 0, 1)?;
    crawl_cells(&[cell], fetch, options, observe, control).await
}

/// As [`crawl`], with all cells that there are. Letters between cells are kept in memory alone: those under way
/// are lost with the process.
async fn crawl_cells<F: Fetch>(
    cells: &[CrawlCell<'_>],
    fetch: F,
    options: &CrawlOptions,
    observe: &mut dyn FnMut(&CrawlProgress),
    control: Control,
) -> Result<Summary, CrawlError> {
    cells.iter().for_each(|cell| cell.collection.captures.set_operator(&options.contact));
    if !options.credentials.is_empty() {
        cells.iter().try_for_each(|cell| cell.collection.expect_private())?;
    }
    let node = CrawlNode::new(cells, fetch, options, control)?;
    if let (Some(spider), Some(focus)) = (&node.spider, &options.focus) {
        recall::recall(cells, spider, focus)?;
    }
    loop {
        let stopped = run(cells, &node, observe).await?;
        if stopped == Stopped::Finished && has_more(cells, &node)? {
            continue;
        }
        for cell in cells {
            cell.contents.flush()?;
            evidence::keep_evidence(cell.collection.root(), &cell.evidence)?;
            if let Some(spider) = node.spider.as_deref() {
                recall::keep(cell.collection.root(), spider)?;
            }
        }
        observe(&node.progress(cells));
        return Ok(summary(cells, &node, stopped)?);
    }
}

/// Whether another pass has something to begin with: URLs that are near enough after all, a seed to ask for without
/// TLS, or rows to judge by a scope that followed a seed.
fn has_more<F>(cells: &[CrawlCell<'_>], node: &CrawlNode<'_, F>) -> Result<bool, StoreError> {
    let finder = Finder { scope: &node.scope, now: node.now() };
    let is_judged = cells.iter().all(|cell| rescope::is_judged_by(cell, &node.scope));
    if due::has_more(node) {
        return Ok(true);
    }
    if depth::deepen(cells, finder)? > 0 || !is_judged {
        return Ok(true);
    }
    for url in seeds::without_tls(node.options, cells)? {
        if seeds::row(cells, &url)?.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Crawls the web. The same as [`crawl`] with [`CrawlOptions::http`], but compiled here, where the
/// compiler is told to take its time.
///
/// # Errors
/// As [`crawl`].
pub async fn crawl_web(
    collection: &Collection,
    options: &CrawlOptions,
    observe: &mut dyn FnMut(&CrawlProgress),
    control: Control,
) -> Result<Summary, CrawlError> {
    crawl(collection, options.http(), options, observe, control).await
}

/// One pass of all threads, until nothing is left to do or something ends it.
async fn run<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
    observe: &mut dyn FnMut(&CrawlProgress),
) -> Result<Stopped, StoreError> {
    let (post, mailboxes) = Post::new(cells.len(), node.threads / cells.len());
    node.begin();
    let boxes = mailboxes.into_iter().enumerate();
    let boxes = boxes.map(|(number, mailbox)| PostBox::new(&post, number, mailbox));
    let of = |mail: &PostBox<'_>| &cells[mail.number * cells.len() / node.threads];
    let mut shards: Vec<_> = boxes.map(|mail| Shard::new(of(&mail), node, mail)).collect();
    // Before what is mended has another chance.
    let plain = seeds::without_tls(node.options, cells)?;
    for cell in cells {
        if node.is_first_pass() {
            load::mend(cell, node)?;
        }
        rescope::rescope(cell, Finder { scope: &node.scope, now: node.now() })?;
    }
    // What the seeds add now is not among them.
    let queued: Vec<_> = cells.iter().map(|cell| cell.ledger().queued()).collect();
    let queued = queued.into_iter().flatten();
    shards.iter_mut().try_for_each(|shard| shard.seed(&plain))?;
    // Before the first request, so that a run that is killed at once is known to have begun.
    for cell in cells {
        cell.collection.sync()?;
        rescope::note(cell, &node.scope)?;
    }
    let mut observe = || observe(&node.progress(cells));
    let looks = node.is_first_pass() || due::has_more(node);
    let is_used_up = lock(&node.budget).refusal(true) == Some(Grant::Exhausted);
    let load = |is_running| {
        // New URLs that may not be asked for would only stand in the way of what is due.
        if !is_used_up || node.options.revisit.policy.is_none() {
            load::feed(node, &post, queued, is_running)?;
        }
        if looks { due::queue_due(cells, node, &post, is_running) } else { Ok(false) }
    };
    if is_on_one_thread() && shards.len() == cells.len() {
        load(false)?;
        post.set_loaded();
        run_here(shards, &mut observe).await;
    } else {
        let feed = || {
            let loaded = load(true);
            post.set_loaded();
            loaded.and_then(|_| due::keep_looking(cells, node, &post))
        };
        run_threads(shards, feed, &mut observe);
    }
    cells.iter().try_for_each(CrawlCell::sync)?;
    node.ended()
}

/// Runs the shards on the caller's thread; the first one shows how they are doing.
async fn run_here<F: Fetch>(shards: Vec<Shard<'_, F>>, observe: &mut dyn FnMut()) {
    let Some(node) = shards.first().map(|shard| shard.node) else { return };
    let mut observe = Some(observe);
    let mut running: Vec<_> =
        shards.into_iter().map(|shard| Box::pin(shard.run(observe.take()))).collect();
    poll_fn(|task| {
        running.retain_mut(|shard| match shard.as_mut().poll(task) {
            Poll::Ready(Ok(())) => false,
            Poll::Ready(Err(error)) => {
                node.fail(error);
                false
            }
            Poll::Pending => true,
        });
        if running.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Whether everything the caller's runtime does is done by this thread: then the crawl can be too.
fn is_on_one_thread() -> bool {
    let runtime = tokio::runtime::Handle::try_current();
    runtime.is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::CurrentThread)
}

/// Runs each shard on a thread of its own and shows how they are doing meanwhile.
fn run_threads<F: Fetch>(
    shards: Vec<Shard<'_, F>>,
    feed: impl FnOnce() -> Result<(), StoreError> + Send,
    observe: &mut dyn FnMut(),
) {
    let Some(node) = shards.first().map(|shard| shard.node) else { return };
    std::thread::scope(|scope| {
        let feeder = scope.spawn(move || {
            if let Err(error) = feed() {
                // It is told when all threads have ended.
                node.fail(error);
            }
        });
        let threads: Vec<_> =
            shards.into_iter().map(|shard| scope.spawn(move || run_alone(shard))).collect();
        while !threads.iter().all(ScopedJoinHandle::is_finished) {
            std::thread::park_timeout(Duration::from_millis(TICK));
            observe();
        }
        feeder.thread().unpark();
    });
}

fn run_alone<F: Fetch>(shard: Shard<'_, F>) {
    let (cell, node) = (shard.cell, shard.node);
    let main = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let done = match main {
        Ok(runtime) => runtime.block_on(shard.run(None)),
        Err(error) => Err(StoreError::io(cell.collection.root(), error)),
    };
    if let Err(error) = done {
        // It is told when all threads have ended.
        node.fail(error);
    }
}

fn summary<F: Fetch>(
    cells: &[CrawlCell<'_>],
    node: &CrawlNode<'_, F>,
    stopped: Stopped,
) -> Result<Summary, StoreError> {
    let mut reasons = BTreeMap::new();
    for cell in cells {
        for (reason, count) in cell.ledger().counts()? {
            *reasons.entry(reason).or_default() += count;
        }
    }
    let progress = node.progress(cells);
    let HostsLeft { troubled, goes_on } = node.hosts_left();
    let rest = rest(cells, &reasons, &troubled)?;
    Ok(Summary {
        stopped,
        pages_fetched: progress.fetched,
        budget_pages_used: lock(&node.budget).pages(),
        again: progress.again,
        changed: node.counters.again.changed.load(Relaxed),
        gone: node.counters.again.gone.load(Relaxed),
        next_due: node.due.next_due(),
        bytes: progress.bytes,
        errors: progress.errors,
        given_up: progress.given_up,
        queued: reasons.get(&Reason::Queued).copied().unwrap_or(0),
        known: reasons.values().sum(),
        rest,
        goes_on,
        reasons,
        seed_redirects: node.scope.seed_redirects(),
        unmatched: node.scope.unmatched(),
        elapsed: progress.elapsed,
    })
}

/// URLs of these hosts that the next run takes up, though they are not queued.
fn rest(
    cells: &[CrawlCell<'_>],
    reasons: &BTreeMap<Reason, u64>,
    troubled: &BTreeSet<String>,
) -> Result<u64, StoreError> {
    let is_meant = |reason: &Reason| matches!(reason, Reason::RobotsUnreachable | Reason::Http5xx);
    if troubled.is_empty() || !reasons.keys().any(is_meant) {
        return Ok(0);
    }
    let mut rest = 0;
    for row in cells.iter().flat_map(|cell| cell.ledger().rows()) {
        let (_, row) = row?;
        rest += u64::from(is_meant(&row.reason) && troubled.contains(authority_of(&row.url)));
    }
    Ok(rest)
}
