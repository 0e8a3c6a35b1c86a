//! The row of a URL, as the BigTable example has it (003 §3.6.4): text and title, anchors by their sources,
//! and all that was found out, each cell with its time.

use crate::table::DERIVATIONS;
use fyke_store::{ColumnKind, StoreError, View};
use fyke_web::UrlId;
use serde::Serialize;
use serde_json::Value;

/// A cell as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownCell {
    /// The name, of a group with the URL that tells its cells apart: `anchor:http://a.test/`.
    pub column: String,
    /// Milliseconds since 1970: of text and title when they were captured, of others when they were
    /// found out.
    pub time: i64,
    pub value: Value,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownRow {
    /// The key.
    pub url: String,
    pub cells: Vec<ShownCell>,
    /// There is a document, but it was captured later than asked for; those before it are not kept.
    pub is_later: bool,
}

/// A value as its column shows it.
fn shown(column: &str, bytes: &[u8]) -> Option<Value> {
    let mut written = DERIVATIONS.iter().flat_map(|row| row.writes);
    (written.find(|written| written.name == column)?.show)(bytes)
}

/// The row of a URL: its cells not later than `at`. None where the URL is not known.
///
/// # Errors
/// When the collection cannot be read.
pub fn row(view: &View, id: UrlId, at: Option<i64>) -> Result<Option<ShownRow>, StoreError> {
    let is_then = |time: i64| at.is_none_or(|at| time <= at);
    let document = crate::document(view, id)?;
    let stored = view.cells().row(id)?;
    let known = view.ledger.get(id)?.map(|row| row.url);
    let Some(url) = known.or_else(|| document.as_ref().map(|document| document.url.clone())) else {
        return Ok(None);
    };
    let is_later = document.as_ref().is_some_and(|document| !is_then(document.time));
    let mut cells = Vec::new();
    if let Some(document) = document.filter(|document| is_then(document.time)) {
        for (column, text) in [("text", document.text), ("title", document.title)] {
            let (column, time, value) = (column.to_owned(), document.time, text.into());
            cells.push(ShownCell { column, time, value });
        }
    }
    for cell in stored.into_iter().filter(|cell| is_then(cell.time)) {
        let Some(value) = shown(&cell.column, &cell.value) else { continue };
        let column = match cell.kind {
            ColumnKind::Group => {
                let source = view.ledger.get(UrlId(cell.qualifier))?.map(|row| row.url);
                let source = source.unwrap_or_else(|| format!("{:016x}", cell.qualifier));
                format!("{}:{source}", cell.column)
            }
            _ => cell.column,
        };
        cells.push(ShownCell { column, time: cell.time, value });
    }
    Ok(Some(ShownRow { url, cells, is_later }))
}
