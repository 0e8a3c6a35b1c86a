//! What the lab found, for people: tables, plots and parts of pages, made from the figures of
//! `fyke_eval`. The command line, the report and the site show the same.

pub mod agreed;
pub mod compared;
mod figures;
pub mod junit;
pub mod plots;
pub mod report;

use serde::Serialize;

/// A table as it is shown: in text, or in a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    pub head: Vec<String>,
    /// The first cell of a row is its name.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these names of columns.
    #[must_use]
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Head and rows.
    #[must_use]
    pub fn all(&self) -> Vec<Vec<String>> {
        [std::slice::from_ref(&self.head), &self.rows].concat()
    }

    /// Whether a column holds figures, which stand to the right.
    #[must_use]
    pub(crate) fn is_of_numbers(&self, column: &usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(*column));
        cells.all(|cell| {
            cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || "+-−<–".contains(c))
        })
    }
}
