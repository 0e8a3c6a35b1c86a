//! Which URL a page names as its canonical form.

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Cells, Column, StoreError};
use fyke_web::UrlId;
use std::collections::HashMap;

pub const ROW: Derivation = Derivation {
    name: "canonical",
    what: "the URL that each page names as its canonical form",
    code: 2,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[CANONICAL.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

pub const CANONICAL: Column<UrlId> = Column::new("canonical", 1);

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    let named = run.page.filter(|_| run.document.is_some());
    match named.and_then(|page| page.canonical.as_ref()) {
        Some(url) => batch.put(&CANONICAL, run.id, &url.id()),
        None if run.is_known => batch.delete(&CANONICAL, run.id),
        None => {}
    }
}

/// How many of these pages name which URL as their canonical form.
///
/// # Errors
/// When the column cannot be read.
pub fn named(
    cells: &Cells,
    pages: impl Iterator<Item = UrlId>,
) -> Result<HashMap<UrlId, u32>, StoreError> {
    let mut named = HashMap::new();
    for id in pages {
        if let Some(target) = cells.get(&CANONICAL, id)? {
            *named.entry(target).or_default() += 1;
        }
    }
    Ok(named)
}
