//! A tablet: sorted cells of some columns in one immutable file (003 §3.6.5).
//!
//! For each column a section: its blocks; an index of them in pages (first key and place of each
//! block); the first key of each page; and a filter of its ids where older tablets may be asked next.
//! Then the directory of the sections, and a footer that says where it stands. Only the directory is
//! read at opening; what is needed of a section's index comes into memory when it is asked.

use super::block::{BlockCursor, CellKey, CellRef};
use super::index::{
    FileSpan, IndexPage, PAGE, PageBlocks, index_bytes, page_place, pages_place, read_pages,
};
use crate::StoreError;
use crate::sieve::filter::SieveFilter;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"fykecel1");
pub(super) const FOOTER: usize = 32;
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
    /// Of the first keys of the index's pages.
    pub(super) index_checksum: u64,
    /// Bytes of the filter, which follows the index; zero where there is none.
    pub(super) filter: u64,
    pub(super) filter_checksum: u64,
}

impl SectionRecord {
    fn end(&self) -> Option<u64> {
        self.index.checked_add(index_bytes(self.blocks)?)?.checked_add(self.filter)
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

/// A section of an open tablet.
#[derive(Debug)]
struct TabletSection {
    record: SectionRecord,
    questions: AtomicU32,
    pages: OnceLock<Vec<IndexPage>>,
    filter: OnceLock<SieveFilter>,
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
pub(super) type FoundCell = (i64, Option<Vec<u8>>);

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
                pages: OnceLock::new(),
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
        let bytes = self.filter_bytes()?;
        Ok(section.filter.get_or_init(|| SieveFilter::read(&bytes)).contains(id))
    }

    fn filter_bytes(&self) -> Result<Vec<u8>, StoreError> {
        let record = self.record();
        let offset = record.end().unwrap_or(0) - record.filter;
        let bytes = self.tablet.read(offset, record.filter)?;
        if xxh3_64_with_seed(&bytes, offset) != record.filter_checksum {
            return Err(self.damaged("the filter", offset));
        }
        Ok(bytes)
    }

    /// Reads the filter, if there is one, only to check it.
    pub(super) fn check_filter(&self) -> Result<(), StoreError> {
        if self.record().filter == 0 { Ok(()) } else { self.filter_bytes().map(drop) }
    }

    fn pages(&self) -> Result<&[IndexPage], StoreError> {
        let section = self.inner();
        if let Some(pages) = section.pages.get() {
            return Ok(pages);
        }
        let FileSpan { offset, length } = pages_place(&section.record);
        let bytes = self.tablet.read(offset, length)?;
        if xxh3_64_with_seed(&bytes, offset) != section.record.index_checksum {
            return Err(self.damaged("the index", offset));
        }
        Ok(section.pages.get_or_init(|| read_pages(&bytes)))
    }

    /// A page of the index; none after the last.
    fn page(&self, number: u64) -> Result<Option<&PageBlocks>, StoreError> {
        let Some(page) = self.pages()?.get(number as usize) else { return Ok(None) };
        if let Some(blocks) = page.blocks.get() {
            return Ok(Some(blocks));
        }
        let FileSpan { offset, length } = page_place(self.record(), number);
        let bytes = self.tablet.read(offset, length)?;
        let blocks = PageBlocks::read(self.record(), &bytes)
            .filter(|_| xxh3_64_with_seed(&bytes, offset) == page.checksum)
            .ok_or_else(|| self.damaged("the page of the index", offset))?;
        Ok(Some(page.blocks.get_or_init(|| blocks)))
    }

    /// The last block that begins at a key or before it.
    fn block_of(&self, key: CellKey) -> Result<Option<u64>, StoreError> {
        let after = self.pages()?.partition_point(|page| page.first <= key) as u64;
        let Some(page) = after.checked_sub(1) else { return Ok(None) };
        let blocks = self.page(page)?.map_or(0, |blocks| blocks.not_after(key) as u64);
        Ok((page * PAGE + blocks).checked_sub(1))
    }

    /// A cursor before the first cell of a block, and where the block begins; none after the last.
    fn block(&self, block: u64) -> Result<Option<(BlockCursor, u64)>, StoreError> {
        let page = self.page(block / PAGE)?;
        let bounds = page.and_then(|page| page.bounds((block % PAGE) as usize));
        let Some(Range { start, end }) = bounds else { return Ok(None) };
        let bytes = self.tablet.read(start, end - start)?;
        let cursor = BlockCursor::open(bytes, start, self.record().is_group);
        cursor.map(|cursor| Some((cursor, start))).map_err(|_| self.damaged("the block", start))
    }

    fn damaged(&self, what: &str, offset: u64) -> StoreError {
        super::damaged(&self.tablet.path, &format!("{what} at byte {offset}"))
    }

    /// The cell of a key.
    pub(super) fn find(&self, key: CellKey) -> Result<Option<FoundCell>, StoreError> {
        if !self.may_hold(key.id)? {
            return Ok(None);
        }
        let Some(block) = self.block_of(key)? else { return Ok(None) };
        let Some((mut cursor, start)) = self.block(block)? else { return Ok(None) };
        loop {
            let is_there = cursor.advance().map_err(|_| self.damaged("the block", start))?;
            match cursor.key().filter(|_| is_there) {
                Some(other) if other < key => {}
                Some(other) if other == key => {
                    let found = |cell: CellRef<'_>| (cell.time, cell.value.map(<[u8]>::to_vec));
                    return Ok(cursor.cell().map(found));
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
        let mut cursor = self.cursor_from_block(self.block_of(key)?.unwrap_or(0))?;
        while cursor.key().is_some_and(|other| other < key) {
            cursor.advance()?;
        }
        Ok(Some(cursor))
    }

    /// A cursor at the first cell.
    pub(super) fn cursor(&self) -> Result<SectionCursor, StoreError> {
        self.cursor_from_block(0)
    }

    fn cursor_from_block(&self, block: u64) -> Result<SectionCursor, StoreError> {
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
    next: u64,
    /// The current block and where it begins.
    block: Option<(BlockCursor, u64)>,
}

impl SectionCursor {
    /// The cell at which the cursor stands; none at the end.
    pub(super) fn cell(&self) -> Option<CellRef<'_>> {
        self.block.as_ref()?.0.cell()
    }

    pub(super) fn key(&self) -> Option<CellKey> {
        self.block.as_ref()?.0.key()
    }

    pub(super) fn advance(&mut self) -> Result<(), StoreError> {
        loop {
            if let Some((block, start)) = &mut self.block {
                let is_there = block.advance();
                if is_there.map_err(|_| self.section.damaged("the block", *start))? {
                    return Ok(());
                }
            }
            self.block = self.section.block(self.next)?;
            if self.block.is_none() {
                return Ok(());
            }
            self.next += 1;
        }
    }
}

/// Little-endian words.
pub(super) fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
