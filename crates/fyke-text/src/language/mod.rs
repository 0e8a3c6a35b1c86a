//! Language identification by character n-grams (Cavnar and Trenkle 1994; 004 "language filter").
//!
//! A script that one language has to itself says the language. Elsewhere one of two methods
//! decides: naive Bayes over n-grams, with a closer look among languages that are near, or the
//! out-of-place distance between ranked n-grams. Models are trained ([`Trainer`]); the shipped one
//! is `data/languages.bin`, written by `examples/train_languages.rs`.

mod bayes;
mod contrast;
mod evidence;
mod letter;
mod memo;
mod mixture;
mod model;
mod ngrams;
mod numbering;
mod ranks;
mod rivals;
mod script;
mod shares;
mod table;
mod train;

pub use evidence::NgramShares;
pub use model::{LanguageModel, NoModel};
pub use train::{LanguageTrainer, train};

use numbering::Numbering;
use std::sync::LazyLock;
use table::LANES;

/// The language a text seems to be in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess<'a> {
    /// ISO 639-1 code where there is one ("sl"), else ISO 639-3; "und" when nothing can be said.
    pub code: &'a str,
    /// From 0 (a guess) to 1 (no other language is near).
    pub confidence: f32,
}

pub const UNKNOWN: Guess<'static> = Guess { code: "und", confidence: 0.0 };

/// A way to tell the language.
#[derive(Clone, Copy, Debug)]
pub struct LanguageMethod {
    pub name: &'static str,
    pub what: &'static str,
    identify: for<'a> fn(&'a Languages, &str) -> Guess<'a>,
}

/// The ways; the first is the default.
pub const METHODS: [LanguageMethod; 2] = [
    LanguageMethod {
        name: "bayes",
        what: "naive Bayes over n-grams, with a closer look among near languages",
        identify: Languages::by_bayes,
    },
    LanguageMethod {
        name: "ranks",
        what: "out-of-place distance between ranked n-grams (Cavnar and Trenkle)",
        identify: Languages::by_ranks,
    },
];

/// Only so many bytes from the start are looked at.
const SAMPLE: usize = 2048;
/// The n-grams of so many of them are weighed, and those of the rest while there is doubt: after each look
/// the confidence that ends the doubt.
const LOOKS: [(usize, f32); 2] = [(96, 0.9995), (512, 0.99)];
/// A lane whose score is so much below the best has no part in the odds.
const FAR: f32 = 20.0;
/// What the n-grams say counts so much beside what a closer look at rivals says.
const BESIDE: f32 = 0.5;
/// A text whose n-grams weigh less than this share of those of a language's own texts is in no
/// language known.
const LEAST: f32 = 0.5;
/// Neighbouring n-grams say much the same: a score counts only this share of itself.
const TEMPERATURE: f32 = 0.12;

/// What one part of a weight counts, as a logarithm of odds.
fn unit() -> f32 {
    TEMPERATURE / bayes::UNIT as f32
}

/// Which language `text` is in, by the shipped models.
#[must_use]
pub fn identify(text: &str) -> Guess<'static> {
    SHIPPED.identify(text)
}

/// Percent of `text` in each language, most first, by the shipped models; see
/// [`Languages::shares`].
#[must_use]
pub fn shares(text: &str) -> Vec<(&'static str, u8)> {
    SHIPPED.shares(text)
}

static SHIPPED: LazyLock<Languages> = LazyLock::new(|| {
    let bytes: &'static [u8] = include_bytes!("../../data/languages.bin");
    Languages::of(vec![LanguageModel::read(bytes).expect("the shipped model is whole")])
});

/// The languages that can be told: those of one model or of several.
#[derive(Clone, Debug)]
pub struct Languages {
    models: Vec<LanguageModel>,
    numbering: Numbering,
}

/// What the beginning of a text says: a guess where it is sure, how many bytes were looked at, and what they say.
struct FirstLook<'m> {
    sure: Option<Guess<'m>>,
    seen: usize,
    scores: LaneScores,
}

/// What the n-grams of a text say: the score of every lane of every model.
#[derive(Clone, Debug)]
struct LaneScores {
    lanes: Vec<[u32; LANES]>,
    seen: u32,
}

/// A lane, and its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LanePlace {
    model: usize,
    lane: u8,
}

/// The lane that the n-grams speak for.
#[derive(Clone, Copy, Debug)]
struct LaneLead {
    place: LanePlace,
    /// Its score.
    most: f32,
    /// What its language has of all odds.
    confidence: f32,
    /// What it has with its rivals.
    group: f32,
}

impl Languages {
    fn of(models: Vec<LanguageModel>) -> Languages {
        let numbering = Numbering::of(&models);
        Languages { models, numbering }
    }

