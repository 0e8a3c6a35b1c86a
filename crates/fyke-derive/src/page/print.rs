//! What of a document decides on its copies: words, checksum, sketch. Every document has a cell.

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Column};
use fyke_web::{Document, Url, UrlId};
use serde::{Deserialize, Serialize};

pub const ROW: Derivation = Derivation {
    name: "print",
    what: "words, checksum and sketch of each document",
    code: 0,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[PRINTS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

pub const PRINTS: Column<Print> = Column::new("print", 1);

/// The marks of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    pub url: String,
    /// As [`host`].
    pub host: UrlId,
    /// Hash of its registrable domain.
    pub site: u64,
    pub language: String,
    pub words: u32,
    pub checksum: u64,
    #[serde(with = "crate::raw")]
    pub sketch: Vec<u8>,
}

impl Print {
    /// Takes a document's marks.
    #[must_use]
    pub fn of(document: &Document) -> Print {
        Print {
            url: document.url.clone(),
            host: host(&document.url),
            site: Url::parse(&document.url).map_or(0, |url| url.domain_hash()),
            language: document.language.clone(),
            words: document.words,
            checksum: document.checksum,
            sketch: document.sketch.clone(),
        }
    }
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match run.document {
        Some(document) => batch.put(&PRINTS, run.id, &Print::of(document)),
        None if run.is_known => batch.delete(&PRINTS, run.id),
        None => {}
    }
}

/// The key of a URL's host: the id of its home page.
#[must_use]
pub fn host(url: &str) -> UrlId {
    let home = Url::parse(url).map(|url| format!("http://{}/", url.authority()));
    home.and_then(|home| Url::parse(&home)).map_or(UrlId(0), |home| home.id())
}
