//! Topics: a tree of topics with keywords (`topics.toml`) is learnt from all documents (002 §3), and every
//! document is placed in it. The column "topic" holds what each document is about, "topics.model" what was
//! learnt, "topics" the figures that commands and pages show. All are made again when the documents or
//! the file change.

mod figures;
mod placing;
mod preview;

pub use figures::{Figures, KeywordFigures, Sample, TopicFigures};
pub use placing::{Placed, Topic, names_of, of_document};
pub use preview::{Move, Preview, preview};

use super::{Step, analyse};
use crate::config::{Config, Outline};
use crate::show;
use fyke_index::{Fact, FactFacet};
use fyke_learn::topics::{Bags, Keyword, Model, Options, train};
use fyke_store::{Collection, StoreError, View};
use fyke_text::bag::{Gathering, Lexicon, Part};
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The topics as the index knows them, by their paths.
pub const FACT: Fact = Fact {
    name: "topic",
    what: "what the page is about, by the tree of topics.toml",
    filter: true,
    facet: Some(FactFacet { title: "Topic", cuts: &[] }),
    ..Fact::LABEL
};

/// A word of the title counts as so many of the text.
pub const TITLE: f32 = 3.;

/// Topics are learnt from so many documents at the most: those with the smallest ids, which are hashes.
const MOST_DOCUMENTS: usize = 50_000;

/// Texts of links to a document that are read.
const MOST_ANCHORS: usize = 50;

/// The column of what was learnt, and the cell it stands in.
const MODEL: &str = "topics.model";
const CELL: UrlId = UrlId(0);

/// Raise it when what is learnt or written changes.
const FORM: u32 = 1;

/// What was learnt, with what it was learnt from.
#[derive(Debug, Serialize, Deserialize)]
pub struct Trained {
    /// What it depends on.
    pub mark: String,
    /// The version of the program, and when it was, in milliseconds since 1970.
    pub version: String,
    pub time: i64,
    pub documents: u64,
    pub outline: Outline,
    /// Documents with each keyword, in the order of the outline.
    found: Vec<u64>,
    words: Vec<String>,
    model: Model,
}

/// Trains and places if there is a `topics.toml` and something has changed since; gives the figures. Where
/// the file is gone, so are the topics.
///
/// # Errors
/// When the file is wrong, or the collection cannot be read or written.
pub fn topics(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Option<Figures>> {
    let Some(outline) = Outline::load(collection.root())? else {
        if figures::stored(collection)?.is_some() {
            placing::clear(collection)?;
        }
        return Ok(None);
    };
    let mark = mark(collection, config, &outline)?;
    match figures::stored(collection)? {
        Some(figures) if figures.mark == mark => Ok(Some(figures)),
        _ => Ok(Some(learn(collection, &outline, mark, observe)?)),
    }
}

/// Trains and places, whatever was there before.
///
/// # Errors
/// As [`topics`]; and when there is no `topics.toml`.
pub fn train_anew(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Option<Figures>> {
    let Some(outline) = Outline::load(collection.root())? else { return Ok(None) };
    let mark = mark(collection, config, &outline)?;
    Ok(Some(learn(collection, &outline, mark, observe)?))
}

fn learn(
    collection: &Collection,
    outline: &Outline,
    mark: String,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Figures> {
    let out = left_out(collection)?;
    let trained = trained(collection, outline, &out, mark, observe)?;
    collection.documents.put_column(MODEL, &[(CELL, postcard::to_stdvec(&trained)?)])?;
    placing::place_all(collection, &trained, &out, observe)
}

/// Places all documents by what was learnt before.
///
/// # Errors
/// When the collection cannot be read or written.
pub fn apply(
    collection: &Collection,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Option<Figures>> {
    let Some(trained) = last(collection)? else { return Ok(None) };
    let out = left_out(collection)?;
    Ok(Some(placing::place_all(collection, &trained, &out, observe)?))
}

/// What was learnt last, whatever has come since; none where it cannot be read.
///
/// # Errors
/// When the column cannot be read.
pub fn last(collection: &View) -> Result<Option<Trained>, StoreError> {
    let cell = collection.documents.cell(MODEL, CELL)?;
    Ok(cell.and_then(|cell| postcard::from_bytes(&cell).ok()))
}

/// The figures as they were made last.
///
/// # Errors
/// When the column cannot be read.
pub fn figures(collection: &View) -> Result<Option<Figures>, StoreError> {
    figures::stored(collection)
}

/// What topics depend on, as a text.
fn mark(collection: &View, config: &Config, outline: &Outline) -> Result<String, StoreError> {
    let outline = xxhash_rust::xxh3::xxh3_64(format!("{outline:?}").as_bytes());
    Ok(format!("{FORM} {outline:016x} {}", analyse::mark(collection, config)?))
}

/// The mark of the topics that documents have now; empty where they have none.
pub(super) fn placed_mark(collection: &View) -> Result<String, StoreError> {
    Ok(figures::stored(collection)?.map_or_else(String::new, |figures| figures.mark))
}

/// Copies and documents of other languages: not searched, so without topics.
fn left_out(collection: &View) -> Result<BTreeSet<UrlId>, StoreError> {
    Ok(super::index::left_out(collection)?.into_keys().collect())
}

fn trained(
    collection: &View,
    outline: &Outline,
    out: &BTreeSet<UrlId>,
    mark: String,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Trained> {
    let gathering = gather(collection, outline, (out, MOST_DOCUMENTS), |done| {
        observe(Step { stage: "topics", done, total: None });
    })?;
    let (lexicon, bags) = gathering.finish();
    let mut found = vec![0; outline.all_keywords().count()];
    bags.found.iter().flatten().for_each(|hit| found[hit.keyword as usize] += 1);
    Ok(Trained {
        mark,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: show::now(),
        documents: bags.documents.len() as u64,
        model: model(&lexicon, &bags, outline),
        outline: outline.clone(),
        found,
        words: lexicon.words().to_vec(),
    })
}

/// Reads documents until there are enough.
fn gather(
    collection: &View,
    outline: &Outline,
    (out, most): (&BTreeSet<UrlId>, usize),
    mut observe: impl FnMut(u64),
) -> Result<Gathering, StoreError> {
    let mut gathering = Gathering::new(outline.all_keywords().map(|(_, word)| word));
    for document in collection.documents.all() {
        let document = document?;
        if out.contains(&document.id) {
            continue;
        }
        let references = references(collection, document.id)?;
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
fn model(lexicon: &Lexicon, bags: &Bags, outline: &Outline) -> Model {
    let keyword = |(node, word)| Keyword { node, words: lexicon.numbers(word) };
    let keywords: Vec<Keyword> = outline.all_keywords().map(keyword).collect();
    let options = Options { even: outline.even, rest: outline.rest, ..Options::default() };
    train(bags, &outline.tree(), &keywords, options)
}

/// What other documents call this one.
fn references(collection: &View, id: UrlId) -> Result<String, StoreError> {
    let anchors = collection.documents.anchors(id)?;
    let texts = anchors.into_iter().take(MOST_ANCHORS).map(|(_, text)| text);
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// The parts of a document with what a word in each counts: title, text, references.
fn parts<'a>(document: &'a Document, references: &'a str) -> [Part<'a>; 3] {
    [(&document.title, TITLE), (&document.text, 1.), (references, 1.)]
}
