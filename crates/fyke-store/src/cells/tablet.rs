//! A tablet: sorted cells of some columns in one immutable file (003 §3.6.5).
//!
//! For each column a section: its blocks, the first key and place of each block, and a filter of its
//! ids where older tablets may be asked next. Then the directory of the sections, and a footer that
//! says where it stands. Only the directory is read at opening; index and filter of a section come
//! into memory when it is asked.

use super::block::{BlockCursor, CellKey, CellRef};
use crate::StoreError;
use crate::sieve::filter::Filter;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"fykecel1");
pub(super) const FOOTER: usize = 32;
/// Bytes of a block's entry in the index: id, qualifier, offset.
pub(super) const ENTRY: u64 = 24;
/// Questions answered without the filter: for a few it is not worth loading.
const PATIENCE: u32 = 64;

/// Where a column's cells stand in a tablet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SectionRecord {
    /// The column's number.
    pub(super) column: u64,
    pub(super) is_group: bool,
    pub(super) cells: u64,
    /// First byte of the first block.
    pub(super) start: u64,
    /// First byte of the index, after the last block.
    pub(super) index: u64,
    pub(super) blocks: u64,
    pub(super) index_checksum: u64,
    /// Bytes of the filter, which follows the index; zero where there is none.
    pub(super) filter: u64,
    pub(super) filter_checksum: u64,
}

impl SectionRecord {
    fn end(&self) -> Option<u64> {
        let index = self.blocks.checked_mul(ENTRY)?;
        self.index.checked_add(index)?.checked_add(self.filter)
    }

    fn is_sound(&self, length: u64) -> bool {
        let blocks = self.index.checked_sub(self.start);
        // The shortest block has a cell of three bytes, its first byte and its checksum.
        blocks.is_some_and(|bytes| self.blocks <= bytes / 12)
            && self.end().is_some_and(|end| end <= length)
            && self.filter.is_multiple_of(64)
    }

    /// Bytes on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.end().unwrap_or(0).saturating_sub(self.start)
    }
}

/// First key and offset of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexEntry {
    pub(super) key: CellKey,
    pub(super) offset: u64,
}

/// A section of an open tablet.
#[derive(Debug)]
struct TabletSection {
    record: SectionRecord,
    questions: AtomicU32,
    index: OnceLock<Vec<IndexEntry>>,
    filter: OnceLock<Filter>,
}

/// An open tablet.
#[derive(Debug)]
pub(super) struct Tablet {
    pub(super) number: u64,
    path: PathBuf,
    file: File,
    length: u64,
    sections: Vec<TabletSection>,
}

/// A section and the tablet it stands in.
#[derive(Clone, Debug)]
pub(super) struct ColumnSection {
    tablet: Arc<Tablet>,
    at: usize,
}

/// A cell that was found: its time and value; no value: it is deleted.
pub(super) type Found = (i64, Option<Vec<u8>>);

pub(super) fn path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("{number:08}.tablet"))
}

