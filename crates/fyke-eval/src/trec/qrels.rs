//! Judgements (000 "TREC"): for each query the grade of each judged document.

use super::table::{Filling, GradeOrScore, TrecTable, TwiceNamed};
use crate::formats::{self, ParseError};
use std::cmp::Ordering;
use std::fmt;

/// Grades by query and document; above 0 is relevant, below 0 is in the pool but not judged.
#[derive(Clone, Debug, Default)]
pub struct Qrels {
    /// The documents of a query in the order of their names.
    pub(crate) table: TrecTable<i32>,
}

/// One judgement: the grade of a document for a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QrelsLine<'a> {
    pub query: &'a str,
    pub document: &'a str,
    pub grade: i32,
}

impl GradeOrScore for i32 {
    /// Grades do not tell.
    fn by_value(_: i32, _: i32) -> Ordering {
        Ordering::Equal
    }

    fn by_name(a: &str, b: &str) -> Ordering {
        a.cmp(b)
    }
}

impl Qrels {
    /// Reads a qrels file in any of the known formats.
    pub fn parse(text: &str) -> Result<Qrels, ParseError> {
        formats::qrels(text)
    }

    /// Sets the grade of a document for a query; gives the grade it had.
    ///
    /// # Panics
    /// When the names of all documents are longer than four gigabytes together.
    pub fn insert(&mut self, query: &str, document: &str, grade: i32) -> Option<i32> {
        match self.place(query, document) {
            Ok(at) => {
                let row = &mut self.table.rows_mut(query)[at];
                Some(std::mem::replace(&mut row.value, grade))
            }
            Err(at) => {
                let row = self.table.row(document, grade).expect("names of less than 4 GiB");
                self.table.rows_mut(query).insert(at, row);
                None
            }
        }
    }

    /// The grade of a document for a query; none if it was not judged.
    #[must_use]
    pub fn grade(&self, query: &str, document: &str) -> Option<i32> {
        self.place(query, document).ok().map(|at| self.table.rows(query)[at].value)
    }

    /// The names of the queries, in order.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.table.queries()
    }

    /// The judged documents of a query with their grades, in the order of their names.
    pub fn grades(&self, query: &str) -> impl ExactSizeIterator<Item = (&str, i32)> {
        self.table.rows(query).iter().map(|row| (self.table.name(row), row.value))
    }

    /// Every judgement.
    pub fn iter(&self) -> impl Iterator<Item = QrelsLine<'_>> {
        let line = |query, (document, grade)| QrelsLine { query, document, grade };
        self.queries().flat_map(move |query| self.grades(query).map(move |of| line(query, of)))
    }

    /// How many judgements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queries().map(|query| self.table.rows(query).len()).sum()
    }

    /// Whether nothing is judged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was read; a query and a document that it has twice are given back.
    pub(crate) fn from_lines(lines: Filling<i32>) -> Result<Qrels, TwiceNamed> {
        Ok(Qrels { table: lines.finish()? })
    }

    fn place(&self, query: &str, document: &str) -> Result<usize, usize> {
        self.table.rows(query).binary_search_by(|row| self.table.name(row).cmp(document))
    }
}

impl PartialEq for Qrels {
    fn eq(&self, other: &Qrels) -> bool {
        self.queries().eq(other.queries()) && self.iter().eq(other.iter())
    }
}

impl Eq for Qrels {}

impl<'a> FromIterator<QrelsLine<'a>> for Qrels {
    /// The last grade of a document counts.
    fn from_iter<T: IntoIterator<Item = QrelsLine<'a>>>(judgements: T) -> Qrels {
        let mut qrels = Qrels::default();
        for QrelsLine { query, document, grade } in judgements {
            qrels.insert(query, document, grade);
        }
        qrels
    }
}

impl fmt::Display for Qrels {
    /// As a file of TREC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for QrelsLine { query, document, grade } in self.iter() {
            writeln!(f, "{query} 0 {document} {grade}")?;
        }
        Ok(())
    }
}
