//! Cells of one column from several sources as one sequence; of equal keys the newest counts.

use super::batch::BatchCursor;
use super::block::{CellKey, CellRef};
use super::tablet::{ColumnSection, SectionCursor};
use crate::StoreError;

/// Where cells come from.
#[derive(Debug)]
pub(super) enum CellSource<'a> {
    Section(SectionCursor),
    Batch(BatchCursor<'a>),
}

impl CellSource<'_> {
    fn cell(&self) -> Option<CellRef<'_>> {
        match self {
            CellSource::Section(cursor) => cursor.cell(),
            CellSource::Batch(cursor) => cursor.cell(),
        }
    }

    fn key(&self) -> Option<CellKey> {
        match self {
            CellSource::Section(cursor) => cursor.key(),
            CellSource::Batch(cursor) => cursor.key(),
        }
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        match self {
            CellSource::Section(cursor) => cursor.advance(),
            CellSource::Batch(cursor) => {
                cursor.advance();
                Ok(())
            }
        }
    }
}

/// The cells of all sources, by key; deleted ones too.
#[derive(Debug)]
pub(super) struct CellMerge<'a> {
    /// Newest first.
    sources: Vec<CellSource<'a>>,
    /// The source of the current cell.
    at: Option<usize>,
}

impl<'a> CellMerge<'a> {
    /// `sources` come newest first.
    pub(super) fn new(sources: Vec<CellSource<'a>>) -> CellMerge<'a> {
        let mut merge = CellMerge { sources, at: None };
        merge.choose();
        merge
    }

    /// All cells of these sections, which come newest first.
    pub(super) fn all(sections: &[ColumnSection]) -> Result<CellMerge<'a>, StoreError> {
        let cursors = sections.iter().map(|section| section.cursor().map(CellSource::Section));
        cursors.collect::<Result<_, _>>().map(CellMerge::new)
    }

    /// The cells from the first of an id on.
    pub(super) fn from(sections: &[ColumnSection], id: u64) -> Result<CellMerge<'a>, StoreError> {
        let key = CellKey { id, qualifier: 0 };
        let cursors = sections.iter().map(|section| section.cursor_at(key));
        let cursors = cursors.collect::<Result<Vec<_>, _>>()?;
        Ok(CellMerge::new(cursors.into_iter().flatten().map(CellSource::Section).collect()))
    }

    /// The current cell; none at the end.
    pub(super) fn cell(&self) -> Option<CellRef<'_>> {
        self.at.and_then(|at| self.sources[at].cell())
    }

    pub(super) fn advance(&mut self) -> Result<(), StoreError> {
        let Some(key) = self.at.and_then(|at| self.sources[at].key()) else { return Ok(()) };
        for source in &mut self.sources {
            if source.key() == Some(key) {
                source.advance()?;
            }
        }
        self.choose();
        Ok(())
    }

    fn choose(&mut self) {
        let keys = self.sources.iter().enumerate();
        let keys = keys.filter_map(|(at, source)| Some((source.key()?, at)));
        self.at = keys.min().map(|(_, at)| at);
    }
}
