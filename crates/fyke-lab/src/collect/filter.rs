//! The filter of 004 §3.1: which documents are in the language. Languages that are shipped are told by
//! `fyke_text`; any other is learnt from the documents that a run begins with, and again as the corpus grows
//! (004 leaves that open). A text in the language but in other letters than it is written in is refused
//! (`letters.rs`). Where people have judged a sample, what is left of another language that is near is
//! told by a model of the right and the wrong ones of it.

use super::letters::LanguageLetters;
use fyke_text::language::{LanguageModel, LanguageTrainer, Languages};
use std::borrow::Cow;
use std::collections::VecDeque;

/// A model is made anew when there are so many times as many letters to learn from …
const GROWTH: f64 = 1.5;
/// … up to so many bytes.
const MOST_BYTES: usize = 2 << 20;
/// Fewer bytes of other languages are not learnt beside it.
const MOST_OTHER: usize = 256 << 10;
/// Fewer judged documents, and fewer wrong ones among them, teach nothing.
const FEWEST_JUDGED: usize = 30;
const FEWEST_WRONG: usize = 3;
/// What a model of judged documents calls the wrong ones.
const WRONG: &str = "x-not";
/// How sure one must be of a document to learn from it.
const SURE: f32 = 0.9;

/// What the filter says of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterVerdict {
    pub is_wanted: bool,
    /// What it takes the language for.
    pub language: String,
    pub confidence: f32,
}

/// Tells one language from all others.
#[derive(Debug)]
pub struct LanguageFilter {
    lang: String,
    languages: Cow<'static, Languages>,
    /// The letters that it is written in, where they are known.
    letters: Option<LanguageLetters>,
    /// Texts to learn from, where the language is not shipped.
    learnt: Option<LearntTexts>,
    /// Right and wrong ones of what is said to be in the language.
    contrast: Option<Languages>,
}

/// A document that somebody judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedText {
    pub text: String,
    pub is_right: bool,
}

/// Texts of a language that is not shipped.
#[derive(Debug, Default)]
struct LearntTexts {
    texts: VecDeque<String>,
    bytes: usize,
    /// Bytes of the last model.
    trained: usize,
}

impl LanguageFilter {
    /// A filter for a language, which is learnt from these texts if it is not shipped.
    #[must_use]
    pub fn new(lang: &str, texts: &[String]) -> LanguageFilter {
        let shipped = Languages::shipped();
        let is_known = shipped.codes().contains(&lang);
        let mut filter = LanguageFilter {
            lang: lang.to_owned(),
            languages: Cow::Borrowed(shipped),
            letters: LanguageLetters::of(lang, texts),
            learnt: (!is_known).then(LearntTexts::default),
            contrast: None,
        };
        texts.iter().for_each(|text| filter.take(text));
        filter.train();
        filter
    }

    /// Whether it is learnt here.
    #[must_use]
    pub fn is_learnt(&self) -> bool {
        self.learnt.is_some()
    }

    /// The same with what judgements teach; too few teach nothing.
    #[must_use]
    pub fn taught(mut self, judged: &[JudgedText]) -> LanguageFilter {
        let wrong = judged.iter().filter(|one| !one.is_right).count();
        if judged.len() < FEWEST_JUDGED || wrong < FEWEST_WRONG {
            return self;
        }
        let mut trainer = LanguageTrainer::default();
        for JudgedText { text, is_right } in judged {
            trainer.add(if *is_right { &self.lang } else { WRONG }, text);
        }
        self.contrast = LanguageModel::read(trainer.finish()).ok().map(Languages::only);
        self
    }

    /// Whether judgements have taught it anything.
    #[must_use]
    pub fn is_taught(&self) -> bool {
        self.contrast.is_some()
    }

