//! Hidden Markov models on headers (002 §4.1, table 1): structures of one state a class and of merged neighbours, by
//! settings of which the best is chosen inside of the part that is learnt from.

use crate::protocol::{WordNumbers, WordRule, words};
use crate::tagged::TaggedText;
use fyke_learn::hmm::{Emissions, Hmm, LabelledWords, SMOOTHINGS, Smoothing, Structure};

/// Parts of what is learnt from, each of which is asked about once while settings are compared.
const PARTS: usize = 5;

/// How words are taken and classes emit them.
#[derive(Clone, Copy, Debug)]
pub struct HmmSetting {
    pub name: &'static str,
    pub rule: WordRule,
    /// A word depends on the word before it, too.
    pub pairs: bool,
    /// Absolute discounting, as 002, or Witten and Bell's.
    pub smoothing: usize,
}

const PLAIN: WordRule = WordRule { kinds: false, rare: 0 };
const KINDS: WordRule = WordRule { kinds: true, rare: 0 };
const RARE: WordRule = WordRule { kinds: true, rare: 2 };

/// The settings; the first is 002's, and from the first without pairs on the others are ours.
pub const SETTINGS: &[HmmSetting] = &[
    HmmSetting { name: "as 002", rule: PLAIN, pairs: false, smoothing: 0 },
    HmmSetting { name: "Witten–Bell", rule: PLAIN, pairs: false, smoothing: 1 },
    HmmSetting { name: "numbers by kind", rule: KINDS, pairs: false, smoothing: 0 },
    HmmSetting { name: "numbers by kind, Witten–Bell", rule: KINDS, pairs: false, smoothing: 1 },
    HmmSetting { name: "rare words by kind", rule: RARE, pairs: false, smoothing: 0 },
    HmmSetting {
        name: "rare words by kind, Witten–Bell", rule: RARE, pairs: false, smoothing: 1
    },
    HmmSetting { name: "rare words by kind, pairs", rule: RARE, pairs: true, smoothing: 0 },
    HmmSetting {
        name: "rare words by kind, pairs, Witten–Bell",
        rule: RARE,
        pairs: true,
        smoothing: 1,
    },
];

impl HmmSetting {
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

/// The best of the settings by folds inside of what is learnt from.
#[must_use]
pub fn choose<'s>(
    learnt: &[&TaggedText<'_>],
    settings: &'s [HmmSetting],
    is_merged: bool,
) -> Option<&'s HmmSetting> {
    let score = |setting: &HmmSetting| {
        let part = |fold: usize| {
            let of = |is_asked: bool| {
                let kept = learnt.iter().enumerate();
                let kept = kept.filter(move |(at, _)| (at % PARTS == fold) == is_asked);
                kept.map(|(_, header)| *header).collect::<Vec<_>>()
            };
            hmm_trial(&of(false), &of(true), setting, is_merged).right
        };
        (0..PARTS).map(part).sum::<f64>()
    };
    let scored = settings.iter().map(|setting| (score(setting), setting));
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, setting)| setting)
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

    #[test]
    fn structures_are_counted_and_settings_chosen_among_what_is_learnt() {
        let header = |n: u32| {
            format!("<NEW_HEADER> <title> nets of port{n} </title> <author> ann fisher </author> ")
        };
        let file: String = (0..20).map(header).collect();
        let all = headers(&file);
        let all: Vec<_> = all.iter().collect();
        let trial = hmm_trial(&all[..15], &all[15..], &SETTINGS[0], false);
        assert_eq!((trial.words, trial.states), (75, 4));
        assert!(trial.right >= 99., "{}", trial.right);
        assert!(hmm_trial(&all[..15], &all[15..], &SETTINGS[0], true).right >= 99.);
        assert!(choose(&all, SETTINGS, false).is_some());
    }
}
