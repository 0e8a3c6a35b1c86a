//! Changes that become visible together.

use super::GroupCell;
use super::block::{CellKey, CellRef};
use super::declare::{Column, ColumnGroup, ColumnKind, Declaration, Single};
use super::tablet::{Tablet, path};
use super::write::TabletWriter;
use crate::StoreError;
use crate::disk;
use fyke_web::UrlId;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A column that is replaced by more bytes than this gets a tablet of its own.
const SMALL: usize = 1 << 20;
/// Bytes that a cell takes on disk beside its value, about.
const AROUND: usize = 12;

/// What a writer and its batches share: the folder and the next free number.
#[derive(Debug)]
pub(super) struct SharedNumbers {
    pub(super) dir: PathBuf,
    pub(super) next: AtomicU64,
}

impl SharedNumbers {
    pub(super) fn take(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

/// A cell of a batch: its key, and where its value stands; none: it is deleted.
#[derive(Clone, Copy, Debug)]
struct BatchCell {
    key: CellKey,
    value: Option<(usize, usize)>,
}

/// The changes of one column.
#[derive(Debug)]
pub(super) struct ColumnChanges {
    pub(super) declaration: Declaration,
    /// The column's new number, if everything before is void, and a tablet with its first cells.
    pub(super) anew: Option<(u64, Option<Arc<Tablet>>)>,
    cells: Vec<BatchCell>,
    values: Vec<u8>,
}

impl ColumnChanges {
    fn new(declaration: Declaration) -> ColumnChanges {
        ColumnChanges { declaration, anew: None, cells: Vec::new(), values: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.len() + self.cells.len() * AROUND
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Puts the cells in order; of equal keys the last counts.
    pub(super) fn sort(&mut self) {
        self.cells.sort_by_key(|cell| cell.key);
        self.cells.dedup_by(|later, kept| {
            let is_same = later.key == kept.key;
            if is_same {
                *kept = *later;
            }
            is_same
        });
    }

    pub(super) fn cursor(&self, time: i64) -> BatchCursor<'_> {
        BatchCursor { changes: self, time, at: 0 }
    }
}

/// Walks over the sorted cells of a batch.
#[derive(Debug)]
pub(super) struct BatchCursor<'a> {
    changes: &'a ColumnChanges,
    time: i64,
    at: usize,
}

impl BatchCursor<'_> {
    pub(super) fn cell(&self) -> Option<CellRef<'_>> {
        let BatchCell { key, value } = *self.changes.cells.get(self.at)?;
        let value = value.map(|(start, length)| &self.changes.values[start..start + length]);
        Some(CellRef { key, time: self.time, value })
    }

    pub(super) fn key(&self) -> Option<CellKey> {
        self.changes.cells.get(self.at).map(|cell| cell.key)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }
}

/// Changes that become visible together, when they are published. What is done later counts. They are
/// held in memory (see [`CellBatch::bytes`]), but for what replaces a large column.
#[derive(Debug)]
pub struct CellBatch {
    numbers: Arc<SharedNumbers>,
    pub(super) time: i64,
    pub(super) columns: BTreeMap<&'static str, ColumnChanges>,
    /// None: the mark is forgotten.
    pub(super) marks: BTreeMap<String, Option<Vec<u8>>>,
    /// The first value that could not be encoded.
    pub(super) failed: Option<StoreError>,
}

impl CellBatch {
    pub(super) fn new(numbers: Arc<SharedNumbers>, time: i64) -> CellBatch {
        let (columns, marks) = (BTreeMap::new(), BTreeMap::new());
        CellBatch { numbers, time, columns, marks, failed: None }
    }

    /// Sets the cell of a URL (or of a host).
    pub fn put<T: Serialize>(&mut self, column: &Column<T>, id: UrlId, value: &T) {
        self.insert(column.declaration(), CellKey { id: id.0, qualifier: 0 }, value);
    }

    pub fn delete<T>(&mut self, column: &Column<T>, id: UrlId) {
        self.remove(column.declaration(), CellKey { id: id.0, qualifier: 0 });
    }

    /// Sets a cell of a group.
    pub fn put_in<T: Serialize>(
        &mut self,
        group: &ColumnGroup<T>,
        id: UrlId,
        qualifier: u64,
        value: &T,
    ) {
        self.insert(group.declaration(), CellKey { id: id.0, qualifier }, value);
    }