    /// What a text is.
    #[must_use]
    pub fn judge(&self, text: &str) -> FilterVerdict {
        let guess = self.languages.identify(text);
        let closer = self.contrast.as_ref().filter(|_| guess.code == self.lang);
        let closer = closer.map(|contrast| contrast.identify(text));
        if let Some(wrong) = closer.filter(|guess| guess.code == WRONG) {
            let (language, confidence) = (format!("not {}", self.lang), wrong.confidence);
            return FilterVerdict { is_wanted: false, language, confidence };
        }
        let is_code = guess.code == self.lang;
        if is_code && self.letters.as_ref().is_some_and(|letters| letters.are_others(text)) {
            let (language, confidence) =
                (format!("{} in wrong letters", self.lang), guess.confidence);
            return FilterVerdict { is_wanted: false, language, confidence };
        }
        FilterVerdict {
            is_wanted: is_code,
            language: guess.code.to_owned(),
            confidence: guess.confidence,
        }
    }

    /// Learns from a document that was judged.
    pub fn learn(&mut self, text: &str, verdict: &FilterVerdict) {
        if !verdict.is_wanted || verdict.confidence < SURE {
            return;
        }
        self.take(text);
        let is_due = self
            .learnt
            .as_ref()
            .is_some_and(|learnt| learnt.bytes as f64 >= learnt.trained as f64 * GROWTH);
        if is_due {
            self.train();
        }
    }

    fn take(&mut self, text: &str) {
        let Some(learnt) = &mut self.learnt else { return };
        if learnt.bytes < MOST_BYTES {
            let text = &text[..text.floor_char_boundary(MOST_OTHER)];
            learnt.bytes += text.len();
            learnt.texts.push_back(text.to_owned());
        }
    }

    fn train(&mut self) {
        let Some(learnt) = &mut self.learnt else { return };
        let mut trainer = LanguageTrainer::default();
        learnt.texts.iter().for_each(|text| {
            trainer.add(&self.lang, text);
        });
        learnt.trained = learnt.bytes;
        if let Ok(model) = LanguageModel::read(trainer.finish()) {
            self.languages = Cow::Owned(Languages::shipped().with(model));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judged_documents_teach_what_is_not_in_the_language_after_all() {
        let right = "Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo iz vode.";
        let wrong = "Zvečer smo v Reziji rekli, ka ni so paršle tu w dulino nu ka so videle reko.";
        let judged = |count: usize| -> Vec<JudgedText> {
            let one = |at: usize| {
                let is_right = at.is_multiple_of(2);
                let text = format!("{} {at}", if is_right { right } else { wrong });
                JudgedText { text, is_right }
            };
            (0..count).map(one).collect()
        };
        let few = LanguageFilter::new("sl", &[]).taught(&judged(10));
        assert!(!few.is_taught() && few.judge(right).is_wanted);
        let taught = LanguageFilter::new("sl", &[]).taught(&judged(40));
        assert!(taught.is_taught() && taught.judge(right).is_wanted);
        assert!(!taught.judge(wrong).is_wanted, "{:?}", taught.judge(wrong));
    }

    #[test]
    fn a_text_that_was_read_in_a_wrong_encoding_is_refused() {
        let filter = LanguageFilter::new("sl", &[]);
        let text = "Ribiči zvečer še vržejo mrežo čez reko, zjutraj pa začnejo vleči ribe iz vode.";
        assert!(filter.judge(text).is_wanted);
        let wrong = filter.judge(&text.replace('č', "è"));
        assert_eq!((wrong.is_wanted, wrong.language.as_str()), (false, "sl in wrong letters"));
    }

    #[test]
    fn a_language_that_is_shipped_is_told_and_another_is_learnt() {
        let sl = LanguageFilter::new("sl", &[]);
        assert!(!sl.is_learnt());
        assert!(sl.judge("Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo.").is_wanted);
        let other = sl.judge("The net is set in the river and taken up again in the morning.");
        assert_eq!((other.is_wanted, other.language.as_str()), (false, "en"));

        let seed = "blim blam blom, blimi blamo blom blim; blomo blam blimbl. blam blom blimi";
        let mut filter = LanguageFilter::new("x-bl", &[seed.to_owned()]);
        assert!(filter.is_learnt());
        let verdict = filter.judge("blom blimi blam blim blamo");
        assert!(verdict.is_wanted, "{verdict:?}");
        filter.learn(&seed.repeat(3), &FilterVerdict { confidence: 1.0, ..verdict });
        assert!(filter.judge("blam blomo blim").is_wanted);
        assert!(!filter.judge("The net is set in the river and taken up again.").is_wanted);
    }
}
