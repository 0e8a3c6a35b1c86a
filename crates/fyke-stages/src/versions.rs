//! The versions of a page: the captures that its row named, one after the other. They stay when newer ones come.

use fyke_derive::derive_ruled;
use fyke_store::{Place, Reason, StoreError, View};
use fyke_web::{Document, ExtractRules, UrlId};
use serde::Serialize;
use std::sync::Arc;

/// States of a row that are looked through.
const STATES: usize = 1000;

/// One version of a page.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PageVersion {
    /// When it was fetched, and when it was seen last, in milliseconds since 1970.
    pub fetched: i64,
    pub seen: i64,
    pub status: u16,
    /// It was fetched with credentials.
    pub private: bool,
    #[serde(skip)]
    place: Place,
}

/// The versions of a page, newest first.
///
/// # Errors
/// When the ledger cannot be read.
pub fn versions(view: &View, id: UrlId) -> Result<Vec<PageVersion>, StoreError> {
    let mut versions: Vec<PageVersion> = Vec::new();
    for row in view.ledger.history(id, STATES)? {
        let (Some(place), Some(fetched)) = (row.capture, row.fetched) else { continue };
        // A visit that failed saw nothing.
        let seen = row.visits.first().map_or(fetched, |visit| visit.time);
        let seen = if row.reason == Reason::Gone { fetched } else { seen };
        match versions.last_mut().filter(|version| version.place == place) {
            Some(version) => version.fetched = seen,
            None => {
                let (status, private) = (row.status, row.private);
                versions.push(PageVersion { fetched: seen, seen, status, private, place });
            }
        }
    }
    Ok(versions)
}

/// The document of a version; none of one that is no document.
///
/// # Errors
/// When the capture cannot be read.
pub fn version_document(
    view: &View,
    version: &PageVersion,
    rules: &Arc<ExtractRules>,
) -> Result<Option<Document>, StoreError> {
    let capture = view.captures.read(version.place)?;
    Ok(derive_ruled(&capture, Arc::clone(rules)).document)
}

/// The place in a list of versions, newest first, of the one that stood at a time.
#[must_use]
pub fn version_at(versions: &[PageVersion], time: i64) -> Option<usize> {
    versions.iter().position(|version| version.fetched <= time)
}
