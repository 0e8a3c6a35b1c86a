//! What one query may cost. Work is counted, not timed: the same query on the same index is cut at the
//! same place every time. A query that would cost more is answered from the first documents of
//! each segment, which are as good as any: their order has nothing to do with their content.

use serde::Serialize;

use super::segment::Segment;

/// How much work a query may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryBudget {
    /// Entries of posting lists read, steps through several lists at once, and positions compared.
    pub steps: u64,
}

impl QueryBudget {
    /// As much as it takes.
    pub const UNLIMITED: QueryBudget = QueryBudget { steps: u64::MAX };
}

impl Default for QueryBudget {
    /// About a seventh of a second of CPU time (`cargo bench-fyke hostile`); ordinary queries take a fraction
    /// of it.
    fn default() -> QueryBudget {
        QueryBudget { steps: 24_000_000 }
    }
}

/// That a query asked for too much: hits, count and facets are those of the documents that were looked at, in
/// an order that leaves something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CutOff {
    /// Documents that were looked at.
    pub looked_at: u64,
    /// Documents there are.
    pub documents: u64,
    /// Whether the nearness of some words was not looked at.
    pub is_nearness_cut: bool,
}

/// How far a query may still read: the work that is left, and the end of the documents that are looked at.
pub(super) struct Reach {
    steps: u64,
    /// What is expected of each clause that is still to come, the next one last.
    expected: Vec<u64>,
    /// The first document of each segment that is not looked at any more.
    ends: Vec<u32>,
    /// Documents of all segments, deleted ones too.
    documents: u64,
}

impl Reach {
    /// For clauses that are expected to cost so much each, in their order.
    pub fn new(budget: QueryBudget, segments: &[Segment], mut expected: Vec<u64>) -> Reach {
        expected.reverse();
        let ends: Vec<u32> = segments.iter().map(|segment| segment.reader.max_doc()).collect();
        let documents = sum(&ends);
        Reach { steps: budget.steps, expected, ends, documents }
    }

    /// Gives the next clause its part of the work: an equal share, and what the others are not expected to
    /// need.
    pub fn next_clause(&mut self) -> Allowance<'_> {
        let clauses = self.expected.len().max(1) as u64;
        self.expected.pop();
        let others = self.expected.iter().fold(0_u64, |sum, cost| sum.saturating_add(*cost));
        let steps = (self.steps / clauses).max(self.steps.saturating_sub(others));
        self.steps -= steps;
        Allowance { reach: self, steps }
    }

    /// The end of the documents that are looked at in a segment.
    pub fn end(&self, segment: usize) -> u32 {
        self.ends[segment]
    }

    /// Of so many, those that lie in the part that is looked at.
    pub fn share_of(&self, documents: u64) -> u64 {
        match sum(&self.ends) {
            all if all == self.documents => documents,
            looked_at => (u128::from(documents) * u128::from(looked_at))
                .checked_div(u128::from(self.documents))
                .map_or(0, |share| share as u64),
        }
    }

    /// What was cut off, if anything was.
    pub fn cut(&self, segments: &[Segment], is_nearness_cut: bool) -> Option<CutOff> {
        if sum(&self.ends) == self.documents && !is_nearness_cut {
            return None;
        }
        let live = |(segment, end): (&Segment, &u32)| {
            segment.reader.doc_ids_alive().take_while(|doc| doc < end).count() as u64
        };
        let looked_at = segments.iter().zip(&self.ends).map(live).sum();
        let documents = segments.iter().map(|segment| u64::from(segment.reader.num_docs())).sum();
        Some(CutOff { looked_at, documents, is_nearness_cut })
    }
}

fn sum(ends: &[u32]) -> u64 {
    ends.iter().map(|end| u64::from(*end)).sum()
}

/// What one clause may cost. What it leaves goes back to the others.
pub(super) struct Allowance<'a> {
    reach: &'a mut Reach,
    steps: u64,
}

impl Allowance<'_> {
    /// Reads a segment: `read` gets the end of its documents and the steps it may take, of which it takes off
    /// what it uses, and gives the document before which it has read all.
    pub fn spend<T>(
        &mut self,
        segment: usize,
        read: impl FnOnce(u32, &mut u64) -> Result<u32, T>,
    ) -> Result<(), T> {
        let rest = sum(&self.reach.ends[segment..]);
        let end = self.reach.ends[segment];
        let share = u128::from(self.steps) * u128::from(end) / u128::from(rest.max(1));
        let given = u64::try_from(share).unwrap_or(u64::MAX);
        let mut left = given;
        self.reach.ends[segment] = read(end, &mut left)?.min(end);
        self.steps -= given - left.min(given);
        Ok(())
    }

    /// Of so many documents, those that lie in the part that is looked at.
    pub fn share_of(&self, documents: u64) -> u64 {
        self.reach.share_of(documents)
    }
}

impl Drop for Allowance<'_> {
    fn drop(&mut self) {
        self.reach.steps += self.steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(steps: u64, expected: &[u64], ends: &[u32]) -> Reach {
        let mut reach = Reach::new(QueryBudget { steps }, &[], expected.to_vec());
        (reach.ends, reach.documents) = (ends.to_vec(), sum(ends));
        reach
    }

    /// Reads one step a document, as far as it may.
    fn read(reach: &mut Reach, documents: u32) {
        let segments = reach.ends.len();
        let mut allowance = reach.next_clause();
        for segment in 0..segments {
            let done = allowance.spend(segment, |end, steps| {
                let wanted = documents.min(end);
                let read = u64::from(wanted).min(*steps);
                *steps -= read;
                Ok::<u32, ()>(if read < u64::from(wanted) { read as u32 } else { end })
            });
            done.unwrap();
        }
    }

    #[test]
    fn a_query_within_its_budget_looks_at_everything() {
        let mut all = reach(30, &[10, 10, 10], &[10]);
        (0..3).for_each(|_| read(&mut all, 10));
        assert_eq!((all.ends, all.steps), (vec![10], 0));
        // The first is dear, the others leave it what they do not need.
        let mut dear = reach(30, &[26, 2, 2], &[26]);
        [26, 2, 2].into_iter().for_each(|documents| read(&mut dear, documents));
        assert_eq!((dear.ends, dear.steps), (vec![26], 0));
        let mut none = reach(u64::MAX, &[u64::MAX, u64::MAX], &[u32::MAX - 1, 7]);
        (0..2).for_each(|_| read(&mut none, u32::MAX));
        assert_eq!(none.ends, [u32::MAX - 1, 7]);
    }

    #[test]
    fn a_query_beyond_its_budget_looks_at_a_part_of_each_segment() {
        let mut cut = reach(30, &[100, 100, 100], &[80, 20]);
        (0..3).for_each(|_| read(&mut cut, 100));
        assert_eq!(cut.ends, [8, 2]);
        assert_eq!(cut.share_of(1_000), 100);
        assert_eq!(reach(30, &[], &[80]).share_of(7), 7);
    }
}
