//! What is run: 004's tables 1, 2, 6 and 7 and its learners, with its figures where it has them.

use super::pool::LanguagePool;
use super::trial::{TrialLimits, TrialStart};
use fyke_learn::terms::TermCount;
use fyke_learn::terms::builder::HitsTaken;

/// How much there is, and what may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrialSetting {
    /// Everything, until 1,000 documents (004's table 6).
    Whole,
    /// Everything, until 3,000 documents or 1,000 queries (tables 1 and 2).
    Lengths,
    /// 1,000 documents, ten hits, 1,000 queries.
    Rare,
}

impl TrialSetting {
    pub(crate) fn targets(self) -> Option<usize> {
        (self == TrialSetting::Rare).then_some(1_000)
    }

    pub(crate) fn limits(self) -> TrialLimits {
        match self {
            TrialSetting::Whole => TrialLimits { queries: 3_000, documents: 1_000 },
            TrialSetting::Lengths => TrialLimits { queries: 1_000, documents: 3_000 },
            TrialSetting::Rare => TrialLimits { queries: 1_000, documents: 100_000 },
        }
    }
}

/// One way in one setting.
pub(crate) struct TrialCell {
    pub setting: TrialSetting,
    pub lang: &'static str,
    pub name: &'static str,
    pub start: TrialStart,
    /// The list of words it begins with.
    pub words: Option<&'static str>,
    /// 004's figure: documents in the language among the first 1,000 (table 6), or their percentage
    /// (table 1).
    pub paper: f64,
}

impl TrialCell {
    pub(crate) fn label(&self) -> String {
        let setting = match self.setting {
            TrialSetting::Whole => "whole",
            TrialSetting::Lengths => "lengths",
            TrialSetting::Rare => "rare",
        };
        let words = self.words.map(|words| format!(", {words}")).unwrap_or_default();
        format!("{setting} {} {}{words}", self.lang, self.name)
    }

    pub(crate) fn shows_query(&self) -> bool {
        self.setting == TrialSetting::Whole
    }

    /// The learner and how many hits it takes: 004's one document a step.
    pub(crate) fn way(&self) -> (&'static str, HitsTaken) {
        let taken = if self.name == "bandit" { HitsTaken::WhileGood(1) } else { HitsTaken::One };
        (self.name, taken)
    }
}

const LANGUAGES: [&str; 4] = ["sl", "hr", "cs", "tl"];

/// Table 6: documents in the language among the first 1,000, by language.
const TABLE_6: [(&str, [f64; 4]); 3] = [
    ("TF-3", [178.0, 39.0, 385.0, 440.0]),
    ("PTF-3", [646.0, 410.0, 451.0, 359.0]),
    ("OR-3", [835.0, 677.0, 743.0, 664.0]),
];

/// Table 1: percentage in the language after 3,000 documents; 004's printed rows, with "PO-3 9.4 %",
/// which is its figure for queries.
const TABLE_1: [(&str, f64); 20] = [
    ("OR-1", 68.8),
    ("POR-1", 46.0),
    ("UN-1", 39.0),
    ("PTF-1", 19.1),
    ("TF-1", 8.9),
    ("OR-3", 82.3),
    ("UN-3", 65.8),
    ("PTF-3", 64.1),
    ("TF-3", 33.2),
    ("POR-3", 9.4),
    ("UN-5", 92.4),
    ("POR-5", 92.3),
    ("OR-5", 81.5),
    ("PTF-5", 77.4),
    ("TF-5", 77.0),
    ("POR-10", 100.0),
    ("PTF-10", 88.7),
    ("OR-10", 79.2),
    ("UN-10", 50.0),
    ("TF-10", 7.0),
];

const RARE: [&str; 12] = [
    "TF-3", "PTF-3", "OR-1", "OR-3", "bandit", "MLII", "FMII", "LTAII", "LTMII", "FMID", "LTAID",
    "LTMID",
];

/// Lists of table 5: speaker 1 common, 2 unique, 3 useful.
const WORDS: [(&str, &str); 3] = [
    ("common words", "da pa in je bi si bo a se ki"),
    (
        "unique words",
        "hrepenenje karkoli strani enajst zoprno trkanje uporabljati splet kozolec navodilo",
    ),
    ("useful words", "kakor bil je ker lahko brez s z ne tudi"),
];
const ENGLISH: &str = "the of and to a in that is was for";

/// All that is run.
pub(crate) fn cells(pool: &mut LanguagePool) -> Vec<TrialCell> {
    let cell = |setting, lang, name, paper| TrialCell {
        setting,
        lang,
        name,
        start: TrialStart::Document,
        words: None,
        paper,
    };
    let mut cells = Vec::new();
    for (place, lang) in LANGUAGES.into_iter().enumerate() {
        cells
            .extend(TABLE_6.iter().map(|row| cell(TrialSetting::Whole, lang, row.0, row.1[place])));
        cells.push(cell(TrialSetting::Whole, lang, "bandit", f64::NAN));
    }
    for lang in LANGUAGES {
        cells.extend(RARE.iter().map(|name| cell(TrialSetting::Rare, lang, name, f64::NAN)));
    }
    cells.extend(TABLE_1.iter().map(|row| cell(TrialSetting::Lengths, "sl", row.0, row.1)));
    for (words, list) in WORDS {
        let start = TrialStart::Words(counted(pool, list), counted(pool, ENGLISH));
        for name in ["OR-1", "OR-3", "bandit"] {
            let (words, start) = (Some(words), start.clone());
            cells.push(TrialCell {
                words,
                start,
                ..cell(TrialSetting::Rare, "sl", name, f64::NAN)
            });
        }
    }
    cells
}

fn counted(pool: &mut LanguagePool, list: &str) -> Vec<TermCount> {
    pool.terms(list)
}
