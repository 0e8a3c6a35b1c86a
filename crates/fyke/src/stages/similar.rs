//! Which documents resemble a text: the search for near copies (003 §3.7). The sketches of all
//! documents stand in one column, some thousand to a cell, so that a search reads them in a row; the
//! best are then compared by their exact shingles.

use super::life::under_http;
use super::templates;
use super::twins::Fingerprint;
use fyke_store::{Collection, StoreError, View};
use fyke_text::Sketch;
use fyke_text::difference::{Side, difference, excerpt};
use fyke_text::sketch::{PLACES, Text, jaccard, resemblance, shingle_set};
use fyke_web::{Document, Url, UrlId};
use serde::Serialize;
use std::collections::BTreeMap;

/// The column of sketches, by number from 0 on.
const SKETCHES: &str = "sketch";
/// The column of copies, by what they are copies of.
const COPIES: &str = "copies";
/// Sketches in a cell.
const CELL: usize = 4_096;
/// Bytes of an id with its sketch.
const RECORD: usize = 8 + PLACES;
/// Bytes of two texts whose differences are looked for.
const MOST_COMPARED: usize = 1 << 18;
/// Words shown on both sides of what differs, and in all.
const NEAR_WORDS: usize = 12;
const MOST_WORDS: usize = 2_000;
/// So many times as many as asked for are compared exactly.
const WIDER: usize = 2;

/// A document that resembles the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Similar {
    #[serde(skip)]
    pub id: UrlId,
    pub url: String,
    pub title: String,
    /// The exact Jaccard coefficient of their shingles, without those of their hosts' templates.
    pub resemblance: f64,
}

/// Writes the sketches of all documents that have words.
///
/// # Errors
/// When the column cannot be written.
pub fn store_sketches(
    collection: &Collection,
    documents: &[Fingerprint],
) -> Result<(), StoreError> {
    let filled: Vec<&Fingerprint> =
        documents.iter().filter(|d| d.sketch.0.len() == PLACES).collect();
    let record = |print: &&Fingerprint| [&print.id.0.to_le_bytes()[..], &print.sketch.0].concat();
    let cell = |prints: &[&Fingerprint]| prints.iter().flat_map(record).collect();
    let cells: Vec<_> = (0..).map(UrlId).zip(filled.chunks(CELL).map(cell)).collect();
    collection.documents.put_column(SKETCHES, &cells)
}

/// The documents that resemble `text` most, the best first; at most `limit`. A document of the
/// collection is compared without its host's template and never found itself.
///
/// # Errors
/// When documents or columns cannot be read.
pub fn nearest(
    collection: &View,
    subject: Subject<'_>,
    limit: usize,
) -> Result<Vec<Similar>, StoreError> {
    let own = subject.shingles(collection)?;
    let mut found = Vec::new();
    for (_, id) in best(collection, &Sketch::of_shingles(&own), subject.id(), WIDER * limit)? {
        let Some(document) = collection.documents.get(id)? else { continue };
        let resemblance = jaccard(&own, &templates::own_shingles(collection, &document)?);
        found.push(Similar { id, url: document.url, title: document.title, resemblance });
    }
    found.retain(|similar| similar.resemblance > 0.0);
    found.sort_by(|a, b| b.resemblance.total_cmp(&a.resemblance).then(a.url.cmp(&b.url)));
    found.truncate(limit);
    Ok(found)
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    Document(&'a Document),
    Text(&'a str),
}

impl Subject<'_> {
    fn id(&self) -> Option<UrlId> {
        match self {
            Subject::Document(document) => Some(document.id),
            Subject::Text(_) => None,
        }
    }

    fn shingles(&self, collection: &View) -> Result<Vec<u64>, StoreError> {
        match self {
            Subject::Document(document) => templates::own_shingles(collection, document),
            Subject::Text(text) => Ok(shingle_set(&Text::read(text).words)),
        }
    }
}

/// The document with this URL, as it was typed: without a scheme it may be known under http.
///
/// # Errors
/// When it cannot be read.
pub fn document(collection: &View, url: &Url, typed: &str) -> Result<Option<Document>, StoreError> {
    match (collection.documents.get(url.id())?, under_http(url, typed)) {
        (None, Some(plain)) => collection.documents.get(plain.id()),
        (found, _) => Ok(found),
    }
}

/// What differs between two texts, as it is shown.
#[must_use]
pub fn differences(first: &str, second: &str) -> Vec<(Side, String)> {
    let [first, second] =
        [first, second].map(|text| &text[..text.floor_char_boundary(MOST_COMPARED)]);
    excerpt(&difference(first, second), NEAR_WORDS, MOST_WORDS)
}

/// The ids with the best sketches, with their resemblance in places.
fn best(
    collection: &View,
    sketch: &Sketch,
    but: Option<UrlId>,
    limit: usize,
) -> Result<Vec<(u32, UrlId)>, StoreError> {
    let mut best: Vec<(u32, UrlId)> = Vec::new();
    let mut least = 1;
    for number in 0.. {
        let Some(cell) = collection.documents.cell(SKETCHES, UrlId(number))? else { break };
        for record in cell.as_chunks::<RECORD>().0 {
            let (id, places) = record.split_at(8);
            let rank = (resemblance(&sketch.0, places) * PLACES as f64).round() as u32;
            if rank >= least {
                let id = UrlId(u64::from_le_bytes(std::array::from_fn(|n| id[n])));
                best.extend((Some(id) != but).then_some((rank, id)));
            }
            if best.len() >= 2 * limit.max(1) {
                best.sort_unstable_by(|a, b| b.cmp(a));
                best.truncate(limit.max(1));
                least = best.last().map_or(1, |(rank, _)| *rank);
            }
        }
    }
    best.sort_unstable_by(|a, b| b.cmp(a));
    best.truncate(limit);
    Ok(best)
}

/// Writes who stands for whom.
///
/// # Errors
/// When the column cannot be written.
pub fn store_copies(
    collection: &Collection,
    twins: impl Iterator<Item = (UrlId, UrlId)>,
) -> Result<(), StoreError> {
    let mut copies: BTreeMap<UrlId, Vec<u8>> = BTreeMap::new();
    for (twin, of) in twins {
        copies.entry(of).or_default().extend(twin.0.to_le_bytes());
    }
    collection.documents.put_column(COPIES, &copies.into_iter().collect::<Vec<_>>())
}

/// The copies that a document stands for, by id.
///
/// # Errors
/// When the column cannot be read.
pub fn copies(collection: &View, id: UrlId) -> Result<Vec<UrlId>, StoreError> {
    let cell = collection.documents.cell(COPIES, id)?.unwrap_or_default();
    Ok(cell.as_chunks().0.iter().map(|&eight| UrlId(u64::from_le_bytes(eight))).collect())
}
