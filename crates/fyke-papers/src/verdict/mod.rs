//! Is a text a research paper (002 §2: "documents that have an abstract and a references section")? A verdict with what
//! speaks for it, and where it is none, why. The source asks for those two sections; asked here are also whether the
//! text cites what it lists, how its sections are headed, who signs it and how long it is, so that lists of
//! publications, books, slides and manuals that have references too are told apart.

mod signs;

use crate::paper::PaperLine;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use signs::PaperSigns;

/// Points of a paper that has everything.
const FULL: f32 = 10.0;
/// From which share of those on a text is a paper.
const ENOUGH: f32 = 0.5;
/// Words of a text between which it may be a paper.
const WORDS: [usize; 2] = [250, 150_000];
/// Below so many it must cite what it lists or have sections, else it is an abstract with references.
const WHOLE: usize = 2_000;
/// Pages of which it may have so many.
const PAGES: u32 = 400;
/// Slides have this many pages, and so few words on each.
const SLIDES: [usize; 2] = [5, 130];
/// Lines that are looked at; of more, the last are left out.
const MOST_LINES: usize = 200_000;

/// What is said of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaperVerdict {
    pub is_paper: bool,
    /// From 0 to 1; papers have .5 or more, unless the note says what speaks against it.
    pub score: f32,
    /// In short words: "abstract", "23 references".
    pub evidence: Vec<String>,
    /// Why it is no paper; empty where it is one.
    pub note: String,
}

/// Whether markup or plain text may be a paper, by a glance: it has what may be references, and the heading
/// of an abstract or of an introduction. Costs next to nothing on pages that are none.
#[must_use]
pub fn may_be_paper(text: &str) -> bool {
    has_references(text) && has_opening(text)
}

/// Whether there is a word that heads an abstract or an introduction.
#[must_use]
pub fn has_opening(text: &str) -> bool {
    signs::OPENING_GLANCES.iter().any(|word| stands_alone(text.as_bytes(), word))
}

/// Whether there is a word that heads a list of references; or, since they may stand in footnotes, markup of raised
/// numbers by which those are cited.
#[must_use]
pub fn has_references(text: &str) -> bool {
    signs::LIST_GLANCES.iter().any(|word| stands_alone(text.as_bytes(), word))
        || memmem::find_iter(text.as_bytes(), "<sup").nth(FEWEST_RAISED - 1).is_some()
}

/// Raised numbers of a paper with footnotes.
const FEWEST_RAISED: usize = 4;

/// Whether a word begins somewhere.
fn stands_alone(text: &[u8], word: &str) -> bool {
    let is_free = |at: usize| at == 0 || !text[at - 1].is_ascii_alphanumeric();
    memmem::find_iter(text, word).any(is_free)
}

/// Whether the lines of a text are a paper.
#[must_use]
pub fn judge(lines: &[PaperLine]) -> PaperVerdict {
    let signs = PaperSigns::of(&lines[..lines.len().min(MOST_LINES)]);
    let score = (signs.points() / FULL).clamp(0.0, 1.0);
    let against = against(&signs);
    let is_paper = against.is_none() && score >= ENOUGH;
    let note = match against {
        _ if is_paper => String::new(),
        Some(why) => why,
        None => missing(&signs),
    };
    PaperVerdict { is_paper, score, evidence: signs.evidence(), note }
}

/// What makes a text no paper, whatever else it has.
fn against(signs: &PaperSigns) -> Option<String> {
    let per_page = signs.words / signs.pages.max(1) as usize;
    let why = match () {
        () if signs.words == 0 => "no text".to_owned(),
        () if signs.pages as usize >= SLIDES[0] && per_page < SLIDES[1] => {
            format!("slides: {} pages with {per_page} words on each", signs.pages)
        }
        () if signs.pages > PAGES => format!("a book: {} pages", signs.pages),
        () if signs.words > WORDS[1] => format!("a book: {} words", signs.words),
        () if signs.abstracts > 3 || signs.lists > 4 => "several papers in one".to_owned(),
        () if signs.words < WORDS[0] => format!("too short: {} words", signs.words),
        () if !signs.has_abstract && signs.references == 0 => {
            "no abstract and no references".to_owned()
        }
        () if signs.listed > signs.words - signs.listed => {
            "a list: most of it is references".to_owned()
        }
        () if signs.has_abstract && signs.words - signs.listed < WHOLE && !signs.has_text() => {
            "no text but for abstract and references".to_owned()
        }
        () => return None,
    };
    Some(why)
}

/// What a text lacks to be one.
fn missing(signs: &PaperSigns) -> String {
    let lacks = [
        (!signs.has_abstract, "no abstract"),
        (signs.references == 0, "no references"),
        (signs.references > 0 && signs.cited == 0, "references that the text does not cite"),
        (!signs.has_sections(), "no sections of a paper"),
        (!signs.is_signed, "no institution"),
    ];
    let lacks = lacks.into_iter().filter_map(|(holds, what)| holds.then_some(what));
    let mut all: Vec<String> = lacks.map(str::to_owned).collect();
    all.extend(signs.other.map(|other| format!("a heading \u{201C}{other}\u{201D}")));
    if all.is_empty() { "too little of a paper".to_owned() } else { all.join(", ") }
}

#[cfg(test)]
mod tests;
