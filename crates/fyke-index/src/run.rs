//! A ranking without its pages: ids and scores to any depth, for runs of whole test collections.

use crate::Index;
use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::query::Query;
use crate::rank::budget::QueryBudget;
use crate::rank::rehearsal::Rehearsal;
use crate::rank::segment::Snapshot;
use crate::rank::{self, Candidate, weights::Weights};
use crate::schema::FIELDS;
use std::sync::Arc;
use tantivy::schema::Value;
use tantivy::{DocAddress, TantivyDocument};

impl Index {
    /// The `depth` best documents for `query` by name with their scores, the best first, each
    /// followed by its copies. A document without a name goes by its URL. It takes as long as it takes.
    ///
    /// # Errors
    /// When the folder cannot be read; never because of the query.
    pub fn ranking(
        &self,
        query: &Query,
        depth: usize,
        weights: &Weights,
    ) -> Result<Vec<(String, f32)>, IndexError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let snapshot = self.snapshot()?;
        let broken = |e| engine(self.dir(), e);
        let asked = (weights, QueryBudget::UNLIMITED);
        let ranked =
            guarded(self.dir(), || rank::rank(&snapshot, query, depth, asked).map_err(broken))?;
        let mut run = Vec::with_capacity(depth);
        for candidate in ranked.best {
            if run.len() >= depth {
                break;
            }
            let names = names(&snapshot, &candidate).map_err(broken)?;
            run.extend(names.into_iter().map(|name| (name, candidate.score)));
        }
        run.truncate(depth);
        Ok(run)
    }

    /// What [`Index::ranking`] reads for a query by the standard weights, for ranking by any.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn rehearsal(&self, query: &Query, depth: usize) -> Result<Rehearsal, IndexError> {
        let snapshot = self.snapshot()?;
        guarded(self.dir(), || {
            let named = Arc::clone(&snapshot);
            let names = move |candidate: &Candidate| names(&named, candidate);
            let read = Rehearsal::read(&snapshot, query.clone(), depth, names);
            read.map_err(|e| engine(self.dir(), e))
        })
    }
}

/// The names under which runs list a document and its copies.
fn names(snapshot: &Snapshot, candidate: &Candidate) -> tantivy::Result<Vec<String>> {
    let names = snapshot.segments[candidate.segment].names(candidate.doc);
    if names.is_empty() { Ok(vec![url(snapshot, candidate)?]) } else { Ok(names) }
}

fn url(snapshot: &Snapshot, candidate: &Candidate) -> tantivy::Result<String> {
    let address = DocAddress::new(candidate.segment as u32, candidate.doc);
    let stored: TantivyDocument = snapshot.searcher.doc(address)?;
    let url = stored.get_first(FIELDS.url).and_then(|value| value.as_str());
    Ok(url.unwrap_or_default().to_owned())
}
