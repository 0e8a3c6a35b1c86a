//! V-merging (002 §4.1): two states of one class that share the state before them become one, until no two are
//! left; then likewise those that share the state behind them. Counts of transitions are kept.

use super::Structure;
use std::collections::{BTreeMap, BTreeSet};

/// On which side of a state its neighbours stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MergeSide {
    Before,
    Behind,
}

/// States that are being merged.
struct Merging<'a> {
    classes: &'a [Option<usize>],
    /// For each state the one it went into; itself while it stands.
    into: Vec<usize>,
    /// States before and behind each; some may have gone into others.
    before: Vec<BTreeSet<usize>>,
    behind: Vec<BTreeSet<usize>>,
}

impl Structure {
    /// The structure with its states merged, forward and then backward.
    #[must_use]
    pub fn merged(&self) -> Structure {
        let mut merging = Merging::new(self);
        merging.all(MergeSide::Behind);
        merging.all(MergeSide::Before);
        merging.structure(self)
    }
}

impl Merging<'_> {
    fn new(structure: &Structure) -> Merging<'_> {
        let states = structure.states();
        let (mut before, mut behind) =
            (vec![BTreeSet::new(); states], vec![BTreeSet::new(); states]);
        for (from, to) in structure.counts.keys() {
            behind[*from].insert(*to);
            before[*to].insert(*from);
        }
        Merging { classes: &structure.classes, into: (0..states).collect(), before, behind }
    }

    fn find(&mut self, mut state: usize) -> usize {
        while self.into[state] != state {
            self.into[state] = self.into[self.into[state]];
            state = self.into[state];
        }
        state
    }

    /// Merges all states of a class that stand on this side of the same state.
    fn all(&mut self, side: MergeSide) {
        let mut open: Vec<usize> = (0..self.classes.len()).collect();
        while let Some(state) = open.pop() {
            let state = self.find(state);
            while let Some((one, other)) = self.alike(state, side) {
                self.merge(one, other);
                let one = self.find(one);
                // What stands beside the merged state may have become alike, seen from it or from its neighbours.
                open.push(one);
                open.extend(self.before[one].iter().chain(&self.behind[one]));
            }
        }
    }

    /// Two states of one class on a side of a state.
    fn alike(&mut self, state: usize, side: MergeSide) -> Option<(usize, usize)> {
        let state = self.find(state);
        let beside = match side {
            MergeSide::Before => &self.before[state],
            MergeSide::Behind => &self.behind[state],
        };
        let beside: Vec<usize> = beside.iter().copied().collect();
        let beside: BTreeSet<usize> = beside.into_iter().map(|state| self.find(state)).collect();
        let mut first = BTreeMap::new();
        for &state in &beside {
            let Some(class) = self.classes[state] else { continue };
            if let Some(other) = first.insert(class, state) {
                return Some((other, state));
            }
        }
        match side {
            MergeSide::Before => self.before[state] = beside,
            MergeSide::Behind => self.behind[state] = beside,
        }
        None
    }

    fn merge(&mut self, one: usize, other: usize) {
        let (kept, gone) = (one.min(other), one.max(other));
        self.into[gone] = kept;
        for side in [MergeSide::Before, MergeSide::Behind] {
            let sets = match side {
                MergeSide::Before => &mut self.before,
                MergeSide::Behind => &mut self.behind,
            };
            let taken = std::mem::take(&mut sets[gone]);
            sets[kept].extend(taken);
        }
    }

    /// What is left, numbered anew, with the counts of what was merged.
    fn structure(mut self, before: &Structure) -> Structure {
        let kept: Vec<usize> = (0..self.into.len()).filter(|at| self.into[*at] == *at).collect();
        let number: BTreeMap<usize, usize> =
            kept.iter().enumerate().map(|(n, s)| (*s, n)).collect();
        let mut counts = BTreeMap::new();
        for (&(from, to), count) in &before.counts {
            let pair = (number[&self.find(from)], number[&self.find(to)]);
            *counts.entry(pair).or_default() += count;
        }
        Structure { classes: kept.iter().map(|state| self.classes[*state]).collect(), counts }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LabelledWords, Structure};

    fn merged(classes: &[&[usize]]) -> Structure {
        let of = |classes: &&[usize]| LabelledWords {
            words: vec![0; classes.len()],
            classes: classes.to_vec(),
        };
        let sequences: Vec<LabelledWords> = classes.iter().map(of).collect();
        Structure::neighbours(&sequences).merged()
    }

    #[test]
    fn what_begins_alike_is_one_and_what_ends_alike_is_one() {
        // Title, author, title: both first titles are one, both last ones, and both authors.
        let same = merged(&[&[0, 0, 1, 0], &[0, 1, 1, 0]]);
        assert_eq!((same.states(), same.transitions()), (2 + 3, 6));
        // Only the beginning is shared, then only the end.
        assert_eq!(merged(&[&[0, 1], &[0, 2]]).states(), 2 + 3);
        assert_eq!(merged(&[&[1, 0], &[2, 0]]).states(), 2 + 3);
        assert_eq!(merged(&[&[1, 0, 2], &[3, 0, 4]]).states(), 2 + 6);
    }
}
