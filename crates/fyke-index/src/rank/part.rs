//! A word or phrase of the query with its posting lists, and what it counts by BM25F (the
//! fields of a word are summed before they are dampened).

use std::io;

use tantivy::TERMINATED;

use super::Candidate;
use super::postings::{self, Cursor, Source};
use super::segment::Weighed;
use super::window::{Entry, Window};
use crate::query::{Clause, Scope};

/// A clause that is scored.
pub(super) struct Part {
    pub name: String,
    /// One word, looked for in all fields.
    pub is_word: bool,
    pub idf: f32,
    /// What it counts beside a word that was typed.
    pub weight: f32,
    /// Its posting lists, by segment.
    pub sources: Vec<Vec<Source>>,
}

/// The documents in which a clause is found, by segment, each with what its occurrences sum up to.
pub(super) type Found = Vec<Vec<Entry>>;

/// Candidates by segment: their documents, ascending, and where they stand among the candidates.
pub(super) struct Places(Vec<(Vec<u32>, Vec<usize>)>);

impl Places {
    pub fn of(index: &Weighed, candidates: &[Candidate]) -> Places {
        let segments = 0..index.snapshot.segments.len();
        Places(
            segments
                .map(|segment| {
                    let here = candidates.iter().enumerate().filter(|(_, c)| c.segment == segment);
                    let mut here: Vec<(u32, usize)> = here.map(|(at, c)| (c.doc, at)).collect();
                    here.sort_unstable();
                    here.into_iter().unzip()
                })
                .collect(),
        )
    }
}

impl Part {
    /// Finds a clause in every segment and shows each document that has it, with the sum of its
    /// occurrences over fields and forms.
    pub fn find(index: &Weighed, clause: &Clause) -> io::Result<(Part, Found)> {
        let sources = postings::sources(index.snapshot, clause)?;
        let found = sources.iter().enumerate();
        let found = found.map(|(at, sources)| matches(index, at, sources));
        let found = found.collect::<io::Result<Vec<_>>>()?;
        let idf = idf(index.snapshot.documents, found.iter().map(Vec::len).sum());
        let is_word = clause.scope == Scope::Anywhere && clause.words.len() == 1;
        let name = clause.words.join(" ");
        Ok((Part { name, is_word, idf, weight: 1.0, sources }, found))
    }

    /// A word that was not typed.
    pub fn new(name: &str, idf: f32, sources: Vec<Vec<Source>>) -> Part {
        Part { name: name.to_owned(), is_word: true, idf, weight: 1.0, sources }
    }

    /// Adds what it counts to the scores of these candidates.
    pub fn add(
        &self,
        index: &Weighed,
        places: &Places,
        candidates: &mut [Candidate],
    ) -> io::Result<()> {
        for (segment, (docs, places)) in places.0.iter().enumerate() {
            let mut sums = vec![0.0; docs.len()];
            for source in &self.sources[segment] {
                source.count(index, segment, docs, |at, weight| sums[at] += weight)?;
            }
            for (at, sum) in places.iter().zip(sums) {
                candidates[*at].score += self.amount(sum, index.weights.k1);
            }
        }
        Ok(())
    }

    /// What a sum of occurrences counts.
    pub fn amount(&self, sum: f32, k1: f32) -> f32 {
        self.weight * self.idf * saturate(sum, k1)
    }
}

/// The live documents of a segment in which a clause is found, each with its weight, the sum over
/// fields and forms; in the order of windows.
fn matches(index: &Weighed, at: usize, sources: &[Source]) -> io::Result<Vec<Entry>> {
    let segment = &index.snapshot.segments[at];
    let mut found = Vec::new();
    let cursors = sources.iter().map(|source| source.cursor(segment));
    let mut cursors = cursors.collect::<io::Result<Vec<_>>>()?;
    if let [cursor] = &mut cursors[..] {
        cursor.until(TERMINATED, index, |doc, score| found.push(Entry { doc, score, mask: 1 }));
        return Ok(found);
    }
    let mut window = Window::new();
    while let Some(first) = cursors.iter().filter_map(Cursor::next).min() {
        let end = window.open(first);
        for cursor in &mut cursors {
            cursor.until(end, index, |doc, weight| window.add(doc, 1, weight));
        }
        window.close(|entry| found.push(entry));
    }
    Ok(found)
}

/// How much it says that a clause is found in `found` of `documents`.
pub(super) fn idf(documents: u64, found: usize) -> f32 {
    let (all, found) = (documents as f32, found as f32);
    (1.0 + (all - found + 0.5) / (found + 0.5)).ln()
}

/// More of the same counts less and less.
pub(super) fn saturate(weight: f32, k1: f32) -> f32 {
    weight * (k1 + 1.0) / (weight + k1)
}
