//! What the ranking reads: the index at one moment, its segments and its averages.

use std::sync::Arc;

use fyke_text::WordRules;
use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::{InvertedIndexReader, Searcher, SegmentReader};

use super::languages;
use super::sums::LiveSums;
use super::variants::Variants;
use super::weights::Weights;
use crate::fact::{Fact, FactKind};
use crate::languages::QueryLanguages;
use crate::newest::KeptNewest;
use crate::query::Query;
use crate::schema::{DATE, DEPTH, FIELDS, HOST, ID, LANGUAGE_CODE, NAME, RANK, TEXTS, WHOLES};

/// The index as it was at one commit.
pub(crate) struct Snapshot {
    pub searcher: Searcher,
    pub segments: Vec<Segment>,
    /// What the index knows by name beside its own fields.
    pub facts: &'static [Fact],
    /// Live documents.
    pub documents: u64,
    /// For each field its mean length over the live documents: an entry written twice must not rank
    /// otherwise than one written once.
    means: [f32; TEXTS],
    /// The newest day that a document bears.
    pub newest: Option<i64>,
    /// The languages that most documents are in, and queries probably too.
    pub languages: QueryLanguages,
    pub(super) variants: Variants,
    /// Where the newest documents lie, once somebody asked.
    pub newest_places: KeptNewest,
}

/// The index with the weights of one search.
pub(crate) struct WeighedIndex<'a> {
    pub snapshot: &'a Snapshot,
    pub weights: &'a Weights,
    /// For each field and each length class: what one occurrence counts.
    pub norms: [[f32; 256]; TEXTS],
}

/// One segment's readers, opened once.
pub(crate) struct Segment {
    pub reader: SegmentReader,
    /// One for each field with words.
    pub texts: Vec<SegmentField>,
    pub ids: Column<u64>,
    pub languages: Column<u64>,
    /// The languages of the index that have a stemmer, the most frequent first.
    pub stemmed: QueryLanguages,
    ranks: Column<f64>,
    depths: Column<u64>,
    dates: Column<i64>,
    hosts: Option<StrColumn>,
    names: Option<StrColumn>,
    facts: &'static [Fact],
    /// The column of each fact that is a number.
    pub numbers: Vec<Option<Column<f64>>>,
    pub sums: LiveSums,
}

/// One field of a segment.
pub(crate) struct SegmentField {
    pub postings: Arc<InvertedIndexReader>,
    pub lengths: FieldNormReader,
}

impl Snapshot {
    /// What `searcher` sees. What is known of the index `before` is taken over where it still holds.
    pub fn new(
        searcher: Searcher,
        (facts, rules): (&'static [Fact], &Arc<WordRules>),
        before: Option<&Snapshot>,
    ) -> tantivy::Result<Snapshot> {
        let known = before.map_or(&[][..], |before| &before.segments);
        let open = |reader| Segment::open(reader, facts, known);
        let segments = searcher.segment_readers().iter().map(open);
        let mut segments = segments.collect::<tantivy::Result<Vec<_>>>()?;
        let documents = searcher.num_docs();
        let sums = LiveSums::total(segments.iter().map(|segment| &segment.sums));
        let stemmed = languages::stemmed(&sums.languages, documents, rules);
        segments.iter_mut().for_each(|segment| segment.stemmed.clone_from(&stemmed));
        Ok(Snapshot {
            searcher,
            segments,
            facts,
            documents,
            means: sums.lengths.map(|length| length.max(1) as f32 / documents.max(1) as f32),
            newest: sums.newest,
            languages: languages::main_languages(&sums.languages, documents, rules),
            variants: Variants::default(),
            newest_places: KeptNewest::default(),
        })
    }

    /// Understands `text` in the languages of the index, with its facts.
    pub fn query(&self, text: &str) -> Query {
        Query::parse_knowing(text, &self.languages, self.facts, &|key| self.has_whole(key))
    }

    /// How the words of its languages are treated.
    pub fn told_words(&self) -> Vec<String> {
        let stemmed = self.segments.first().map(|segment| &segment.stemmed);
        let others = stemmed.into_iter().flat_map(QueryLanguages::codes);
        let mut codes: Vec<_> = self.languages.codes().iter().chain(others).collect();
        let mut known = std::collections::HashSet::new();
        codes.retain(|code| known.insert(**code));
        codes.into_iter().map(|code| self.languages.rules().told(code)).collect()
    }

    /// Whether a document has this key among its wholes.
    fn has_whole(&self, key: &str) -> bool {
        let has = |segment: &Segment| segment.texts[WHOLES].postings.terms().get(key);
        self.segments.iter().any(|segment| has(segment).is_ok_and(|term| term.is_some()))
    }

    /// The mean length of a field over the live documents.
    pub fn mean(&self, field: usize) -> f32 {
        self.means[field]
    }

    pub fn weighed<'a>(&'a self, weights: &'a Weights) -> WeighedIndex<'a> {
        let norms = std::array::from_fn(|field| {
            let (row, mean) = (weights.fields[field], self.means[field]);
            std::array::from_fn(|class| {
                let length = FieldNormReader::id_to_fieldnorm(class as u8) as f32;
                row.one(length / mean)
            })
        });
        WeighedIndex { snapshot: self, weights, norms }
    }
}

impl Segment {
    fn open(
        reader: &SegmentReader,
        facts: &'static [Fact],
        known: &[Segment],
    ) -> tantivy::Result<Segment> {
        let open = |field| {
            let lengths = reader.get_fieldnorms_reader(field)?;
            tantivy::Result::Ok(SegmentField { postings: reader.inverted_index(field)?, lengths })
        };
        let texts = FIELDS.texts.iter().map(|field| open(*field));
        let texts = texts.collect::<tantivy::Result<Vec<_>>>()?;
        let columns = reader.fast_fields();
        let number = |fact: &Fact| match fact.kind {
            FactKind::Number => columns.f64(&fact.column()).map(Some),
            FactKind::Label => Ok(None),
        };
        let mut segment = Segment {
            texts,
            ids: columns.u64(ID)?,
            languages: columns.u64(LANGUAGE_CODE)?,
            stemmed: QueryLanguages::default(),
            ranks: columns.f64(RANK)?,
            depths: columns.u64(DEPTH)?,
            dates: columns.i64(DATE)?,
            hosts: columns.str(HOST)?,
            names: columns.str(NAME)?,
            facts,
            numbers: facts.iter().map(number).collect::<tantivy::Result<_>>()?,
            reader: reader.clone(),
            sums: LiveSums::default(),
        };
        let before = known.iter().find(|known| known.reader.segment_id() == reader.segment_id());
        segment.sums = LiveSums::of(&segment, before);
        Ok(segment)
    }

    /// The place of a fact in its table.
    pub fn fact(&self, name: &str) -> Option<usize> {
        self.facts.iter().position(|fact| fact.name == name)
    }

    /// What the fact at a place of the table says of a document, if it is a number and known.
    pub fn number(&self, place: usize, doc: u32) -> Option<f64> {
        self.numbers[place].as_ref()?.first(doc)
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
