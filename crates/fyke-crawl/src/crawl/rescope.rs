//! A scope that was changed between two runs, or followed a seed that redirects: what waits and what was refused for the scope is judged again, once
//! for each change. A note in the ledger's folder tells by which scope its rows were judged; without it
//! they are judged again.

use super::cell::CrawlCell;
use super::discovery::Finder;
use crate::scope::Scope;
use fyke_store::{Reason, RowKind, StoreError};
use std::fs;
use std::path::PathBuf;

/// Reasons that another scope may change, or other rules for traps.
const JUDGED: [Reason; 7] = [
    Reason::Queued,
    Reason::ScopeHost,
    Reason::ScopePath,
    Reason::ScopeDepth,
    Reason::TrapPath,
    Reason::TrapQuery,
    Reason::TrapCalendar,
];

/// Judges rows again if the scope is another than they were judged by.
pub(super) fn rescope(cell: &CrawlCell<'_>, finder: Finder<'_>) -> Result<(), StoreError> {
    let ledger = cell.ledger();
    if ledger.is_empty() || is_judged_by(cell, finder.scope) {
        return Ok(());
    }
    let (mut queued, mut refused) = (0_u64, 0_u64);
    for row in ledger.rows() {
        let (id, mut row) = row?;
        // A sitemap, a feed or a hub that waits does so because a host names it, not because it is in scope.
        let is_list = matches!(row.kind, RowKind::Sitemap | RowKind::Feed | RowKind::Hub);
        let is_sitemap = is_list && row.reason == Reason::Queued;
        if !JUDGED.contains(&row.reason) || is_sitemap {
            continue;
        }
        let before = row.clone();
        finder.judge_again(&mut row);
        match (before.reason, row.reason) {
            (Reason::Queued, Reason::Queued) => continue,
            _ if before == row => continue,
            (_, Reason::Queued) => queued += 1,
            _ => refused += 1,
        }
        ledger.put(id, None, &row)?;
    }
    tracing::info!(queued, refused, "the scope is another than before: URLs were judged again");
    Ok(())
}

/// Whether all rows were judged by this scope.
pub(super) fn is_judged_by(cell: &CrawlCell<'_>, scope: &Scope) -> bool {
    fs::read_to_string(path(cell)).is_ok_and(|noted| noted == scope.digest())
}

/// Notes by which scope all rows were judged, once that is safe on disk.
pub(super) fn note(cell: &CrawlCell<'_>, scope: &Scope) -> Result<(), StoreError> {
    let path = path(cell);
    fs::write(&path, scope.digest()).map_err(|error| StoreError::io(&path, error))
}

fn path(cell: &CrawlCell<'_>) -> PathBuf {
    cell.collection.root().join("ledger/scope")
}
