//! Derived facts: cells in tablets (the BigTable model, 003 §3.6.4 and §3.6.5). A row per URL, column
//! groups, cells with times; immutable sorted files, of which the newest counts.
//!
//! `columns/` holds tablets and a manifest that names them. A batch of changes becomes one tablet; then
//! the manifest is replaced, and the changes and their marks are there at once. A reader has the
//! manifest and the open tablets of one state, so that nothing the writer does later reaches it.
//! Departures: the newest cells are not kept in memory but published at once (the captures are the
//! log), and of a cell only the latest time is kept.
//!
//! Merging (`publish`): tablets are merged by the rule of the sieve's runs ([`due`]), so that each is at
//! least twice as large as all newer ones together. There are at most log₃ of the number of batches
//! of them, and a cell is written again only when its tablet has grown by half. A column that is
//! replaced gets a tablet of its own and takes no part in that until as much has been changed in it
//! as it holds.
//!
//! [`due`]: crate::sieve::merge::due

mod batch;
mod block;
mod declare;
mod index;
mod manifest;
mod merge;
mod tablet;
mod write;
mod writer;

pub use batch::CellBatch;
pub use declare::{Column, ColumnGroup, ColumnKind, Declaration, Single};
pub use writer::CellsWriter;

use crate::StoreError;
use block::{CellKey, CellRef};
use declare::decode;
use fyke_web::UrlId;
use manifest::{CellsState, OpenTablets, Stamp, TabletManifest, Tablets, load_state};
use merge::CellMerge;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tablet::{ColumnSection, FoundCell};

fn damaged(path: &Path, what: &str) -> StoreError {
    StoreError::damaged(path, format!("{what}; fyke rebuild makes it again"))
}

/// One consistent state of all columns; cheap to clone.
#[derive(Clone, Debug)]
pub struct Cells(Arc<Published>);

#[derive(Debug)]
struct Published {
    dir: PathBuf,
    stamp: Stamp,
    manifest: TabletManifest,
    tablets: Tablets,
    /// The sections of each column by its name, newest first.
    sections: HashMap<String, Vec<ColumnSection>>,
}

/// A cell of a row, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub column: String,
    pub kind: ColumnKind,
    /// Zero outside groups.
    pub qualifier: u64,
    /// The time of the batch that wrote it.
    pub time: i64,
    /// The value's postcard encoding.
    pub value: Vec<u8>,
}

/// A cell of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupCell<T> {
    pub id: UrlId,
    pub qualifier: u64,
    pub value: T,
}

/// What a column takes on disk. Cells that a later tablet replaced or deleted count until they are
/// merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSize {
    pub column: String,
    pub kind: ColumnKind,
    pub version: u16,
    pub cells: u64,
    pub bytes: u64,
}

impl Cells {
    /// The state on disk now; an empty one where there is none. Nothing is written.
    ///
    /// # Errors
    /// When the folder cannot be read or is damaged (so all of these).
    pub fn open_reader(dir: &Path) -> Result<Cells, StoreError> {
        Ok(Cells::assemble(dir, load_state(dir, None)?))
    }

    fn assemble(dir: &Path, state: CellsState) -> Cells {
        let CellsState { stamp, manifest, tablets } = state;
        let sections = manifest.columns.iter().map(|(name, column)| {
            let newest_first = manifest.tablets.iter().rev().copied().chain(column.base);
            let sections = newest_first.filter_map(|n| tablets.get(&n)?.section(column.number));
            (name.clone(), sections.collect())
        });
        let sections = sections.collect();
        Cells(Arc::new(Published { dir: dir.to_owned(), stamp, manifest, tablets, sections }))
    }

