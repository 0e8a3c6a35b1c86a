//! What each page may be called: what titles by host are found from.

use super::PageRun;
use crate::page::print::host;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Column};
use fyke_web::{Document, PageNames, UrlId, host_of};
use serde::{Deserialize, Serialize};

pub const ROW: Derivation = Derivation {
    name: "named",
    what: "what each page may be called, by its title element, headings and breadcrumbs",
    code: 20,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[NAMED.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

pub const NAMED: Column<Named> = Column::new("named", 1);

/// The names of a page, of a format that has some beside its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// As [`host`].
    pub host: UrlId,
    pub host_name: String,
    /// Its title by itself.
    pub title: String,
    /// What the page calls its site.
    pub site: String,
    pub names: PageNames,
}

impl Named {
    fn of(document: &Document) -> Named {
        Named {
            host: host(&document.url),
            host_name: host_of(&document.url).to_owned(),
            title: document.title.clone(),
            site: document.site.clone(),
            names: document.names.clone(),
        }
    }
}

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match run.document.filter(|document| !document.names.is_empty()) {
        Some(document) => batch.put(&NAMED, run.id, &Named::of(document)),
        None if run.is_known => batch.delete(&NAMED, run.id),
        None => {}
    }
}
