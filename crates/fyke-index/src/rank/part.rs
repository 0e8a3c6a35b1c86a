//! A word or phrase of the query with its posting lists, and what it counts by BM25F (the
//! fields of a word are summed before they are dampened).

use std::io;

use super::Candidate;
use super::budget::Allowance;
use super::postings::{Cursor, OPENING, PostingSource};
use super::segment::WeighedIndex;
use super::window::{Amount, DocumentWindow};
use crate::query::{Clause, ClauseScope, Form};

/// A clause that is scored.
pub(super) struct ScoredClause {
    /// Place of its clause in the query.
    pub place: usize,
    pub name: String,
    /// One word, looked for in all fields.
    pub is_word: bool,
    pub idf: f32,
    /// What it counts beside a word that was typed.
    pub weight: f32,
    /// Its posting lists, by segment.
    pub sources: Vec<Vec<PostingSource>>,
}

/// The documents in which a clause is found, by segment, each with what its occurrences sum up to.
pub(super) type ClauseMatches = Vec<Vec<Amount>>;

/// Candidates by segment: their documents, ascending, and where they stand among the candidates.
pub(super) struct Places(Vec<(Vec<u32>, Vec<usize>)>);

impl Places {
    pub fn of(index: &WeighedIndex, candidates: &[Candidate]) -> Places {
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

impl ScoredClause {
    /// Finds a clause by its posting lists: the documents that have it, as far as the allowance goes, each
    /// with the sum of its occurrences over fields and forms.
    pub fn find(
        index: &WeighedIndex,
        (place, clause): (usize, &Clause),
        sources: Vec<Vec<PostingSource>>,
        mut allowance: Allowance<'_>,
    ) -> io::Result<(ScoredClause, ClauseMatches)> {
        let mut found = ClauseMatches::new();
        for (at, sources) in sources.iter().enumerate() {
            let mut here = Vec::new();
            allowance
                .spend(at, |end, steps| matches(index, (at, sources), (end, steps), &mut here))?;
            found.push(here);
        }
        let documents = allowance.share_of(index.snapshot.documents);
        let idf = idf(documents, found.iter().map(Vec::len).sum());
        let is_word = clause.scope == ClauseScope::Anywhere
            && clause.words.len() == 1
            && clause.form != Form::Whole;
        let name = clause.words.join(" ");
        Ok((ScoredClause { place, name, is_word, idf, weight: 1.0, sources }, found))
    }

    /// A word that was not typed.
    pub fn new(name: &str, idf: f32, sources: Vec<Vec<PostingSource>>) -> ScoredClause {
        let place = usize::MAX;
        ScoredClause { place, name: name.to_owned(), is_word: true, idf, weight: 1.0, sources }
    }

    /// Adds what it counts to the scores of these candidates.
    pub fn add(
        &self,
        index: &WeighedIndex,
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

/// Documents of a phrase that are looked at between two looks at the budget.
const PHRASES: u32 = 64;

/// Adds the live documents of a segment before `end` in which a clause is found, each with its weight, the
/// sum over fields and forms; in the order of windows. Gives the document before which that is all of them:
/// an earlier one than `end` where the steps do not suffice.
fn matches(
    index: &WeighedIndex,
    (at, sources): (usize, &[PostingSource]),
    (end, steps): (u32, &mut u64),
    found: &mut Vec<Amount>,
) -> io::Result<u32> {
    let segment = &index.snapshot.segments[at];
    let cursors = sources.iter().map(|source| source.cursor(segment));
    let mut cursors = cursors.collect::<io::Result<Vec<_>>>()?;
    *steps = steps.saturating_sub(OPENING * cursors.len() as u64);
    let is_plain = cursors.iter().all(Cursor::is_plain);
    let mut window = DocumentWindow::new();
    let next = |cursors: &[Cursor]| cursors.iter().filter_map(Cursor::next).min();
    while let Some(first) = next(&cursors).filter(|first| *first < end) {
        if *steps == 0 {
            return Ok(first);
        }
        let after = window.open(first).min(end);
        let after = if is_plain { after } else { after.min(first + PHRASES) };
        if let [cursor] = &mut cursors[..] {
            cursor.until(after, index, steps, |doc, score| found.push(Amount { doc, score }));
            continue;
        }
        for cursor in &mut cursors {
            cursor.until(after, index, steps, |doc, weight| window.add(doc, 1, weight));
        }
        // A document that was looked at in some fields only does not count.
        let whole = next(&cursors).unwrap_or(after);
        window.close(|entry| {
            if entry.doc < whole {
                found.push(Amount { doc: entry.doc, score: entry.score });
            }
        });
    }
    Ok(end)
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