    pub fn delete_in<T>(&mut self, group: &ColumnGroup<T>, id: UrlId, qualifier: u64) {
        self.remove(group.declaration(), CellKey { id: id.0, qualifier });
    }

    /// Sets the collection's value.
    ///
    /// # Errors
    /// When the folder cannot be written: a large value goes there at once.
    pub fn set<T: Serialize>(&mut self, single: &Single<T>, value: &T) -> Result<(), StoreError> {
        let key = CellKey { id: 0, qualifier: 0 };
        self.replace_cells(single.declaration(), std::iter::once(Ok((key, value))))
    }

    /// Replaces all cells of a column by these, which come by id, each id once.
    ///
    /// # Errors
    /// When one of them is an error, when they do not come by id, or when the folder cannot be
    /// written.
    pub fn replace<T: Serialize>(
        &mut self,
        column: &Column<T>,
        cells: impl IntoIterator<Item = Result<(UrlId, T), StoreError>>,
    ) -> Result<(), StoreError> {
        let key = |id: UrlId| CellKey { id: id.0, qualifier: 0 };
        let cells = cells.into_iter().map(|cell| cell.map(|(id, value)| (key(id), value)));
        self.replace_cells(column.declaration(), cells)
    }

    /// Replaces all cells of a group by these, which come by id and qualifier.
    ///
    /// # Errors
    /// As [`CellBatch::replace`].
    pub fn replace_group<T: Serialize>(
        &mut self,
        group: &ColumnGroup<T>,
        cells: impl IntoIterator<Item = Result<GroupCell<T>, StoreError>>,
    ) -> Result<(), StoreError> {
        let keyed = |cell: GroupCell<T>| {
            let GroupCell { id, qualifier, value } = cell;
            (CellKey { id: id.0, qualifier }, value)
        };
        let cells = cells.into_iter().map(|cell| cell.map(keyed));
        self.replace_cells(group.declaration(), cells)
    }

    /// Deletes all cells of a column, group or single value.
    pub fn clear(&mut self, declaration: Declaration) {
        let mut changes = ColumnChanges::new(declaration);
        changes.anew = Some((self.numbers.take(), None));
        self.hold(changes);
    }

    /// Sets a mark: up to where a derivation has come.
    pub fn mark(&mut self, name: &str, bytes: &[u8]) {
        self.marks.insert(name.to_owned(), Some(bytes.to_vec()));
    }

    pub fn forget_mark(&mut self, name: &str) {
        self.marks.insert(name.to_owned(), None);
    }

    /// Takes over the changes of another batch as done after its own: those made by another thread.
    pub fn absorb(&mut self, mut other: CellBatch) {
        self.marks.append(&mut other.marks);
        if let Some(error) = other.failed.take() {
            self.failed.get_or_insert(error);
        }
        for (_, later) in std::mem::take(&mut other.columns) {
            if later.anew.is_some() {
                self.hold(later);
                continue;
            }
            let changes = self.changes(later.declaration);
            let shift = changes.values.len();
            let moved = |cell: BatchCell| {
                let value = cell.value.map(|(start, length)| (start + shift, length));
                BatchCell { value, ..cell }
            };
            changes.cells.extend(later.cells.into_iter().map(moved));
            changes.values.extend_from_slice(&later.values);
        }
    }

    /// Bytes held in memory: a batch of many megabytes is better published in parts.
    pub fn bytes(&self) -> usize {
        let cell = size_of::<BatchCell>();
        self.columns.values().map(|c| c.values.len() + c.cells.len() * cell).sum()
    }

    /// Bytes that its cells take on disk, about.
    pub(super) fn weight(&self) -> u64 {
        self.columns.values().map(|changes| changes.bytes() as u64).sum()
    }

    fn changes(&mut self, declaration: Declaration) -> &mut ColumnChanges {
        let other = self.columns.get(declaration.name);
        if other.is_some_and(|changes| changes.declaration != declaration) {
            self.clear(declaration);
        }
        let new = || ColumnChanges::new(declaration);
        self.columns.entry(declaration.name).or_insert_with(new)
    }

    fn remove(&mut self, declaration: Declaration, key: CellKey) {
        self.changes(declaration).cells.push(BatchCell { key, value: None });
    }

