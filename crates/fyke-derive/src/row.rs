//! The row of a URL, as the BigTable example has it (003 §3.6.4): text and title, anchors by their sources,
//! and all that was found out, each cell with its time.

use crate::page::{anchors, canonical, print, rights};
use crate::whole::{graph, reasons, templates, topics, twins};
use fyke_store::{Column, ColumnGroup, ColumnKind, Reason, StoreError, View};
use fyke_web::UrlId;
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// How the values of a column are read.
type Reading = (&'static str, fn(&[u8]) -> Option<Value>);

/// A line for each column that is keyed by URLs or hosts.
const READINGS: &[Reading] = &[
    of(&print::PRINTS),
    of(&rights::RIGHTS),
    of(&canonical::CANONICAL),
    of_group(&anchors::ANCHORS),
    of(&twins::TWINS),
    of(&twins::COPIES),
    of_group(&twins::SKETCHES),
    of(&templates::TEMPLATES),
    (reasons::REASONS.declaration().name, reason),
    of(&graph::RANKS),
    of(&topics::TOPICS),
];

const fn of<T: DeserializeOwned + Serialize>(column: &Column<T>) -> Reading {
    (column.declaration().name, value::<T>)
}

const fn of_group<T: DeserializeOwned + Serialize>(group: &ColumnGroup<T>) -> Reading {
    (group.declaration().name, value::<T>)
}

fn value<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Option<Value> {
    serde_json::to_value(postcard::from_bytes::<T>(bytes).ok()?).ok()
}

fn reason(bytes: &[u8]) -> Option<Value> {
    Some(postcard::from_bytes::<Reason>(bytes).ok()?.name().into())
}

/// The row of a URL: its cells not younger than `at`. None where the URL is not known.
///
/// # Errors
/// When the collection cannot be read.
pub fn row(view: &View, id: UrlId, at: Option<i64>) -> Result<Option<ShownRow>, StoreError> {
    let is_then = |time: i64| at.is_none_or(|at| time <= at);
    let document = view.documents.get(id)?;
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
        let reading = READINGS.iter().find(|(name, _)| *name == cell.column);
        let Some(value) = reading.and_then(|(_, read)| read(&cell.value)) else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DERIVATIONS;

    #[test]
    fn every_column_of_the_table_can_be_shown() {
        let written = DERIVATIONS.iter().flat_map(|row| row.writes);
        let keyed = written.filter(|column| column.kind != ColumnKind::Single);
        for column in keyed {
            assert!(READINGS.iter().any(|(name, _)| *name == column.name), "{column:?}");
        }
    }
}
