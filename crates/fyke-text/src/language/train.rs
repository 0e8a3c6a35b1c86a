//! Training: texts whose language is known go in, a model comes out. The shipped model is made by
//! this, and so is a user's own.
//!
//! Each lane (a language in a script) keeps its most frequent n-grams, whatever the other lanes
//! keep; so models trained apart can be used side by side.

use super::contrast::{self, RivalSample};
use super::model::{self, LanguageModel, ModelParts};
use super::ngrams::{letters, ngrams};
use super::shares::blocks;
use super::table::LANES;
use super::{bayes, ranks, script};
use std::collections::{BTreeMap, HashMap};

/// N-grams that a lane keeps.
const KEPT: usize = 7_000;
/// Taken off every count: what is seen once may be chance.
const DISCOUNT: f64 = 0.5;
/// A script counts with this part of a language's letters.
const LEAST_PART: u64 = 10;
/// Length of the samples that rivals are learnt from, in bytes.
const SAMPLE: usize = 300;
/// Most samples of one lane.
const MOST_SAMPLES: usize = 30_000;

/// Gathers texts.
#[derive(Clone, Debug, Default)]
pub struct LanguageTrainer {
    /// By code and script.
    lanes: BTreeMap<(String, u32), Lane>,
    groups: Vec<Vec<String>>,
}

#[derive(Clone, Debug, Default)]
struct Lane {
    grams: HashMap<u32, u32>,
    letters: u64,
    ranks: ranks::NgramCounts,
    samples: Vec<String>,
}

impl LanguageTrainer {
    /// A trainer that learns to tell the languages of each group apart more closely.
    #[must_use]
    pub fn new(groups: Vec<Vec<String>>) -> LanguageTrainer {
        LanguageTrainer { lanes: BTreeMap::new(), groups }
    }

    /// Learns from a text in the language of this code. False when there is no room for another
    /// language, or the code is none (letters, digits and hyphens).
    pub fn add(&mut self, code: &str, text: &str) -> bool {
        self.learn(code, text, true)
    }

    /// As [`LanguageTrainer::add`], but nothing is learnt of what tells rivals apart: for texts of a kind that
    /// not all of them have, since it is the kind that would be learnt.
    pub fn add_aside(&mut self, code: &str, text: &str) -> bool {
        self.learn(code, text, false)
    }

    fn learn(&mut self, code: &str, text: &str, is_shared: bool) -> bool {
        let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let name = (code.to_owned(), script::main(text));
        let room = self.lanes.len() < LANES || self.lanes.contains_key(&name);
        if code.is_empty() || !code.chars().all(is_code) || !room {
            return false;
        }
        let contested = is_shared && self.groups.iter().flatten().any(|rival| rival == code);
        let lane = self.lanes.entry(name).or_default();
        ngrams(text, |key| *lane.grams.entry(key).or_default() += 1);
        lane.letters += letters(text).count() as u64;
        ranks::count(text, &mut lane.ranks);
        if contested {
            let room = MOST_SAMPLES.saturating_sub(lane.samples.len());
            lane.samples.extend(blocks(text, SAMPLE).take(room).map(str::to_owned));
        }
        true
    }

    /// Drops lanes that are but a small part of their language: quotations in another script.
    fn drop_strays(&mut self) {
        let mut all: HashMap<String, u64> = HashMap::new();
        for ((code, _), lane) in &self.lanes {
            *all.entry(code.clone()).or_default() += lane.letters;
        }
        self.lanes.retain(|(code, _), lane| lane.letters * LEAST_PART >= all[code]);
    }

    /// The file of the model; [`Model::read`] reads it.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.drop_strays();
        let mut parts = ModelParts::default();
        let names: Vec<(String, u32)> = self.lanes.keys().cloned().collect();
        let mut samples = Vec::new();
        for (lane, ((code, _), learnt)) in self.lanes.into_iter().enumerate() {
            parts.codes.push(code);
            let kept = kept(&learnt);
            parts.means.push(mean(&learnt, &kept));
            for (key, weight) in kept {
                parts.grams.entry(key).or_default().push((lane as u8, weight));
            }
            parts.profiles.push(ranks::profile(learnt.ranks));
            samples.push(learnt.samples);
        }
        for group in &self.groups {
            let lanes = lanes_of(group, &names);
            let learnt: Vec<RivalSample> = lanes
                .iter()
                .enumerate()
                .flat_map(|(class, &lane)| {
                    samples[usize::from(lane)].iter().map(move |text| RivalSample { class, text })
                })
                .collect();
            let first = parts.rivals.iter().map(Vec::len).sum::<usize>();
            contrast::learn(&learnt, lanes.len(), first, &mut parts.contrasts);
            parts.rivals.push(lanes);
        }
        model::write(&parts)
    }
}

