//! Part-of-speech tags (003 §4.3.5): a chain of hidden states says of each word of an English sentence
//! whether it is a noun, a verb, an adjective, …; tags are those of Universal Dependencies.

mod features;
mod train;
mod treebank;
mod words;

pub use features::word_shape;
pub use train::TagTrainer;
pub use treebank::treebank;
pub use words::sentences;

use crate::sequence::SequenceModel;
pub(crate) use features::TaggedSentence;
use std::sync::LazyLock;

static SHIPPED: LazyLock<SequenceModel> = LazyLock::new(|| {
    let bytes = include_bytes!("../../data/tags.bin");
    SequenceModel::read(bytes).expect("a model that is shipped is whole: a test reads it")
});

/// The tags of an English sentence's words, by the shipped model.
#[must_use]
pub fn tags(words: &[&str]) -> Vec<&'static str> {
    LazyLock::force(&SHIPPED).label(&TaggedSentence::new(words).seen())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expected: &str) {
        let words: Vec<&str> = sentence.split(' ').collect();
        assert_eq!(tags(&words).join(" "), expected, "{sentence}");
    }

    #[test]
    fn the_shipped_model_tells_nouns_from_verbs() {
        check("I fish here .", "PRON VERB ADV PUNCT");
        check("The fish is fresh .", "DET NOUN AUX ADJ PUNCT");
        check("They book a flight to London .", "PRON VERB DET NOUN ADP PROPN PUNCT");
        check("She read the old book .", "PRON VERB DET ADJ NOUN PUNCT");
    }

    #[test]
    fn unknown_words_are_told_by_their_ends_and_neighbours() {
        check("The zorbification was quickly zorbed .", "DET NOUN AUX ADV VERB PUNCT");
        check("He zorbed the glorps .", "PRON VERB DET NOUN PUNCT");
    }

    #[test]
    fn a_sentence_of_nothing_has_no_tags() {
        assert!(tags(&[]).is_empty());
    }

    #[test]
    fn a_trainer_learns_what_it_is_shown() {
        let mut trainer = TagTrainer::default();
        for _ in 0..20 {
            trainer.add(&[("the", "DET"), ("net", "NOUN"), ("holds", "VERB")]);
            trainer.add(&[("nets", "NOUN"), ("hold", "VERB")]);
        }
        let model = SequenceModel::read(&trainer.finish().write()).unwrap();
        let seen = TaggedSentence::new(&["the", "net", "holds"]).seen();
        assert_eq!(model.label(&seen), ["DET", "NOUN", "VERB"]);
    }
}
