//! Derivations of one page: from its capture, what was read of it and its document to cells.

pub mod anchors;
pub mod canonical;
pub mod evidence;
pub mod missing;
pub mod named;
pub mod papers;
pub mod print;
pub mod private;
pub mod rights;
#[cfg(test)]
pub mod stuffing;

use fyke_store::StoredLink;
use fyke_web::{Capture, Document, Page, UrlId};

/// A page on its way to cells.
#[derive(Clone, Copy, Debug)]
pub struct PageRun<'a> {
    pub id: UrlId,
    pub capture: &'a Capture,
    /// None of a capture that gives no page.
    pub page: Option<&'a Page>,
    /// None of a page that is no document (any more).
    pub document: Option<&'a Document>,
    /// What came of a made-up path, which is never a document.
    pub missing: Option<&'a Document>,
    pub links: &'a [StoredLink],
    /// Those that it had before.
    pub former_links: &'a [StoredLink],
    /// It was a document before: cells of it may stand there.
    pub is_known: bool,
    /// Its capture was asked for with credentials.
    pub is_private: bool,
}
