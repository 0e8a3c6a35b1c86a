//! More like this (relevance feedback with one document): the words that say most about
//! a document are the query that finds others of its kind.

use tantivy::DocAddress;

use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::{Hit, Index, MAX_LIMIT, address_of, hit};
use crate::keywords::keywords;
use crate::query::Query;
use crate::rank::segment::Snapshot;
use crate::rank::weighted::weighted;
use crate::snippet::Marker;

/// So many words of a document are asked for.
const MAX_WORDS: usize = 25;

impl Index {
    /// At most `limit` documents like the one with this id, the most alike first; none for an id
    /// that is not in the index.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn alike(&self, id: u64, limit: usize) -> Result<Vec<Hit>, IndexError> {
        let snapshot = self.snapshot()?;
        let broken = |e| engine(self.dir(), e);
        let Some(address) = address_of(&snapshot, id).map_err(broken)? else {
            return Ok(Vec::new());
        };
        guarded(self.dir(), || alike(&snapshot, address, limit.min(MAX_LIMIT)).map_err(broken))
    }
}

fn alike(snapshot: &Snapshot, to: DocAddress, limit: usize) -> tantivy::Result<Vec<Hit>> {
    let mut words = keywords(snapshot, to)?;
    words.truncate(MAX_WORDS);
    let typed: Vec<&str> = words.iter().map(|(form, _)| form.as_str()).collect();
    let marker = Marker::new(&Query::parse(&typed.join(" ")));
    let found = weighted(snapshot, &words, limit + 1)?;
    let shown = found.into_iter().filter(|candidate| candidate.address() != to).take(limit);
    let hits = shown.map(|candidate| {
        Ok(Hit { score: candidate.score, ..hit(snapshot, candidate.address(), &marker)? })
    });
    hits.collect()
}
