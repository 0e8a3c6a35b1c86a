//! PAIR, our own: a word that promises new relevant documents, beside words that nearly every relevant
//! document has. The common words keep the hits in the language, the other one leads to new ones; by
//! itself it would lead to other languages, too, and common words alone to the same documents again.

use super::{Dice, DocumentSide, TermCounts, TermPick, TermSelector, different, odds_ratio};

pub(super) const PAIR: TermSelector = TermSelector {
    name: "PAIR",
    what: "ours: a promising term beside common ones of the side",
    pick: TermPick::Drawn(draw),
};

/// Common words that are drawn from.
const ANCHORS: usize = 12;
/// A term of more documents than this promises no more: they are known, and rank first.
const ENOUGH: u32 = 10;

/// What a term of so many documents, of the side and others, promises.
fn promise([own, other]: [u32; 2]) -> f64 {
    let pure = (f64::from(own) + 0.5) / (f64::from(own + other) + 1.0);
    f64::from(own.min(ENOUGH)).powi(2) * pure.powi(4)
}

/// What a term is worth as a common one: the share of documents that have it, as far as it tells the
/// sides apart.
fn hold(with: [u32; 2], all: [u32; 2]) -> f64 {
    f64::from(with[0]) * odds_ratio(with, all).log2().max(0.0)
}

fn draw(counts: &TermCounts, side: DocumentSide, length: usize, dice: &mut Dice) -> Vec<u32> {
    let all = [counts.documents(side), counts.documents(side.swapped())];
    let on = |(relevant, other)| match side {
        DocumentSide::Relevant => [relevant, other],
        DocumentSide::Other => [other, relevant],
    };
    let cells = counts.by_documents();
    let keys: Vec<([u32; 2], &[u32])> = cells.iter().map(|(key, terms)| (on(key), terms)).collect();
    let mut best: Vec<(f64, u32)> = Vec::new();
    for (with, terms) in &keys {
        let worth = hold(*with, all);
        if best.len() < ANCHORS || worth > best[ANCHORS - 1].0 {
            best.extend(terms.iter().take(ANCHORS).map(|term| (worth, *term)));
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            best.truncate(ANCHORS);
        }
    }
    let weights: Vec<f64> =
        keys.iter().map(|(with, terms)| promise(*with) * terms.len() as f64).collect();
    let mut nth = 0;
    different(length, || {
        nth += 1;
        if nth > 1 {
            return best.get(dice.weighted(best.iter().map(|one| one.0))?).map(|one| one.1);
        }
        let terms = keys[dice.weighted(weights.iter().copied())?].1;
        terms.get(dice.below(terms.len())).copied()
    })
}
