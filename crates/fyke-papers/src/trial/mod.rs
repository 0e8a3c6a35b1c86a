//! How well fields are found: what `cargo bench-fyke papers` reports. Models are learnt from one part of a tagged
//! file and asked about another (002 §4.1: the first 500 headers and the last 435).

mod hmm;

pub use hmm::{HmmSetting, HmmTrial, all_settings, hmm_folds, hmm_trial, readings};

use crate::fields::{FieldExample, train};
use crate::tagged::TaggedText;
use std::collections::BTreeMap;

/// Headers that are learnt from, as in 002.
pub const LEARNT: usize = 500;
/// Parts of a file of references; each is asked about once.
const FOLDS: usize = 10;
/// Settings of the random fields were chosen on so many of the folds.
const CHOSEN_ON: usize = 4;

/// Right, wrongly said, and missed words of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct FieldWords {
    right: f64,
    said: f64,
    missed: f64,
}

/// How many words and whole texts were right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldScores {
    fields: BTreeMap<String, FieldWords>,
    texts: u32,
    whole: u32,
}

impl FieldScores {
    /// Counts a text: the fields that were found for its words, and the true ones.
    pub fn add(&mut self, found: &[&str], truth: &[&str]) {
        for (found, truth) in found.iter().zip(truth) {
            if found == truth {
                self.fields.entry((*truth).to_owned()).or_default().right += 1.;
            } else {
                self.fields.entry((*truth).to_owned()).or_default().missed += 1.;
                self.fields.entry((*found).to_owned()).or_default().said += 1.;
            }
        }
        self.texts += 1;
        self.whole += u32::from(found == truth);
    }

    /// Percent of the words that are right.
    #[must_use]
    pub fn words(&self) -> f64 {
        let right: f64 = self.fields.values().map(|field| field.right).sum();
        let missed: f64 = self.fields.values().map(|field| field.missed).sum();
        100. * right / (right + missed).max(1.)
    }

    /// Percent of the texts of which all words are right.
    #[must_use]
    pub fn whole(&self) -> f64 {
        100. * f64::from(self.whole) / f64::from(self.texts.max(1))
    }

    /// F1 of each field, by name.
    #[must_use]
    pub fn by_field(&self) -> Vec<(&str, f64)> {
        let f1 = |field: &FieldWords| {
            2. * field.right / (2. * field.right + field.said + field.missed).max(1.)
        };
        self.fields.iter().map(|(name, field)| (name.as_str(), f1(field))).collect()
    }

    /// The mean F1 of all fields.
    #[must_use]
    pub fn macro_f1(&self) -> f64 {
        let all = self.by_field();
        all.iter().map(|(_, f1)| f1).sum::<f64>() / all.len().max(1) as f64
    }
}

/// What a model sees of a text, and its fields.
pub type See = for<'a> fn(&TaggedText<'a>) -> FieldExample<'a>;

/// What came of a random field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldTrial {
    pub scores: FieldScores,
    /// Bytes of the model's file.
    pub bytes: usize,
}

/// Learns from the first texts and asks about the others.
#[must_use]
pub fn field_trial(learnt: &[TaggedText<'_>], asked: &[TaggedText<'_>], see: See) -> FieldTrial {
    let learnt: Vec<FieldExample<'_>> = learnt.iter().map(see).collect();
    let model = train(&learnt, "a trial");
    let mut scores = FieldScores::default();
    for example in asked.iter().map(see) {
        scores.add(&model.label(&example.seen), &example.fields);
    }
    FieldTrial { scores, bytes: model.write().len() }
}

/// What came of folds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldTrial {
    pub all: FieldScores,
    /// The folds that no setting was chosen on.
    pub unseen: FieldScores,
}

/// Learns from nine tenths of texts and asks about the tenth, ten times.
#[must_use]
pub fn fold_trial(texts: &[TaggedText<'_>], see: See) -> FoldTrial {
    let examples: Vec<FieldExample<'_>> = texts.iter().map(see).collect();
    let mut trial = FoldTrial::default();
    for fold in 0..FOLDS {
        let learnt = examples.iter().enumerate().filter(|(at, _)| at % FOLDS != fold);
        let model = train(learnt.map(|(_, example)| example), "nine tenths");
        for example in examples.iter().skip(fold).step_by(FOLDS) {
            let found = model.label(&example.seen);
            trial.all.add(&found, &example.fields);
            if fold >= CHOSEN_ON {
                trial.unseen.add(&found, &example.fields);
            }
        }
    }
    trial
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::full;
    use crate::tagged::references;

    #[test]
    fn words_and_whole_texts_are_counted() {
        let mut scores = FieldScores::default();
        scores.add(&["title", "title", "date"], &["title", "author", "date"]);
        scores.add(&["title"], &["title"]);
        assert_eq!((scores.words(), scores.whole()), (75., 50.));
        let f1 = scores.by_field();
        assert_eq!(f1.len(), 3);
        assert_eq!(f1[0], ("author", 0.));
        assert!((f1[2].1 - 0.8).abs() < 1e-9 && (scores.macro_f1() - 0.6).abs() < 1e-9);
        assert_eq!(FieldScores::default().words(), 0.);
    }

    #[test]
    fn every_text_is_asked_about_once() {
        let line = |n: u32| format!("<author> A. Fisher{n}. </author> <date> 19{n}. </date>\n");
        let file: String = (10..30).map(line).collect();
        let texts = references(&file);
        let folds = fold_trial(&texts, full);
        assert_eq!((folds.all.texts, folds.unseen.texts), (20, 12));
        let trial = field_trial(&texts[..10], &texts[10..], full);
        assert!(trial.scores.words() > 90. && trial.bytes > 100);
    }
}