    /// The shipped ones.
    #[must_use]
    pub fn shipped() -> &'static Languages {
        &SHIPPED
    }

    /// These and those of another model.
    #[must_use]
    pub fn with(&self, model: LanguageModel) -> Languages {
        Languages::of(self.models.iter().cloned().chain([model]).collect())
    }

    /// Only those of this model, and scripts that are those of one language.
    #[must_use]
    pub fn only(model: LanguageModel) -> Languages {
        Languages::of(vec![model])
    }

    /// Codes of all languages, sorted.
    #[must_use]
    pub fn codes(&self) -> Vec<&str> {
        self.numbering.codes.iter().map(String::as_str).collect()
    }

    /// Which language `text` is in.
    #[must_use]
    pub fn identify(&self, text: &str) -> Guess<'_> {
        self.identify_by(&METHODS[0], text)
    }

    /// As [`Languages::identify`], by a method of one's choice.
    #[must_use]
    pub fn identify_by(&self, method: &LanguageMethod, text: &str) -> Guess<'_> {
        let sample = &text[..text.floor_char_boundary(SAMPLE)];
        match script::sole(sample) {
            Some(guess) => guess,
            None => (method.identify)(self, sample),
        }
    }

    fn by_ranks(&self, text: &str) -> Guess<'_> {
        ranks::identify(&self.models, text).unwrap_or(UNKNOWN)
    }

    fn by_bayes(&self, text: &str) -> Guess<'_> {
        let FirstLook { sure, seen, mut scores } = self.look(text);
        sure.unwrap_or_else(|| {
            self.weigh(&text[seen..], &mut scores);
            self.best(&scores, text)
        })
    }

    /// The same, with what all n-grams say.
    fn read_whole(&self, text: &str) -> (Guess<'_>, LaneScores) {
        let FirstLook { sure, seen, mut scores } = self.look(text);
        self.weigh(&text[seen..], &mut scores);
        (sure.unwrap_or_else(|| self.best(&scores, text)), scores)
    }

    /// What is sure after looking at so much of the beginning.
    fn look(&self, text: &str) -> FirstLook<'_> {
        let mut scores = self.scores();
        let mut seen = 0;
        for (length, sure) in LOOKS {
            let end = word_boundary(text, length);
            if end < text.len() {
                self.weigh(&text[seen..end], &mut scores);
                seen = end;
                let guess = self.lead(&scores).filter(|lead| !self.has_rivals(lead.place));
                if let Some(lead) = guess.filter(|lead| lead.confidence >= sure) {
                    let (code, confidence) = (self.code(lead.place), lead.confidence);
                    return FirstLook { sure: Some(Guess { code, confidence }), seen, scores };
                }
            }
        }
        FirstLook { sure: None, seen, scores }
    }

    fn has_rivals(&self, place: LanePlace) -> bool {
        self.models[place.model].rivals_of(place.lane).is_some()
    }

    fn scores(&self) -> LaneScores {
        LaneScores { lanes: vec![[0; LANES]; self.models.len()], seen: 0 }
    }

    fn weigh(&self, text: &str, scores: &mut LaneScores) {
        let mut seen = 0;
        for (model, lanes) in self.models.iter().zip(&mut scores.lanes) {
            seen = memo::weigh(&model.grams, text, lanes);
        }
        scores.seen += seen;
    }

    /// The lanes with their scores in natural logarithms, as far as they count.
    fn rated(&self, scores: &LaneScores) -> Vec<(LanePlace, f32)> {
        let count = self.models.iter().map(|model| model.codes.len()).sum();
        let mut rated = Vec::with_capacity(count);
        for (number, (model, lanes)) in self.models.iter().zip(&scores.lanes).enumerate() {
            for (lane, &score) in lanes.iter().enumerate().take(model.codes.len()) {
                rated.push((LanePlace { model: number, lane: lane as u8 }, score as f32 * unit()));
            }
        }
        rated
    }

    fn code(&self, place: LanePlace) -> &str {
        &self.models[place.model].codes[usize::from(place.lane)]
    }

    /// Whether a text of so many n-grams that weighs most in a lane weighs too little even there.
    fn is_nonsense(&self, LanePlace { model, lane }: LanePlace, score: f32, seen: u32) -> bool {
        let mean = f32::from(self.models[model].means[usize::from(lane)]) * unit();
        score <= seen as f32 * mean * LEAST
    }

    /// The lane of the highest score, unless even that says nothing.
    fn lead(&self, scores: &LaneScores) -> Option<LaneLead> {
        let rated = self.rated(scores);
        let &(place, most) = rated.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if self.is_nonsense(place, most, scores.seen) {
            return None;
        }
        let number = self.numbering.of_lane(place);
        let group =
            self.models[place.model].rivals_of(place.lane).map_or(&[][..], |rivals| rivals.0);
        let (mut all, mut own, mut of_group) = (0.0, 0.0, 0.0);
        for &(other, score) in rated.iter().filter(|(_, score)| *score > most - FAR) {
            let power = (score - most).exp();
            all += power;
            own += if self.numbering.of_lane(other) == number { power } else { 0.0 };
            let is_rival = other.model == place.model && group.contains(&other.lane);
            of_group += if is_rival { power } else { 0.0 };
        }
        Some(LaneLead { place, most, confidence: (own / all).min(1.0), group: of_group / all })
    }

    /// The language of the highest score, among rivals the one that `text` speaks for.
    fn best(&self, scores: &LaneScores, text: &str) -> Guess<'_> {
        let Some(LaneLead { place, most, confidence, group: share }) = self.lead(scores) else {
            return UNKNOWN;
        };
        let alone = Guess { code: self.code(place), confidence };
        let model = &self.models[place.model];
        let Some((group, first)) = model.rivals_of(place.lane) else { return alone };
        let lanes = &scores.lanes[place.model];
        let by_grams = group.iter().map(|&lane| lanes[usize::from(lane)] as f32 * unit() - most);
        let closer = rivals::odds(model, first, group.len(), text);
        let odds: Vec<f32> =
            closer.iter().zip(by_grams).map(|(odds, grams)| odds + grams * BESIDE).collect();
        let odds = rivals::softmax(&odds);
        let fair = odds.iter().zip(group).map(|(odds, &lane)| odds / model.lanes_of(lane) as f32);
        let fair: Vec<f32> = fair.collect();
        let winner = fair.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((winner, odds)) = winner else { return alone };
        let odds = odds / fair.iter().sum::<f32>();
        let code = self.code(LanePlace { lane: group[winner], ..place });
        Guess { code, confidence: (odds * share).min(1.0) }
    }
}

