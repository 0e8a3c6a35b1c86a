//! Segments from documents, a thread a core, each thread one segment. The engine's own writer chases
//! every occurrence of a word through a hash table and a linked list; counting and merging runs takes
//! two thirds of the time for the same files on real text, half on made words (docs/decisions/007).

mod merge;
mod run;
mod segment;
mod varint;
mod words;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use tantivy::index::SegmentMeta;
use tantivy::{Index, TantivyDocument, TantivyError};

use segment::Making;

/// So many threads write at the most; each has its own memory.
const MOST_THREADS: usize = 4;

/// Documents are handed over in batches of so many bytes of text.
const BATCH: usize = 256 << 10;

/// Batches that may wait for a thread.
const WAITING: usize = 4;

/// Occurrences of words in a run: some 200 MB while it is written. Longer runs have fewer words in
/// common with others, but a larger table.
const RUN: usize = 6_000_000;

/// Takes documents and makes segments of them.
pub(crate) struct Builder {
    index: Index,
    dir: PathBuf,
    run: usize,
    batch: Vec<TantivyDocument>,
    bytes: usize,
    batches: usize,
    threads: Vec<Thread>,
}

/// A thread with its segment. Without an end it is given up.
struct Thread {
    batches: SyncSender<BuildOrder>,
    segment: JoinHandle<tantivy::Result<Option<SegmentMeta>>>,
}

enum BuildOrder {
    Documents(Vec<TantivyDocument>),
    End,
}

impl Builder {
    /// For an index whose files lie in `dir`.
    pub fn new(index: &Index, dir: PathBuf) -> Builder {
        let (batch, threads) = (Vec::new(), Vec::new());
        Builder { index: index.clone(), dir, run: RUN, batch, bytes: 0, batches: 0, threads }
    }

    /// Adds a document with so many bytes of text.
    pub fn put(&mut self, document: TantivyDocument, bytes: usize) -> tantivy::Result<()> {
        self.batch.push(document);
        self.bytes += bytes;
        if self.bytes < BATCH { Ok(()) } else { self.hand_over() }
    }

    /// Gives the batch to the next thread in turn.
    fn hand_over(&mut self) -> tantivy::Result<()> {
        let most = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let turn = self.batches % most;
        if turn == self.threads.len() {
            self.threads.push(Thread::start(&self.index, self.dir.clone(), self.run)?);
        }
        let batch = BuildOrder::Documents(std::mem::take(&mut self.batch));
        (self.bytes, self.batches) = (0, self.batches + 1);
        match self.threads[turn].batches.send(batch) {
            Ok(()) => Ok(()),
            // The thread has ended before its time; only joining it tells why.
            Err(_) => self.threads.swap_remove(turn).join().map(drop),
        }
    }

