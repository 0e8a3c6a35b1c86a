//! What the ranking reads: the index at one moment, its segments and its averages.

use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::{InvertedIndexReader, Searcher, SegmentReader};

use super::weights::Weights;
use crate::schema::{FIELDS, ID, LANGUAGE_CODE, TEXTS};

/// The index as it was at one commit.
pub(crate) struct Snapshot {
    pub searcher: Searcher,
    pub segments: Vec<Segment>,
    /// Live documents.
    pub documents: u64,
    /// For each field its mean length over the live documents.
    means: [f32; TEXTS],
}

/// The index with the weights of one search.
pub(crate) struct Weighed<'a> {
    pub snapshot: &'a Snapshot,
    pub weights: &'a Weights,
    /// For each field and each length class: what one occurrence counts.
    pub norms: [[f32; 256]; TEXTS],
}

/// One segment's readers, opened once.
pub(crate) struct Segment {
    pub reader: SegmentReader,
    pub texts: [Text; TEXTS],
    pub ids: Column<u64>,
    pub languages: Column<u64>,
}

/// One field of a segment.
pub(crate) struct Text {
    pub postings: Arc<InvertedIndexReader>,
    pub lengths: FieldNormReader,
}

impl Snapshot {
    pub fn new(searcher: Searcher) -> tantivy::Result<Snapshot> {
        let readers = searcher.segment_readers().iter();
        let segments = readers.map(Segment::open).collect::<tantivy::Result<Vec<_>>>()?;
        let documents = searcher.num_docs();
        let means = std::array::from_fn(|field| mean(field, &segments, documents));
        Ok(Snapshot { searcher, segments, documents, means })
    }

    pub fn weighed<'a>(&'a self, weights: &'a Weights) -> Weighed<'a> {
        let norms = std::array::from_fn(|field| {
            let (row, mean) = (weights.fields[field], self.means[field]);
            std::array::from_fn(|class| {
                let length = FieldNormReader::id_to_fieldnorm(class as u8) as f32;
                row.weight / (1.0 - row.b + row.b * length / mean)
            })
        });
        Weighed { snapshot: self, weights, norms }
    }
}

impl Segment {
    fn open(reader: &SegmentReader) -> tantivy::Result<Segment> {
        let open = |field| {
            let lengths = reader.get_fieldnorms_reader(field)?;
            tantivy::Result::Ok(Text { postings: reader.inverted_index(field)?, lengths })
        };
        let [title, headings, anchors, body, url] = FIELDS.texts;
        Ok(Segment {
            texts: [open(title)?, open(headings)?, open(anchors)?, open(body)?, open(url)?],
            ids: reader.fast_fields().u64(ID)?,
            languages: reader.fast_fields().u64(LANGUAGE_CODE)?,
            reader: reader.clone(),
        })
    }

    /// The id of the entry that is document `doc` here.
    pub fn id(&self, doc: u32) -> u64 {
        self.ids.first(doc).unwrap_or(u64::MAX)
    }
}

/// The mean length of a field. That of the live documents: an entry written twice must not rank
/// otherwise than one written once.
fn mean(field: usize, segments: &[Segment], documents: u64) -> f32 {
    let lengths = segments.iter().flat_map(|segment| {
        let lengths = &segment.texts[field].lengths;
        segment.reader.doc_ids_alive().map(|doc| u64::from(lengths.fieldnorm(doc)))
    });
    lengths.sum::<u64>().max(1) as f32 / documents.max(1) as f32
}
