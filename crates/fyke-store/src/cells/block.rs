//! A block of a tablet: about 2 kB of cells, by key.
//!
//! A cell is the difference of its id to the one before, in a group its qualifier (the difference,
//! where the id is the same), the difference of its time, the length of its value plus one (zero: the
//! cell is deleted) and the value; all numbers are varints. On disk a block has a first byte that says
//! whether it is compressed, and a checksum behind it that knows its place.

use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A block ends with the cell that reaches so many bytes.
pub(super) const BLOCK: usize = 2000;
const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;
const CHECKSUM: usize = 8;
/// A block that one value has made so large is not compressed.
const LARGE: usize = 1 << 30;
/// Bytes that one byte of a compressed block can stand for.
const EXPANSION: usize = 256;

/// Where a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellKey {
    pub(super) id: u64,
    /// Zero outside groups.
    pub(super) qualifier: u64,
}

/// A cell whose bytes stand elsewhere; no value: it is deleted.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRef<'a> {
    pub(super) key: CellKey,
    pub(super) time: i64,
    pub(super) value: Option<&'a [u8]>,
}

/// Fills a block.
#[derive(Debug, Default)]
pub(super) struct CellBlockBuilder {
    bytes: Vec<u8>,
    key: Option<CellKey>,
    time: i64,
}

impl CellBlockBuilder {
    /// Adds a cell after those before it.
    pub(super) fn push(&mut self, cell: CellRef<'_>, is_group: bool) {
        if self.bytes.is_empty() {
            self.bytes.push(PLAIN);
        }
        let before = self.key.map_or(0, |key| key.id);
        write_varint(&mut self.bytes, cell.key.id.wrapping_sub(before));
        if is_group {
            let before = self.key.filter(|key| key.id == cell.key.id);
            let before = before.map_or(0, |key| key.qualifier);
            write_varint(&mut self.bytes, cell.key.qualifier.wrapping_sub(before));
        }
        let later = cell.time.wrapping_sub(self.time);
        write_varint(&mut self.bytes, ((later << 1) ^ (later >> 63)) as u64);
        write_varint(&mut self.bytes, cell.value.map_or(0, |value| value.len() as u64 + 1));
        self.bytes.extend_from_slice(cell.value.unwrap_or_default());
        (self.key, self.time) = (Some(cell.key), cell.time);
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The block for this offset; another begins.
    pub(super) fn take(&mut self, offset: u64, try_smaller: bool) -> SealedBlock {
        let mut bytes = std::mem::take(&mut self.bytes);
        (self.key, self.time) = (None, 0);
        let mut is_smaller = false;
        if try_smaller && bytes.len() < LARGE {
            let packed = lz4_flex::block::compress(&bytes[1..]);
            is_smaller = packed.len() + packed.len() / 8 < bytes.len();
            if is_smaller {
                let length = (bytes.len() - 1) as u32;
                bytes = [&[COMPRESSED][..], &length.to_le_bytes(), &packed].concat();
            }
        }
        let checksum = xxh3_64_with_seed(&bytes, offset);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        SealedBlock { bytes, is_smaller }
    }
}

/// A block as it is written.
#[derive(Debug)]
pub(super) struct SealedBlock {
    pub(super) bytes: Vec<u8>,
    /// It was compressed.
    pub(super) is_smaller: bool,
}

/// Walks over the cells of a block.
#[derive(Debug)]
pub(super) struct BlockCursor {
    bytes: Vec<u8>,
    at: usize,
    end: usize,
    is_group: bool,
    key: Option<CellKey>,
    time: i64,
    value: Option<Range<usize>>,
}

/// The bytes are no cells.
#[derive(Debug)]
pub(super) struct CorruptBlock;

impl BlockCursor {
    /// Takes a block as it was written at `offset`; the cursor stands before its first cell.
    pub(super) fn open(
        bytes: Vec<u8>,
        offset: u64,
        is_group: bool,
    ) -> Result<BlockCursor, CorruptBlock> {
        let end = bytes.len().checked_sub(CHECKSUM).ok_or(CorruptBlock)?;
        let (body, checksum) = bytes.split_at(end);
        if checksum != xxh3_64_with_seed(body, offset).to_le_bytes() {
            return Err(CorruptBlock);
        }
        let cursor = |bytes, at, end| {
            let (key, time, value) = (None, 0, None);
            Ok(BlockCursor { bytes, at, end, is_group, key, time, value })
        };
        match body.split_first() {
            Some((&PLAIN, _)) => cursor(bytes, 1, end),
            Some((&COMPRESSED, packed)) => {
                let (length, packed) = packed.split_first_chunk::<4>().ok_or(CorruptBlock)?;
                let length = u32::from_le_bytes(*length) as usize;
                if length > packed.len().saturating_mul(EXPANSION) {
                    return Err(CorruptBlock);
                }
                let bytes =
                    lz4_flex::block::decompress(packed, length).map_err(|_| CorruptBlock)?;
                let end = bytes.len();
                cursor(bytes, 0, end)
            }
            _ => Err(CorruptBlock),
        }
    }

