//! Fresh documents while a crawl runs: in rounds that leave most of the time to the crawl.

use crate::config::Config;
use crate::settings;
use fyke_derive::index;
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

/// One round; returns how many documents were put into the index.
///
/// # Errors
/// When `topics.toml` is wrong, or the collection or the index cannot be read or written.
pub fn freshen(collection: &Collection, config: &Config) -> anyhow::Result<u64> {
    Ok(index::freshen(collection, &settings(collection.root(), config)?)?)
}
