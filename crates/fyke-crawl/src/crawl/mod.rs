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
//! `budgets`, the register of URLs in `discovery`, `answers`, `sitemaps`, `fetches`, `retries` (URLs that
//! failed and wait), and its box in the `post`. A part asks no other part: the loop passes on what one returns. Threads share the `cell` (the
//! folder) and the `node` (the process).
//!
//! With everything in scope fetched and no budget reached, neither the set of URLs fetched nor their
//! reasons depend on timing: filters look at the URL alone, a URL that was refused for the way it was
//! found is judged again when it is found by a better one, and what is left of those refused for their
//! distance is judged anew once all ways are known (`depth`).

mod answer;
mod answers;
mod budgets;
mod cell;
mod clock;
mod contents;
mod depth;
mod discovery;
mod dispatch;
mod fetches;
mod focus;
mod hosts;
mod load;
mod node;
mod post;
mod read;
mod recall;
mod rescope;
mod retries;
mod robots;
mod seeds;
mod shard;
mod sitemaps;

use crate::control::{Control, lock};
use crate::fetch::Fetch;
use crate::options::{CrawlError, CrawlOptions, CrawlProgress, Stopped, Summary};
pub use seeds::follow_seeds;

use cell::CrawlCell;
use discovery::Finder;
use fyke_store::{Collection, Reason, Row, StoreError};
use node::CrawlNode;
use post::{Post, PostBox};
use shard::Shard;
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
    collection.captures.set_operator(&options.contact);
    let cell = CrawlCell::new(collection)?;
    let node = CrawlNode::new(&cell, fetch, options, control)?;
    if let (Some(spider), Some(focus)) = (node.spider.as_deref(), &options.focus) {
        recall::recall(&cell, spider, focus)?;
    }
    loop {
        let stopped = run(&cell, &node, observe).await?;
        let finder = Finder { scope: &node.scope, now: node.now() };
        if stopped == Stopped::Finished
            && (depth::deepen(collection, finder)? > 0 || has_new_seeds(&cell, &node)?)
        {
            continue;
        }
        cell.contents.flush()?;
        if let Some(spider) = node.spider.as_deref() {
            recall::keep(collection.root(), spider)?;
        }
        observe(&node.progress(&cell));
        return Ok(summary(&cell, &node, stopped)?);
    }
}

/// Whether another pass has something to begin with: a seed to ask for without TLS, or rows to judge by a scope that
/// followed a seed.
fn has_new_seeds<F>(cell: &CrawlCell<'_>, node: &CrawlNode<'_, F>) -> Result<bool, StoreError> {
    if !rescope::is_judged_by(cell, &node.scope) {
        return Ok(true);
    }
    for url in seeds::without_tls(node.options, cell.ledger())? {
        if cell.ledger().get(url.id())?.is_none() {
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
    cell: &CrawlCell<'_>,
    node: &CrawlNode<'_, F>,
    observe: &mut dyn FnMut(&CrawlProgress),
) -> Result<Stopped, StoreError> {
    let (post, mailboxes) = Post::new(node.threads);
    node.begin();
    let boxes = mailboxes.into_iter().enumerate();
    let boxes = boxes.map(|(number, mailbox)| PostBox::new(&post, number, mailbox));
    let mut shards: Vec<_> = boxes.map(|mail| Shard::new(cell, node, mail)).collect();
    // Before what is mended has another chance.
    let plain = seeds::without_tls(node.options, cell.ledger())?;
    if node.is_first_pass() {
        load::mend(cell, node)?;
    }
    rescope::rescope(cell, Finder { scope: &node.scope, now: node.now() })?;
    // What the seeds add now is not among them.
    let queued = cell.ledger().queued();
    shards.iter_mut().try_for_each(|shard| shard.seed(&plain))?;
    // Before the first request, so that a run that is killed at once is known to have begun.
    cell.collection.sync()?;
    rescope::note(cell, &node.scope)?;
    if is_on_one_thread() && shards.len() == 1 {
        load::feed(node, &post, queued, false)?;
        post.set_loaded();
        if let Err(error) = shards.remove(0).run(Some(observe)).await {
            node.fail(error);
        }
    } else {
        let feed = || load::feed(node, &post, queued, true);
        run_threads(shards, (&post, feed), &mut || observe(&node.progress(cell)));
    }
    cell.sync()?;
    node.ended()
}

/// Whether everything the caller's runtime does is done by this thread: then the crawl can be too.
fn is_on_one_thread() -> bool {
    let runtime = tokio::runtime::Handle::try_current();
    runtime.is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::CurrentThread)
}

/// Runs each shard on a thread of its own and shows how they are doing meanwhile.
fn run_threads<F: Fetch>(
    shards: Vec<Shard<'_, F>>,
    (post, feed): (&Post, impl FnOnce() -> Result<(), StoreError> + Send),
    observe: &mut dyn FnMut(),
) {
    let Some(node) = shards.first().map(|shard| shard.node) else { return };
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Err(error) = feed() {
                // It is told when all threads have ended.
                node.fail(error);
            }
            post.set_loaded();
        });
        let threads: Vec<_> =
            shards.into_iter().map(|shard| scope.spawn(move || run_alone(shard))).collect();
        while !threads.iter().all(ScopedJoinHandle::is_finished) {
            std::thread::park_timeout(Duration::from_millis(TICK));
            observe();
        }
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
    cell: &CrawlCell<'_>,
    node: &CrawlNode<'_, F>,
    stopped: Stopped,
) -> Result<Summary, StoreError> {
    let reasons = cell.ledger().counts()?;
    let progress = node.progress(cell);
    let unmatched = node.scope.unmatched().into_iter();
    Ok(Summary {
        stopped,
        pages_fetched: progress.fetched,
        budget_pages_used: lock(&node.budget).pages(),
        bytes: progress.bytes,
        errors: progress.errors,
        given_up: progress.given_up,
        queued: reasons.get(&Reason::Queued).copied().unwrap_or(0),
        known: reasons.values().sum(),
        reasons,
        seed_redirects: node.scope.seed_redirects(),
        unmatched: unmatched.map(|(list, pattern)| (list, pattern.to_owned())).collect(),
        elapsed: progress.elapsed,
    })
}
