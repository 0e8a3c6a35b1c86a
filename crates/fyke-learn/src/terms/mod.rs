//! Terms for queries, chosen by counts (004 §3.3): a row for each way in [`SELECTORS`]. Terms are
//! numbers here; their words stand elsewhere.
//!
//! For inclusion the documents that count are the relevant ones, for exclusion the others: `side` says
//! which. Ranked ways give the best terms first, and recovery (004 §3.4) shifts along them; drawn ones
//! give others each time. Zeros are smoothed for odds ratios alone (`odds.rs`).

pub mod builder;
mod cells;
mod counts;
mod dice;
mod frequency;
pub mod learners;
mod odds;
mod pair;
mod query;
mod rtfidf;
mod tuples;
mod uniform;

pub use cells::TermCells;
pub use counts::{DocumentSide, TermCount, TermCounts, TermUse};
pub use dice::Dice;
pub use odds::{log_odds_ratio, odds_ratio};
pub use query::TermQuery;
pub use rtfidf::rtfidf;

/// A way to choose terms.
#[derive(Clone, Copy, Debug)]
pub struct TermSelector {
    /// As 004 calls it.
    pub name: &'static str,
    pub what: &'static str,
    pub pick: TermPick,
}

/// How terms are chosen.
#[derive(Clone, Copy, Debug)]
pub enum TermPick {
    /// So many of the best, the best first.
    Ranked(fn(&TermCounts, DocumentSide, usize) -> Vec<u32>),
    /// So many by chance, each once; fewer when there are no others.
    Drawn(fn(&TermCounts, DocumentSide, usize, &mut Dice) -> Vec<u32>),
}

/// The ways.
pub(crate) const SELECTORS: &[TermSelector] = &[
    uniform::UN,
    frequency::TF,
    frequency::PTF,
    rtfidf::RTFIDF,
    odds::OR,
    odds::POR,
    odds::PORH,
    tuples::TUPLES,
    pair::PAIR,
];

/// The way of a name.
#[must_use]
pub fn selector(name: &str) -> Option<&'static TermSelector> {
    SELECTORS.iter().find(|row| row.name == name)
}

/// Draws tried for each term before there are no others.
const DRAWS: usize = 20;

/// So many different terms of those that `draw` gives.
fn different(length: usize, mut draw: impl FnMut() -> Option<u32>) -> Vec<u32> {
    let mut terms = Vec::with_capacity(length);
    for _ in 0..length * DRAWS {
        if terms.len() == length {
            break;
        }
        match draw() {
            Some(term) if !terms.contains(&term) => terms.push(term),
            Some(_) => {}
            None => break,
        }
    }
    terms
}

/// The first terms of cells in the order given; within a cell those that occur more often on the side
/// come first.
fn first_of<'a>(
    counts: &TermCounts,
    side: DocumentSide,
    most: usize,
    cells: impl Iterator<Item = &'a [u32]>,
) -> Vec<u32> {
    let mut first: Vec<u32> = Vec::new();
    for cell in cells {
        let left = most - first.len();
        let mut cell = cell.to_vec();
        let key = |term: &u32| (std::cmp::Reverse(counts.uses(side, *term).count), *term);
        if cell.len() > left && left > 0 {
            cell.select_nth_unstable_by_key(left - 1, key);
        }
        cell.truncate(left);
        cell.sort_unstable_by_key(key);
        first.extend(cell);
        if first.len() >= most {
            break;
        }
    }
    first
}

#[cfg(test)]
mod tests;
