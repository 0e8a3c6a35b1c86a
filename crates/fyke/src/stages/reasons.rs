//! The effective reason of a URL: what the ledger says, overlaid by what analysis found out. `why`,
//! `stats` and the web site all read it here, so their sums agree.

use fyke_store::{Collection, Reason, Row, StoreError};
use fyke_web::UrlId;
use std::collections::BTreeMap;

/// Column of reasons that only a look at all documents can give.
pub const COLUMN: &str = "reason";

/// The reason of one URL.
///
/// # Errors
/// When the column cannot be read.
pub fn effective(collection: &Collection, id: UrlId, row: &Row) -> Result<Reason, StoreError> {
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
pub fn counts(collection: &Collection) -> Result<BTreeMap<Reason, u64>, StoreError> {
    let mut counts = collection.ledger.counts()?;
    for (id, cell) in collection.documents.column(COLUMN)? {
        let Some(reason) = read(&cell) else { continue };
        let kept = collection.ledger.get(id)?.is_some_and(|row| row.reason == Reason::Kept);
        if kept && let Some(count) = counts.get_mut(&Reason::Kept) {
            *count = count.saturating_sub(1);
            *counts.entry(reason).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count > 0);
    Ok(counts)
}

/// A reason as a cell: its name.
pub(super) fn cell(reason: Reason) -> Vec<u8> {
    reason.name().as_bytes().to_vec()
}

fn read(cell: &[u8]) -> Option<Reason> {
    std::str::from_utf8(cell).ok().and_then(Reason::parse)
}