    fn insert<T: Serialize>(&mut self, declaration: Declaration, key: CellKey, value: &T) {
        let encoded = encode(self.changes(declaration), key, value);
        if let Err(error) = encoded {
            self.failed.get_or_insert(refused(declaration, &self.numbers.dir, error));
        }
    }

    fn replace_cells<T: Serialize>(
        &mut self,
        declaration: Declaration,
        cells: impl Iterator<Item = Result<(CellKey, T), StoreError>>,
    ) -> Result<(), StoreError> {
        let number = self.numbers.take();
        let mut changes = ColumnChanges::new(declaration);
        let mut base = Base { numbers: &self.numbers, column: number, writer: None };
        let mut last = None;
        for cell in cells {
            let (key, value) = cell?;
            if last.is_some_and(|last| last >= key) {
                let error =
                    io::Error::new(io::ErrorKind::InvalidInput, "its cells must come by id");
                return Err(refused(declaration, &self.numbers.dir, error));
            }
            last = Some(key);
            encode(&mut changes, key, &value)
                .map_err(|error| refused(declaration, &self.numbers.dir, error))?;
            if changes.bytes() > SMALL {
                base.write(&mut changes, self.time)?;
            }
        }
        let tablet = base.finish(&mut changes, self.time)?;
        changes.anew = Some((number, tablet));
        self.hold(changes);
        Ok(())
    }

    /// Takes the changes of a column in the place of those before.
    fn hold(&mut self, changes: ColumnChanges) {
        if let Some(before) = self.columns.insert(changes.declaration.name, changes) {
            self.discard(&before);
        }
    }

    /// Removes the file of changes that are not published.
    fn discard(&self, changes: &ColumnChanges) {
        if let Some((_, Some(tablet))) = &changes.anew {
            remove(&path(&self.numbers.dir, tablet.number));
        }
    }
}

impl Drop for CellBatch {
    fn drop(&mut self) {
        self.columns.values().for_each(|changes| self.discard(changes));
    }
}

/// Removes a file that no state needs; if that fails, the next writer does it.
pub(super) fn remove(path: &std::path::Path) {
    if let Err(error) = disk::remove_file(path) {
        tracing::warn!(%error, path = %path.display(), "a tablet nobody needs is left behind");
    }
}

/// The first cells of a replaced column, once they are many.
struct Base<'a> {
    numbers: &'a SharedNumbers,
    column: u64,
    writer: Option<TabletWriter>,
}

impl Base<'_> {
    /// Moves the cells to disk.
    fn write(&mut self, changes: &mut ColumnChanges, time: i64) -> Result<(), StoreError> {
        crate::space::require(&self.numbers.dir, changes.bytes() as u64)?;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let mut writer = TabletWriter::new(&self.numbers.dir, self.numbers.take())?;
                writer.begin(self.column, changes.declaration.kind == ColumnKind::Group, None)?;
                none.insert(writer)
            }
        };
        let mut cursor = changes.cursor(time);
        while let Some(cell) = cursor.cell() {
            writer.push(cell)?;
            cursor.advance();
        }
        changes.cells.clear();
        changes.values.clear();
        Ok(())
    }

    /// Ends the tablet, if one was begun; it takes the rest of the cells then.
    fn finish(
        mut self,
        changes: &mut ColumnChanges,
        time: i64,
    ) -> Result<Option<Arc<Tablet>>, StoreError> {
        if self.writer.is_none() {
            return Ok(None);
        }
        self.write(changes, time)?;
        self.writer.map_or(Ok(None), TabletWriter::finish)
    }
}

/// Adds a cell with the encoding of its value.
fn encode<T: Serialize>(
    changes: &mut ColumnChanges,
    key: CellKey,
    value: &T,
) -> Result<(), io::Error> {
    let start = changes.values.len();
    // The encoder takes the vector and gives it back longer.
    let values = std::mem::take(&mut changes.values);
    changes.values = postcard::to_extend(value, values).map_err(io::Error::other)?;
    let length = changes.values.len() - start;
    changes.cells.push(BatchCell { key, value: Some((start, length)) });
    Ok(())
}

fn refused(declaration: Declaration, dir: &std::path::Path, error: io::Error) -> StoreError {
    StoreError::io(&dir.join(declaration.name), error)
}
