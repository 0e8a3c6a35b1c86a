//! OR, the terms of the highest odds ratio, and the variants that draw: POR in proportion to the
//! positive ones, PORH among the upper half of them (004 §3.3).
//!
//! P(w | relevant) is the share of the relevant documents that have w. Zeros are smoothed by half a
//! document: p = (with + ½) / (all + 1) on both sides, so a ratio is finite even when a word stands in
//! every relevant document and in no other.

use super::{Dice, DocumentSide, TermCounts, TermPick, TermSelector, different, first_of};
use std::collections::BinaryHeap;

pub(super) const OR: TermSelector = TermSelector {
    name: "OR",
    what: "odds ratio: the terms that tell the two sides apart best",
    pick: TermPick::Ranked(rank),
};

pub(super) const POR: TermSelector = TermSelector {
    name: "POR",
    what: "probabilistic odds ratio: drawn in proportion to positive odds ratios",
    pick: TermPick::Drawn(|counts, side, length, dice| draw(counts, side, (length, 1), dice)),
};

pub(super) const PORH: TermSelector = TermSelector {
    name: "PORH",
    what: "as POR, among the upper half of the terms",
    pick: TermPick::Drawn(|counts, side, length, dice| draw(counts, side, (length, 2), dice)),
};

/// The odds ratio of a term that stands in `with` documents of each side: first the side it is wanted
/// for, `all` documents of each.
#[must_use]
pub fn odds_ratio(with: [u32; 2], all: [u32; 2]) -> f64 {
    let odds =
        |with: u32, all: u32| (f64::from(with) + 0.5) / (f64::from(all.saturating_sub(with)) + 0.5);
    odds(with[0], all[0]) / odds(with[1], all[1])
}

/// Its logarithm to base 2, as 004 gives it.
#[must_use]
pub fn log_odds_ratio(with: [u32; 2], all: [u32; 2]) -> f64 {
    odds_ratio(with, all).log2()
}

/// The cells whose terms stand on the side, each with its odds ratio.
fn rated(counts: &TermCounts, side: DocumentSide) -> Vec<(f64, (u32, u32))> {
    let all = [counts.documents(side), counts.documents(side.swapped())];
    let cells = counts.by_documents().iter().map(|(key, _)| (key, on(side, key)));
    let there = cells.filter(|(_, with)| with[0] > 0);
    there.map(|(key, with)| (odds_ratio(with, all), key)).collect()
}

/// Documents with the terms of a cell: on the side, and on the other.
fn on(side: DocumentSide, (relevant, other): (u32, u32)) -> [u32; 2] {
    match side {
        DocumentSide::Relevant => [relevant, other],
        DocumentSide::Other => [other, relevant],
    }
}

fn rank(counts: &TermCounts, side: DocumentSide, most: usize) -> Vec<u32> {
    // Bits of floats that are not negative have their order.
    let rated = rated(counts, side).into_iter().map(|(odds, key)| (odds.to_bits(), key));
    let mut heap: BinaryHeap<(u64, (u32, u32))> = rated.collect::<Vec<_>>().into();
    let best = std::iter::from_fn(|| heap.pop()).map(|(_, key)| counts.by_documents().get(key));
    first_of(counts, side, most, best)
}

fn draw(
    counts: &TermCounts,
    side: DocumentSide,
    (length, part): (usize, usize),
    dice: &mut Dice,
) -> Vec<u32> {
    let mut cells = rated(counts, side);
    cells.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let size = |key| counts.by_documents().get(key).len();
    let all: usize = cells.iter().map(|cell| size(cell.1)).sum();
    // Of the last cell that belongs to the upper half, all its terms may be drawn.
    let mut left = all.div_ceil(part);
    let mut weights = Vec::with_capacity(cells.len());
    for (odds, key) in &cells {
        if left == 0 || *odds <= 1.0 {
            break;
        }
        weights.push(odds.log2() * size(*key) as f64);
        left = left.saturating_sub(size(*key));
    }
    different(length, || {
        let terms = counts.by_documents().get(cells[dice.weighted(weights.iter().copied())?].1);
        terms.get(dice.below(terms.len())).copied()
    })
}
