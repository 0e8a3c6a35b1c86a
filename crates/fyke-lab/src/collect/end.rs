//! How far a collecting run goes, and why it ends.

use crate::engine::EngineTrouble;
use std::time::Duration;

/// The yield has fallen when so many queries brought fewer documents than that.
pub(super) const YIELD: (usize, u32) = (100, 2);
/// How far a run goes.
#[derive(Clone, Copy, Debug)]
pub struct CollectLimits {
    /// Documents in the language.
    pub wanted: Option<u64>,
    /// Queries that this run may send.
    pub queries: Option<u64>,
    /// Hits of a query.
    pub depth: usize,
    /// Hits of a query that are fetched at once; those that are not looked at are kept for later.
    pub ahead: usize,
    /// Pages of each host with a high yield that are crawled in the end; none: hosts are not crawled.
    pub host_pages: Option<u64>,
    /// How long one hit is waited for.
    pub patience: Duration,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectEnd {
    /// As many documents as were wanted.
    Wanted,
    /// The last queries brought next to nothing.
    Fallen,
    /// No query is left that could bring anything.
    Stuck,
    /// As many queries as were allowed.
    Queries,
    Stopped,
    /// A budget of the crawl is used up.
    Budget,
    /// No hit ever came.
    NoHits,
    /// What the engine did.
    Engine(EngineTrouble),
}

impl CollectEnd {
    /// As half a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            CollectEnd::Wanted => "as many documents as were wanted".to_owned(),
            CollectEnd::Fallen => {
                format!("the last {} queries brought fewer than {} new documents", YIELD.0, YIELD.1)
            }
            CollectEnd::Stuck => "no query is left that could bring anything new".to_owned(),
            CollectEnd::Queries => "as many queries as were allowed".to_owned(),
            CollectEnd::Stopped => "stopped by you".to_owned(),
            CollectEnd::Budget => "a budget of the crawl is used up".to_owned(),
            CollectEnd::NoHits => "no hit ever came".to_owned(),
            CollectEnd::Engine(trouble) => trouble.to_string(),
        }
    }
}
