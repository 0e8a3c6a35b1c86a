//! Fresh documents: what a running crawl has fetched so far is made into documents and can be searched
//! (000 "index maintenance"). Copies, ranks and links take all documents together; the stages after
//! the crawl find them and index everything anew.

use super::anchors::anchors;
use super::index::{entry, open_index};
use super::sites::Sites;
use super::{alone, graph, twin};
use crate::config::Config;
use fyke_crawl::derive_batches;
use fyke_index::Entry;
use fyke_store::{Collection, Reason, View};
use fyke_web::Document;
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The least time between two rounds.
const EVERY: Duration = Duration::from_secs(5);
/// Rounds may take one part in so many of the time.
const SHARE: u32 = 5;
/// What the index says of itself until the stages have gone over it.
const MARK: &str = "fresh";

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
    if collection.documents.mark()? == collection.captures.end() {
        return Ok(0);
    }
    let mut writer = open_index(collection)?.writer()?;
    let (sites, mut fresh) = (Sites::default(), 0);
    derive_batches(collection, |_, made| {
        for (id, document, _) in made {
            match document {
                Some(document) if is_searched(collection, config, document)? => {
                    // As they were found last; whose each is takes all of the ledger.
                    let anchors = anchors(collection, &sites, &HashMap::new(), *id)?;
                    let rank = graph::rank(collection, *id)?.unwrap_or(0.0);
                    writer.put(&Entry { rank, ..entry(document, &anchors) })?;
                    fresh += 1;
                }
                _ => writer.delete(id.0)?,
            }
        }
        anyhow::Ok(())
    })?;
    writer.commit(MARK)?;
    Ok(fresh)
}

/// Not a page in a language that nobody wants, nor one known to be a copy.
fn is_searched(collection: &View, config: &Config, document: &Document) -> anyhow::Result<bool> {
    Ok(alone(config, document) != Some(Reason::Lang) && twin(collection, document.id)?.is_none())
}