/// A place near `length` where no word is cut, if there is one.
fn word_boundary(text: &str, length: usize) -> usize {
    let end = text.floor_char_boundary(length);
    match text[..end].rfind(char::is_whitespace) {
        Some(space) if end < text.len() && space > 0 => space,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(identify(text).code, expected, "language of {text:?}");
    }

    #[test]
    fn a_sentence_says_its_language() {
        check("The net is set in the river and taken up again in the morning.", "en");
        check("Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo.", "sl");
        check("Увечері сітку ставлять у річці, а вранці знову піднімають.", "uk");
        check("تُوضَع الشبكة في النهر مساءً وتُرفع في الصباح.", "ar");
    }

    /// Sentences written for this test, a line each behind its code.
    const SENTENCES: &str = include_str!("../../tests/data/sentences.txt");

    #[test]
    fn sentences_in_many_languages_keep_above_the_gate() {
        let gates = include_str!("../../../../gates.toml");
        let gate = gates.lines().find_map(|line| line.strip_prefix("sentences_right = "));
        let gate: usize = gate.and_then(|least| least.parse().ok()).expect("the gate is there");
        let pairs: Vec<_> = SENTENCES.lines().filter_map(|line| line.split_once(' ')).collect();
        let wrong: Vec<_> =
            pairs.iter().filter(|(code, text)| identify(text).code != *code).collect();
        assert!(gate >= 30 && pairs.len() - wrong.len() >= gate, "{wrong:?}");
    }

    #[test]
    fn a_script_of_its_own_says_the_language() {
        check("夜に川へ網を入れて、朝に引き上げます。", "ja");
        check("晚上把网放进河里，早上再收起来。", "zh");
        check("저녁에 강에 그물을 놓고 아침에 거둔다.", "ko");
        check("Linux 用户 在 Debian 系统 上 使用 这个 软件 管理 网络", "zh");
    }

    #[test]
    fn nothing_is_said_of_nothing_nor_of_nonsense() {
        for text in [
            "",
            " \n",
            "12:30 — 100 %",
            "→ ★ …",
            "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ ᛇᛈᛉᛊᛏᛒ",
            "qxzv wvkjq zzxqj vbnmqw xkcdqz",
            "dGhpcyBpcyBiYXNlNjQ= 3q2+7wAAAAB= ZmZmZmY0eHh6cXE=",
        ] {
            assert_eq!(identify(text), UNKNOWN, "language of {text:?}");
        }
    }

    #[test]
    fn near_languages_are_less_sure_than_far_ones() {
        let near = identify("To je dobro.").confidence;
        let far = identify("Tá an líon san abhainn agus tógtar ar maidin é.").confidence;
        assert!(near < far, "{near} {far}");
    }

    #[test]
    fn every_method_has_a_name_and_tells_plain_cases() {
        let text = "The net is set in the river and taken up again in the morning by the men.";
        for method in METHODS {
            let guess = Languages::shipped().identify_by(&method, text);
            assert_eq!(guess.code, "en", "{} {}", method.name, method.what);
        }
    }

    #[test]
    fn the_shipped_model_is_small_and_has_many_languages() {
        assert!(include_bytes!("../../data/languages.bin").len() <= 3_500_000);
        assert!(Languages::shipped().codes().len() >= 60);
    }

    proptest! {
        #[test]
        fn any_text_has_a_code_and_a_confidence_between_0_and_1(text in "\\PC{0,80}") {
            for method in METHODS {
                let guess = Languages::shipped().identify_by(&method, &text);
                prop_assert!(!guess.code.is_empty());
                prop_assert!((0.0..=1.0).contains(&guess.confidence));
            }
        }
    }
}
