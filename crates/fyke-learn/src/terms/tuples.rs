//! BootCaT's tuples (Baroni and Bernardini 2004), the baseline: combinations drawn of the seed terms
//! alone. Nothing is learnt and nothing is excluded.

use super::{Dice, DocumentSide, TermCounts, TermPick, TermSelector, different};

pub(super) const TUPLES: TermSelector = TermSelector {
    name: "TUPLES",
    what: "BootCaT's tuples: drawn of the seed terms alone, no exclusion",
    pick: TermPick::Drawn(draw),
};

fn draw(counts: &TermCounts, side: DocumentSide, length: usize, dice: &mut Dice) -> Vec<u32> {
    if side == DocumentSide::Other {
        return Vec::new();
    }
    let seeds = counts.seeds();
    different(length, || seeds.get(dice.below(seeds.len())).copied())
}