impl Tablet {
    /// Opens a tablet; `Err` of kind `NotFound` passes as the system's error.
    pub(super) fn open(dir: &Path, number: u64) -> Result<Tablet, StoreError> {
        let path = path(dir, number);
        let io = |e| StoreError::Io { path: path.clone(), source: e };
        let file = File::open(&path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let damaged = |what: &str| super::damaged(&path, what);
        let at = length.checked_sub(FOOTER as u64).ok_or_else(|| damaged("it is too short"))?;
        let mut footer = [0; FOOTER];
        file.read_exact_at(&mut footer, at).map_err(io)?;
        let [magic, start, checksum, own] = words(&footer);
        if magic != MAGIC || own != xxh3_64_with_seed(&footer[..24], at) || start > at {
            return Err(damaged(&format!("the footer at byte {at}")));
        }
        let mut directory = vec![0; (at - start) as usize];
        file.read_exact_at(&mut directory, start).map_err(io)?;
        let records: Option<Vec<SectionRecord>> = postcard::from_bytes(&directory).ok();
        let sections = records
            .filter(|_| checksum == xxh3_64_with_seed(&directory, start))
            .filter(|records| records.iter().all(|record| record.is_sound(start)))
            .ok_or_else(|| damaged(&format!("the directory at byte {start}")))?
            .into_iter()
            .map(|record| TabletSection {
                record,
                questions: AtomicU32::new(0),
                index: OnceLock::new(),
                filter: OnceLock::new(),
            });
        let sections = sections.collect();
        Ok(Tablet { number, path, file, length, sections })
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &SectionRecord> {
        self.sections.iter().map(|section| &section.record)
    }

    /// The section of a column.
    pub(super) fn section(self: &Arc<Tablet>, column: u64) -> Option<ColumnSection> {
        let at = self.sections.iter().position(|section| section.record.column == column)?;
        Some(ColumnSection { tablet: self.clone(), at })
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, StoreError> {
        if offset.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(super::damaged(&self.path, &format!("the bytes from {offset} on")));
        }
        let mut bytes = vec![0; length as usize];
        let read = self.file.read_exact_at(&mut bytes, offset);
        read.map_err(|e| StoreError::io(&self.path, e))?;
        Ok(bytes)
    }
}

impl ColumnSection {
    fn inner(&self) -> &TabletSection {
        &self.tablet.sections[self.at]
    }

    pub(super) fn record(&self) -> &SectionRecord {
        &self.inner().record
    }

    /// Whether an id can be in this section.
    fn may_hold(&self, id: u64) -> Result<bool, StoreError> {
        let section = self.inner();
        let record = &section.record;
        if record.filter == 0 {
            return Ok(true);
        }
        if let Some(filter) = section.filter.get() {
            return Ok(filter.contains(id));
        }
        if section.questions.fetch_add(1, Ordering::Relaxed) < PATIENCE {
            return Ok(true);
        }
        let offset = record.index + record.blocks * ENTRY;
        let bytes = self.tablet.read(offset, record.filter)?;
        if xxh3_64_with_seed(&bytes, offset) != record.filter_checksum {
            return Err(self.damaged("the filter", offset));
        }
        Ok(section.filter.get_or_init(|| Filter::read(&bytes)).contains(id))
    }

    fn index(&self) -> Result<&[IndexEntry], StoreError> {
        let section = self.inner();
        if let Some(index) = section.index.get() {
            return Ok(index);
        }
        let record = &section.record;
        let bytes = self.tablet.read(record.index, record.blocks * ENTRY)?;
        let damaged = || self.damaged("the index", record.index);
        if xxh3_64_with_seed(&bytes, record.index) != record.index_checksum {
            return Err(damaged());
        }
        let entries = bytes.chunks_exact(ENTRY as usize).map(|bytes| {
            let [id, qualifier, offset] = words(bytes);
            IndexEntry { key: CellKey { id, qualifier }, offset }
        });
        let index: Vec<IndexEntry> = entries.collect();
        let places = index.iter().map(|entry| entry.offset).chain([record.index]);
        if index.first().is_some_and(|first| first.offset != record.start)
            || !places.is_sorted_by(|a, b| a < b)
            || !index.is_sorted_by(|a, b| a.key < b.key)
        {
            return Err(damaged());
        }
        Ok(section.index.get_or_init(|| index))
    }

    fn block(&self, index: &[IndexEntry], block: usize) -> Result<BlockCursor, StoreError> {
        let record = self.record();
        let start = index[block].offset;
        let end = index.get(block + 1).map_or(record.index, |next| next.offset);
        let bytes = self.tablet.read(start, end - start)?;
        BlockCursor::open(bytes, start, record.is_group)
            .map_err(|_| self.damaged("the block", start))
    }

    fn damaged(&self, what: &str, offset: u64) -> StoreError {
        super::damaged(&self.tablet.path, &format!("{what} at byte {offset}"))
    }

    /// The cell of a key.
    pub(super) fn find(&self, key: CellKey) -> Result<Option<Found>, StoreError> {
        if !self.may_hold(key.id)? {
            return Ok(None);
        }
        let index = self.index()?;
        let after = index.partition_point(|entry| entry.key <= key);
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let mut cursor = self.block(index, block)?;
        loop {
            let is_there = cursor.advance();
            let is_there = is_there.map_err(|_| self.damaged("the block", index[block].offset))?;
            match cursor.cell().filter(|_| is_there) {
                Some(cell) if cell.key < key => {}
                Some(cell) if cell.key == key => {
                    return Ok(Some((cell.time, cell.value.map(<[u8]>::to_vec))));
                }
                _ => return Ok(None),
            }
        }
    }

    /// A cursor at the first cell of this key or after it; none where no cell of its id can be.
    pub(super) fn cursor_at(&self, key: CellKey) -> Result<Option<SectionCursor>, StoreError> {
        if !self.may_hold(key.id)? {
            return Ok(None);
        }
        let after = self.index()?.partition_point(|entry| entry.key <= key);
        let mut cursor = self.cursor_from_block(after.saturating_sub(1))?;
        while cursor.cell().is_some_and(|cell| cell.key < key) {
            cursor.advance()?;
        }
        Ok(Some(cursor))
    }

    /// A cursor at the first cell.
    pub(super) fn cursor(&self) -> Result<SectionCursor, StoreError> {
        self.cursor_from_block(0)
    }

    fn cursor_from_block(&self, block: usize) -> Result<SectionCursor, StoreError> {
        let mut cursor = SectionCursor { section: self.clone(), next: block, block: None };
        cursor.advance()?;
        Ok(cursor)
    }
}

/// Walks over the cells of a section.
#[derive(Debug)]
pub(super) struct SectionCursor {
    section: ColumnSection,
    /// The next block.
    next: usize,
    block: Option<BlockCursor>,
}

impl SectionCursor {
    /// The cell at which the cursor stands; none at the end.
    pub(super) fn cell(&self) -> Option<CellRef<'_>> {
        self.block.as_ref()?.cell()
    }

    pub(super) fn advance(&mut self) -> Result<(), StoreError> {
        loop {
            if let Some(block) = &mut self.block {
                match block.advance() {
                    Ok(true) => return Ok(()),
                    Ok(false) => self.block = None,
                    Err(_) => {
                        let index = self.section.index()?;
                        let at = index.get(self.next.saturating_sub(1));
                        let at = at.map_or(0, |entry| entry.offset);
                        return Err(self.section.damaged("the block", at));
                    }
                }
            }
            let index = self.section.index()?;
            if self.next >= index.len() {
                return Ok(());
            }
            self.block = Some(self.section.block(index, self.next)?);
            self.next += 1;
        }
    }
}

/// Little-endian words.
fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
