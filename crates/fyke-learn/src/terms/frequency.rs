//! TF, the terms that occur most often on the side, and PTF, terms drawn in proportion to how often
//! they occur: their unsmoothed maximum-likelihood probabilities (004 §3.3).

use super::{Dice, DocumentSide, TermCounts, TermPick, TermSelector, different, first_of};

pub(super) const TF: TermSelector = TermSelector {
    name: "TF",
    what: "term frequency: the terms that occur most often",
    pick: TermPick::Ranked(rank),
};

pub(super) const PTF: TermSelector = TermSelector {
    name: "PTF",
    what: "probabilistic term frequency: drawn in proportion to how often terms occur",
    pick: TermPick::Drawn(draw),
};

fn rank(counts: &TermCounts, side: DocumentSide, most: usize) -> Vec<u32> {
    first_of(counts, side, most, counts.by_count(side).iter().rev().map(|(_, terms)| terms))
}

fn draw(counts: &TermCounts, side: DocumentSide, length: usize, dice: &mut Dice) -> Vec<u32> {
    let cells: Vec<(f64, &[u32])> = counts
        .by_count(side)
        .iter()
        .map(|(count, terms)| (f64::from(count) * terms.len() as f64, terms))
        .collect();
    different(length, || {
        let (_, terms) = cells[dice.weighted(cells.iter().map(|cell| cell.0))?];
        terms.get(dice.below(terms.len())).copied()
    })
}
