//! Figures as lines: name, query and figure between tabs, the name in 22 letters.

use super::QueryFigures;
use super::columns::{FigureColumn, FigureShown, FigureSource};
use super::zscores::ZScores;
use crate::evaluate::mean;
use crate::measures::Mean;

/// What is printed.
#[derive(Clone, Debug)]
pub struct SheetOptions {
    /// The figures of each query.
    pub queries: bool,
    /// The figures of all queries.
    pub summary: bool,
    /// Figures as distances from the mean of other runs.
    pub zscores: Option<ZScores>,
}

/// A figure, or grades as letters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SheetCell {
    Figure(f64),
    Text(String),
}

/// Everything that can be printed.
#[derive(Debug)]
pub(super) struct FigureSheet<'a> {
    pub(super) tag: &'a str,
    pub(super) columns: &'a [FigureColumn],
    pub(super) rows: QueryFigures,
}

impl FigureSheet<'_> {
    pub(super) fn print(mut self, show: &SheetOptions) -> String {
        if let Some(zscores) = &show.zscores {
            self.scale(zscores);
        }
        let is_scaled = show.zscores.is_some();
        let mut text = String::new();
        for (query, cells) in self.rows.iter().filter(|_| show.queries) {
            for (column, cell) in self.columns.iter().zip(cells) {
                if column.shown != FigureShown::All {
                    text.push_str(&line(column, query, cell, is_scaled));
                }
            }
        }
        for (at, column) in self.columns.iter().enumerate().filter(|_| show.summary) {
            if column.shown != FigureShown::Query {
                text.push_str(&line(column, "all", &self.of_all(at), is_scaled));
            }
        }
        text
    }

    /// Turns figures into z-scores.
    fn scale(&mut self, zscores: &ZScores) {
        for (query, cells) in &mut self.rows {
            for (column, cell) in self.columns.iter().zip(cells) {
                if let SheetCell::Figure(figure) = cell
                    && !matches!(column.source, FigureSource::Tag | FigureSource::Queries)
                {
                    *figure = zscores.of(query, &column.name, *figure);
                }
            }
        }
    }

    fn of_all(&self, at: usize) -> SheetCell {
        if matches!(self.columns[at].source, FigureSource::Tag) {
            return SheetCell::Text(self.tag.to_owned());
        }
        let figure = |(_, cells): &(String, Vec<SheetCell>)| match cells[at] {
            SheetCell::Figure(figure) => figure,
            SheetCell::Text(_) => 0.0,
        };
        SheetCell::Figure(mean(self.columns[at].mean, self.rows.iter().map(figure)))
    }
}

fn line(column: &FigureColumn, query: &str, cell: &SheetCell, is_scaled: bool) -> String {
    let name = &column.name;
    match cell {
        SheetCell::Text(text) if column.shown == FigureShown::Query => {
            format!("{name:<22}\t{query}\t'{text}'\n")
        }
        SheetCell::Text(text) => format!("{name:<22}\t{query}\t{text}\n"),
        SheetCell::Figure(figure) if is_scaled => format!("Z{name:<22}\t{query}\t{figure:.4}\n"),
        SheetCell::Figure(figure) if column.mean == Mean::Sum => {
            format!("{name:<22}\t{query}\t{figure:.0}\n")
        }
        SheetCell::Figure(figure) => format!("{name:<22}\t{query}\t{figure:.4}\n"),
    }
}
