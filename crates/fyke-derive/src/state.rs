//! What can be told of each derivation.

use crate::stale::{Due, Eagerness, due, mark_of};
use crate::table::{DERIVATIONS, Derivation, DeriveSettings};
use fyke_store::{StoreError, View};
use serde::Serialize;

/// A derivation as it stands.
#[derive(Clone, Debug, Serialize)]
pub struct DerivationState {
    pub name: &'static str,
    pub what: &'static str,
    /// "page", "whole" or "index".
    pub tier: &'static str,
    pub version: u32,
    /// "up to date", what is put off, or why it is stale.
    pub state: String,
    /// Cells and bytes of its columns; those not merged yet count twice.
    pub rows: u64,
    pub bytes: u64,
    /// CPU time of its last run in milliseconds, and when that was, in milliseconds since 1970.
    pub cpu_ms: f64,
    pub time: Option<i64>,
}

/// How each derivation stands.
///
/// # Errors
/// When the collection cannot be read.
pub fn states(view: &View, settings: &DeriveSettings) -> Result<Vec<DerivationState>, StoreError> {
    let (cells, sizes) = (view.cells(), view.cells().sizes());
    let state = |row: &Derivation| {
        let mark = mark_of(&cells, row);
        let is_behind =
            row.is_of_pages() && mark.as_ref().is_some_and(|mark| mark.spot < view.captures.end());
        let told = match due(row, mark.as_ref(), &cells, settings, Eagerness::Usual)? {
            Due::Nothing if is_behind => "captures wait".to_owned(),
            Due::Nothing => "up to date".to_owned(),
            Due::PutOff { changed, of } => format!("put off: {changed} of {of} changed"),
            Due::Some { pages, .. } => format!("{} pages wait", pages.len()),
            Due::All(why) => format!("to be made: {why}"),
        };
        let own = |name: &str| row.writes.iter().any(|column| column.name == name);
        let own = sizes.iter().filter(|size| own(&size.column));
        Ok(DerivationState {
            name: row.name,
            what: row.what,
            tier: row.tier.name(),
            version: row.version,
            state: told,
            rows: own.clone().map(|size| size.cells).sum(),
            bytes: own.map(|size| size.bytes).sum(),
            cpu_ms: mark.as_ref().map_or(0., |mark| mark.cpu as f64 / 1e3),
            time: mark.map(|mark| mark.time),
        })
    };
    DERIVATIONS.iter().map(state).collect()
}