    /// Ends all segments, which can then be added to the index.
    pub fn finish(&mut self) -> tantivy::Result<Vec<SegmentMeta>> {
        if !self.batch.is_empty() {
            self.hand_over()?;
        }
        self.batches = 0;
        let threads = std::mem::take(&mut self.threads);
        for thread in &threads {
            // One that has ended tells why when it is joined.
            let _ = thread.batches.send(BuildOrder::End);
        }
        let segments = threads.into_iter().map(Thread::join);
        Ok(segments.collect::<tantivy::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

impl Thread {
    fn start(index: &Index, dir: PathBuf, run: usize) -> tantivy::Result<Thread> {
        let making = Making::new(index, dir, run)?;
        let (batches, received) = sync_channel(WAITING);
        let name = "segment".to_owned();
        let segment = std::thread::Builder::new().name(name).spawn(|| make(making, received))?;
        Ok(Thread { batches, segment })
    }

    fn join(self) -> tantivy::Result<Option<SegmentMeta>> {
        drop(self.batches);
        let panicked = |_| TantivyError::ErrorInThread("a segment's thread panicked".to_owned());
        self.segment.join().map_err(panicked)?
    }
}

fn make(mut making: Making, batches: Receiver<BuildOrder>) -> tantivy::Result<Option<SegmentMeta>> {
    for batch in batches {
        match batch {
            BuildOrder::Documents(documents) => {
                documents.iter().try_for_each(|document| making.put(document))?;
            }
            BuildOrder::End => return making.finish().map(Some),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis;
    use crate::schema::{FIELDS, schema};
    use crate::writer::{Entry, document};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use tantivy::postings::Postings;
    use tantivy::schema::IndexRecordOption::WithFreqsAndPositions;
    use tantivy::{DocSet, IndexWriter, TERMINATED};

    /// Of each document by its id: what is kept of it, its lengths, and where each word stands.
    type BuiltContents = BTreeMap<u64, (String, Vec<u32>, Vec<(u32, Vec<u8>, Vec<u32>)>)>;

    fn contents(index: &Index) -> BuiltContents {
        let searcher = index.reader().unwrap().searcher();
        let mut all = BuiltContents::new();
        for (at, reader) in (0..).zip(searcher.segment_readers()) {
            let ids = reader.fast_fields().u64("id").unwrap();
            let id = |doc| ids.first(doc).unwrap();
            for doc in 0..reader.max_doc() {
                let kept: TantivyDocument =
                    searcher.doc(tantivy::DocAddress::new(at, doc)).unwrap();
                let lengths = FIELDS
                    .texts
                    .iter()
                    .map(|field| reader.get_fieldnorms_reader(*field).unwrap().fieldnorm(doc));
                let row = (format!("{kept:?}"), lengths.collect(), Vec::new());
                assert!(all.insert(id(doc), row).is_none());
            }
            for (field, entry) in index.schema().fields().filter(|(_, entry)| entry.is_indexed()) {
                let words = reader.inverted_index(field).unwrap();
                let mut terms = words.terms().stream().unwrap();
                while terms.advance() {
                    let info = terms.value();
                    let list = words.read_postings_from_terminfo(info, WithFreqsAndPositions);
                    let mut list = list.unwrap();
                    let mut documents = 0;
                    while list.doc() != TERMINATED {
                        let mut places = Vec::new();
                        list.positions(&mut places);
                        assert_eq!(
                            places.len() as u32,
                            list.term_freq()
                                * u32::from(entry.name() != "id" && FIELDS.texts.contains(&field))
                        );
                        let word = (field.field_id(), terms.key().to_vec(), places);
                        all.get_mut(&id(list.doc())).unwrap().2.push(word);
                        documents += 1;
                        list.advance();
                    }
                    assert_eq!(documents, info.doc_freq);
                }
            }
        }
        all
    }

    fn index() -> (tempfile::TempDir, Index) {
        let dir = tempfile::tempdir().unwrap();
        let index = Index::create_in_dir(dir.path(), schema(&[])).unwrap();
        index.tokenizers().register(analysis::NAME, analysis::Analysis);
        (dir, index)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_written_is_what_the_engine_itself_would_write(
            texts in prop::collection::vec(("[abc]{0,2}( [ab]{1,3}| straße| [a-c]{14,18}){0,40}", "([ab] ){0,5}"), 0..60),
            run in 1_usize..200,
        ) {
            let documents: Vec<TantivyDocument> = (0..).zip(&texts).map(|(id, (body, title))| {
                let entry = Entry { id, body, title, host: "www.a.test", language: "en", ..Entry::default() };
                document(&entry, &entry.texts(), &[]).unwrap()
            }).collect();
            let (_kept, expected) = index();
            let mut engine: IndexWriter = expected.writer_with_num_threads(1, 15_000_000).unwrap();
            for document in &documents {
                engine.add_document(document.clone()).unwrap();
            }
            engine.commit().unwrap();
            let (dir, made) = index();
            let mut engine: IndexWriter = made.writer_with_num_threads(1, 15_000_000).unwrap();
            let mut builder = Builder::new(&made, dir.path().to_owned());
            builder.run = run;
            for document in &documents {
                builder.put(document.clone(), BATCH / 7).unwrap();
            }
            for segment in builder.finish().unwrap() {
                engine.add_segment(segment).unwrap();
            }
            engine.commit().unwrap();
            prop_assert_eq!(contents(&made), contents(&expected));
        }
    }
}