    /// The state on disk, if it is another one. What is open already stays open.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn newer(&self) -> Result<Option<Cells>, StoreError> {
        if self.is_latest()? {
            return Ok(None);
        }
        let open = OpenTablets { of: self.0.stamp, tablets: &self.0.tablets };
        let state = load_state(&self.0.dir, Some(open))?;
        Ok(Some(Cells::assemble(&self.0.dir, state)))
    }

    /// Whether the state on disk is still this one; reads 24 bytes.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn is_latest(&self) -> Result<bool, StoreError> {
        Ok(Stamp::on_disk(&self.0.dir)? == self.0.stamp)
    }

    /// Grows with each publish.
    pub fn number(&self) -> u64 {
        self.0.stamp.number
    }

    /// The cell of a URL (or of a host).
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn get<T: DeserializeOwned>(
        &self,
        column: &Column<T>,
        id: UrlId,
    ) -> Result<Option<T>, StoreError> {
        self.one(column.declaration(), id.0)
    }

    /// All cells of a column, by id.
    pub fn all<T: DeserializeOwned>(
        &self,
        column: &Column<T>,
    ) -> impl Iterator<Item = Result<(UrlId, T), StoreError>> + Send + use<T> {
        self.scan(column.declaration()).map(|cell| cell.map(|(key, value)| (UrlId(key.id), value)))
    }

    /// The cells of a URL in a group, by qualifier.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn group<T: DeserializeOwned>(
        &self,
        group: &ColumnGroup<T>,
        id: UrlId,
    ) -> Result<Vec<(u64, T)>, StoreError> {
        self.first_in(group, id, usize::MAX)
    }

    /// The same, so many of them at the most: those with the smallest qualifiers.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn first_in<T: DeserializeOwned>(
        &self,
        group: &ColumnGroup<T>,
        id: UrlId,
        most: usize,
    ) -> Result<Vec<(u64, T)>, StoreError> {
        let declaration = group.declaration();
        let mut cells = Vec::new();
        of_row(self.sections(declaration), id.0, |cell, value| {
            cells.push((cell.key.qualifier, decode(declaration, value, &self.0.dir)?));
            Ok(cells.len() < most)
        })?;
        Ok(cells)
    }

    /// All cells of a group, by id and qualifier.
    pub fn all_in<T: DeserializeOwned>(
        &self,
        group: &ColumnGroup<T>,
    ) -> impl Iterator<Item = Result<GroupCell<T>, StoreError>> + Send + use<T> {
        let group_cell = |(key, value): (CellKey, T)| {
            let CellKey { id, qualifier } = key;
            GroupCell { id: UrlId(id), qualifier, value }
        };
        self.scan(group.declaration()).map(move |cell| cell.map(group_cell))
    }

    /// The collection's value.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn value<T: DeserializeOwned>(&self, single: &Single<T>) -> Result<Option<T>, StoreError> {
        self.one(single.declaration(), 0)
    }

    /// Every cell of a URL, by column and qualifier; that of a home page has its host's, too.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn row(&self, id: UrlId) -> Result<Vec<Cell>, StoreError> {
        let mut cells = Vec::new();
        for (name, entry) in &self.0.manifest.columns {
            let sections = self.0.sections.get(name).map_or(&[][..], Vec::as_slice);
            let cell = |qualifier, time, value| {
                let (column, kind) = (name.clone(), entry.kind);
                Cell { column, kind, qualifier, time, value }
            };
            match entry.kind {
                ColumnKind::Single => {}
                ColumnKind::Page | ColumnKind::Host => {
                    let found = newest(sections, CellKey { id: id.0, qualifier: 0 })?;
                    let found = found.and_then(|(time, value)| Some(cell(0, time, value?)));
                    cells.extend(found);
                }
                ColumnKind::Group => of_row(sections, id.0, |found, value| {
                    cells.push(cell(found.key.qualifier, found.time, value.to_vec()));
                    Ok(true)
                })?,
            }
        }
        Ok(cells)
    }

    /// A derivation's mark, published together with its cells.
    pub fn mark(&self, name: &str) -> Option<&[u8]> {
        self.0.manifest.marks.get(name).map(Vec::as_slice)
    }

    /// All marks, by name.
    pub fn marks(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.manifest.marks.iter().map(|(name, mark)| (name.as_str(), mark.as_slice()))
    }

    /// What each column takes on disk, by name.
    pub fn sizes(&self) -> Vec<ColumnSize> {
        let columns = self.0.manifest.columns.iter().map(|(name, entry)| {
            let sections = self.0.sections.get(name).map_or(&[][..], Vec::as_slice);
            ColumnSize {
                column: name.clone(),
                kind: entry.kind,
                version: entry.version,
                cells: sections.iter().map(|section| section.record().cells).sum(),
                bytes: sections.iter().map(|section| section.record().bytes()).sum(),
            }
        });
        columns.collect()
    }

    /// Reads every cell of a column as it is stored; says how many there are.
    ///
    /// # Errors
    /// As [`Cells::open_reader`].
    pub fn verify(&self, column: &str) -> Result<u64, StoreError> {
        let mut count = 0;
        for section in self.0.sections.get(column).map_or(&[][..], Vec::as_slice) {
            section.check_filter()?;
            let mut cursor = section.cursor()?;
            while cursor.cell().is_some() {
                count += 1;
                cursor.advance()?;
            }
        }
        Ok(count)
    }

    /// The sections of a column, newest first; none if another declaration wrote them.
    fn sections(&self, declaration: Declaration) -> &[ColumnSection] {
        let is_ours = self.0.manifest.column(declaration).is_some();
        let sections = self.0.sections.get(declaration.name).filter(|_| is_ours);
        sections.map_or(&[], Vec::as_slice)
    }

    fn one<T: DeserializeOwned>(
        &self,
        declaration: Declaration,
        id: u64,
    ) -> Result<Option<T>, StoreError> {
        let found = newest(self.sections(declaration), CellKey { id, qualifier: 0 })?;
        let value = found.and_then(|(_, value)| value);
        value.map(|value| decode(declaration, &value, &self.0.dir)).transpose()
    }

    fn scan<T: DeserializeOwned>(
        &self,
        declaration: Declaration,
    ) -> impl Iterator<Item = Result<(CellKey, T), StoreError>> + Send + use<T> {
        let dir = self.0.dir.clone();
        let mut merge = Some(CellMerge::all(self.sections(declaration)));
        std::iter::from_fn(move || {
            let mut scanned = merge.take()?.and_then(|mut merge| {
                let next = next_value(&mut merge, |cell, value| {
                    Ok((cell.key, decode(declaration, value, &dir)?))
                })?;
                Ok(next.map(|next| (merge, next)))
            });
            if let Ok(Some((going_on, next))) = scanned {
                merge = Some(Ok(going_on));
                scanned = Ok(None);
                return Some(Ok(next));
            }
            scanned.err().map(Err)
        })
    }
}

/// The newest cell of a key.
fn newest(sections: &[ColumnSection], key: CellKey) -> Result<Option<FoundCell>, StoreError> {
    for section in sections {
        if let Some(found) = section.find(key)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Reads the next cell that is not deleted and goes past it.
fn next_value<T>(
    merge: &mut CellMerge<'_>,
    read: impl FnOnce(CellRef<'_>, &[u8]) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    while let Some(cell) = merge.cell() {
        if let Some(value) = cell.value {
            let read = read(cell, value)?;
            merge.advance()?;
            return Ok(Some(read));
        }
        merge.advance()?;
    }
    Ok(None)
}

/// Hands over the cells of one id until `take` has enough.
fn of_row(
    sections: &[ColumnSection],
    id: u64,
    mut take: impl FnMut(CellRef<'_>, &[u8]) -> Result<bool, StoreError>,
) -> Result<(), StoreError> {
    let mut merge = CellMerge::from(sections, id)?;
    while let Some(cell) = merge.cell().filter(|cell| cell.key.id == id) {
        if let Some(value) = cell.value
            && !take(cell, value)?
        {
            break;
        }
        merge.advance()?;
    }
    Ok(())
}
