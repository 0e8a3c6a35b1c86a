//! A mixture of languages: the shares that make the blocks of a text most likely, by expectation
//! maximisation over dense arrays.
//!
//! The sums are taken in the order of the codes, block after block; the blocks lie side by side, so
//! that the processor takes several at a time. A language that is out of question in every block is
//! left out of the sums, where it would be lost in rounding.

/// Blocks that are looked at, at most.
pub const MOST_BLOCKS: usize = 10;
/// Places for blocks: a multiple of what the processor takes at a time.
const WIDTH: usize = 12;
const TURNS: usize = 12;
/// What no language says of a block, so that every language has some chance.
const CHANCE: f32 = 1e-6;

/// A language whose likelihood is this far below the best of a block, in natural logarithms, has no
/// part in it. Even with all other blocks on its side (a prior of 1 against [`CHANCE`]) it has less
/// than 1e-11 of the block, and what a sum of floats of 24 bits keeps is 6e-8.
const FAR: f32 = -40.0;

/// The likelihoods of blocks.
#[derive(Debug)]
pub struct BlockMixture {
    /// For each language its likelihood in each block, over that of the block's likeliest language.
    columns: Vec<[f32; WIDTH]>,
    /// Letters of each block.
    lengths: Vec<f32>,
}

impl BlockMixture {
    pub fn new(languages: usize) -> BlockMixture {
        BlockMixture { columns: vec![[0.0; WIDTH]; languages], lengths: Vec::new() }
    }

    /// Adds a block of so many letters with the logarithm of its likelihood in each language; a
    /// language that is out of question has minus infinity. More than [`MOST_BLOCKS`] are not taken.
    pub fn add(&mut self, length: f32, likelihoods: &[f32]) {
        let block = self.lengths.len();
        if block < MOST_BLOCKS {
            let most = likelihoods.iter().copied().fold(f32::MIN, f32::max);
            self.lengths.push(length);
            for (column, like) in self.columns.iter_mut().zip(likelihoods) {
                let far = like - most;
                column[block] = if far < FAR { 0.0 } else { far.exp() };
            }
        }
    }

    /// The share of each language; all are 0 when no block says anything.
    pub fn shares(&self) -> Vec<f32> {
        let mut all = vec![0.0; self.columns.len()];
        // Blocks without a letter count for nothing.
        if self.lengths.iter().any(|length| *length > 0.0) {
            let blocks = self.lengths.len();
            let is_possible = |at: &usize| self.columns[*at][..blocks].iter().any(|l| *l > 0.0);
            let possible: Vec<usize> = (0..self.columns.len()).filter(is_possible).collect();
            let shares = match blocks {
                1 => {
                    let likelihoods: Vec<_> =
                        possible.iter().map(|at| self.columns[*at][0]).collect();
                    of_one(&likelihoods)
                }
                _ => {
                    let columns: Vec<_> = possible.iter().map(|at| self.columns[*at]).collect();
                    self.maximised(&columns)
                }
            };
            possible.iter().zip(shares).for_each(|(at, share)| all[*at] = share);
        }
        all
    }

    /// The shares of the languages with these columns that make the blocks most likely.
    fn maximised(&self, columns: &[[f32; WIDTH]]) -> Vec<f32> {
        let mut shares = vec![0.0; columns.len()];
        let (mut priors, mut next) = (vec![1.0; columns.len()], shares.clone());
        for _ in 0..TURNS {
            self.turn(columns, &priors, &mut next);
            // What is found again will be found for ever.
            if next == shares {
                break;
            }
            shares.copy_from_slice(&next);
            priors.iter_mut().zip(&shares).for_each(|(prior, share)| *prior = share + CHANCE);
        }
        shares
    }

