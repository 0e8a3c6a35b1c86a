//! RTFIDF: how often a term occurs on the side, times its inverse document frequency among all
//! documents (004 §3.3). 004 prints the idf with a slip (the same number twice); meant is
//! log(all documents / documents with the term).

use super::{DocumentSide, TermCounts, TermPick, TermSelector};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const RTFIDF: TermSelector = TermSelector {
    name: "RTFIDF",
    what: "count in the relevant documents times inverse document frequency",
    pick: TermPick::Ranked(rank),
};

/// The score of a term that occurs `count` times, in `with` of `all` documents.
#[must_use]
pub fn rtfidf(count: u32, all: u32, with: u32) -> f64 {
    f64::from(count) * (f64::from(all.max(1)) / f64::from(with.max(1))).ln()
}

/// A term that occurs rarely cannot reach the best: the others are not looked at.
fn rank(counts: &TermCounts, side: DocumentSide, most: usize) -> Vec<u32> {
    let all = counts.documents(side) + counts.documents(side.swapped());
    // The lowest on top; of equal ones the later term.
    let mut best: BinaryHeap<Reverse<(u64, Reverse<u32>)>> = BinaryHeap::new();
    for (count, terms) in counts.by_count(side).iter().rev() {
        let lowest = best.peek().map_or(0, |Reverse((score, _))| *score);
        if best.len() >= most && rtfidf(count, all, 1).to_bits() < lowest {
            break;
        }
        for &term in terms {
            let with =
                counts.uses(side, term).documents + counts.uses(side.swapped(), term).documents;
            // Bits of floats that are not negative have their order.
            best.push(Reverse((rtfidf(count, all, with).max(0.0).to_bits(), Reverse(term))));
            if best.len() > most {
                best.pop();
            }
        }
    }
    best.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(term)))| term).collect()
}
