//! Writes a tablet from end to end: sections one after the other, each with its cells by key.

use super::batch::remove;
use super::block::{CellBlockBuilder, CellKey, CellRef, SealedBlock};
use super::index::{IndexEntry, WrittenIndex, write_index};
use super::tablet::{MAGIC, SectionRecord, Tablet, path};
use crate::StoreError;
use crate::disk::{DiskFile, FileOpening};
use crate::sieve::filter::SieveFilter;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Blocks written plain after one that did not become smaller.
const PAUSE: u32 = 31;

/// A section that is being written.
#[derive(Debug)]
struct OpenSection {
    record: SectionRecord,
    index: Vec<IndexEntry>,
    filter: Option<SieveFilter>,
    block: CellBlockBuilder,
    last: Option<CellKey>,
    /// Blocks to write before compression is tried again.
    pause: u32,
}

/// Writes a tablet; one that is not finished is removed.
#[derive(Debug)]
pub(super) struct TabletWriter {
    dir: PathBuf,
    number: u64,
    file: BufWriter<DiskFile>,
    offset: u64,
    sections: Vec<SectionRecord>,
    opened: Option<OpenSection>,
    is_whole: bool,
}

impl Drop for TabletWriter {
    fn drop(&mut self) {
        if !self.is_whole {
            remove(&path(&self.dir, self.number));
        }
    }
}

impl TabletWriter {
    pub(super) fn new(dir: &Path, number: u64) -> Result<TabletWriter, StoreError> {
        let path = path(dir, number);
        let file = DiskFile::open(&path, FileOpening::New).map_err(|e| StoreError::io(&path, e))?;
        let file = BufWriter::with_capacity(256 * 1024, file);
        let (dir, sections) = (dir.to_owned(), Vec::new());
        Ok(TabletWriter { dir, number, file, offset: 0, sections, opened: None, is_whole: false })
    }

    /// Begins the section of a column; a filter is made for at most `filtered` ids.
    pub(super) fn begin(
        &mut self,
        column: u64,
        is_group: bool,
        filtered: Option<u64>,
    ) -> Result<(), StoreError> {
        self.end()?;
        let start = self.offset;
        let record = SectionRecord {
            column,
            is_group,
            cells: 0,
            start,
            index: start,
            blocks: 0,
            index_checksum: 0,
            filter: 0,
            filter_checksum: 0,
        };
        let (index, block) = (Vec::new(), CellBlockBuilder::default());
        let filter = filtered.map(SieveFilter::for_keys);
        self.opened = Some(OpenSection { record, index, filter, block, last: None, pause: 0 });
        Ok(())
    }

    /// Adds a cell to the section; they come by key.
    pub(super) fn push(&mut self, cell: CellRef<'_>) -> Result<(), StoreError> {
        let Some(opened) = &mut self.opened else { return Ok(()) };
        if opened.last.is_some_and(|last| last >= cell.key) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "cells must come by key");
            return Err(StoreError::io(&path(&self.dir, self.number), error));
        }
        if opened.block.is_empty() {
            opened.index.push(IndexEntry { key: cell.key, offset: self.offset });
        }
        opened.block.push(cell, opened.record.is_group);
        opened.last = Some(cell.key);
        opened.record.cells += 1;
        if let Some(filter) = &mut opened.filter {
            filter.insert(cell.key.id);
        }
        if opened.block.is_full() { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), StoreError> {
        let Some(opened) = &mut self.opened else { return Ok(()) };
        let SealedBlock { bytes, is_smaller } = opened.block.take(self.offset, opened.pause == 0);
        opened.pause = match opened.pause {
            0 if is_smaller => 0,
            0 => PAUSE,
            pause => pause - 1,
        };
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.file.write_all(bytes);
        written.map_err(|e| StoreError::io(&path(&self.dir, self.number), e))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Ends the section; one without cells is as if it had not been begun.
    fn end(&mut self) -> Result<(), StoreError> {
        if self.opened.as_ref().is_some_and(|opened| !opened.block.is_empty()) {
            self.end_block()?;
        }
        let Some(OpenSection { mut record, index, filter, .. }) = self.opened.take() else {
            return Ok(());
        };
        if record.cells == 0 {
            return Ok(());
        }
        record.index = self.offset;
        record.blocks = index.len() as u64;
        let WrittenIndex { mut bytes, checksum } = write_index(&index, self.offset);
        record.index_checksum = checksum;
        self.write(&bytes)?;
        if let Some(filter) = filter {
            bytes.clear();
            filter.write(&mut bytes);
            record.filter = bytes.len() as u64;
            record.filter_checksum = xxh3_64_with_seed(&bytes, self.offset);
            self.write(&bytes)?;
        }
        self.sections.push(record);
        Ok(())
    }

    /// Ends the file, syncs it and opens it; none if it has no cells.
    pub(super) fn finish(mut self) -> Result<Option<Arc<Tablet>>, StoreError> {
        self.end()?;
        let path = path(&self.dir, self.number);
        if self.sections.is_empty() {
            return Ok(None);
        }
        let directory = postcard::to_stdvec(&self.sections).expect("plain values always encode");
        let start = self.offset;
        self.write(&directory)?;
        let mut footer = Vec::new();
        for word in [MAGIC, start, xxh3_64_with_seed(&directory, start)] {
            footer.extend_from_slice(&word.to_le_bytes());
        }
        footer.extend_from_slice(&xxh3_64_with_seed(&footer, self.offset).to_le_bytes());
        self.write(&footer)?;
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|e| StoreError::io(&path, e))?;
        self.is_whole = true;
        Tablet::open(&self.dir, self.number).map(|tablet| Some(Arc::new(tablet)))
    }
}