    /// Goes to the next cell; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, CorruptBlock> {
        if self.at >= self.end {
            return Ok(false);
        }
        let difference = self.varint()?;
        let id = self.key.map_or(0, |key| key.id).checked_add(difference).ok_or(CorruptBlock)?;
        let mut qualifier = 0;
        if self.is_group {
            let before = self.key.filter(|key| key.id == id).map_or(0, |key| key.qualifier);
            qualifier = self.varint()?.checked_add(before).ok_or(CorruptBlock)?;
        }
        let key = CellKey { id, qualifier };
        if self.key.is_some_and(|before| before >= key) {
            return Err(CorruptBlock);
        }
        let later = self.varint()?;
        let later = (later >> 1) as i64 ^ -((later & 1) as i64);
        self.time = self.time.wrapping_add(later);
        self.key = Some(key);
        self.value = match self.varint()?.checked_sub(1) {
            None => None,
            Some(length) => {
                let room = (self.end - self.at) as u64;
                let length = Some(length).filter(|&length| length <= room).ok_or(CorruptBlock)?;
                let value = self.at..self.at + length as usize;
                self.at = value.end;
                Some(value)
            }
        };
        Ok(true)
    }

    /// The cell at which the cursor stands.
    pub(super) fn cell(&self) -> Option<CellRef<'_>> {
        let value = self.value.clone().map(|range| &self.bytes[range]);
        Some(CellRef { key: self.key?, time: self.time, value })
    }

    /// The key of the cell at which the cursor stands.
    pub(super) fn key(&self) -> Option<CellKey> {
        self.key
    }

    fn varint(&mut self) -> Result<u64, CorruptBlock> {
        let rest = &self.bytes[self.at..];
        let (value, length) = match rest {
            [byte, ..] if *byte < 128 => (u64::from(*byte), 1),
            _ => match rest.first_chunk::<8>().and_then(|chunk| short_varint(*chunk)) {
                Some(read) => read,
                None => long_varint(rest)?,
            },
        };
        self.at += length;
        // What follows the cells is no part of one.
        if self.at > self.end { Err(CorruptBlock) } else { Ok(value) }
    }
}

/// A varint of at most eight bytes, and its length: all seven-bit groups are moved together at once.
fn short_varint(chunk: [u8; 8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(chunk);
    let ends = !word & 0x8080_8080_8080_8080;
    let length = ends.trailing_zeros() as usize / 8 + 1;
    if length > 8 {
        return None;
    }
    let x = word & 0x7F7F_7F7F_7F7F_7F7F & (u64::MAX >> (64 - 8 * length));
    let x = (x & 0x007F_007F_007F_007F) | (x & 0x7F00_7F00_7F00_7F00) >> 1;
    let x = (x & 0x0000_3FFF_0000_3FFF) | (x & 0x3FFF_0000_3FFF_0000) >> 2;
    Some(((x & 0x0FFF_FFFF) | (x & 0x0FFF_FFFF_0000_0000) >> 4, length))
}

/// Any varint, byte by byte.
fn long_varint(bytes: &[u8]) -> Result<(u64, usize), CorruptBlock> {
    let mut value = 0;
    for (place, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 127) << (7 * place);
        if byte < 128 {
            let is_too_much = place == 9 && byte > 1;
            return if is_too_much { Err(CorruptBlock) } else { Ok((value, place + 1)) };
        }
    }
    Err(CorruptBlock)
}

fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Values = BTreeMap<(u64, u64), (i64, Option<Vec<u8>>)>;

    fn check(cells: &Values, is_group: bool, try_smaller: bool) {
        let mut builder = CellBlockBuilder::default();
        for (&(id, qualifier), (time, value)) in cells {
            let key = CellKey { id, qualifier };
            builder.push(CellRef { key, time: *time, value: value.as_deref() }, is_group);
        }
        let SealedBlock { bytes, .. } = builder.take(77, try_smaller);
        if cells.is_empty() {
            return;
        }
        assert!(BlockCursor::open(bytes.clone(), 78, is_group).is_err());
        let mut cursor = BlockCursor::open(bytes, 77, is_group).unwrap();
        let mut read = Values::new();
        while cursor.advance().unwrap() {
            let cell = cursor.cell().unwrap();
            let value = (cell.time, cell.value.map(<[u8]>::to_vec));
            read.insert((cell.key.id, cell.key.qualifier), value);
        }
        assert_eq!(&read, cells);
    }

    proptest! {
        #[test]
        fn both_ways_to_read_a_number_agree(value: u64, bits in 0u32..64) {
            let value = value >> bits;
            let mut bytes = Vec::new();
            write_varint(&mut bytes, value);
            let length = bytes.len();
            prop_assert_eq!(long_varint(&bytes).unwrap(), (value, length));
            bytes.resize(10, 255);
            let short = short_varint(*bytes.first_chunk().unwrap());
            prop_assert_eq!(short, (length <= 8).then_some((value, length)));
        }

        #[test]
        fn cells_come_back_as_they_were(
            cells: Values, alike in prop::collection::vec(0u64..5, 0..50), try_smaller: bool,
        ) {
            let mut cells = cells;
            // No block is without cells.
            cells.insert((1, 1), (0, None));
            for (at, id) in alike.into_iter().enumerate() {
                cells.insert((id, at as u64 * 7), (5, Some(vec![1; at])));
            }
            check(&cells, true, try_smaller);
            let plain = cells.into_iter().map(|((id, _), cell)| ((id, 0), cell)).collect();
            check(&plain, false, try_smaller);
        }

        #[test]
        fn any_bytes_are_read_without_panic(mut body: Vec<u8>, flag in 0u8..3, is_group: bool) {
            body.insert(0, flag);
            let checksum = xxh3_64_with_seed(&body, 0);
            body.extend_from_slice(&checksum.to_le_bytes());
            if let Ok(mut cursor) = BlockCursor::open(body, 0, is_group) {
                while let Ok(true) = cursor.advance() {
                    prop_assert!(cursor.cell().is_some());
                }
            }
        }
    }
}
