//! The corpus in figures as commands, pages and cards show it.

use crate::moments::iso;
pub use fyke_derive::whole::corpus::{Bin, Corpus, CorpusPart, CorpusWords, Counting, Laws, last};

use crate::config::CorpusKeys;
use crate::{Step, corpus_settings};
use fyke_derive::whole::corpus::{ROW, measure};
use fyke_derive::{Due, Eagerness, due, mark_of};
use fyke_store::{Reason, StoreError, View};
use serde_json::Value;
use std::collections::BTreeMap;

/// Documents that are no part of the corpus: what their number is called, and why they are not.
pub const LEFT_OUT: &[(&str, Reason)] = &[
    ("exact_copies", Reason::DupExact),
    ("near_copies", Reason::DupNear),
    ("thin", Reason::Thin),
    ("other_languages", Reason::Lang),
];

/// The figures of the corpus: those made last, or, where they would be made anew by the next run, made now.
///
/// # Errors
/// When documents cannot be read.
pub fn current(
    collection: &View,
    keys: &CorpusKeys,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Corpus> {
    let (cells, settings) = (collection.cells(), corpus_settings(keys));
    let due = due(&ROW, mark_of(&cells, &ROW).as_ref(), &cells, &settings, Eagerness::Usual)?;
    match last(collection)? {
        Some(corpus) if !matches!(due, Due::All(_)) => Ok(corpus),
        _ => {
            let observe = &mut |done, total| observe(Step { stage: "measure", done, total });
            Ok(measure(collection, observe)?)
        }
    }
}

/// Which state the figures are of: unchanged, they are the same.
///
/// # Errors
/// When the collection cannot be read.
pub fn state(collection: &View, keys: &CorpusKeys) -> Result<String, StoreError> {
    let CorpusKeys { languages, min_words, near_duplicate, .. } = keys;
    let number = collection.cells().number();
    Ok(format!("{number} {languages:?} {min_words} {near_duplicate}"))
}

/// The figures as JSON, with how many documents were left out and why.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn json(corpus: &Corpus, counts: &BTreeMap<Reason, u64>) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(corpus)?;
    if let Some((first, last)) = corpus.captured {
        value["captured"] = serde_json::json!([iso(first), iso(last)]);
    }
    for (name, reason) in LEFT_OUT {
        value[*name] = counts.get(reason).copied().unwrap_or(0).into();
    }
    Ok(value)
}