/// Trains a model from texts with their codes.
///
/// # Panics
/// Never: what is written can be read.
#[must_use]
pub fn train<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> LanguageModel {
    let mut trainer = LanguageTrainer::default();
    for (code, text) in texts {
        trainer.add(code, text);
    }
    LanguageModel::read(trainer.finish()).expect("what is written can be read")
}

/// The lanes of a group, all in the script that most of them have.
fn lanes_of(group: &[String], names: &[(String, u32)]) -> Vec<u8> {
    let in_script = |script: u32| {
        let own = names.iter().enumerate();
        let own = own.filter(move |(_, name)| name.1 == script && group.contains(&name.0));
        own.map(|(lane, _)| lane as u8).collect::<Vec<_>>()
    };
    names.iter().map(|name| in_script(name.1)).max_by_key(Vec::len).unwrap_or_default()
}

/// The n-grams that a lane keeps, with their weights.
fn kept(lane: &Lane) -> Vec<(u32, u8)> {
    let mut ranked: Vec<_> = lane.grams.iter().map(|(&key, &count)| (key, count)).collect();
    ranked.sort_unstable_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
    ranked.truncate(KEPT);
    let weigh = |count: u32| bayes::weight((f64::from(count) - DISCOUNT) / lane.letters as f64);
    ranked.into_iter().map(|(key, count)| (key, weigh(count))).filter(|row| row.1 > 0).collect()
}

/// What an n-gram of a lane's texts weighs in the mean.
fn mean(lane: &Lane, kept: &[(u32, u8)]) -> u8 {
    let all: f64 = lane.grams.values().map(|&count| f64::from(count)).sum();
    let weighed = kept.iter().map(|(key, weight)| {
        f64::from(lane.grams.get(key).copied().unwrap_or(0)) * f64::from(*weight)
    });
    (weighed.sum::<f64>() / all.max(1.0)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Languages;

    #[test]
    fn a_language_is_learnt_from_a_few_sentences() {
        let texts = [
            ("x-a", "blim blam blom, blimi blamo blom blim; blomo blam blimbl."),
            ("x-a", "blam blom blimi, blom blamo."),
            ("x-b", "krix krax krox, krixi kraxo krox krix; kroxo krax krixkr."),
        ];
        let model = train(texts);
        assert_eq!(model.codes(), ["x-a", "x-b"]);
        let alone = Languages::only(model.clone());
        assert_eq!(alone.identify("blom blimi blam").code, "x-a");
        assert_eq!(alone.identify("krox krixi krax").code, "x-b");
        let beside = Languages::shipped().with(model);
        assert_eq!(beside.identify("krox krixi krax krix kraxo").code, "x-b");
        let english = "The net is set in the river and taken up again in the morning.";
        assert_eq!(beside.identify(english).code, "en");
    }

    #[test]
    fn rivals_are_told_apart_by_their_words() {
        let group = ["x-a", "x-b"].map(str::to_owned).to_vec();
        let mut trainer = LanguageTrainer::new(vec![group]);
        for turn in 0..20 {
            let same = format!("mare vale {} domi rolo tane", "lote ".repeat(turn % 3));
            assert!(trainer.add("x-a", &format!("{same} tjedan")));
            assert!(trainer.add("x-b", &format!("{same} sedmica")));
        }
        let languages = Languages::only(LanguageModel::read(trainer.finish()).unwrap());
        assert_eq!(languages.identify("vale rolo tjedan mare").code, "x-a");
        assert_eq!(languages.identify("vale rolo sedmica mare").code, "x-b");
    }

    #[test]
    fn a_quotation_in_another_script_is_not_learnt() {
        let long = "blim blam blom ".repeat(20);
        let model = train([("x-a", long.as_str()), ("x-a", "река")]);
        assert_eq!(model.codes.len(), 1);
        let model = train([("x-a", "blim blam"), ("x-a", "блим блам")]);
        assert_eq!((model.codes.len(), model.codes()), (2, vec!["x-a"]));
    }

    #[test]
    fn what_is_no_code_is_refused() {
        let mut trainer = LanguageTrainer::default();
        for code in ["", "a b", "a\nb", "ž"] {
            assert!(!trainer.add(code, "text"), "{code:?}");
        }
        assert!(trainer.add("sr-Latn", "text"));
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let mut trainer = LanguageTrainer::default();
        trainer.add("x-a", "blim blam blom");
        let file = trainer.finish();
        assert!(LanguageModel::read(file.clone()).is_ok());
        for cut in [0, 10, 20, file.len() / 2, file.len() - 1] {
            assert!(LanguageModel::read(file[..cut].to_vec()).is_err(), "{cut}");
        }
    }
}
