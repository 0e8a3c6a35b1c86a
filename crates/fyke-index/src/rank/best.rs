//! The best so far, of any number of candidates, in memory that does not grow with them.

use super::Candidate;
use super::segment::Segment;

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
