//! What of a page speaks of spam (001 "Search engine optimization"), before anything is known of other pages: a file
//! for each kind of evidence, a row for each number. Every number is 0 on an ordinary page and grows with the evidence;
//! which of them weigh how much is learned ([`crate::whole::spam`]).

mod hidden;
mod links;
mod names;
mod sentences;
mod words;

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Column, StoredLink};
use fyke_web::page::Format;
use fyke_web::{Capture, Document, Page, Unseen, unseen};
use words::WordCounts;

pub const ROW: Derivation = Derivation {
    name: "evidence",
    what: "what of each page speaks of spam: hidden text, repetition, names, sentences, links",
    code: 40,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[EVIDENCE.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

/// The numbers of a page, in the order of [`PAGE_EVIDENCE`].
pub const EVIDENCE: Column<Vec<f32>> = Column::new("evidence", 1);

/// One number.
#[derive(Debug)]
pub struct PageEvidence {
    pub name: &'static str,
    /// What a page does of which it is large, in words that end a sentence on the page.
    pub what: &'static str,
    /// From 0 to about 1.
    pub(crate) value: fn(&SpamView<'_>) -> f32,
}

/// Every number.
pub const PAGE_EVIDENCE: &[PageEvidence] = &[
    hidden::HIDDEN,
    words::TOP_WORD,
    words::TOP_THREE,
    words::REPEATED,
    words::NO_STOP_WORDS,
    words::FEW_WORDS,
    names::TITLE,
    names::URL,
    names::META,
    names::META_LENGTH,
    sentences::BROKEN,
    sentences::ENDLESS,
    links::SENDS_AWAY,
    links::OUT,
    links::ONE_TARGET,
    links::SAME_ANCHORS,
];

/// A page as the evidence is found in it.
#[derive(Debug)]
pub(crate) struct SpamView<'a> {
    capture: &'a Capture,
    page: &'a Page,
    document: &'a Document,
    links: &'a [StoredLink],
    unseen: Unseen,
    words: WordCounts,
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match (run.document, run.page) {
        (Some(document), Some(page)) => {
            let values = evidence(run.capture, page, (document, run.links));
            batch.put(&EVIDENCE, run.id, &values);
        }
        _ if run.is_known => batch.delete(&EVIDENCE, run.id),
        _ => {}
    }
}

/// The numbers of a page with its document and its links.
#[must_use]
pub fn evidence(
    capture: &Capture,
    page: &Page,
    (document, links): (&Document, &[StoredLink]),
) -> Vec<f32> {
    let unseen = match page.format {
        Format::Html => unseen(&page.content),
        _ => Unseen::default(),
    };
    let words = WordCounts::of(&document.text, &document.language);
    let view = SpamView { capture, page, document, links, unseen, words };
    let value = |row: &PageEvidence| (row.value)(&view).clamp(0.0, 4.0);
    PAGE_EVIDENCE.iter().map(value).collect()
}

/// How far a number lies beyond what is usual, in so large steps.
fn beyond(value: f32, usual: f32, step: f32) -> f32 {
    ((value - usual) / step).max(0.0)
}

#[cfg(test)]
mod tests;
