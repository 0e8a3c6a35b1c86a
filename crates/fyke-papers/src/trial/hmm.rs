//! Hidden Markov models on headers (002 §4.1, table 1): structures of one state a class and of merged neighbours, by
//! settings of which the best is chosen inside of the part that is learnt from.

use crate::protocol::{SpecialWords, WordNumbers, WordRule, words};
use crate::tagged::TaggedText;
use fyke_learn::hmm::{Emissions, Hmm, LabelledWords, SMOOTHINGS, Smoothing, Structure};
use std::ops::Range;

/// Parts of what is learnt from, each of which is asked about once while settings are compared.
const PARTS: usize = 5;

/// How words are taken and classes emit them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HmmSetting {
    pub rule: WordRule,
    /// A word depends on the word before it, too.
    pub pairs: bool,
    /// A row of [`SMOOTHINGS`].
    pub smoothing: usize,
}

/// Rows of [`SMOOTHINGS`] that discount absolutely, as 002; they are the first.
const ABSOLUTE: usize = 4;
/// What may become a word of its kind, with what that is called.
const SPECIAL: [(SpecialWords, &str); 4] = [
    (SpecialWords::None, "words as they are"),
    (SpecialWords::Mail, "+email+"),
    (SpecialWords::Web, "+email+, +web+"),
    (SpecialWords::Numbers, "+email+, +web+, numbers"),
];
/// Words that were learnt at most so often are told by their kind, where rare ones are.
const RARE: u32 = 2;

/// What the words of 002 §4.1 allow: which special classes of words, and which form of absolute discounting.
#[must_use]
pub fn readings() -> Vec<HmmSetting> {
    settings(0, &[false], 0..ABSOLUTE)
}

/// The readings of 002, and what is ours: Witten and Bell's smoothing, rare words by their kind, words behind words.
#[must_use]
pub fn all_settings() -> Vec<HmmSetting> {
    let plain = settings(0, &[false], 0..SMOOTHINGS.len());
    let rare = settings(RARE, &[false, true], 0..SMOOTHINGS.len()).into_iter();
    plain.into_iter().chain(rare.filter(|by| by.rule.special == SpecialWords::Numbers)).collect()
}

fn settings(rare: u32, pairs: &[bool], smoothings: Range<usize>) -> Vec<HmmSetting> {
    let mut settings = Vec::new();
    for (special, _) in SPECIAL {
        for pairs in pairs.iter().copied() {
            let by = |smoothing| HmmSetting { rule: WordRule { special, rare }, pairs, smoothing };
            settings.extend(smoothings.clone().map(by));
        }
    }
    settings
}

impl HmmSetting {
    /// How it takes words and smooths.
    #[must_use]
    pub fn name(&self) -> String {
        let special = SPECIAL.iter().find(|(special, _)| *special == self.rule.special);
        let special = special.map_or("", |(_, name)| *name);
        let rare = if self.rule.rare > 0 { ", rare words by kind" } else { "" };
        let pairs = if self.pairs { ", words behind words" } else { "" };
        format!("{special}{rare}{pairs}; {}", self.smoothing().name)
    }

    fn smoothing(&self) -> &'static Smoothing {
        &SMOOTHINGS[self.smoothing.min(SMOOTHINGS.len() - 1)]
    }
}

/// What came of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HmmTrial {
    /// Words that were learnt from.
    pub words: usize,
    pub states: usize,
    pub transitions: usize,
    /// Percent of the words asked about that are right.
    pub right: f64,
}

