//! Training of a tagger: all features of all sentences first, then those that say most alone, which
//! are as many as a small file holds.

use super::Model;
use super::features::TaggedSentence;
use fyke_learn::hmm::{self, ChainOptions, StateSequence, Trained};
use std::collections::HashMap;

/// Features that are kept.
const KEPT: usize = 125_000;
/// Rounds with all features, and more with those that are kept.
const ROUNDS: [usize; 2] = [3, 3];

/// Gathers sentences to learn from.
#[derive(Debug, Default)]
pub struct TagTrainer {
    tags: Vec<String>,
    /// Numbers of features by their hashes.
    numbers: HashMap<u32, u32>,
    sequences: Vec<StateSequence>,
}

impl TagTrainer {
    /// Learns one sentence: words, each with its tag.
    pub fn add(&mut self, sentence: &[(&str, &str)]) {
        let words: Vec<&str> = sentence.iter().map(|(word, _)| *word).collect();
        let ready = TaggedSentence::new(&words);
        let mut sequence = StateSequence::default();
        for (at, (_, tag)) in sentence.iter().enumerate() {
            let mut features = Vec::new();
            ready.features(at, &mut |feature| {
                let next = self.numbers.len() as u32;
                features.push(*self.numbers.entry(feature).or_insert(next));
            });
            sequence.features.push(features);
            sequence.states.push(self.state(tag));
        }
        self.sequences.push(sequence);
    }

    fn state(&mut self, tag: &str) -> usize {
        self.tags.iter().position(|known| known == tag).unwrap_or_else(|| {
            self.tags.push(tag.to_owned());
            self.tags.len() - 1
        })
    }

    /// The model.
    #[must_use]
    pub fn finish(mut self) -> Model {
        let states = self.tags.len();
        let features = self.numbers.len();
        let options = ChainOptions {
            states,
            features,
            rounds: ROUNDS[0],
            step: 0.1,
            shrink: 1e-6,
            seed: 12345,
        };
        let mut trained = hmm::train(&self.sequences, &options);
        let kept = self.best(&trained);
        for features in self.sequences.iter_mut().flat_map(|sequence| &mut sequence.features) {
            features.retain(|number| kept[*number as usize]);
        }
        trained.go_on(&self.sequences, &ChainOptions { rounds: ROUNDS[1], ..options });
        let mut rows: Vec<(u32, u32)> = self.numbers.into_iter().collect();
        rows.retain(|(_, number)| kept[*number as usize]);
        rows.sort_unstable();
        let weights = rows.iter().flat_map(|(_, n)| row(&trained, *n as usize)).copied();
        let weights: Vec<f32> = weights.collect();
        let hashes = rows.into_iter().map(|(hash, _)| hash).collect();
        Model::new(self.tags, &trained.chain, hashes, &weights)
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
        order.iter().take(KEPT).for_each(|(_, at)| kept[*at] = true);
        kept
    }
}

/// The weights of a feature.
fn row(trained: &Trained, feature: usize) -> &[f32] {
    let states = trained.chain.states();
    &trained.weights[feature * states..][..states]
}
