//! Training: all features of all sequences first, then those that say most alone, which are as many as a small
//! file holds.

use super::{SeenSequence, SequenceModel};
use fyke_learn::crf::{self, ChainOptions, StateSequence, Trained};
use std::collections::HashMap;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainerOptions {
    /// How many kinds of joints there are.
    pub joints: usize,
    /// Features that are kept.
    pub kept: usize,
    /// Rounds with all features, and more with those that are kept.
    pub rounds: [usize; 2],
    /// Length of the first steps.
    pub step: f32,
    /// How strongly weights are held near zero.
    pub shrink: f32,
}

impl Default for TrainerOptions {
    fn default() -> TrainerOptions {
        TrainerOptions { joints: 1, kept: 125_000, rounds: [3, 3], step: 0.1, shrink: 1e-6 }
    }
}

/// Gathers sequences to learn from.
#[derive(Debug)]
pub struct SequenceTrainer {
    options: TrainerOptions,
    labels: Vec<String>,
    /// Numbers of features by their hashes.
    numbers: HashMap<u32, u32>,
    sequences: Vec<StateSequence>,
}

impl SequenceTrainer {
    /// Nothing learnt yet.
    #[must_use]
    pub fn new(options: TrainerOptions) -> SequenceTrainer {
        let (labels, numbers, sequences) = Default::default();
        SequenceTrainer { options, labels, numbers, sequences }
    }

    /// Learns one sequence, which has a label for each place.
    pub fn add(&mut self, seen: &SeenSequence, labels: &[&str]) {
        let mut sequence =
            StateSequence { joints: seen.joints.clone(), ..StateSequence::default() };
        for (features, label) in seen.features.iter().zip(labels) {
            let number = |feature: &u32| {
                let next = self.numbers.len() as u32;
                *self.numbers.entry(*feature).or_insert(next)
            };
            sequence.features.push(features.iter().map(number).collect());
            sequence.states.push(self.state(label));
        }
        self.sequences.push(sequence);
    }

    fn state(&mut self, label: &str) -> usize {
        self.labels.iter().position(|known| known == label).unwrap_or_else(|| {
            self.labels.push(label.to_owned());
            self.labels.len() - 1
        })
    }

    /// The model, and what it says it was learnt from.
    #[must_use]
    pub fn finish(mut self, learnt_from: &str) -> SequenceModel {
        let options = ChainOptions {
            states: self.labels.len(),
            joints: self.options.joints,
            features: self.numbers.len(),
            rounds: self.options.rounds[0],
            step: self.options.step,
            shrink: self.options.shrink,
            seed: 12345,
        };
        let mut trained = crf::train(&self.sequences, &options);
        let kept = self.best(&trained);
        for features in self.sequences.iter_mut().flat_map(|sequence| &mut sequence.features) {
            features.retain(|number| kept[*number as usize]);
        }
        let rounds = self.options.rounds[1];
        trained.go_on(&self.sequences, &ChainOptions { rounds, ..options });
        let mut rows: Vec<(u32, u32)> = self.numbers.into_iter().collect();
        rows.retain(|(_, number)| kept[*number as usize]);
        rows.sort_unstable();
        let weights = rows.iter().flat_map(|(_, n)| row(&trained, *n as usize)).copied();
        let weights: Vec<f32> = weights.collect();
        let hashes = rows.into_iter().map(|(hash, _)| hash).collect();
        let model = SequenceModel::new(self.labels, &trained.chain, hashes, &weights);
        model.with_source(learnt_from)
    }

    /// Which features are kept: those with great weights that are seen often.
    fn best(&self, trained: &Trained) -> Vec<bool> {
        let mut seen = vec![0_u32; self.numbers.len()];
        for number in self.sequences.iter().flat_map(|sequence| sequence.features.iter().flatten())
        {
            seen[*number as usize] += 1;
        }
        let worth = |at: usize| {
            let squares: f32 = row(trained, at).iter().map(|weight| weight * weight).sum();
            squares * seen[at] as f32
        };
        let mut order: Vec<(f32, usize)> = (0..seen.len()).map(|at| (worth(at), at)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut kept = vec![false; seen.len()];
        order.iter().take(self.options.kept).for_each(|(_, at)| kept[*at] = true);
        kept
    }
}

/// The weights of a feature.
fn row(trained: &Trained, feature: usize) -> &[f32] {
    let states = trained.chain.states();
    &trained.weights[feature * states..][..states]
}
