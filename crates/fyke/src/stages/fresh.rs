//! Fresh documents: what a running crawl has fetched so far is made into documents and can be searched
//! (000 "index maintenance"). Copies and ranks take all documents together; the stages after the crawl
//! find them.

use super::index::{mark_in, open_index, take_up};
use super::settings;
use crate::config::Config;
use fyke_derive::whole::reasons;
use fyke_derive::{Due, INDEX, Orders, Pace, derive_batches, due, index_mark, run_only};
use fyke_store::Collection;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The least time between two rounds.
const EVERY: Duration = Duration::from_secs(5);
/// Rounds may take one part in so many of the time.
const SHARE: u32 = 5;

/// Takes up what is fetched, in rounds, until the other end of `over` is gone. Trouble ends it with a
/// warning: the stages after the crawl meet it again, and say what to do.
pub fn keep_fresh(collection: &Collection, config: &Config, over: &Receiver<()>) {
    let mut pause = EVERY;
    while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let start = Instant::now();
        match freshen(collection, config) {
            Ok(fresh) => tracing::debug!(fresh, "documents can be searched"),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "what is fetched can be searched only after the crawl");
                return;
            }
        }
        pause = EVERY.max(start.elapsed() * (SHARE - 1));
    }
}

/// Makes documents of what was fetched since the last time and puts them into the index; returns how
/// many. The rest of the index stays as it is.
///
/// # Errors
/// When the collection or the index cannot be read or written.
pub fn freshen(collection: &Collection, config: &Config) -> anyhow::Result<u64> {
    let mut made = Vec::new();
    derive_batches(collection, |_, batch| {
        made.extend(batch.iter().map(|(id, ..)| *id));
        anyhow::Ok(())
    })?;
    if made.is_empty() {
        return Ok(0);
    }
    let settings = settings(collection.root(), config)?;
    let (pace, observe) = (Pace::Fresh, &mut |_| ());
    let mut orders = Orders { settings: &settings, pace, only: None, observe };
    run_only(collection, reasons::ROW.name, &mut orders)?;
    let (index, cells) = (open_index(collection)?, collection.cells());
    let before = mark_in(&index);
    let found = due(&INDEX, before.as_ref(), &cells, &settings, pace)?;
    let (pages, mark) = match found {
        Due::Some { ref pages, .. } => {
            (pages, index_mark(before.as_ref(), &found, &cells, &settings)?)
        }
        // All is to be made anew: the stages will do it.
        _ => (&made, before.unwrap_or_default()),
    };
    take_up(collection, &cells, &index, pages, &mark)
}
