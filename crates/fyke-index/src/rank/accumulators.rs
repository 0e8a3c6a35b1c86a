//! What is known of each document while the query is gone through word by word
//! ("term-at-a-time"). The arrays are as long as the index and therefore kept from search to search:
//! a search pays for the postings it reads, not for the documents there are.

use std::sync::{Mutex, PoisonError};

use super::Candidate;
use super::segment::{Segment, Snapshot};

/// The documents of one segment.
#[derive(Debug)]
pub(super) struct Accumulators {
    pub scores: Vec<f32>,
    pub masks: Vec<u64>,
    /// What the forms and fields of one clause sum up to; all zero between two clauses.
    pub sums: Vec<f32>,
    /// Documents with a bit in their mask.
    pub touched: Vec<u32>,
}

impl Accumulators {
    fn new(documents: usize) -> Accumulators {
        let (scores, masks, sums) =
            (vec![0.0; documents], vec![0; documents], vec![0.0; documents]);
        Accumulators { scores, masks, sums, touched: Vec::new() }
    }

    /// Notes that a document fulfils the clause with this bit, and what that adds to its score.
    pub fn add(&mut self, doc: u32, bit: u64, score: f32) {
        let mask = &mut self.masks[doc as usize];
        if *mask == 0 {
            self.touched.push(doc);
        }
        *mask |= bit;
        self.scores[doc as usize] += score;
    }

    fn clear(&mut self) {
        for doc in self.touched.drain(..) {
            self.masks[doc as usize] = 0;
            self.scores[doc as usize] = 0.0;
        }
    }
}

/// Accumulators that nobody uses just now, by segment.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Vec<Accumulators>>>);

impl Pool {
    /// Clean accumulators for every segment.
    pub(super) fn take(&self, snapshot: &Snapshot) -> Vec<Accumulators> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| {
            let sizes = snapshot.segments.iter().map(|segment| segment.reader.max_doc());
            sizes.map(|size| Accumulators::new(size as usize)).collect()
        })
    }

    /// Gives accumulators back after use; those of a search that failed are left to go, since
    /// nobody knows in what state they are.
    pub(super) fn give(&self, mut accumulators: Vec<Accumulators>) {
        accumulators.iter_mut().for_each(Accumulators::clear);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(accumulators);
    }
}

/// The best so far, of any number of candidates.
pub(super) struct Best<'a> {
    segments: &'a [Segment],
    depth: usize,
    least: f32,
    candidates: Vec<Candidate>,
}

impl<'a> Best<'a> {
    pub fn new(segments: &'a [Segment], depth: usize) -> Best<'a> {
        let (depth, least) = (depth.max(1), f32::NEG_INFINITY);
        Best { segments, depth, least, candidates: Vec::new() }
    }

    /// Takes a candidate without its id, which is looked up only if it may be among the best.
    pub fn push(&mut self, mut candidate: Candidate) {
        if candidate.score < self.least {
            return;
        }
        candidate.id = self.segments[candidate.segment].id(candidate.doc);
        self.candidates.push(candidate);
        if self.candidates.len() >= 4 * self.depth {
            self.candidates.select_nth_unstable_by(self.depth - 1, order);
            self.candidates.truncate(self.depth);
            self.least = self.candidates[self.depth - 1].score;
        }
    }

    /// The best, the better first.
    pub fn finish(mut self) -> Vec<Candidate> {
        self.candidates.sort_unstable_by(order);
        self.candidates.truncate(self.depth);
        self.candidates
    }
}

/// The better first; of equals the one with the smaller id.
pub(super) fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.id.cmp(&b.id))
}
