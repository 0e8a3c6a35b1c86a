//! A run: sorted entries in one immutable file (003 §3.6, the sorted files of BigTable).
//!
//! Blocks of 1,024 bytes hold 63 entries (key and value, eight bytes each, little-endian) and a
//! checksum; then come the first key of each block, the filter, and a footer with a checksum. Index
//! and filter are loaded once a run has been asked often: a single question is answered by
//! interpolation, which takes three or four reads at any size.

use super::filter::SieveFilter;
use super::manifest;
use crate::StoreError;
use crate::disk::{DiskFile, FileOpening};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

const BLOCK: usize = 1024;
const ENTRIES: usize = 63;
const FOOTER: usize = 40;
const MAGIC: u64 = u64::from_le_bytes(*b"fykerun2");
/// The filter of such a run had its blocks elsewhere: it is not asked.
const FIRST_MAGIC: u64 = u64::from_le_bytes(*b"fykerun1");
/// Questions answered without index and filter.
const PATIENCE: u32 = 64;
/// Blocks read at once when a run is read from end to end.
const STRIDE: u64 = 256;

pub(crate) type SieveEntry = (u64, u64);

#[derive(Debug)]
struct LoadedRun {
    filter: SieveFilter,
    /// First key of each block.
    index: Vec<u64>,
}

/// An open run.
#[derive(Debug)]
pub(crate) struct SieveRun {
    path: PathBuf,
    file: File,
    count: u64,
    filter_bytes: u64,
    checksum: u64,
    has_filter: bool,
    questions: AtomicU32,
    loaded: OnceLock<LoadedRun>,
}