/// Learns from headers and asks about others; `is_merged` merges neighbours, else a class is a state.
#[must_use]
pub fn hmm_trial<'a>(
    learnt: &[&TaggedText<'a>],
    asked: &[&TaggedText<'a>],
    setting: &HmmSetting,
    is_merged: bool,
) -> HmmTrial {
    let mut numbered = NumberedHeaders::default();
    let taken: Vec<_> = learnt.iter().map(|header| words(header, &setting.rule)).collect();
    taken.iter().flatten().for_each(|(word, _)| numbered.numbers.learn(word));
    let learnt: Vec<LabelledWords> =
        taken.into_iter().map(|header| numbered.number(header, &setting.rule)).collect();
    let asked: Vec<LabelledWords> = asked
        .iter()
        .map(|header| numbered.number(words(header, &setting.rule), &setting.rule))
        .collect();
    let structure = match is_merged {
        true => Structure::neighbours(&learnt).merged(),
        false => Structure::baseline(&learnt),
    };
    let alone = Emissions::new(&learnt, numbered.classes.len(), setting.smoothing());
    let emissions = if setting.pairs { alone.with_pairs(&learnt) } else { alone };
    let hmm = Hmm::new(&structure, emissions);
    let (mut right, mut all) = (0_usize, 0_usize);
    for header in &asked {
        let found = hmm.classes(&header.words);
        right += found.iter().zip(&header.classes).filter(|(found, truth)| found == truth).count();
        all += header.classes.len();
    }
    HmmTrial {
        words: learnt.iter().map(|header| header.words.len()).sum(),
        states: structure.states(),
        transitions: structure.transitions(),
        right: 100. * right as f64 / all.max(1) as f64,
    }
}

/// Percent of the words that are right by folds inside of what is learnt from.
#[must_use]
pub fn hmm_folds(learnt: &[&TaggedText<'_>], setting: &HmmSetting, is_merged: bool) -> f64 {
    let part = |fold: usize| {
        let of = |is_asked: bool| {
            let kept = learnt.iter().enumerate();
            let kept = kept.filter(move |(at, _)| (at % PARTS == fold) == is_asked);
            kept.map(|(_, header)| *header).collect::<Vec<_>>()
        };
        hmm_trial(&of(false), &of(true), setting, is_merged).right
    };
    (0..PARTS).map(part).sum::<f64>() / PARTS as f64
}

/// Numbers of words and classes.
#[derive(Default)]
struct NumberedHeaders<'a> {
    numbers: WordNumbers,
    classes: Vec<&'a str>,
}

impl<'a> NumberedHeaders<'a> {
    fn number(&mut self, header: Vec<(String, &'a str)>, rule: &WordRule) -> LabelledWords {
        let mut found = LabelledWords::default();
        for (word, field) in header {
            let class = self.classes.iter().position(|known| *known == field);
            let class = class.unwrap_or_else(|| {
                self.classes.push(field);
                self.classes.len() - 1
            });
            found.words.push(self.numbers.number(&word, rule));
            found.classes.push(class);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagged::headers;
    use std::collections::BTreeSet;

    #[test]
    fn structures_are_counted_and_settings_tried_among_what_is_learnt() {
        let header = |n: u32| {
            format!("<NEW_HEADER> <title> nets of port{n} </title> <author> ann fisher </author> ")
        };
        let file: String = (0..20).map(header).collect();
        let all = headers(&file);
        let all: Vec<_> = all.iter().collect();
        for setting in all_settings() {
            let trial = hmm_trial(&all[..15], &all[15..], &setting, false);
            assert_eq!((trial.words, trial.states), (75, 4));
            assert!(trial.right >= 99., "{}: {}", setting.name(), trial.right);
            assert!(hmm_trial(&all[..15], &all[15..], &setting, true).right >= 99.);
            assert!(hmm_folds(&all, &setting, false) >= 99.);
        }
    }

    #[test]
    fn readings_of_002_are_among_the_settings_and_every_setting_has_a_name_of_its_own() {
        let all = all_settings();
        assert!(readings().iter().all(|reading| all.contains(reading)));
        let names: BTreeSet<String> = all.iter().map(HmmSetting::name).collect();
        assert_eq!(names.len(), all.len());
        assert!(readings().iter().all(|reading| !reading.name().contains("Witten")));
    }
}
