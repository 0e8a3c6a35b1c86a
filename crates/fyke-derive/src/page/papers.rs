//! Papers among the documents (002 §2, §4): whether each is one, with the evidence, and of those that are their
//! header, references and the sentences that cite them.
//!
//! Pages of HTML and text are looked at closely only where a glance finds the heading of an abstract or an introduction
//! and what may be references; documents of formats with a layout always. Nothing is read from the capture again.

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_formats::{PageLine, lines};
use fyke_papers::contexts::CitationContext;
use fyke_papers::header::PaperHeader;
use fyke_papers::models::PaperModels;
use fyke_papers::names::of_header;
use fyke_papers::paper::{NO_TITLE, Paper, PaperLine, take_apart_within};
use fyke_papers::reference::PaperReference;
use fyke_papers::verdict::{PaperVerdict, has_opening, has_references, judge};
use fyke_store::{CellBatch, Column};
use fyke_web::page::Format;
use fyke_web::{Document, Page};
use serde::{Deserialize, Serialize};

pub const ROW: Derivation = Derivation {
    name: "papers",
    what: "which documents are research papers and why, with header, references and citations",
    code: 22,
    version: 2,
    reads: &[],
    late: &[],
    writes: &[PAPERS.declaration(), PARTS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

/// Of every document that was looked at closely.
pub const PAPERS: Column<JudgedPaper> = Column::new("paper", 1);
/// Of papers.
pub const PARTS: Column<PaperParts> = Column::new("paper.parts", 1);

/// Formats that papers are written in and that have lines or headings.
const LAID_OUT: &[&str] = &["pdf", "postscript", "docx", "odt", "rtf"];
/// Shorter pages of HTML and text are not looked at.
const FEWEST_WORDS: u32 = 150;
/// Lines above the title of a page of HTML at most, and bytes of a title that is told by the title element.
const MOST_ABOVE: usize = 300;
const SHORTEST_TITLE: usize = 12;
/// References that are kept, sentences, and the bytes of each of them together.
const MOST_REFERENCES: usize = 1_000;
const MOST_CONTEXTS: usize = 2_000;
const MOST_BYTES: usize = 256 << 10;
/// Bytes of a field of the header, of the abstract, and entries of a list.
const LONGEST_FIELD: usize = 500;
const LONGEST_ABSTRACT: usize = 8_000;
const MOST_ENTRIES: usize = 100;
/// Bytes of a sentence.
const LONGEST_SENTENCE: usize = 600;

/// Whether a document is a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgedPaper {
    pub verdict: PaperVerdict,
    /// Empty of what is no paper.
    pub header: PaperHeader,
    /// What of a paper was not found or left out.
    pub notes: Vec<String>,
}

/// What a paper refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperParts {
    pub references: Vec<PaperReference>,
    pub contexts: Vec<CitationContext>,
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    let found = run.document.zip(run.page).and_then(|(document, page)| look(document, page));
    let (judged, parts) = match found {
        Some((judged, parts)) => (Some(judged), parts),
        None => (None, None),
    };
    match judged {
        Some(judged) => batch.put(&PAPERS, run.id, &judged),
        None if run.is_known => batch.delete(&PAPERS, run.id),
        None => {}
    }
    match parts {
        Some(parts) => batch.put(&PARTS, run.id, &parts),
        None if run.is_known => batch.delete(&PARTS, run.id),
        None => {}
    }
}

/// Judges a document, and takes it apart where it is a paper.
fn look(document: &Document, page: &Page) -> Option<(JudgedPaper, Option<PaperParts>)> {
    let is_close = match page.format {
        Format::Converted(name) => {
            LAID_OUT.contains(&name) || name == "markdown" && is_seen(document, page)
        }
        Format::Html | Format::Text => is_seen(document, page),
        Format::Xml | Format::Other => false,
    };
    if !is_close {
        return None;
    }
    let lines = paper_lines(page);
    let verdict = judge(&lines);
    if !verdict.is_paper {
        return Some((JudgedPaper { verdict, ..JudgedPaper::default() }, None));
    }
    let paper = paper_of(page, &lines, PaperModels::shipped(), MOST_REFERENCES);
    let (judged, parts) = bounded(verdict, paper);
    Some((judged, Some(parts)))
}

