//! The conditional random field that finds names, and its training from words with their labels.

use super::seen::seen;
use super::{EntityKind, EntitySpan, LabelledSpan, labelled_spans};
use crate::sequence::{NoSequenceModel, SequenceModel, SequenceTrainer, TrainerOptions, feature};
use std::sync::LazyLock;

/// The kinds of names that are learnt, as data of WNUT 2017 has them.
pub const ENTITY_LABELS: [&str; 6] =
    ["person", "location", "corporation", "group", "creative-work", "product"];
/// The label of words in no name, and how much less likely it is made: most words are in none, and a model that is
/// right about most words finds few names. Chosen on the development part of WNUT 2017.
const NONE: &str = "O";
const LESS: f32 = 2.0;

static SHIPPED: LazyLock<EntityModel> = LazyLock::new(|| {
    let bytes = include_bytes!("../../data/entities.bin");
    EntityModel::read(bytes).expect("a model that is shipped is whole: a test reads it")
});

/// Finds names.
#[derive(Clone, Debug)]
pub struct EntityModel(SequenceModel);

impl EntityModel {
    /// The one that is part of the program.
    #[must_use]
    pub fn shipped() -> &'static EntityModel {
        &SHIPPED
    }

    /// Reads what [`EntityModel::write`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(bytes: &[u8]) -> Result<EntityModel, NoSequenceModel> {
        SequenceModel::read(bytes).map(EntityModel)
    }

    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.0.write()
    }

    /// The label of each word of a sentence.
    #[must_use]
    pub fn labels(&self, words: &[&str]) -> Vec<&str> {
        self.0.label(&seen(words))
    }

    pub(super) fn names(&self, words: &[&str]) -> Vec<EntitySpan> {
        let labels = self.labels(words);
        let spans = labelled_spans(&labels).into_iter();
        let name = |span: LabelledSpan<'_>| {
            let kind = EntityKind::of_label(span.label)?;
            let span = EntitySpan::new(kind, span.from, span.to);
            if matches!(kind, EntityKind::Person | EntityKind::Place) {
                return Some(span);
            }
            with_capitals(words, span)
        };
        spans.filter_map(name).collect()
    }
}

/// A name without the words in small letters at its ends, and without an article; none where nothing is left. Posts
/// in networks write names as they please, other texts do not, and there the model takes too much for works and
/// products. Persons and places in small letters are found too often to be given up.
fn with_capitals(words: &[&str], span: EntitySpan) -> Option<EntitySpan> {
    let is_article = |word: &str| matches!(word, "The" | "A" | "An" | "I");
    let counts = |at: &usize| {
        let word = words[*at].trim_start_matches(['#', '@']);
        word.starts_with(|c: char| c.is_uppercase() || c.is_numeric()) && !is_article(word)
    };
    let mut range = span.from..span.to;
    let from = range.find(counts)?;
    let to = (from..span.to).rev().find(counts)? + 1;
    let is_name = (from..to).any(|at| words[at].contains(char::is_uppercase));
    is_name.then_some(EntitySpan { from, to, ..span })
}

/// Gathers sentences to learn from.
#[derive(Debug)]
pub struct EntityTrainer(SequenceTrainer);

impl Default for EntityTrainer {
    fn default() -> EntityTrainer {
        let options =
            TrainerOptions { rounds: [20, 20], shrink: 1e-3, ..TrainerOptions::default() };
        EntityTrainer(SequenceTrainer::new(options))
    }
}

impl EntityTrainer {
    /// Learns one sentence: words, each with its label.
    pub fn add(&mut self, words: &[&str], labels: &[&str]) {
        self.0.add(&seen(words), labels);
    }

    /// The model, which says what it was learnt from.
    #[must_use]
    pub fn finish(self, learnt_from: &str) -> EntityModel {
        EntityModel(self.0.finish(learnt_from).with_less_of(NONE, feature(0, &[]), LESS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trainer_learns_names_and_its_file_is_read_again() {
        let mut trainer = EntityTrainer::default();
        for _ in 0..20 {
            trainer.add(&["Ann", "met", "Bob", "Lee"], &["B-person", "O", "B-person", "I-person"]);
            trainer.add(&["the", "net", "holds"], &["O", "O", "O"]);
        }
        let model = EntityModel::read(&trainer.finish("made-up lines").write()).unwrap();
        assert_eq!(model.labels(&["Ann", "met", "Bob", "Lee"])[..3], ["B-person", "O", "B-person"]);
        assert_eq!(model.labels(&["the", "net", "holds"]), ["O", "O", "O"]);
    }

    #[test]
    fn small_letters_at_the_ends_are_cut() {
        let words: Vec<&str> =
            "The MEB 's flexibility ft of torque 22 inch wheels".split(' ').collect();
        let cut = |from, to| {
            let span = with_capitals(&words, EntitySpan::new(EntityKind::Work, from, to));
            span.map(|span| (span.from, span.to))
        };
        assert_eq!(cut(0, 4), Some((1, 2)));
        assert_eq!((cut(4, 7), cut(7, 10), cut(0, 1)), (None, None, None));
    }

    #[test]
    fn the_shipped_model_knows_its_labels() {
        let labels = EntityModel::shipped().0.labels();
        let kinds = labels.iter().filter_map(|label| label.strip_prefix("B-"));
        assert!(kinds.clone().all(|kind| EntityKind::of_label(kind).is_some()));
        assert_eq!(kinds.count(), ENTITY_LABELS.len());
    }
}
