//! Columns: one file of facts by URL id, written whole and put in the place of the one before.
//!
//! `columns/NAME` begins with eight bytes that name the format; then the values, then an index by id
//! (id, offset, length, checksum), then the number of cells and where the index begins. A cell is
//! found by halving the index on disk, so that opening costs nothing.

use crate::StoreError;
use crate::tail::{locked, sync_dir};
use fyke_web::UrlId;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const MAGIC: &[u8; 8] = b"fykecol1";
const ENTRY: u64 = 24;
const FOOTER: u64 = 24;

/// A URL and what a column says of it.
pub(crate) type Cell = (UrlId, Vec<u8>);

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
struct Entry {
    id: u64,
    offset: u64,
    length: u32,
    checksum: u32,
}

impl Entry {
    fn write(self) -> [u8; ENTRY as usize] {
        let mut bytes = [0; ENTRY as usize];
        bytes[..8].copy_from_slice(&self.id.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.offset.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.length.to_le_bytes());
        bytes[20..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; ENTRY as usize]) -> Entry {
        let word = |at| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let half = |at| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Entry { id: word(0), offset: word(8), length: half(16), checksum: half(20) }
    }
}

/// One column, open.
#[derive(Debug)]
struct Column {
    path: PathBuf,
    file: File,
    count: u64,
    index: u64,
}

impl Column {
    fn open(path: &Path) -> Result<Option<Column>, StoreError> {
        let io = |e| StoreError::io(path, e);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(io(e)),
        };
        let length = file.metadata().map_err(io)?.len();
        let mut footer = [0; FOOTER as usize];
        if length >= FOOTER {
            file.read_exact_at(&mut footer, length - FOOTER).map_err(io)?;
        }
        let word = |at| u64::from_le_bytes(std::array::from_fn(|i| footer[at + i]));
        let (count, index, checksum) = (word(0), word(8), word(16));
        let is_whole = checksum == xxh3_64_with_seed(&footer[..16], 0)
            && count.checked_mul(ENTRY).and_then(|n| n.checked_add(index + FOOTER)) == Some(length);
        if !is_whole {
            return Err(damaged(path, "its end is wrong"));
        }
        Ok(Some(Column { path: path.to_owned(), file, count, index }))
    }

    fn entry(&self, at: u64) -> Result<Entry, StoreError> {
        let mut bytes = [0; ENTRY as usize];
        let read = self.file.read_exact_at(&mut bytes, self.index + at * ENTRY);
        read.map_err(|e| StoreError::io(&self.path, e))?;
        Ok(Entry::read(&bytes))
    }

    fn cell(&self, id: UrlId) -> Result<Option<Vec<u8>>, StoreError> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.entry(middle)?;
            match entry.id.cmp(&id.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.value(entry).map(Some),
            }
        }
        Ok(None)
    }

    fn value(&self, entry: Entry) -> Result<Vec<u8>, StoreError> {
        if entry.offset + u64::from(entry.length) > self.index {
            return Err(damaged(&self.path, "a cell stands outside it"));
        }
        let mut value = vec![0; entry.length as usize];
        let read = self.file.read_exact_at(&mut value, entry.offset);
        read.map_err(|e| StoreError::io(&self.path, e))?;
        if checksum(&value, entry.id) != entry.checksum {
            return Err(damaged(&self.path, &format!("the cell at byte {}", entry.offset)));
        }
        Ok(value)
    }

    fn at(&self, place: u64) -> Result<Cell, StoreError> {
        let entry = self.entry(place)?;
        Ok((UrlId(entry.id), self.value(entry)?))
    }
}

fn checksum(value: &[u8], id: u64) -> u32 {
    xxh3_64_with_seed(value, id) as u32
}

fn damaged(path: &Path, what: &str) -> StoreError {
    StoreError::damaged(path, format!("{what}; fyke rebuild makes it again"))
}

/// The columns folder.
#[derive(Debug)]
pub(crate) struct Columns {
    dir: PathBuf,
    open: Mutex<HashMap<String, Option<Arc<Column>>>>,
    /// Held by whoever writes a column: two that wrote the same would write one file.
    writing: Mutex<()>,
}

