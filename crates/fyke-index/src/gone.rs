//! Entries that others replace, or that are taken out, as the engine's deletion: whatever has one of
//! these ids in one of these segments. The engine's own deletion of a term would also reach segments
//! that are added to the index after it, and with them the entries that come in place of the old.

use std::collections::HashSet;
use std::sync::Arc;

use tantivy::index::SegmentId;
use tantivy::query::{
    BitSetDocSet, ConstScorer, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::{BitSet, DocId, Score, SegmentReader};

use crate::schema::ID;

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

impl Weight for Gone {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        if !self.segments.contains(&reader.segment_id()) {
            return Ok(Box::new(EmptyScorer));
        }
        let ids = reader.fast_fields().u64(ID)?;
        let mut documents = BitSet::with_max_value(reader.max_doc());
        for doc in 0..reader.max_doc() {
            if ids.first(doc).is_some_and(|id| self.ids.contains(&id)) {
                documents.insert(doc);
            }
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(documents), boost)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("gone", 1.0))
    }
}
