//! The structure of a model: its states with their classes, and how often one followed another.

use std::collections::BTreeMap;

/// A sequence of words of which the classes are known; both are numbers.
#[derive(Clone, Debug, Default)]
pub struct LabelledWords {
    pub words: Vec<u32>,
    /// For each word its class.
    pub classes: Vec<usize>,
}

/// States and transitions with their counts. State 0 is the start and state 1 the end; they emit nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// For each state its class; none for start and end.
    pub(super) classes: Vec<Option<usize>>,
    /// How often a state followed another.
    pub(super) counts: BTreeMap<(usize, usize), u64>,
}

pub(super) const START: usize = 0;
pub(super) const END: usize = 1;

impl Structure {
    /// One state for each class that occurs.
    #[must_use]
    pub fn baseline(sequences: &[LabelledWords]) -> Structure {
        let mut structure = Structure::bare();
        let mut states = BTreeMap::new();
        for sequence in sequences {
            let state = |class: &usize| {
                *states.entry(*class).or_insert_with(|| structure.add_state(*class))
            };
            let path: Vec<usize> = sequence.classes.iter().map(state).collect();
            structure.add_path(&path);
        }
        structure
    }

    /// One state for each run of words of one class: what merging of neighbours leaves of a model that has a state
    /// for each word. Transitions within a run become a loop.
    #[must_use]
    pub fn neighbours(sequences: &[LabelledWords]) -> Structure {
        let mut structure = Structure::bare();
        for sequence in sequences {
            let mut path = Vec::with_capacity(sequence.classes.len());
            for (at, class) in sequence.classes.iter().enumerate() {
                let goes_on = at > 0 && sequence.classes[at - 1] == *class;
                let state = path.last().copied().filter(|_| goes_on);
                path.push(state.unwrap_or_else(|| structure.add_state(*class)));
            }
            structure.add_path(&path);
        }
        structure
    }

    /// Start and end alone.
    fn bare() -> Structure {
        Structure { classes: vec![None; 2], counts: BTreeMap::new() }
    }

    fn add_state(&mut self, class: usize) -> usize {
        self.classes.push(Some(class));
        self.classes.len() - 1
    }

    /// Counts the transitions of one sequence from the start to the end.
    fn add_path(&mut self, path: &[usize]) {
        let mut before = START;
        for state in path.iter().copied().chain([END]) {
            *self.counts.entry((before, state)).or_default() += 1;
            before = state;
        }
    }

    /// How many states there are, start and end among them.
    #[must_use]
    pub fn states(&self) -> usize {
        self.classes.len()
    }

    /// How many pairs of states follow each other.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.counts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sequences(classes: &[&[usize]]) -> Vec<LabelledWords> {
        let of = |classes: &&[usize]| LabelledWords {
            words: vec![0; classes.len()],
            classes: classes.to_vec(),
        };
        classes.iter().map(of).collect()
    }

    #[test]
    fn a_baseline_has_a_state_for_each_class_and_neighbours_one_for_each_run() {
        let sequences = sequences(&[&[0, 0, 1], &[0, 1, 1, 0]]);
        let baseline = Structure::baseline(&sequences);
        assert_eq!(baseline.states(), 4);
        // start 0, 0 0, 0 1, 1 1, 1 0, 1 end, 0 end
        assert_eq!(baseline.transitions(), 7);
        let neighbours = Structure::neighbours(&sequences);
        assert_eq!(neighbours.states(), 2 + 5);
        assert_eq!(neighbours.transitions(), (3 + 1) + (4 + 1));
    }

    proptest! {
        #[test]
        fn merging_keeps_every_transition_and_leaves_no_two_alike_behind(
            classes in prop::collection::vec(prop::collection::vec(0usize..4, 0..9), 0..6),
        ) {
            let classes: Vec<&[usize]> = classes.iter().map(Vec::as_slice).collect();
            let sequences = sequences(&classes);
            let words: usize = classes.iter().map(|classes| classes.len() + 1).sum();
            let baseline = Structure::baseline(&sequences);
            let neighbours = Structure::neighbours(&sequences);
            let merged = neighbours.merged();
            for structure in [&baseline, &neighbours, &merged] {
                prop_assert_eq!(structure.counts.values().sum::<u64>(), words as u64);
            }
            prop_assert!(baseline.states() <= merged.states());
            prop_assert!(merged.states() <= neighbours.states());
            // The last merges were backward: no state has two of one class before it. Forward there may be
            // pairs again, which 002 leaves.
            let mut before = BTreeSet::new();
            for &(from, to) in merged.counts.keys() {
                if let Some(class) = merged.classes[from] {
                    prop_assert!(before.insert((class, to)), "two of class {class} before {to}");
                }
            }
        }
    }
}
