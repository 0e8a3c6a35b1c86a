//! Training of a tagger from sentences whose words have their tags.

use super::features::TaggedSentence;
use crate::sequence::{SequenceModel, SequenceTrainer, TrainerOptions};

/// Gathers sentences to learn from.
#[derive(Debug)]
pub struct TagTrainer(SequenceTrainer);

impl Default for TagTrainer {
    fn default() -> TagTrainer {
        TagTrainer(SequenceTrainer::new(TrainerOptions::default()))
    }
}

impl TagTrainer {
    /// Learns one sentence: words, each with its tag.
    pub fn add(&mut self, sentence: &[(&str, &str)]) {
        let (words, tags): (Vec<&str>, Vec<&str>) = sentence.iter().copied().unzip();
        self.0.add(&TaggedSentence::new(&words).seen(), &tags);
    }

    /// The model.
    #[must_use]
    pub fn finish(self) -> SequenceModel {
        self.0.finish("")
    }
}
