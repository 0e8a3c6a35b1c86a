//! What an engine answered (000 "TREC"): for each query the score of each document.

use super::table::{Filling, GradeOrScore, TableRow, TrecTable, TwiceNamed};
use crate::formats::{self, ParseError};
use std::cmp::Ordering;
use std::fmt;

/// Rankings by query.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Name of the run, the last column of its file.
    pub tag: String,
    /// The documents of a query as trec_eval ranks them; the rank column of a file is not kept,
    /// since trec_eval does not look at it.
    pub(crate) table: TrecTable<f32>,
}

impl GradeOrScore for f32 {
    /// Best first, as trec_eval ranks.
    #[inline]
    fn by_value(a: f32, b: f32) -> Ordering {
        b.total_cmp(&a)
    }

    /// Last first.
    fn by_name(a: &str, b: &str) -> Ordering {
        b.cmp(a)
    }
}

impl Run {
    /// A run with this name and no answers yet.
    #[must_use]
    pub fn new(tag: &str) -> Run {
        Run { tag: tag.to_owned(), table: TrecTable::default() }
    }

    /// Reads a run file in any of the known formats.
    pub fn parse(text: &str) -> Result<Run, ParseError> {
        formats::run(text)
    }

    /// Sets the score of a document for a query; gives the score it had.
    ///
    /// # Panics
    /// When the names of all documents are longer than four gigabytes together.
    pub fn insert(&mut self, query: &str, document: &str, score: f32) -> Option<f32> {
        let old = self.place(query, document).map(|at| self.table.rows_mut(query).remove(at).value);
        // -0 is 0
        let row = self.table.row(document, score + 0.0).expect("names of less than 4 GiB");
        let ahead = |other: &TableRow<f32>| {
            let by_name = || f32::by_name(self.table.name(other), document);
            f32::by_value(other.value, row.value).then_with(by_name).is_lt()
        };
        let at = self.table.rows(query).partition_point(ahead);
        self.table.rows_mut(query).insert(at, row);
        old
    }

    /// The documents for a query in the order of trec_eval: by score, best first, and at equal
    /// scores by name, last first.
    #[must_use]
    pub fn ranking(&self, query: &str) -> Vec<(&str, f32)> {
        self.answers(query).collect()
    }

    /// As [`Run::ranking`], one after another.
    pub fn answers(&self, query: &str) -> impl ExactSizeIterator<Item = (&str, f32)> {
        self.table.rows(query).iter().map(|row| (self.table.name(row), row.value))
    }

    /// The score of a document for a query; none if it was not an answer.
    #[must_use]
    pub fn score(&self, query: &str, document: &str) -> Option<f32> {
        self.place(query, document).map(|at| self.table.rows(query)[at].value)
    }

    /// The names of the queries, in order.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.table.queries()
    }

    fn place(&self, query: &str, document: &str) -> Option<usize> {
        self.table.rows(query).iter().position(|row| self.table.name(row) == document)
    }

    /// What was read; a query and a document that it has twice are given back.
    pub(crate) fn from_lines(tag: String, lines: Filling<f32>) -> Result<Run, TwiceNamed> {
        Ok(Run { tag, table: lines.finish()? })
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Run) -> bool {
        self.tag == other.tag
            && self.queries().eq(other.queries())
            && self.queries().all(|query| self.answers(query).eq(other.answers(query)))
    }
}

impl fmt::Display for Run {
    /// As a file of TREC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = if self.tag.is_empty() { "run" } else { &self.tag };
        for query in self.queries() {
            for (rank, (document, score)) in (1..).zip(self.answers(query)) {
                writeln!(f, "{query} Q0 {document} {rank} {score} {tag}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_the_same_whether_read_or_put_together() {
        let read = Run::parse("1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 -0.0 t\n0 Q0 a 1 1 t").unwrap();
        let answers = [("1", "c", 0.0), ("1", "a", 9.0), ("0", "a", 1.0), ("1", "b", 2.0)];
        let mut made = Run::new("t");
        for (query, document, score) in answers {
            made.insert(query, document, score);
        }
        assert_ne!(made, read);
        assert_eq!(made.insert("1", "a", 2.0), Some(9.0));
        assert_eq!(made, read);
        assert_eq!(made.ranking("1"), [("b", 2.0), ("a", 2.0), ("c", 0.0)]);
    }
}
