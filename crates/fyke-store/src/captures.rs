//! Captures as WARC 1.1 files with a CDXJ index: the truth of the collection (D4).
//!
//! `captures/00000.warc.gz`, `00001.warc.gz`, …: append-only, a new file after 1 GiB. How much of
//! them counts is said by the ledger: see [`crate::collection`].

use crate::warc::reader::{Found, read_member};
use crate::warc::writer::Writer;
use crate::{Records, StoreError};
use fyke_web::Capture;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Size after which a new file is begun.
const FILE_SIZE: u64 = 1024 * 1024 * 1024;
/// Packed records are written out in pieces of about this size.
const PIECE: usize = 1024 * 1024;

/// Where a response record stands: file number, byte offset and compressed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub file: u32,
    pub offset: u64,
    pub length: u32,
}

impl Place {
    /// The position right after this record: where the next ones start.
    #[must_use]
    pub fn after(self) -> (u32, u64) {
        (self.file, self.offset + u64::from(self.length))
    }
}

/// The captures folder.
#[derive(Debug)]
pub struct Captures {
    dir: PathBuf,
    /// What the ledger has acknowledged: file and length.
    end: (u32, u64),
    /// Where the next record goes; past `end` only inside a commit.
    tail: (u32, u64),
    file: Option<File>,
    writer: Writer,
    operator: String,
}

impl Captures {
    /// Opens the folder for reading and appending; bytes after `end` (file, length) were never
    /// acknowledged and are cut off.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or acknowledged bytes are missing.
    pub fn open(dir: &Path, end: (u32, u64)) -> Result<Captures, StoreError> {
        fs::create_dir_all(dir).map_err(|e| StoreError::io(dir, e))?;
        let writer = Writer::new();
        let operator = String::new();
        let dir = dir.to_owned();
        let mut captures = Captures { dir, end, tail: end, file: None, writer, operator };
        captures.check_length()?;
        captures.cut()?;
        Ok(captures)
    }

    /// Up to where captures are acknowledged: file and length.
    #[must_use]
    pub fn end(&self) -> (u32, u64) {
        self.end
    }

    /// Names who runs the crawl (contact, address) in the `warcinfo` of files begun from now on.
    pub fn set_operator(&mut self, operator: &str) {
        operator.clone_into(&mut self.operator);
    }

    /// Path of a WARC file.
    #[must_use]
    pub fn path(&self, file: u32) -> PathBuf {
        self.dir.join(format!("{file:05}.warc.gz"))
    }

