//! The newest documents, by the dates they bear. Where they lie is found by a walk over all live documents, and kept
//! for as long as somebody reads the same commit of the index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::DocAddress;

use crate::error::{IndexError, engine};
use crate::guard::guarded;
use crate::index::{Hit, Index, hit};
use crate::query::Query;
use crate::rank::segment::Snapshot;
use crate::snippet::Marker;

/// So many of the newest documents are looked at for some that may be shown, if not more are asked for.
const LOOKED_AT: usize = 1_000;

/// The day and the id of a document, and where it lies.
struct NewestPlace {
    day: i64,
    id: u64,
    address: DocAddress,
}

/// Those of the newest documents up to a day, the newest first, and how many were wanted.
struct NewestPlaces {
    until: i64,
    most: usize,
    places: Arc<[NewestPlace]>,
}

/// What was found in an index at one commit.
#[derive(Default)]
pub(crate) struct KeptNewest(Mutex<Option<NewestPlaces>>);

impl Index {
    /// The documents whose dates are the latest up to a day, counted from 1970 on, each with its day, the newest
    /// first; at most `limit`.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn newest(&self, until: i64, limit: usize) -> Result<Vec<(i64, Hit)>, IndexError> {
        self.newest_shown(until, limit, |_| Ok(true))
    }

    /// The same of the documents that may be shown, by their ids. Of a thousand none of which may be, those behind
    /// them are not looked at.
    ///
    /// # Errors
    /// When the folder cannot be read, or as `is_shown` says.
    pub fn newest_shown<E: From<IndexError>>(
        &self,
        until: i64,
        limit: usize,
        mut is_shown: impl FnMut(u64) -> Result<bool, E>,
    ) -> Result<Vec<(i64, Hit)>, E> {
        let snapshot = self.snapshot()?;
        let most = limit.max(LOOKED_AT);
        let places = guarded(self.dir(), || Ok(kept_places(&snapshot, until, most)))?;
        let mut shown = Vec::new();
        for NewestPlace { day, id, address } in places.iter() {
            if shown.len() == limit {
                break;
            }
            if is_shown(*id)? {
                shown.push((*day, *address));
            }
        }
        let marker = Marker::new(&Query::default());
        let read = guarded(self.dir(), || {
            let hits = shown.into_iter();
            let hits = hits.map(|(day, address)| Ok((day, hit(&snapshot, address, &marker)?)));
            hits.collect::<tantivy::Result<Vec<_>>>().map_err(|e| engine(self.dir(), e))
        });
        read.map_err(E::from)
    }
}

/// Where they lie, as it was found before if the same was asked for.
fn kept_places(snapshot: &Snapshot, until: i64, most: usize) -> Arc<[NewestPlace]> {
    let mut kept = snapshot.newest_places.0.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some(known) if known.until == until && known.most >= most => Arc::clone(&known.places),
        _ => {
            let found: Arc<[NewestPlace]> = places(snapshot, until, most).into();
            *kept = Some(NewestPlaces { until, most, places: Arc::clone(&found) });
            found
        }
    }
}

/// Where they lie. Of one day those with the smaller ids come first, however the index was written.
fn places(snapshot: &Snapshot, until: i64, limit: usize) -> Vec<NewestPlace> {
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
    let place = |Reverse((day, Reverse(id), number, doc))| {
        let address = DocAddress::new(number, doc);
        NewestPlace { day, id, address }
    };
    sorted.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entry;

    /// Adds documents, each with the day of its number.
    fn add(index: &Index, ids: std::ops::Range<u64>) {
        let mut writer = index.writer().expect("a writer");
        for id in ids {
            let date = Some(id as i64);
            writer.put(&Entry { id, date, ..Entry::default() }).expect("an entry");
        }
        writer.commit("").expect("a commit");
    }

    fn ids(found: Result<Vec<(i64, Hit)>, IndexError>) -> Vec<u64> {
        found.expect("documents").into_iter().map(|(_, hit)| hit.id).collect()
    }

    #[test]
    fn the_newest_are_kept_until_the_index_changes() {
        let dir = tempfile::tempdir().expect("a folder");
        let index = Index::open(dir.path()).expect("an index");
        add(&index, 1..20);
        assert_eq!(ids(index.newest(100, 2)), [19, 18]);
        let snapshot = index.snapshot().expect("a snapshot");
        let first = kept_places(&snapshot, 100, LOOKED_AT);
        assert!(Arc::ptr_eq(&first, &kept_places(&snapshot, 100, 1)));
        assert_eq!(ids(index.newest(7, 2)), [7, 6]);
        assert_eq!(ids(index.newest(100, 2)), [19, 18]);
        add(&index, 20..22);
        assert_eq!(ids(index.newest(100, 2)), [21, 20]);
    }

    #[test]
    fn others_come_in_the_place_of_those_that_are_not_shown() {
        let dir = tempfile::tempdir().expect("a folder");
        let index = Index::open(dir.path()).expect("an index");
        add(&index, 1..1_200);
        let from = |least: u64| ids(index.newest_shown(2_000, 2, |id| Ok(id < least)));
        assert_eq!(from(2_000), [1_199, 1_198]);
        assert_eq!(from(300), [299, 298]);
        // Only a thousand are looked at.
        assert_eq!(from(201), [200]);
        assert_eq!(from(100), [0; 0]);
    }
}
