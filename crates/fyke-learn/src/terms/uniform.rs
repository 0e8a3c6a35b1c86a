//! UN: every term of the side with the same probability (004 §3.3).

use super::{Dice, DocumentSide, TermCounts, TermPick, TermSelector, different};

pub(super) const UN: TermSelector = TermSelector {
    name: "UN",
    what: "uniform: every term is as likely as another",
    pick: TermPick::Drawn(draw),
};

fn draw(counts: &TermCounts, side: DocumentSide, length: usize, dice: &mut Dice) -> Vec<u32> {
    let terms = counts.terms(side);
    different(length, || terms.get(dice.below(terms.len())).copied())
}