    /// Reads one capture.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn read(&self, place: Place) -> Result<Capture, StoreError> {
        let path = self.path(place.file);
        let mut member = vec![0; place.length as usize];
        File::open(&path).and_then(|file| file.read_exact_at(&mut member, place.offset)).map_err(
            |e| match e.kind() {
                io::ErrorKind::UnexpectedEof => damaged_at(&path, place.offset, "cut short"),
                _ => StoreError::io(&path, e),
            },
        )?;
        read_member(&member[..])
            .and_then(crate::Record::into_capture)
            .map_err(|what| damaged_at(&path, place.offset, &what))
    }

    /// All captures from `start` (file, offset) on, in the order they were taken. An error names
    /// what was damaged and passed over; the captures after it still come.
    pub fn from(
        &self,
        start: (u32, u64),
    ) -> impl Iterator<Item = Result<(Place, Capture), StoreError>> {
        (start.0..=self.end.0).flat_map(move |file| {
            let offset = if file == start.0 { start.1 } else { 0 };
            self.in_file(file, offset)
        })
    }

    fn in_file(
        &self,
        file: u32,
        offset: u64,
    ) -> Box<dyn Iterator<Item = Result<(Place, Capture), StoreError>> + '_> {
        let path = self.path(file);
        match self.records(file, offset) {
            Ok(records) => Box::new(records.filter_map(move |found| capture(found, file, &path))),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    /// The acknowledged records of one file; none when nothing was written yet.
    pub(crate) fn records(
        &self,
        file: u32,
        offset: u64,
    ) -> Result<impl Iterator<Item = Found>, StoreError> {
        let end = if file == self.end.0 { self.end.1 } else { u64::MAX };
        if end == 0 {
            return Ok(None.into_iter().flatten());
        }
        let path = self.path(file);
        let records = Records::open(&path, offset, end).map_err(|e| StoreError::io(&path, e))?;
        Ok(Some(records).into_iter().flatten())
    }

    /// Appends captures with their request heads after the tail and syncs them; they count once
    /// [`Captures::acknowledge`] is called. On failure nothing of them stays.
    pub(crate) fn append(
        &mut self,
        captures: &[(Vec<u8>, Capture)],
    ) -> Result<Vec<Place>, StoreError> {
        let result = self.append_all(captures).and_then(|places| self.sync().map(|()| places));
        if result.is_err() {
            self.tail = self.end;
            if let Err(error) = self.cut() {
                // Harmless: nothing is read past the end, and the next opening tries again.
                tracing::warn!(%error, "unacknowledged captures could not be cut off");
            }
        }
        result
    }

    pub(crate) fn acknowledge(&mut self) {
        self.end = self.tail;
    }

    /// Where the captures end once the commit under way is acknowledged.
    pub(crate) fn tail(&self) -> (u32, u64) {
        self.tail
    }

    fn append_all(&mut self, captures: &[(Vec<u8>, Capture)]) -> Result<Vec<Place>, StoreError> {
        let mut places = Vec::with_capacity(captures.len());
        let mut piece = Vec::with_capacity(PIECE / 4);
        for (request, capture) in captures {
            if self.tail.1 >= FILE_SIZE {
                self.sync()?;
                self.file = None;
                self.tail = (self.tail.0 + 1, 0);
            }
            if self.tail.1 == 0 && piece.is_empty() {
                let name = format!("{:05}.warc.gz", self.tail.0);
                self.writer.info(&name, capture.time, &self.operator, &mut piece);
            }
            let (file, start) = (self.tail.0, piece.len());
            let offset = self.tail.1 + start as u64;
            let skip = self.writer.exchange((request, capture), (file, offset), &mut piece);
            let length = u32::try_from(piece.len() - start - skip).map_err(|_| {
                damaged_at(&self.path(file), offset, "the capture is larger than 4 GiB")
            })?;
            places.push(Place { file, offset: offset + skip as u64, length });
            if piece.len() >= PIECE || offset + piece.len() as u64 >= FILE_SIZE {
                self.write(&mut piece)?;
            }
        }
        self.write(&mut piece)?;
        Ok(places)
    }

    /// Writes a piece at the tail and empties it.
    fn write(&mut self, piece: &mut Vec<u8>) -> Result<(), StoreError> {
        if piece.is_empty() {
            return Ok(());
        }
        let path = self.path(self.tail.0);
        if self.file.is_none() {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            self.file = Some(file.map_err(|e| StoreError::io(&path, e))?);
            sync_dir(&self.dir)?;
        }
        if let Some(file) = &self.file {
            file.write_all_at(piece, self.tail.1).map_err(|e| StoreError::io(&path, e))?;
        }
        self.tail.1 += piece.len() as u64;
        piece.clear();
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        let Some(file) = &self.file else { return Ok(()) };
        file.sync_data().map_err(|e| StoreError::io(&self.path(self.tail.0), e))
    }

    /// What was acknowledged must be there: the ledger promises it.
    fn check_length(&self) -> Result<(), StoreError> {
        let (file, length) = self.end;
        let path = self.path(file);
        let actual = fs::metadata(&path).map_or(0, |m| m.len());
        if actual < length {
            let what = format!("it has {actual} bytes, but {length} were acknowledged");
            return Err(StoreError::damaged(&path, what));
        }
        Ok(())
    }

    /// Cuts off whatever stands after the acknowledged end.
    fn cut(&mut self) -> Result<(), StoreError> {
        self.file = None;
        let (file, length) = self.end;
        for later in (file + 1..).map(|n| self.path(n)).take_while(|path| path.exists()) {
            fs::remove_file(&later).map_err(|e| StoreError::io(&later, e))?;
        }
        let path = self.path(file);
        if fs::metadata(&path).is_ok_and(|m| m.len() > length) {
            tracing::info!(path = %path.display(), length, "cutting off unacknowledged captures");
            OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(length).and_then(|()| file.sync_all()))
                .map_err(|e| StoreError::io(&path, e))?;
        }
        Ok(())
    }
}

/// The capture in a record, nothing for records of other kinds.
fn capture(found: Found, file: u32, path: &Path) -> Option<Result<(Place, Capture), StoreError>> {
    let offset = found.offset;
    let damaged = |what: &str| Some(Err(damaged_at(path, offset, what)));
    let record = match found.record {
        Ok(record) if record.is_response() => record,
        Ok(_) => return None,
        Err(what) => return damaged(&format!("{what}; {} bytes passed over", found.length)),
    };
    let Ok(length) = u32::try_from(found.length) else { return damaged("larger than 4 GiB") };
    match record.into_capture() {
        Ok(capture) => Some(Ok((Place { file, offset, length }, capture))),
        Err(what) => damaged(&what),
    }
}

fn damaged_at(path: &Path, offset: u64, what: &str) -> StoreError {
    StoreError::damaged(path, format!("record at byte {offset}: {what}"))
}

/// Makes a new or renamed file's name durable.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(|e| StoreError::io(dir, e))
}
