//! The index of a section: the first key and the place of each block, in pages of which only those are
//! read that are asked for. A page ends with the place where its last block ends; after the pages come
//! the first key and the checksum of each.

use super::block::CellKey;
use super::tablet::{SectionRecord, words};
use std::ops::Range;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Blocks of a page.
pub(super) const PAGE: u64 = 128;
/// Bytes for a block in its page, and for a page after the pages.
const ENTRY: u64 = 24;
const PAGE_BYTES: u64 = PAGE * ENTRY + 8;

/// First key and place of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexEntry {
    pub(super) key: CellKey,
    pub(super) offset: u64,
}

/// What a page says of its blocks.
#[derive(Debug)]
pub(super) struct PageBlocks {
    entries: Vec<IndexEntry>,
    end: u64,
}

impl PageBlocks {
    /// Where a block of this page begins and ends.
    pub(super) fn bounds(&self, at: usize) -> Option<Range<u64>> {
        let start = self.entries.get(at)?.offset;
        Some(start..self.entries.get(at + 1).map_or(self.end, |next| next.offset))
    }

    /// How many blocks begin at a key or before it.
    pub(super) fn not_after(&self, key: CellKey) -> usize {
        self.entries.partition_point(|entry| entry.key <= key)
    }

    /// Reads a page; none if it is no page of this section.
    pub(super) fn read(record: &SectionRecord, bytes: &[u8]) -> Option<PageBlocks> {
        let (entries, end) = bytes.split_last_chunk::<8>()?;
        let end = u64::from_le_bytes(*end);
        let entries: Vec<IndexEntry> = entries
            .chunks_exact(ENTRY as usize)
            .map(|bytes| {
                let [id, qualifier, offset] = words(bytes);
                IndexEntry { key: CellKey { id, qualifier }, offset }
            })
            .collect();
        let places = entries.iter().map(|entry| entry.offset).chain([end]);
        let is_sound = entries.first().is_some_and(|first| first.offset >= record.start)
            && end <= record.index
            && places.is_sorted_by(|a, b| a < b)
            && entries.is_sorted_by(|a, b| a.key < b.key);
        is_sound.then_some(PageBlocks { entries, end })
    }
}

/// A page, read or not.
#[derive(Debug)]
pub(super) struct IndexPage {
    pub(super) first: CellKey,
    pub(super) checksum: u64,
    pub(super) blocks: OnceLock<PageBlocks>,
}

/// Reads the first keys of all pages.
pub(super) fn read_pages(bytes: &[u8]) -> Vec<IndexPage> {
    let page = |bytes: &[u8]| {
        let [id, qualifier, checksum] = words(bytes);
        IndexPage { first: CellKey { id, qualifier }, checksum, blocks: OnceLock::new() }
    };
    bytes.chunks_exact(ENTRY as usize).map(page).collect()
}

/// Bytes of the index of so many blocks.
pub(super) fn index_bytes(blocks: u64) -> Option<u64> {
    let pages = blocks.div_ceil(PAGE);
    blocks.checked_mul(ENTRY)?.checked_add(pages.checked_mul(ENTRY + 8)?)
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileSpan {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// Where a page stands.
pub(super) fn page_place(record: &SectionRecord, page: u64) -> FileSpan {
    let blocks = record.blocks.saturating_sub(page * PAGE).min(PAGE);
    FileSpan { offset: record.index + page * PAGE_BYTES, length: blocks * ENTRY + 8 }
}

/// Where the first keys of the pages stand.
pub(super) fn pages_place(record: &SectionRecord) -> FileSpan {
    let pages = record.blocks.div_ceil(PAGE);
    let offset = record.index + record.blocks * ENTRY + pages * 8;
    FileSpan { offset, length: pages * ENTRY }
}

/// An index as it is written.
#[derive(Debug)]
pub(super) struct WrittenIndex {
    pub(super) bytes: Vec<u8>,
    pub(super) checksum: u64,
}

/// The index for `offset`, where the last block ends.
pub(super) fn write_index(entries: &[IndexEntry], offset: u64) -> WrittenIndex {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY as usize);
    let mut firsts = Vec::new();
    let mut pages = entries.chunks(PAGE as usize).peekable();
    while let Some(page) = pages.next() {
        let start = bytes.len();
        for IndexEntry { key, offset } in page {
            push(&mut bytes, [key.id, key.qualifier, *offset]);
        }
        push(&mut bytes, [pages.peek().map_or(offset, |next| next[0].offset)]);
        let checksum = xxh3_64_with_seed(&bytes[start..], offset + start as u64);
        let first = page[0].key;
        push(&mut firsts, [first.id, first.qualifier, checksum]);
    }
    let checksum = xxh3_64_with_seed(&firsts, offset + bytes.len() as u64);
    bytes.extend(firsts);
    WrittenIndex { bytes, checksum }
}

fn push<const N: usize>(out: &mut Vec<u8>, words: [u64; N]) {
    words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}
