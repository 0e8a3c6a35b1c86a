//! The effective reason of a URL: what the ledger says, overlaid by what analysis found out. `why`,
//! `stats` and the web site all read it here, so their sums agree.

use fyke_store::{Reason, Row, StoreError, View};
use fyke_web::UrlId;
use std::collections::BTreeMap;

/// Column of reasons that only a look at all documents can give.
pub const COLUMN: &str = "reason";

/// The reason of one URL.
///
/// # Errors
/// When the column cannot be read.
pub fn effective(collection: &View, id: UrlId, row: &Row) -> Result<Reason, StoreError> {
    if row.reason != Reason::Kept {
        return Ok(row.reason);
    }
    let cell = collection.documents.cell(COLUMN, id)?;
    Ok(cell.and_then(|cell| read(&cell)).unwrap_or(Reason::Kept))
}

/// How many URLs stand under each reason, in the order of the list.
///
/// # Errors
/// When ledger or column cannot be read.
pub fn counts(collection: &View) -> Result<BTreeMap<Reason, u64>, StoreError> {
    Ok(overlaid(collection.ledger.counts()?, &found_out(collection)?))
}

/// What analysis found out of pages that the ledger keeps: how many stand under another reason.
/// A crawl does not change it.
///
/// # Errors
/// When ledger or column cannot be read.
pub fn found_out(collection: &View) -> Result<BTreeMap<Reason, u64>, StoreError> {
    let mut found = BTreeMap::new();
    for (id, reason) in of_documents(collection)? {
        if collection.ledger.get(id)?.is_some_and(|row| row.reason == Reason::Kept) {
            *found.entry(reason).or_default() += 1;
        }
    }
    Ok(found)
}

/// What analysis found out of documents, by id; those not here are kept.
///
/// # Errors
/// When the column cannot be read.
pub fn of_documents(
    collection: &View,
) -> Result<impl Iterator<Item = (UrlId, Reason)>, StoreError> {
    let cells = collection.documents.column(COLUMN)?.into_iter();
    Ok(cells.filter_map(|(id, cell)| Some((id, read(&cell)?))))
}

/// The ledger's counts, overlaid by what analysis found out. The sum stays the same.
#[must_use]
pub fn overlaid(
    mut counts: BTreeMap<Reason, u64>,
    found_out: &BTreeMap<Reason, u64>,
) -> BTreeMap<Reason, u64> {
    for (reason, &found) in found_out {
        let kept = counts.entry(Reason::Kept).or_default();
        let moved = found.min(*kept);
        *kept -= moved;
        *counts.entry(*reason).or_default() += moved;
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// A reason as a cell: its name.
pub(super) fn cell(reason: Reason) -> Vec<u8> {
    reason.name().as_bytes().to_vec()
}

fn read(cell: &[u8]) -> Option<Reason> {
    std::str::from_utf8(cell).ok().and_then(Reason::parse)
}