/// The main text is much shorter than its page, but the list may be left out of it.
fn is_seen(document: &Document, page: &Page) -> bool {
    document.words >= FEWEST_WORDS && has_opening(&document.text) && has_references(&page.content)
}

/// The lines of a page as papers are found by them; what stands above the title of a page of HTML is left out.
#[must_use]
pub fn paper_lines(page: &Page) -> Vec<PaperLine> {
    let line = |line: PageLine| {
        let PageLine { text, heading, begins_block, page } = line;
        PaperLine { text, heading, begins_block, page }
    };
    let mut lines: Vec<PaperLine> = lines(page).into_iter().map(line).collect();
    if page.format == Format::Html
        && let Some(title) = title_line(page, &lines)
    {
        lines.drain(..title);
    }
    lines
}

/// The heading that is the title of a page: the one that its title element has, else the first of all.
fn title_line(page: &Page, lines: &[PaperLine]) -> Option<usize> {
    let plain = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    };
    let title = plain(&page.title);
    let head = lines.iter().take(MOST_ABOVE).enumerate();
    let mut headings = head.filter(|(_, line)| line.heading > 0);
    let is_title = |text: &str| {
        let text = plain(text);
        text.len() >= SHORTEST_TITLE && title.contains(&text)
    };
    let named = headings.clone().find(|(_, line)| is_title(&line.text));
    named.or_else(|| headings.find(|(_, line)| line.heading == 1)).map(|(at, _)| at)
}

/// Takes the lines of a page apart. A page of HTML says by its markup what its title is, and may name its authors.
#[must_use]
pub fn paper_of(page: &Page, lines: &[PaperLine], models: &PaperModels, most: usize) -> Paper {
    let mut paper = take_apart_within(lines, models, most);
    if page.format != Format::Html {
        return paper;
    }
    if let Some(title) = lines.first().filter(|line| line.heading > 0) {
        paper.header.title.clone_from(&title.text);
        paper.notes.retain(|note| *note != NO_TITLE);
    }
    if paper.header.authors.is_empty() {
        paper.header.authors = of_header(&page.author);
    }
    paper
}

/// So much of a paper as is kept.
fn bounded(verdict: PaperVerdict, paper: Paper) -> (JudgedPaper, PaperParts) {
    let Paper { mut header, mut references, mut contexts, notes, .. } = paper;
    let mut notes: Vec<String> = notes.into_iter().map(str::to_owned).collect();
    for text in [&mut header.title, &mut header.date, &mut header.degree, &mut header.number] {
        cut(text, LONGEST_FIELD);
    }
    cut(&mut header.note, LONGEST_FIELD);
    cut(&mut header.abstract_text, LONGEST_ABSTRACT);
    let PaperHeader { affiliations, addresses, emails, phones, web, keywords, .. } = &mut header;
    for list in [affiliations, addresses, emails, phones, web, keywords] {
        list.truncate(MOST_ENTRIES);
        list.iter_mut().for_each(|text| cut(text, LONGEST_FIELD));
    }
    header.authors.truncate(MOST_ENTRIES);
    for name in &mut header.authors {
        cut(&mut name.given, LONGEST_FIELD);
        cut(&mut name.family, LONGEST_FIELD);
    }
    // The text of a reference stands in its fields once more.
    let kept = fitting(references.iter().map(|reference| reference.text.len() * 2));
    if kept < references.len() {
        references.truncate(kept);
        notes.push("more references than are kept".to_owned());
    }
    contexts.retain(|context| context.reference < references.len());
    contexts.truncate(MOST_CONTEXTS);
    for context in &mut contexts {
        cut(&mut context.sentence, LONGEST_SENTENCE);
        cut(&mut context.section, LONGEST_FIELD);
    }
    contexts.truncate(fitting(contexts.iter().map(|context| context.sentence.len())));
    (JudgedPaper { verdict, header, notes }, PaperParts { references, contexts })
}

/// How many of these fit.
fn fitting(sizes: impl Iterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let fits = |size: &usize| {
        bytes += size;
        bytes <= MOST_BYTES
    };
    sizes.take_while(fits).count()
}

fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}
