//! Whole names in a query: runs of its words that some document or section is called by ("known items").
//! Who types `git commit --amend` names the page that is called git-commit.

use std::collections::BTreeSet;
use std::io;

use super::part::idf;
use super::postings::{PostingSource, source_of};
use super::segment::WeighedIndex;
use crate::query::Query;
use crate::schema::{NAMES, SECTIONS};
use crate::wholes::key_of_words;

/// Queries with more words are not names.
const MOST_WORDS: usize = 10;

/// A name that a larger part of all documents bears says nothing.
const MOST_COMMON: f64 = 0.05;

/// A run of a query's words that is a name.
pub(super) struct TypedName {
    /// The field in which it is one.
    pub field: usize,
    pub idf: f32,
    /// The part of the query's words that it has; all for an option of a command.
    pub share: f32,
    /// It is an option of a command, `--amend`.
    pub is_option: bool,
    /// Its posting lists, by segment.
    pub sources: Vec<Option<PostingSource>>,
}

/// The names in a query: those of documents, those of sections, and options that are the name of a section.
pub(super) fn names(index: &WeighedIndex, query: &Query) -> io::Result<Vec<TypedName>> {
    let words = query.name();
    let mut found = Vec::new();
    for key in query.options() {
        let option = name(index, SECTIONS, key, 1.0)?;
        found.extend(option.map(|option| TypedName { is_option: true, ..option }));
    }
    if words.len() > MOST_WORDS {
        return Ok(found);
    }
    let mut known = BTreeSet::new();
    for (from, to) in (0..words.len()).flat_map(|a| (a..words.len()).map(move |b| (a, b + 1))) {
        let Some(key) = key_of_words(&words[from..to]) else { continue };
        let share = (to - from) as f32 / words.len() as f32;
        if known.insert(key.clone()) {
            for field in [NAMES, SECTIONS] {
                found.extend(name(index, field, &key, share)?);
            }
        }
    }
    Ok(found)
}

fn name(
    index: &WeighedIndex,
    field: usize,
    key: &str,
    share: f32,
) -> io::Result<Option<TypedName>> {
    let (mut sources, mut found) = (Vec::new(), 0);
    for segment in &index.snapshot.segments {
        let source = source_of(segment, field, key, None)?;
        found += source.as_ref().map_or(Ok(0), |source| source.frequency(segment))?;
        sources.push(source);
    }
    let documents = index.snapshot.documents;
    let is_rare = found as f64 <= (documents as f64 * MOST_COMMON).max(3.0);
    let idf = idf(documents, found as usize);
    Ok((found > 0 && is_rare).then_some(TypedName { field, idf, share, is_option: false, sources }))
}
