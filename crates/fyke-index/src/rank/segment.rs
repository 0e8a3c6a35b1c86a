//! What the ranking reads: the index at one moment, its segments and its averages.

use std::sync::Arc;

use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::{InvertedIndexReader, Searcher, SegmentReader};

use super::languages;
use super::variants::Variants;
use super::weights::Weights;
use crate::schema::{DATE, DEPTH, FIELDS, HOST, ID, LANGUAGE_CODE, NAME, RANK, TEXTS};

/// The index as it was at one commit.
pub(crate) struct Snapshot {
    pub searcher: Searcher,
    pub segments: Vec<Segment>,
    /// Live documents.
    pub documents: u64,
    /// For each field its mean length over the live documents.
    means: [f32; TEXTS],
    /// The newest day that a document bears.
    pub newest: Option<i64>,
    /// The languages that most documents are in, and queries probably too.
    pub languages: Vec<&'static str>,
    pub(super) variants: Variants,
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
    /// One for each field with words.
    pub texts: Vec<Text>,
    pub ids: Column<u64>,
    pub languages: Column<u64>,
    /// The languages of the index that have a stemmer, the most frequent first.
    pub stemmed: Vec<&'static str>,
    ranks: Column<f64>,
    depths: Column<u64>,
    dates: Column<i64>,
    hosts: Option<StrColumn>,
    names: Option<StrColumn>,
}

/// One field of a segment.
pub(crate) struct Text {
    pub postings: Arc<InvertedIndexReader>,
    pub lengths: FieldNormReader,
}

impl Snapshot {
    pub fn new(searcher: Searcher) -> tantivy::Result<Snapshot> {
        let readers = searcher.segment_readers().iter();
        let mut segments = readers.map(Segment::open).collect::<tantivy::Result<Vec<_>>>()?;
        let documents = searcher.num_docs();
        let stemmed = languages::stemmed(&segments, documents);
        segments.iter_mut().for_each(|segment| segment.stemmed.clone_from(&stemmed));
        let means = std::array::from_fn(|field| mean(field, &segments, documents));
        let newest = segments.iter().filter_map(Segment::newest).max();
        let languages = languages::main_languages(&segments, documents);
        let variants = Variants::default();
        Ok(Snapshot { searcher, segments, documents, means, newest, languages, variants })
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
        let texts = FIELDS.texts.iter().map(|field| open(*field));
        let texts = texts.collect::<tantivy::Result<Vec<_>>>()?;
        Ok(Segment {
            texts,
            ids: reader.fast_fields().u64(ID)?,
            languages: reader.fast_fields().u64(LANGUAGE_CODE)?,
            stemmed: Vec::new(),
            ranks: reader.fast_fields().f64(RANK)?,
            depths: reader.fast_fields().u64(DEPTH)?,
            dates: reader.fast_fields().i64(DATE)?,
            hosts: reader.fast_fields().str(HOST)?,
            names: reader.fast_fields().str(NAME)?,
            reader: reader.clone(),
        })
    }

    /// The id of the entry that is document `doc` here.
    pub fn id(&self, doc: u32) -> u64 {
        self.ids.first(doc).unwrap_or(u64::MAX)
    }

    /// What links say of a document's weight; 1 is the mean.
    pub fn rank(&self, doc: u32) -> f64 {
        self.ranks.first(doc).filter(|rank| *rank > 0.0).unwrap_or(0.0)
    }

    /// Steps of a document's URL.
    pub fn depth(&self, doc: u32) -> u64 {
        self.depths.first(doc).unwrap_or(0)
    }

    /// The day of a document's date.
    pub fn date(&self, doc: u32) -> Option<i64> {
        self.dates.first(doc)
    }

    /// A document's host.
    pub fn host(&self, doc: u32) -> Option<String> {
        cells(self.hosts.as_ref(), doc).pop()
    }

    /// The names under which runs list a document.
    pub fn names(&self, doc: u32) -> Vec<String> {
        cells(self.names.as_ref(), doc)
    }

    fn newest(&self) -> Option<i64> {
        self.reader.doc_ids_alive().filter_map(|doc| self.date(doc)).max()
    }
}

/// What a column of texts says of a document.
fn cells(column: Option<&StrColumn>, doc: u32) -> Vec<String> {
    let Some(column) = column else { return Vec::new() };
    let read = |place| {
        let mut text = String::new();
        column.ord_to_str(place, &mut text).ok().filter(|found| *found).map(|_| text)
    };
    column.term_ords(doc).filter_map(read).collect()
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