impl Columns {
    pub(crate) fn new(dir: &Path) -> Columns {
        Columns { dir: dir.to_owned(), open: Mutex::default(), writing: Mutex::default() }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    fn column(&self, name: &str) -> Result<Option<Arc<Column>>, StoreError> {
        let mut open = locked(&self.open);
        if let Some(column) = open.get(name) {
            return Ok(column.clone());
        }
        let column = Column::open(&self.dir.join(name))?.map(Arc::new);
        open.insert(name.to_owned(), column.clone());
        Ok(column)
    }

    pub(crate) fn cell(&self, name: &str, id: UrlId) -> Result<Option<Vec<u8>>, StoreError> {
        self.column(name)?.map_or(Ok(None), |column| column.cell(id))
    }

    /// All cells of a column, by id.
    pub(crate) fn cells(
        &self,
        name: &str,
    ) -> Result<impl Iterator<Item = Result<Cell, StoreError>> + use<>, StoreError> {
        let column = self.column(name)?;
        let count = column.as_ref().map_or(0, |column| column.count);
        Ok((0..count)
            .zip(std::iter::repeat(column))
            .filter_map(|(place, column)| Some(column?.at(place))))
    }

    /// Replaces a column by cells that come by id, each id once.
    pub(crate) fn replace(
        &self,
        name: &str,
        cells: impl Iterator<Item = Result<Cell, StoreError>>,
    ) -> Result<(), StoreError> {
        let _one = locked(&self.writing);
        fs::create_dir_all(&self.dir).map_err(|e| StoreError::io(&self.dir, e))?;
        let path = self.dir.join(name);
        let mut writer = ColumnWriter::new(&path)?;
        for cell in cells {
            let (id, value) = cell?;
            writer.push(id, &value).map_err(|e| StoreError::io(&path, e))?;
        }
        writer.finish().map_err(|e| StoreError::io(&path, e))?;
        sync_dir(&self.dir)?;
        locked(&self.open).remove(name);
        Ok(())
    }
}

/// Writes a column; the index goes to a file of its own until the values are all there, so that
/// memory does not grow with the column.
struct ColumnWriter {
    path: PathBuf,
    values: BufWriter<File>,
    index: BufWriter<File>,
    offset: u64,
    count: u64,
}

impl ColumnWriter {
    fn new(path: &Path) -> Result<ColumnWriter, StoreError> {
        let create = |extension| {
            let path = path.with_extension(extension);
            let mut options = File::options();
            let options = options.create(true).truncate(true).read(true).write(true);
            options.open(&path).map(BufWriter::new).map_err(|e| StoreError::io(&path, e))
        };
        let (mut values, index) = (create("new")?, create("index.new")?);
        values.write_all(MAGIC).map_err(|e| StoreError::io(path, e))?;
        let offset = MAGIC.len() as u64;
        Ok(ColumnWriter { path: path.to_owned(), values, index, offset, count: 0 })
    }

    fn push(&mut self, id: UrlId, value: &[u8]) -> std::io::Result<()> {
        let length = u32::try_from(value.len()).map_err(std::io::Error::other)?;
        let checksum = checksum(value, id.0);
        self.values.write_all(value)?;
        self.index.write_all(&Entry { id: id.0, offset: self.offset, length, checksum }.write())?;
        self.offset += value.len() as u64;
        self.count += 1;
        Ok(())
    }

    fn finish(mut self) -> std::io::Result<()> {
        let mut index = self.index.into_inner()?;
        index.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut BufReader::new(&mut index).by_ref(), &mut self.values)?;
        let footer = [self.count.to_le_bytes(), self.offset.to_le_bytes()].concat();
        self.values.write_all(&footer)?;
        self.values.write_all(&xxh3_64_with_seed(&footer, 0).to_le_bytes())?;
        self.values.into_inner()?.sync_all()?;
        fs::remove_file(self.path.with_extension("index.new"))?;
        fs::rename(self.path.with_extension("new"), &self.path)
    }
}
