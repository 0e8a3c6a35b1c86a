//! The newest documents, by the dates they bear.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::DocAddress;

use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::{Hit, Index, hit};
use crate::query::Query;
use crate::rank::segment::Snapshot;
use crate::snippet::Marker;

impl Index {
    /// The documents whose dates are the latest up to a day, counted from 1970 on, each with its day, the newest
    /// first; at most `limit`.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn newest(&self, until: i64, limit: usize) -> Result<Vec<(i64, Hit)>, IndexError> {
        let snapshot = self.snapshot()?;
        let marker = Marker::new(&Query::default());
        guarded(self.dir(), || {
            let hits = places(&snapshot, until, limit).into_iter();
            let hits = hits.map(|(day, address)| Ok((day, hit(&snapshot, address, &marker)?)));
            hits.collect::<tantivy::Result<_>>().map_err(|e| engine(self.dir(), e))
        })
    }
}

/// Where they lie. Of one day those with the smaller ids come first, however the index was written.
fn places(snapshot: &Snapshot, until: i64, limit: usize) -> Vec<(i64, DocAddress)> {
    let mut best = BinaryHeap::new();
    for (number, segment) in (0..).zip(&snapshot.segments) {
        for doc in segment.reader.doc_ids_alive() {
            let Some(day) = segment.date(doc).filter(|day| *day <= until) else { continue };
            best.push(Reverse((day, Reverse(segment.id(doc)), number, doc)));
            if best.len() > limit {
                best.pop();
            }
        }
    }
    let sorted = best.into_sorted_vec().into_iter();
    sorted.map(|Reverse((day, _, number, doc))| (day, DocAddress::new(number, doc))).collect()
}
