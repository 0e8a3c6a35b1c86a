//! What a host says of pages that it does not have: the text of its answers to made-up paths, where they come with a
//! status of success.

use super::PageRun;
use super::print::host;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Column};
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};

pub const ROW: Derivation = Derivation {
    name: "missing",
    what: "what each host says of pages that it does not have",
    code: 12,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[MISSING.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

/// By the made-up URL.
pub const MISSING: Column<MissingPage> = Column::new("missing", 1);

/// The answer to a made-up path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingPage {
    pub url: String,
    /// As [`host`].
    pub host: UrlId,
    pub title: String,
    pub words: u32,
    pub checksum: u64,
    #[serde(with = "crate::raw")]
    pub sketch: Vec<u8>,
}

impl MissingPage {
    /// Takes the marks of a document that was made of such an answer.
    #[must_use]
    pub fn of(document: &Document) -> MissingPage {
        MissingPage {
            url: document.url.clone(),
            host: host(&document.url),
            title: document.title.clone(),
            words: document.words,
            checksum: document.checksum,
            sketch: document.sketch.clone(),
        }
    }
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    if let Some(document) = run.missing {
        batch.put(&MISSING, run.id, &MissingPage::of(document));
    }
}
