//! The engine's own writer on the same entries: the yardstick of `build/` (docs/decisions/007). Benchmarks and
//! tests alone use it; `cargo bench-fyke writer` prints what either took, and that both wrote the same postings.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption::WithFreqsAndPositions;
use tantivy::{DocSet, IndexWriter, SegmentReader, TERMINATED};

use crate::analysis;
use crate::error::{IndexError, engine};
use crate::schema::{ID, schema};
use crate::writer::{Entry, document};

/// Memory of the engine's writer for all of its threads.
const HEAP: usize = 512 << 20;

/// Makes an index in an empty folder by the engine's own writer, with its own rule of merging.
///
/// # Errors
/// When the disk refuses.
pub fn write_by_engine<'a>(
    dir: &Path,
    threads: usize,
    entries: impl Iterator<Item = Entry<'a>>,
) -> Result<(), IndexError> {
    let write = || -> tantivy::Result<()> {
        let index = tantivy::Index::create_in_dir(dir, schema(&[]))?;
        index.tokenizers().register(analysis::NAME, analysis::Analysis);
        let mut writer: IndexWriter = index.writer_with_num_threads(threads, HEAP)?;
        for entry in entries {
            let made = document(&entry, &entry.texts(), &[]);
            writer.add_document(made.map_err(tantivy::TantivyError::InvalidArgument)?)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()
    };
    write().map_err(|error| engine(dir, error))
}

/// What stands in the posting lists of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PostingSum {
    pub postings: u64,
    pub positions: u64,
    /// Of every word with the id of its document and its places there, whatever the order of segments and
    /// documents.
    pub digest: u64,
}

/// Sums up all posting lists of the index in a folder.
///
/// # Errors
/// When it cannot be read.
pub fn sum_postings(dir: &Path) -> Result<PostingSum, IndexError> {
    let read = || -> tantivy::Result<PostingSum> {
        let index = tantivy::Index::open_in_dir(dir)?;
        let mut sum = PostingSum::default();
        for segment in index.reader()?.searcher().segment_readers() {
            add(segment, &mut sum)?;
        }
        Ok(sum)
    };
    read().map_err(|error| engine(dir, error))
}

fn add(segment: &SegmentReader, sum: &mut PostingSum) -> tantivy::Result<()> {
    let ids = segment.fast_fields().u64(ID)?;
    let mut places = Vec::new();
    for (field, _) in segment.schema().fields().filter(|(_, entry)| entry.is_indexed()) {
        let words = segment.inverted_index(field)?;
        let mut terms = words.terms().stream()?;
        while terms.advance() {
            let mut list =
                words.read_postings_from_terminfo(terms.value(), WithFreqsAndPositions)?;
            while list.doc() != TERMINATED {
                list.positions(&mut places);
                let mut hasher = DefaultHasher::new();
                let id = ids.first(list.doc());
                (field.field_id(), terms.key(), id, list.term_freq(), &places).hash(&mut hasher);
                sum.postings += 1;
                sum.positions += places.len() as u64;
                sum.digest = sum.digest.wrapping_add(hasher.finish());
                list.advance();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Index;

    #[test]
    fn both_writers_give_the_same_sum_and_another_text_another() {
        let texts = ["the eel in the fyke", "a net for eels", "an eel, an eel"];
        fn entry<'a>((id, body): (u64, &'a str)) -> Entry<'a> {
            Entry { id, body, host: "a.test", ..Entry::default() }
        }
        let ours = |texts: &[&str]| {
            let dir = tempfile::tempdir().unwrap();
            let mut writer = Index::open(dir.path()).unwrap().writer().unwrap();
            (0..).zip(texts).for_each(|(id, text)| writer.put(&entry((id, text))).unwrap());
            writer.commit("all").unwrap();
            sum_postings(dir.path()).unwrap()
        };
        let dir = tempfile::tempdir().unwrap();
        write_by_engine(dir.path(), 1, (0..).zip(texts).map(entry)).unwrap();
        let engines = sum_postings(dir.path()).unwrap();
        assert_eq!(ours(&texts), engines);
        assert_eq!((engines.positions, engines.postings > engines.positions), (13, true));
        let moved = ["the eel the in fyke", texts[1], texts[2]];
        assert_ne!(ours(&moved).digest, engines.digest);
    }
}
