//! What is run, by parts: 004's tables 1, 2, 3, 6 and 7 and its figures 5 to 13, with its figures where it has them.

use super::paper::{
    FIGURE_12, FIGURE_13, LANGUAGES, NO_FIGURES, PublishedFigures, TABLES_6_AND_7, lengths,
};
use super::pool::LanguagePool;
use super::trial::{NEGATIVE, TrialLimits, TrialStart};
use fyke_learn::terms::builder::HitsTaken;

/// How much there is, and what may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrialSetting {
    /// Everything, until 1,000 documents (004's table 6).
    Whole,
    /// Everything, until 3,000 documents or 2,500 queries (tables 1 and 2).
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
            TrialSetting::Lengths => TrialLimits { queries: 2_500, documents: 3_000 },
            TrialSetting::Rare => TrialLimits { queries: 1_000, documents: 100_000 },
        }
    }
}

/// One way in one setting.
#[derive(Clone, Debug)]
pub(crate) struct TrialCell {
    pub setting: TrialSetting,
    pub lang: &'static str,
    pub name: String,
    pub start: TrialStart,
    /// What it begins with, if that is not any document.
    pub begun: &'static str,
    pub paper: PublishedFigures,
}

impl TrialCell {
    fn new(setting: TrialSetting, lang: &'static str, name: impl Into<String>) -> TrialCell {
        let start = TrialStart::Document { source: "", others: &NEGATIVE };
        TrialCell { setting, lang, name: name.into(), start, begun: "", paper: NO_FIGURES }
    }

    pub(crate) fn label(&self) -> String {
        let setting = match self.setting {
            TrialSetting::Whole => "whole",
            TrialSetting::Lengths => "lengths",
            TrialSetting::Rare => "rare",
        };
        let begun = if self.begun.is_empty() { "" } else { ", from " };
        format!("{setting} {} {}{begun}{}", self.lang, self.name, self.begun)
    }

    /// 004's one document a step, but for our learner.
    pub(crate) fn taken(&self) -> HitsTaken {
        if self.name == "bandit" { HitsTaken::WhileGood(1) } else { HitsTaken::One }
    }
}

/// A part of the benchmark that can be run by itself.
pub(crate) struct TrialPart {
    pub name: &'static str,
    pub what: &'static str,
    pub cells: fn(&mut LanguagePool) -> Vec<TrialCell>,
}

/// The parts beside `filter`, which has no runs.
pub(crate) const PARTS: [TrialPart; 5] = [
    TrialPart { name: "whole", what: "tables 6 and 7, figures 10 and 13", cells: whole },
    TrialPart { name: "lengths", what: "tables 1 and 2, figures 2 to 5", cells: of_lengths },
    TrialPart { name: "learners", what: "table 3, figures 6, 7 and 11, our own", cells: learners },
    TrialPart { name: "starts", what: "table 5, figures 8 and 9", cells: starts },
    TrialPart { name: "like", what: "figure 12: more like this (§7.1)", cells: like },
];

fn whole(_: &mut LanguagePool) -> Vec<TrialCell> {
    let mut cells = Vec::new();
    for (place, lang) in LANGUAGES.into_iter().enumerate() {
        cells.extend(TABLES_6_AND_7.iter().map(|row| {
            let paper = PublishedFigures {
                at_queries: row.at_queries[place],
                at_documents: row.at_documents[place],
                ..NO_FIGURES
            };
            TrialCell { paper, ..TrialCell::new(TrialSetting::Whole, lang, row.name) }
        }));
        cells.push(TrialCell::new(TrialSetting::Whole, lang, "bandit"));
    }
    cells.extend(FIGURE_13.map(|(name, at_documents)| {
        let paper = PublishedFigures { at_documents, ..NO_FIGURES };
        TrialCell { paper, ..TrialCell::new(TrialSetting::Whole, "tl", name) }
    }));
    cells
}

fn of_lengths(_: &mut LanguagePool) -> Vec<TrialCell> {
    let cell = |name: String| TrialCell::new(TrialSetting::Lengths, "sl", name);
    let tables = lengths().map(|(name, paper)| TrialCell { paper, ..cell(name) });
    let others = ["PORH-1", "PORH-3", "RTFIDF-1", "RTFIDF-3", "TUPLES-3"];
    let figure_5 = [1, 3, 5, 7, 10].map(|length| format!("FMIF-{length}"));
    tables.chain(others.map(|name| cell(name.to_owned()))).chain(figure_5.map(cell)).collect()
}

const RARE: [&str; 12] = [
    "TF-3", "PTF-3", "OR-1", "OR-3", "bandit", "MLII", "FMII", "LTAII", "LTMII", "FMID", "LTAID",
    "LTMID",
];

fn learners(_: &mut LanguagePool) -> Vec<TrialCell> {
    let of = |lang| RARE.map(|name| TrialCell::new(TrialSetting::Rare, lang, name));
    LANGUAGES.into_iter().flat_map(of).collect()
}

/// Words to begin with: for Slovenian lists of table 5 (speaker 1 common, 2 unique, 3 useful), for others common ones.
const WORDS: [(&str, &str, &str); 6] = [
    ("sl", "common words", "da pa in je bi si bo a se ki"),
    (
        "sl",
        "unique words",
        "hrepenenje karkoli strani enajst zoprno trkanje uporabljati splet kozolec navodilo",
    ),
    ("sl", "useful words", "kakor bil je ker lahko brez s z ne tudi"),
    ("hr", "common words", "i u je se na da su za od što"),
    ("cs", "common words", "a se v na je že to do jsem ale"),
    ("tl", "common words", "ang ng sa mga na at ay ko siya ito"),
];
const ENGLISH: &str = "the of and to a in that is was for";

/// Sources of the pool that stand for the three kinds of table 4.
const KINDS: [(&str, &str); 3] = [
    ("a formal document", "lohelp"),
    ("a document of news", "dslcc"),
    ("an informal document", "tatoeba"),
];

fn starts(pool: &mut LanguagePool) -> Vec<TrialCell> {
    let mut cells = Vec::new();
    let ways = ["OR-3", "LTMII", "bandit"];
    let all = |lang: &'static str, begun: &'static str, start: TrialStart| {
        ways.map(|name| {
            let start = start.clone();
            TrialCell { begun, start, ..TrialCell::new(TrialSetting::Rare, lang, name) }
        })
    };
    for lang in LANGUAGES {
        cells.extend(all(lang, "", TrialStart::Document { source: "", others: &NEGATIVE }));
    }
    for (lang, begun, list) in WORDS {
        let start = TrialStart::Words(pool.terms(list), pool.terms(ENGLISH));
        cells.extend(all(lang, begun, start));
    }
    for (begun, source) in KINDS {
        cells.extend(all("sl", begun, TrialStart::Document { source, others: &NEGATIVE }));
    }
    let start = TrialStart::Document { source: KINDS[0].1, others: &NEGATIVE[..1] };
    cells.extend(all("sl", "a formal document, one other", start));
    cells
}

fn like(_: &mut LanguagePool) -> Vec<TrialCell> {
    let cell = |(name, share): (&str, f64)| TrialCell {
        paper: PublishedFigures { share, ..NO_FIGURES },
        ..TrialCell::new(TrialSetting::Lengths, "sl", name)
    };
    FIGURE_12.map(cell).into()
}
