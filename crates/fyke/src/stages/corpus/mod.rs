//! The corpus in figures: one pass over the documents that are kept (003 §4.2). The result is a column
//! of its own, which stands until documents or settings change, so that pages and commands are quick.

mod counting;
mod figures;
pub mod plots;

pub use counting::Counting;
pub use figures::{Bin, Corpus, Laws, Part, Words};

use super::{Step, kept};
use crate::config::CorpusKeys;
use fyke_store::{Collection, Reason, StoreError, View};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Column of the figures; they stand in the cell of no URL.
const COLUMN: &str = "corpus";
const CELL: UrlId = UrlId(0);
/// Raise it when the figures or their meaning change.
const FORMAT: u32 = 1;

/// Documents that are no part of the corpus: what their number is called, and why they are not.
pub const LEFT_OUT: &[(&str, Reason)] = &[
    ("exact_copies", Reason::DupExact),
    ("near_copies", Reason::DupNear),
    ("thin", Reason::Thin),
    ("other_languages", Reason::Lang),
];

/// Figures with what they depend on.
#[derive(Serialize, Deserialize)]
struct Stored {
    mark: String,
    corpus: Corpus,
}

fn stored(collection: &View) -> Result<Option<Stored>, StoreError> {
    let cell = collection.documents.cell(COLUMN, CELL)?;
    Ok(cell.and_then(|cell| serde_json::from_slice(&cell).ok()))
}

/// The figures as they were made last, whatever has come since.
///
/// # Errors
/// When the column cannot be read.
pub fn last(collection: &View) -> Result<Option<Corpus>, StoreError> {
    Ok(stored(collection)?.map(|stored| stored.corpus))
}

/// The figures of the corpus: those stored, or made now where documents or settings have changed.
///
/// # Errors
/// When documents cannot be read.
pub fn current(
    collection: &View,
    keys: &CorpusKeys,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Corpus> {
    let mark = mark(collection, keys)?;
    match stored(collection)?.filter(|stored| stored.mark == mark) {
        Some(stored) => Ok(stored.corpus),
        None => measure(collection, observe),
    }
}

/// The same, and stored, where they were made anew: where documents or settings have changed.
///
/// # Errors
/// When documents cannot be read or the column cannot be written.
pub fn corpus(
    collection: &Collection,
    keys: &CorpusKeys,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Corpus> {
    let mark = mark(collection, keys)?;
    if let Some(stored) = stored(collection)?.filter(|stored| stored.mark == mark) {
        return Ok(stored.corpus);
    }
    let corpus = measure(collection, observe)?;
    let stored = Stored { mark, corpus };
    let cell = serde_json::to_vec(&stored)?;
    collection.documents.put_column(COLUMN, &[(CELL, cell)])?;
    Ok(stored.corpus)
}

/// The figures as JSON, with how many documents were left out and why.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn json(corpus: &Corpus, counts: &BTreeMap<Reason, u64>) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(corpus)?;
    for (name, reason) in LEFT_OUT {
        value[*name] = counts.get(reason).copied().unwrap_or(0).into();
    }
    Ok(value)
}

fn measure(collection: &View, observe: &mut dyn FnMut(Step)) -> anyhow::Result<Corpus> {
    let mut counting = Counting::default();
    let mut done = 0;
    let is_kept = |_: &_, reason| reason == Reason::Kept;
    let documents = kept::each(collection, is_kept, |kept| {
        counting.add(&kept.document, &kept.rights);
        done += 1;
        if u64::is_multiple_of(done, 256) {
            observe(Step { stage: "measure", done, total: None });
        }
        Ok(())
    })?;
    Ok(Corpus { documents, ..counting.finish() })
}

/// What they depend on, as a text.
///
/// # Errors
/// When the collection cannot be read.
pub fn mark(collection: &View, keys: &CorpusKeys) -> Result<String, StoreError> {
    let (file, offset) = collection.documents.mark()?;
    let CorpusKeys { languages, min_words, near_duplicate, .. } = keys;
    Ok(format!("{FORMAT} {file}:{offset} {languages:?} {min_words} {near_duplicate}"))
}
