//! Words and what stands with them (term association), asked of the index itself and
//! with limits: a number of dictionary entries, a sample of documents. Ids have nothing
//! to do with content, so the first documents of a posting list are as good as any.

use std::io;

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption::WithFreqsAndPositions;
use tantivy::{DocAddress, DocSet, TERMINATED};

use crate::rank::postings::next_within;
use crate::rank::segment::{Segment, Snapshot};

/// So many steps are taken through the posting lists of one sample.
const MAX_STEPS: usize = 20_000;

/// Documents in which some words stand, by segment, in ascending order.
pub(crate) struct DocumentSample {
    field: usize,
    docs: Vec<Vec<Sampled>>,
}

struct Sampled {
    doc: u32,
    /// Where the last of the words stands, after which others may follow.
    places: Vec<u32>,
}

/// What a word has to do with the words of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    /// Documents in which it stands, too.
    pub together: u32,
    /// Those in which it stands directly after the last of them.
    pub after: u32,
}

/// In how many documents a word stands in a field; deleted ones count until they are cleared away.
pub(crate) fn frequency(snapshot: &Snapshot, field: usize, form: &str) -> io::Result<u32> {
    let mut sum = 0;
    for segment in &snapshot.segments {
        let found = segment.texts[field].postings.terms().get(form)?;
        sum += found.map_or(0, |info| info.doc_freq);
    }
    Ok(sum)
}

impl DocumentSample {
    /// At most `most` live documents with all of `words` in a field.
    pub fn take(
        snapshot: &Snapshot,
        field: usize,
        words: &[String],
        most: usize,
    ) -> io::Result<DocumentSample> {
        let mut docs = Vec::with_capacity(snapshot.segments.len());
        let (mut left, mut steps) = (most, MAX_STEPS);
        for segment in &snapshot.segments {
            let mut found = Vec::new();
            let mut lists = lists(segment, field, words)?;
            let mut doc = 0;
            while let Some(next) = first(&mut lists, doc, &mut steps).filter(|_| left > 0) {
                if let Some(last) = lists.last_mut().filter(|_| !segment.reader.is_deleted(next)) {
                    let mut places = Vec::new();
                    last.positions(&mut places);
                    found.push(Sampled { doc: next, places });
                    left -= 1;
                }
                doc = next + 1;
            }
            docs.push(found);
        }
        Ok(DocumentSample { field, docs })
    }

    pub fn len(&self) -> usize {
        self.docs.iter().map(Vec::len).sum()
    }

    /// Where the documents lie.
    pub fn documents(&self) -> impl Iterator<Item = DocAddress> {
        let segments = (0..).zip(&self.docs);
        segments.flat_map(|(at, docs)| docs.iter().map(move |seen| DocAddress::new(at, seen.doc)))
    }

    /// What `form` has to do with the words of the sample.
    pub fn ties(&self, snapshot: &Snapshot, form: &str) -> io::Result<Ties> {
        let mut ties = Ties::default();
        for (segment, docs) in snapshot.segments.iter().zip(&self.docs) {
            if docs.is_empty() {
                continue;
            }
            let Some(mut word) = list(segment, self.field, form)? else { continue };
            for Sampled { doc, places } in docs {
                if stands_on(&mut word, *doc) {
                    ties.together += 1;
                    ties.after += u32::from(follows(&mut word, places));
                }
            }
        }
        Ok(ties)
    }
}

/// The posting list of a word.
fn list(segment: &Segment, field: usize, word: &str) -> io::Result<Option<SegmentPostings>> {
    let reader = &segment.texts[field].postings;
    let Some(info) = reader.terms().get(word)? else { return Ok(None) };
    Ok(Some(reader.read_postings_from_terminfo(&info, WithFreqsAndPositions)?))
}

/// The posting lists of all words; none when one of them stands nowhere.
fn lists(segment: &Segment, field: usize, words: &[String]) -> io::Result<Vec<SegmentPostings>> {
    let lists = words.iter().map(|word| list(segment, field, word));
    Ok(lists.collect::<io::Result<Option<Vec<_>>>>()?.unwrap_or_default())
}

fn first(lists: &mut [SegmentPostings], doc: u32, steps: &mut usize) -> Option<u32> {
    if lists.is_empty() { None } else { next_within(lists, doc, steps) }
}

fn stands_on(list: &mut SegmentPostings, doc: u32) -> bool {
    let here = if list.doc() < doc { list.seek(doc) } else { list.doc() };
    here == doc && here != TERMINATED
}

/// Whether the word stands directly after one of `places`.
fn follows(word: &mut SegmentPostings, places: &[u32]) -> bool {
    let mut after = Vec::new();
    word.positions(&mut after);
    places.iter().any(|place| after.binary_search(&(place + 1)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::BODY;
    use crate::{Entry, Index};

    #[test]
    fn a_sample_is_no_larger_than_asked_for_and_leaves_out_what_is_deleted() {
        let dir = tempfile::tempdir().expect("a folder");
        let index = Index::open(dir.path()).expect("an index");
        let mut writer = index.writer().expect("a writer");
        for id in 0..500 {
            let body = if id % 2 == 0 { "new york harbour" } else { "york is new" };
            writer.put(&Entry { id, body, ..Entry::default() }).expect("an entry");
        }
        (0..100).for_each(|id| writer.delete(id).expect("deleted"));
        writer.commit("").expect("a commit");
        let snapshot = index.snapshot().expect("a snapshot");
        let words = ["york".to_owned(), "new".to_owned()];
        let check = |most: usize, expected: usize| {
            let sample = DocumentSample::take(&snapshot, BODY, &words, most).expect("a sample");
            assert_eq!((sample.len(), sample.documents().count()), (expected, expected));
        };
        check(0, 0);
        check(300, 300);
        check(1_000, 400);
        let sample = DocumentSample::take(&snapshot, BODY, &words, 1_000).expect("a sample");
        let ties = |form: &str| sample.ties(&snapshot, form).expect("ties");
        assert_eq!(ties("york"), Ties { together: 400, after: 200 });
        assert_eq!(ties("harbour"), Ties { together: 200, after: 0 });
        assert_eq!(ties("nowhere"), Ties::default());
    }
}
