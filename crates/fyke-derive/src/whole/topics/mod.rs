//! Topics: a tree of topics with keywords is learnt from all documents (002 §3), and every document is
//! placed in it. Learning and placing are two derivations: new documents are placed by what was learnt
//! last.

mod figures;
mod outline;
mod paper;
mod placing;
mod preview;

pub use figures::{KeywordFigures, TopicFigures, TopicSample, TopicTreeFigures};
pub use outline::Outline;
pub use placing::{PlacedTopic, TOPICS, TopicPlacer, names_of, of_document};
pub use preview::{Move, Preview, preview};

use super::WholeRun;
use super::twins::left_out;
use crate::facts::DerivedFact;
use crate::page::anchors;
use crate::table::{Derivation, DeriveSettings, Tier};
use fyke_index::{Fact, FactFacet};
use fyke_learn::topics::{Bags, Keyword, LearntTopics, TopicOptions, train};
use fyke_store::{Cells, Single, StoreError, View};
use fyke_text::bag::{Gathering, Lexicon, WeightedPart};
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const MODEL_ROW: Derivation = Derivation {
    name: "topics.model",
    what: "what was learnt of the topics in topics.toml",
    code: 8,
    version: 2,
    reads: &[],
    late: &["print", "papers", "twins", "reasons"],
    writes: &[MODEL.declaration()],
    facts: &[],
    settings: outline,
    tier: Tier::Whole { all: learn, some: None, is_exact: true },
};

pub const ROW: Derivation = Derivation {
    name: "topics",
    what: "the topics of each document, and the tree in figures",
    code: 9,
    version: 2,
    reads: &["print", "papers", "twins", "reasons", "topics.model"],
    late: &["anchors"],
    writes: &[TOPICS.declaration(), FIGURES.declaration()],
    facts: &[DerivedFact { fact: TOPIC, value: placing::label }],
    settings: |_| String::new(),
    tier: Tier::Whole { all: placing::place_all, some: Some(placing::place_some), is_exact: false },
};

/// The topics as the index knows them, by their paths.
const TOPIC: Fact = Fact {
    name: "topic",
    what: "what the page is about, by the tree of topics.toml",
    filter: true,
    facet: Some(FactFacet { title: "Topic", cuts: &[] }),
    ..Fact::LABEL
};

/// What was learnt.
pub const MODEL: Single<TopicModel> = Single::new("topics.model", 1);
/// The figures as commands and pages show them.
pub(crate) const FIGURES: Single<TopicTreeFigures> = Single::new("topics", 1);

/// A word of the title counts as so many of the text.
pub const TITLE: f32 = 3.;

/// Topics are learnt from so many documents at the most: those with the smallest ids, which are hashes.
const MOST_DOCUMENTS: usize = 50_000;

/// Texts of links to a document that are read.
const MOST_ANCHORS: usize = 50;

fn outline(settings: &DeriveSettings) -> String {
    format!("{:?}", settings.outline)
}

/// What was learnt, with what it was learnt from.
#[derive(Debug, Serialize, Deserialize)]
pub struct TopicModel {
    /// The version of the program, and when it was, in milliseconds since 1970.
    pub version: String,
    pub time: i64,
    pub documents: u64,
    pub outline: Outline,
    /// Documents with each keyword, in the order of the outline.
    found: Vec<u64>,
    words: Vec<String>,
    model: LearntTopics,
}

/// What was learnt last, whatever has come since.
///
/// # Errors
/// When it cannot be read.
pub fn last(collection: &View) -> Result<Option<TopicModel>, StoreError> {
    collection.cells().value(&MODEL)
}

/// The figures as they were made last.
///
/// # Errors
/// When they cannot be read.
pub fn figures(collection: &View) -> Result<Option<TopicTreeFigures>, StoreError> {
    collection.cells().value(&FIGURES)
}

/// Learns where there is an outline; where there is none, nothing is known.
fn learn(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let Some(outline) = &run.settings.outline else {
        run.batch.clear(MODEL.declaration());
        return Ok(());
    };
    let out = left_out(run.cells)?;
    let observe = &mut *run.observe;
    let sample = (&out, MOST_DOCUMENTS);
    let gathering = gather(run.view, outline, sample, |done| observe(done, None))?;
    let (lexicon, bags) = gathering.finish();
    let mut found = vec![0; outline.all_keywords().count()];
    bags.found.iter().flatten().for_each(|hit| found[hit.keyword as usize] += 1);
    let learnt = TopicModel {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: run.time,
        documents: bags.documents.len() as u64,
        model: model(&lexicon, &bags, outline),
        outline: outline.clone(),
        found,
        words: lexicon.words().to_vec(),
    };
    run.batch.set(&MODEL, &learnt)
}

/// Reads documents until there are enough.
fn gather(
    collection: &View,
    outline: &Outline,
    (out, most): (&BTreeSet<UrlId>, usize),
    mut observe: impl FnMut(u64),
) -> Result<Gathering, StoreError> {
    let cells = collection.cells();
    let mut gathering = Gathering::new(outline.all_keywords().map(|(_, word)| word));
    for document in collection.documents.all() {
        let document = document?;
        if out.contains(&document.id) {
            continue;
        }
        let references = references(&cells, document.id)?;
        let document = paper::seen(&cells, document)?;
        gathering.add(&parts(&document, &references), &document.language);
        if gathering.len().is_multiple_of(64) {
            observe(gathering.len() as u64);
        }
        if gathering.len() == most {
            break;
        }
    }
    Ok(gathering)
}

/// Learns from what was gathered.
fn model(lexicon: &Lexicon, bags: &Bags, outline: &Outline) -> LearntTopics {
    let keyword = |(node, word)| Keyword { node, words: lexicon.numbers(word) };
    let keywords: Vec<Keyword> = outline.all_keywords().map(keyword).collect();
    let options =
        TopicOptions { even: outline.even, rest: outline.rest, ..TopicOptions::default() };
    train(bags, &outline.tree(), &keywords, options)
}

/// What other documents call this one.
fn references(cells: &Cells, id: UrlId) -> Result<String, StoreError> {
    let found = cells.first_in(&anchors::ANCHORS, id, MOST_ANCHORS)?;
    Ok(found.into_iter().map(|(_, anchor)| anchor.text).collect::<Vec<_>>().join("\n"))
}

/// The parts of a document with what a word in each counts: title, text, references.
fn parts<'a>(document: &'a Document, references: &'a str) -> [WeightedPart<'a>; 3] {
    [(&document.title, TITLE), (&document.text, 1.), (references, 1.)]
}
