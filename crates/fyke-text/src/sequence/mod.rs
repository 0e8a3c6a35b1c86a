//! Sequences whose places have labels, as words have tags or fields: a conditional random field over hashes of
//! features, trained from sequences that are labelled already, and kept in a small file.

mod coder;
mod model;
mod train;

pub use model::{NoSequenceModel, SequenceModel};
pub use train::{SequenceTrainer, TrainerOptions};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What is seen of a sequence: at each place the hashes of its features, and the kind of joint before it.
#[derive(Clone, Debug, Default)]
pub struct SeenSequence {
    pub features: Vec<Vec<u32>>,
    /// Shorter than there are places: the first kind.
    pub joints: Vec<u8>,
}

/// The hash of a feature: what kind it is, and its strings.
#[must_use]
pub fn feature(kind: u64, parts: &[&str]) -> u32 {
    parts.iter().fold(kind, |seed, part| xxh3_64_with_seed(part.as_bytes(), seed)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_what_depends_on_the_joint() {
        let options = TrainerOptions { joints: 2, rounds: [20, 20], ..TrainerOptions::default() };
        let mut trainer = SequenceTrainer::new(options);
        let seen =
            |joints: [u8; 3]| SeenSequence { features: vec![vec![7]; 3], joints: joints.to_vec() };
        for _ in 0..20 {
            trainer.add(&seen([0, 0, 0]), &["title", "title", "title"]);
            trainer.add(&seen([0, 1, 0]), &["title", "author", "author"]);
            trainer.add(&seen([0, 0, 1]), &["title", "title", "author"]);
        }
        let model = trainer.finish("three made-up lines");
        let model = SequenceModel::read(&model.write()).unwrap();
        assert_eq!(model.label(&seen([0, 0, 1])), ["title", "title", "author"]);
        assert_eq!(model.label(&seen([0, 0, 0])), ["title", "title", "title"]);
        assert_eq!(model.learnt_from(), "three made-up lines");
        assert!(model.label(&SeenSequence::default()).is_empty());
    }
}
