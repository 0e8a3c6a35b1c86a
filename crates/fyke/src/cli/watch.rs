//! `fyke crawl --watch`: rounds of a crawl that goes on for ever. A round fetches what is queued and what is due, and
//! makes documents and index of what came; then it waits for the next URL to be due (003 §3.2.3).

use super::crawl::Job;
use fyke_crawl::{Control, CrawlOptions, Stopped, Summary};
use fyke_stages::show;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Between two rounds at least, and at most: hosts that failed are asked again within that.
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_hours(1);
/// A wait that is longer is told.
const TOLD: Duration = Duration::from_secs(10);
/// How often somebody who says stop is heard.
const TICK: Duration = Duration::from_millis(200);

/// Runs rounds until somebody says stop, or `time` is over; gives what all of them did.
///
/// # Errors
/// As a crawl and its stages.
pub(super) fn watch(
    job: &Job<'_>,
    runtime: &Runtime,
    (options, time): (&CrawlOptions, Option<Duration>),
    stop: &Control,
) -> anyhow::Result<Summary> {
    let (begun, mut whole) = (Instant::now(), None);
    loop {
        let left = time.map(|time| time.saturating_sub(begun.elapsed()));
        let mut options = options.clone();
        if let Some(left) = left {
            options.budget.time = Some(left.as_millis() as u64);
        }
        let done = job.fetch(runtime, &options, stop.clone())?;
        let is_over = |left: Option<Duration>| stop.is_stopped() || left == Some(Duration::ZERO);
        let next = wait(&done, options.revisit.soonest);
        whole = Some(joined(whole, done));
        if !is_over(left) {
            job.make_round()?;
            if next > TOLD {
                let span = show::span(next.as_millis() as i64);
                job.tell(&format!("all is fetched; looking again in {span}"));
            }
            let next = left.map_or(next, |left| next.min(left));
            let mut until = Instant::now() + next;
            if options.push.is_some() && !stop.is_stopped() {
                // What hubs bring meanwhile is taken in at once.
                options.lingers = next;
                let done = job.fetch(runtime, &options, stop.clone())?;
                // By now it is known what is due next.
                until = until.min(Instant::now() + wait(&done, options.revisit.soonest));
                whole = Some(joined(whole, done));
            }
            runtime.block_on(async {
                while Instant::now() < until && !stop.is_stopped() {
                    tokio::time::sleep(TICK.min(until - Instant::now())).await;
                }
            });
        }
        let left = time.map(|time| time.saturating_sub(begun.elapsed()));
        if is_over(left) {
            let mut whole: Summary = whole.expect("a round was run");
            whole.stopped = if stop.is_stopped() { Stopped::Stopped } else { Stopped::Time };
            return Ok(whole);
        }
    }
}

/// How long to wait for the next round, where nothing is visited twice within `soonest`.
fn wait(done: &Summary, soonest: Duration) -> Duration {
    let now = u64::try_from(show::now()).unwrap_or(0);
    let due = done.next_due.map(|due| Duration::from_millis(due.saturating_sub(now)));
    due.map_or(soonest, |due| due.min(soonest)).clamp(SHORTEST, LONGEST)
}

/// What several rounds did together.
fn joined(before: Option<Summary>, done: Summary) -> Summary {
    let Some(before) = before else { return done };
    Summary {
        pages_fetched: before.pages_fetched + done.pages_fetched,
        again: before.again + done.again,
        changed: before.changed + done.changed,
        gone: before.gone + done.gone,
        bytes: before.bytes + done.bytes,
        errors: before.errors + done.errors,
        elapsed: before.elapsed + done.elapsed,
        ..done
    }
}
