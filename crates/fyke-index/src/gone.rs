//! Entries that others replace, or that are taken out, as the engine's deletion: whatever has one of
//! these ids in one of these segments. The engine's own deletion of a term would also reach segments
//! that are added to the index after it, and with them the entries that come in place of the old.
//! The ids are looked up one by one, so that a few of them cost little in however large a segment; a
//! segment that they are many for is gone through once.

use std::collections::HashSet;
use std::sync::Arc;

use tantivy::index::SegmentId;
use tantivy::query::{
    BitSetDocSet, ConstScorer, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::schema::IndexRecordOption::Basic;
use tantivy::{BitSet, DocId, DocSet, Score, SegmentReader, TERMINATED, Term};

use crate::schema::{FIELDS, ID};

/// Looking up an id costs as much as going over so many documents.
const LOOK_UP: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct Gone {
    pub ids: Arc<HashSet<u64>>,
    pub segments: Arc<HashSet<SegmentId>>,
}

impl Query for Gone {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Gone {
    /// Calls `take` with every document that has one of the ids.
    fn each(&self, reader: &SegmentReader, mut take: impl FnMut(u32)) -> tantivy::Result<()> {
        if self.ids.len() * LOOK_UP > reader.max_doc() as usize {
            let ids = reader.fast_fields().u64(ID)?;
            let is_gone = |doc: &u32| ids.first(*doc).is_some_and(|id| self.ids.contains(&id));
            (0..reader.max_doc()).filter(is_gone).for_each(take);
            return Ok(());
        }
        let ids = reader.inverted_index(FIELDS.id)?;
        for id in self.ids.iter() {
            let term = Term::from_field_u64(FIELDS.id, *id);
            let Some(mut list) = ids.read_postings(&term, Basic)? else { continue };
            while list.doc() != TERMINATED {
                take(list.doc());
                list.advance();
            }
        }
        Ok(())
    }
}

impl Weight for Gone {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        if !self.segments.contains(&reader.segment_id()) {
            return Ok(Box::new(EmptyScorer));
        }
        let mut documents = BitSet::with_max_value(reader.max_doc());
        self.each(reader, |doc| {
            documents.insert(doc);
        })?;
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(documents), boost)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("gone", 1.0))
    }
}
