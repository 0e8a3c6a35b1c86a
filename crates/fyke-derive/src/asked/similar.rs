//! Which documents resemble a text: the search for near copies (003 §3.7). All sketches are looked at; the
//! best are then compared by their exact shingles.

use crate::whole::templates;
use crate::whole::twins::each_sketch;
use fyke_store::{StoreError, View};
use fyke_text::Sketch;
use fyke_text::difference::{Side, difference, excerpt};
use fyke_text::sketch::{HashedText, PLACES, jaccard, resemblance, shingle_set};
use fyke_web::{Document, Url, UrlId};
use serde::Serialize;

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

/// The documents that resemble `text` most, the best first; at most `limit`. A document of the
/// collection is compared without its host's template and never found itself.
///
/// # Errors
/// When documents or columns cannot be read.
pub fn nearest(
    collection: &View,
    subject: SimilarTo<'_>,
    limit: usize,
) -> Result<Vec<Similar>, StoreError> {
    let own = subject.shingles(collection)?;
    let mut found = Vec::new();
    for (_, id) in best(collection, &Sketch::of_shingles(&own), subject.id(), WIDER * limit)? {
        let Some(document) = crate::document(collection, id)? else { continue };
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
pub enum SimilarTo<'a> {
    Document(&'a Document),
    Text(&'a str),
}

impl SimilarTo<'_> {
    fn id(&self) -> Option<UrlId> {
        match self {
            SimilarTo::Document(document) => Some(document.id),
            SimilarTo::Text(_) => None,
        }
    }

    fn shingles(&self, collection: &View) -> Result<Vec<u64>, StoreError> {
        match self {
            SimilarTo::Document(document) => templates::own_shingles(collection, document),
            SimilarTo::Text(text) => Ok(shingle_set(&HashedText::read(text).words)),
        }
    }
}

/// The document with this URL, as it was typed: without a scheme it may be known under http.
///
/// # Errors
/// When it cannot be read.
pub fn document(collection: &View, url: &Url, typed: &str) -> Result<Option<Document>, StoreError> {
    match (crate::document(collection, url.id())?, url.under_http(typed)) {
        (None, Some(plain)) => crate::document(collection, plain.id()),
        (found, _) => Ok(found),
    }
}

/// A part of the difference of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentPart {
    /// In which of them it stands.
    pub side: Side,
    pub text: String,
}

/// What differs between two texts, as it is shown.
#[must_use]
pub fn differences(first: &str, second: &str) -> Vec<DifferentPart> {
    let [first, second] =
        [first, second].map(|text| &text[..text.floor_char_boundary(MOST_COMPARED)]);
    let parts = excerpt(&difference(first, second), NEAR_WORDS, MOST_WORDS);
    parts.into_iter().map(|(side, text)| DifferentPart { side, text }).collect()
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
    each_sketch(&collection.cells(), |id, places| {
        let rank = (resemblance(&sketch.0, places) * PLACES as f64).round() as u32;
        if rank >= least && Some(id) != but {
            best.push((rank, id));
        }
        if best.len() >= 2 * limit.max(1) {
            best.sort_unstable_by(|a, b| b.cmp(a));
            best.truncate(limit.max(1));
            least = best.last().map_or(1, |(rank, _)| *rank);
        }
    })?;
    best.sort_unstable_by(|a, b| b.cmp(a));
    best.truncate(limit);
    Ok(best)
}
