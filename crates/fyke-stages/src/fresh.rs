//! Fresh documents while a crawl runs: in rounds that leave most of the time to the crawl.

use crate::config::Config;
use crate::settings;
use fyke_derive::index::{self, FreshRound};
use fyke_store::Collection;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

/// The least time between two rounds, where one takes up all there is.
const EVERY: Duration = Duration::from_secs(3);
/// The same where hubs tell of news, which is to be found at once.
const EVERY_PUSHED: Duration = Duration::from_millis(500);
/// Such rounds may take one part in so many of the time; where more has come than a round takes, a third.
const SHARE: u32 = 5;
/// Captures after which a round ends …
const MOST_CAPTURES: u64 = 4_096;
/// … and the time, so that what it has made can be searched soon.
const LONGEST: Duration = Duration::from_secs(2);

/// Takes up what is fetched, in rounds, until the other end of `over` is gone. Trouble ends it with a
/// warning: the stages after the crawl meet it again, and say what to do.
pub fn keep_fresh(collection: &Collection, config: &Config, over: &Receiver<()>) {
    let every = if config.push.site().is_some() { EVERY_PUSHED } else { EVERY };
    let mut pause = every;
    while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let start = Instant::now();
        let is_over = || over.try_recv() == Err(TryRecvError::Disconnected);
        let is_enough = |read| read >= MOST_CAPTURES || start.elapsed() >= LONGEST || is_over();
        match round(collection, config, &is_enough) {
            Ok(FreshRound { put, has_more }) => {
                tracing::debug!(put, has_more, "documents can be searched");
                pause = pause_after(start.elapsed(), has_more, every);
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "what is fetched can be searched only after the crawl");
                return;
            }
        }
    }
}

/// The pause after a round that took so long.
fn pause_after(took: Duration, has_more: bool, every: Duration) -> Duration {
    if has_more { took * 2 } else { every.max(took * (SHARE - 1)) }
}

fn round(
    collection: &Collection,
    config: &Config,
    is_enough: &dyn Fn(u64) -> bool,
) -> anyhow::Result<FreshRound> {
    Ok(index::freshen(collection, &settings(collection.root(), config)?, is_enough)?)
}

/// Takes up all that is fetched; returns how many documents were put into the index.
///
/// # Errors
/// When `topics.toml` is wrong, or the collection or the index cannot be read or written.
pub fn freshen(collection: &Collection, config: &Config) -> anyhow::Result<u64> {
    Ok(round(collection, config, &|_| false)?.put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_left_something_is_soon_followed_by_another() {
        let check = |seconds: u64, has_more: bool, expected: u64| {
            let pause = pause_after(Duration::from_secs(seconds), has_more, EVERY);
            assert_eq!(pause, Duration::from_secs(expected), "{seconds} {has_more}");
        };
        check(0, false, 3);
        check(2, false, 8);
        check(2, true, 4);
        check(0, true, 0);
    }
}