    /// One turn: each block is shared out by what its languages have, and `next` is what each got.
    fn turn(&self, columns: &[[f32; WIDTH]], priors: &[f32], next: &mut [f32]) {
        let mut sums = [0.0_f32; WIDTH];
        for (column, prior) in columns.iter().zip(priors) {
            for (sum, like) in sums.iter_mut().zip(column) {
                *sum += prior * like;
            }
        }
        let blocks = self.lengths.len();
        sums[blocks..].fill(1.0);
        let mut lengths = [0.0; WIDTH];
        lengths[..blocks].copy_from_slice(&self.lengths);
        for ((column, prior), got) in columns.iter().zip(priors).zip(&mut *next) {
            let mut parts = [0.0_f32; WIDTH];
            for at in 0..WIDTH {
                parts[at] = lengths[at] * (prior * column[at]) / sums[at];
            }
            *got = parts.iter().sum();
        }
        let all: f32 = next.iter().sum();
        next.iter_mut().for_each(|share| *share /= all);
    }
}

/// The shares of the languages whose likelihoods have these logarithms in the one block of a short text.
pub fn shares_of_one(likelihoods: &mut [f32]) -> Vec<f32> {
    let most = likelihoods.iter().copied().fold(f32::MIN, f32::max);
    for like in likelihoods.iter_mut() {
        let far = *like - most;
        *like = if far < FAR { 0.0 } else { far.exp() };
    }
    of_one(likelihoods)
}

/// The shares of the languages with these likelihoods in the one block of a short text: the same turns,
/// without places for other blocks.
fn of_one(likelihoods: &[f32]) -> Vec<f32> {
    let mut shares = likelihoods.to_vec();
    for turn in 0..TURNS {
        if turn > 0 {
            shares
                .iter_mut()
                .zip(likelihoods)
                .for_each(|(share, like)| *share = (*share + CHANCE) * like);
        }
        let all: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The same by the book: maps by name, every turn.
    fn by_the_book(blocks: &[(f32, BTreeMap<usize, f32>)]) -> BTreeMap<usize, f32> {
        let mut shares: BTreeMap<usize, f32> = BTreeMap::new();
        for _ in 0..TURNS {
            let mut next: BTreeMap<usize, f32> = BTreeMap::new();
            for (length, known) in blocks {
                let most = known.values().copied().fold(f32::MIN, f32::max);
                let prior = |code: usize| match shares.is_empty() {
                    true => 1.0,
                    false => shares.get(&code).copied().unwrap_or(0.0) + CHANCE,
                };
                let odds =
                    || known.iter().map(|(&code, like)| (code, prior(code) * (like - most).exp()));
                let sum: f32 = odds().map(|(_, odds)| odds).sum();
                for (code, odds) in odds().filter(|(_, odds)| *odds > 0.0) {
                    *next.entry(code).or_default() += length * odds / sum;
                }
            }
            let all: f32 = next.values().sum();
            next.values_mut().for_each(|share| *share /= all);
            shares = next;
        }
        shares
    }

    const LANGUAGES: usize = 23;

    proptest! {
        #[test]
        fn shares_are_those_of_the_book(
            blocks in proptest::collection::vec(
                (0_u8..160, proptest::collection::btree_map(0..LANGUAGES, -90_f32..90.0, 0..30)),
                0..=MOST_BLOCKS,
            ),
        ) {
            let mut mixture = BlockMixture::new(LANGUAGES);
            let mut told = Vec::new();
            for (length, known) in blocks.into_iter().filter(|(_, known)| !known.is_empty()) {
                let mut row = [f32::NEG_INFINITY; LANGUAGES];
                known.iter().for_each(|(&language, &like)| row[language] = like);
                mixture.add(f32::from(length), &row);
                told.push((f32::from(length), known));
            }
            let expected = by_the_book(&told);
            for (language, share) in mixture.shares().into_iter().enumerate() {
                let expected = expected.get(&language).copied().unwrap_or(0.0);
                prop_assert!((share - expected).abs() <= 2e-6, "{} {}", share, expected);
            }
        }
    }
}