impl SieveRun {
    pub(crate) fn open(path: &Path) -> Result<SieveRun, StoreError> {
        let io = |e| StoreError::io(path, e);
        let file = File::open(path).map_err(|e| StoreError::promised(path, e))?;
        let length = file.metadata().map_err(io)?.len();
        let mut footer = [0; FOOTER];
        let at = length.checked_sub(FOOTER as u64).ok_or_else(|| damaged(path, "too short"))?;
        file.read_exact_at(&mut footer, at).map_err(io)?;
        let [magic, count, filter_bytes, checksum, own] = words(&footer);
        let expected = xxh3_64_with_seed(&footer[..FOOTER - 8], 0);
        if ![MAGIC, FIRST_MAGIC].contains(&magic) || own != expected {
            return Err(damaged(path, "its footer is wrong"));
        }
        let run = SieveRun {
            path: path.to_owned(),
            file,
            count,
            filter_bytes,
            checksum,
            has_filter: magic == MAGIC,
            questions: AtomicU32::new(0),
            loaded: OnceLock::new(),
        };
        if run.disk() != length {
            return Err(damaged(path, "its length is wrong"));
        }
        Ok(run)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn blocks(&self) -> u64 {
        self.count.div_ceil(ENTRIES as u64)
    }

    /// Bytes in memory.
    pub(crate) fn memory(&self) -> u64 {
        self.loaded.get().map_or(0, |l| l.filter.bytes() + l.index.len() as u64 * 8)
    }

    /// Bytes on disk.
    pub(crate) fn disk(&self) -> u64 {
        self.blocks() * (BLOCK as u64 + 8) + self.filter_bytes + FOOTER as u64
    }

    pub(crate) fn get(&self, key: u64) -> Result<Option<u64>, StoreError> {
        let Some(loaded) = self.loaded()? else { return self.interpolate(key) };
        if !loaded.filter.contains(key) {
            return Ok(None);
        }
        let Some(block) = not_after(&loaded.index, key).checked_sub(1) else { return Ok(None) };
        let mut bytes = [0; BLOCK];
        let entries = self.block(block as u64, &mut bytes)?;
        Ok(search(entries, key).ok())
    }

    /// Looks for a key without index: keys are spread evenly, so its place can be guessed; every
    /// second guess is the middle, in case they are not.
    fn interpolate(&self, key: u64) -> Result<Option<u64>, StoreError> {
        let (mut low, mut high) = (0, self.blocks());
        let (mut least, mut most) = (0u64, u64::MAX);
        let mut bytes = [0; BLOCK];
        let mut guesses = 0;
        while low < high {
            let share =
                (u128::from(key - least) * u128::from(high - low)) / (u128::from(most - least) + 1);
            let guess = if guesses % 3 == 2 { (high - low) / 2 } else { share as u64 };
            let middle = (low + guess).min(high - 1);
            guesses += 1;
            let entries = self.block(middle, &mut bytes)?;
            match search(entries, key) {
                Ok(value) => return Ok(Some(value)),
                Err(0) => (high, most) = (middle, entry(entries, 0).0),
                Err(at) if at == entries.len() / 16 => {
                    (low, least) = (middle + 1, entry(entries, at - 1).0);
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Reads a block's entries.
    fn block<'b>(&self, block: u64, bytes: &'b mut [u8; BLOCK]) -> Result<&'b [u8], StoreError> {
        self.file
            .read_exact_at(bytes, block * BLOCK as u64)
            .map_err(|e| StoreError::io(&self.path, e))?;
        self.checked(block, bytes)
    }

    fn checked<'b>(&self, block: u64, bytes: &'b [u8]) -> Result<&'b [u8], StoreError> {
        let (entries, rest) = bytes.split_at(ENTRIES * 16);
        let [checksum, _] = words(rest);
        if checksum != xxh3_64_with_seed(entries, block) {
            let what = format!("the block at byte {}", block * BLOCK as u64);
            return Err(damaged(&self.path, &what));
        }
        let count = (self.count - block * ENTRIES as u64).min(ENTRIES as u64);
        Ok(&entries[..count as usize * 16])
    }

    /// Index and filter, once it is worth loading them.
    fn loaded(&self) -> Result<Option<&LoadedRun>, StoreError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(Some(loaded));
        }
        if self.questions.fetch_add(1, Ordering::Relaxed) < PATIENCE {
            return Ok(None);
        }
        self.load().map(Some)
    }

    /// Reads filter and index.
    fn load(&self) -> Result<&LoadedRun, StoreError> {
        let mut bytes = vec![0; (self.blocks() * 8 + self.filter_bytes) as usize];
        self.file
            .read_exact_at(&mut bytes, self.blocks() * BLOCK as u64)
            .map_err(|e| StoreError::io(&self.path, e))?;
        if xxh3_64_with_seed(&bytes, 0) != self.checksum {
            return Err(damaged(&self.path, "its index"));
        }
        let (index, filter) = bytes.split_at(self.blocks() as usize * 8);
        let index = index.chunks_exact(8).map(|word| words::<1>(word)[0]).collect();
        let filter = if self.has_filter { SieveFilter::read(filter) } else { SieveFilter::open() };
        Ok(self.loaded.get_or_init(|| LoadedRun { filter, index }))
    }

    /// Checks filter and index; the blocks are checked whenever they are read.
    pub(crate) fn verify(&self) -> Result<(), StoreError> {
        self.load().map(drop)
    }

    /// All entries, by key.
    pub(crate) fn entries(
        self: std::sync::Arc<SieveRun>,
    ) -> impl Iterator<Item = Result<SieveEntry, StoreError>> + Send {
        let stretches = (0..self.blocks()).step_by(STRIDE as usize);
        stretches.flat_map(move |first| {
            let blocks = (self.blocks() - first).min(STRIDE);
            let (good, bad) = match self.stretch(first, blocks) {
                Ok(entries) => (entries, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            good.into_iter().map(Ok).chain(bad)
        })
    }

    fn stretch(&self, first: u64, blocks: u64) -> Result<Vec<SieveEntry>, StoreError> {
        let mut bytes = vec![0; blocks as usize * BLOCK];
        self.file
            .read_exact_at(&mut bytes, first * BLOCK as u64)
            .map_err(|e| StoreError::io(&self.path, e))?;
        let mut entries = Vec::with_capacity(blocks as usize * ENTRIES);
        for (block, bytes) in (first..).zip(bytes.chunks_exact(BLOCK)) {
            let block = self.checked(block, bytes)?;
            entries.extend((0..block.len() / 16).map(|at| entry(block, at)));
        }
        Ok(entries)
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

fn entry(entries: &[u8], at: usize) -> SieveEntry {
    let [key, value] = words(&entries[at * 16..at * 16 + 16]);
    (key, value)
}

/// How many of these keys are not after `key`. They are spread evenly, so that the search begins
/// where the key should stand and doubles its steps from there.
fn not_after(keys: &[u64], key: u64) -> usize {
    let guess = ((u128::from(key) * keys.len() as u128) >> 64) as usize;
    let is_below = |at: usize| keys.get(at).is_some_and(|&other| other <= key);
    let mut step = 8;
    let (mut low, mut high) = (guess, guess);
    if is_below(guess) {
        while is_below(high) {
            (low, high) = (high, high.saturating_add(step));
            step *= 2;
        }
    } else {
        while low > 0 && !is_below(low) {
            (high, low) = (low, low.saturating_sub(step));
            step *= 2;
        }
    }
    let high = high.min(keys.len());
    low + keys[low..high].partition_point(|&other| other <= key)
}

/// The value of a key, or the place where it would stand.
fn search(entries: &[u8], key: u64) -> Result<u64, usize> {
    let (mut low, mut high) = (0, entries.len() / 16);
    while low < high {
        let middle = (low + high) / 2;
        let (found, value) = entry(entries, middle);
        match found.cmp(&key) {
            std::cmp::Ordering::Equal => return Ok(value),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Err(low)
}

fn damaged(path: &Path, what: &str) -> StoreError {
    let folder = path.parent().unwrap_or(path);
    manifest::distrust(folder);
    let way = format!("{what}; run the command again: {} is made again then", folder.display());
    StoreError::damaged(path, way)
}

/// Writes a run from entries that come by key, each key once; `most` bounds their number.
#[derive(Debug)]
pub(crate) struct RunWriter {
    path: PathBuf,
    file: BufWriter<DiskFile>,
    filter: SieveFilter,
    index: Vec<u64>,
    block: Vec<u8>,
    count: u64,
}

impl RunWriter {
    pub(crate) fn new(path: &Path, most: u64) -> Result<RunWriter, StoreError> {
        let file =
            DiskFile::open(path, FileOpening::Emptied).map_err(|e| StoreError::io(path, e))?;
        Ok(RunWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(256 * 1024, file),
            filter: SieveFilter::for_keys(most),
            index: Vec::with_capacity(most.div_ceil(ENTRIES as u64) as usize),
            block: Vec::with_capacity(BLOCK),
            count: 0,
        })
    }

    pub(crate) fn push(&mut self, (key, value): SieveEntry) -> Result<(), StoreError> {
        if self.block.is_empty() {
            self.index.push(key);
        }
        self.block.extend_from_slice(&key.to_le_bytes());
        self.block.extend_from_slice(&value.to_le_bytes());
        self.filter.insert(key);
        self.count += 1;
        if self.block.len() == ENTRIES * 16 { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), StoreError> {
        self.block.resize(ENTRIES * 16, 0);
        let number = self.index.len() as u64 - 1;
        let checksum = xxh3_64_with_seed(&self.block, number);
        self.block.extend_from_slice(&checksum.to_le_bytes());
        self.block.resize(BLOCK, 0);
        self.file.write_all(&self.block).map_err(|e| StoreError::io(&self.path, e))?;
        self.block.clear();
        Ok(())
    }

    /// Ends the file and syncs it.
    pub(crate) fn finish(mut self) -> Result<SieveRun, StoreError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let mut rest = Vec::with_capacity(self.index.len() * 8 + self.filter.bytes() as usize);
        self.index.iter().for_each(|key| rest.extend_from_slice(&key.to_le_bytes()));
        self.filter.write(&mut rest);
        let mut hasher = Xxh3::with_seed(0);
        hasher.update(&rest);
        let checksum = hasher.digest();
        let start = rest.len();
        for word in [MAGIC, self.count, self.filter.bytes(), checksum] {
            rest.extend_from_slice(&word.to_le_bytes());
        }
        let own = xxh3_64_with_seed(&rest[start..], 0);
        rest.extend_from_slice(&own.to_le_bytes());
        let path = self.path;
        let io = |e| StoreError::io(&path, e);
        self.file.write_all(&rest).map_err(io)?;
        let file = self.file.into_inner().map_err(|e| io(e.into_error()))?;
        file.sync_all().map_err(io)?;
        let run = SieveRun::open(&path)?;
        let loaded = LoadedRun { filter: self.filter, index: self.index };
        run.loaded.get_or_init(|| loaded);
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_is_found_among_any_others(mut keys: Vec<u64>, small: Vec<u8>, key: u64) {
            keys.extend(small.into_iter().map(u64::from));
            keys.sort_unstable();
            for key in keys.iter().copied().chain([key, 0, 100, u64::MAX]) {
                let expected = keys.partition_point(|&other| other <= key);
                prop_assert_eq!(not_after(&keys, key), expected);
            }
        }
    }
}
