//! Numbered append-only files whose last bytes may still be in memory: what the log and the
//! captures are written with.
//!
//! An append knows its final place at once and goes into a buffer; writing out takes the buffers
//! away under the lock and works outside it, and readers find the bytes in one or the other. After
//! a failed write nothing more is written: what reached the disk shows at the next opening.

use crate::StoreError;
use crate::disk::{self, DiskFile, FileOpening};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A byte of numbered files.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Spot {
    /// The file's number.
    pub file: u32,
    pub offset: u64,
}

impl Spot {
    /// The first byte of the first file.
    pub const START: Spot = Spot { file: 0, offset: 0 };

    #[must_use]
    pub fn new(file: u32, offset: u64) -> Spot {
        Spot { file, offset }
    }

    /// So many bytes further on in the same file.
    #[must_use]
    pub fn skip(self, bytes: u64) -> Spot {
        Spot { offset: self.offset + bytes, ..self }
    }
}

/// How the files are called, and when a new one is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TailStyle {
    pub(crate) extension: &'static str,
    pub(crate) file_size: u64,
}

/// What becomes of bytes after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// They were never acknowledged.
    Cut,
    /// Perhaps they were: they are moved into files of their own.
    Keep,
}

/// More than this is never waiting for one commit: it is kept in any case.
const MOST_OPEN: u64 = 256 << 20;

/// A buffer larger than this is not kept for the next piece.
const LARGEST_SPARE: usize = 4 << 20;

/// Bytes that belong at one place of one file.
#[derive(Debug)]
struct TailPiece {
    file: u32,
    offset: u64,
    bytes: Vec<u8>,
}

impl TailPiece {
    /// What it holds from `spot` on, if it holds that byte.
    fn from(&self, spot: Spot) -> Option<&[u8]> {
        let start = usize::try_from(spot.offset.checked_sub(self.offset)?).ok()?;
        (self.file == spot.file)
            .then(|| self.bytes.get(start..))
            .flatten()
            .filter(|b| !b.is_empty())
    }
}

#[derive(Debug)]
struct TailPieces {
    /// Where the next byte goes.
    end: Spot,
    pending: Vec<TailPiece>,
    /// Taken by the writer, not on disk yet.
    in_flight: Vec<Arc<TailPiece>>,
    /// An empty buffer for the next piece: one that is warm, and as large as they become.
    spare: Vec<u8>,
}

#[derive(Debug, Default)]
struct TailWriter {
    file: Option<(u32, DiskFile)>,
    /// Files written and not synced, the current one aside.
    unsynced: Vec<(u32, DiskFile)>,
    is_dirty: bool,
    has_new: bool,
}

/// The files and the buffers.
#[derive(Debug)]
pub(crate) struct Tail {
    dir: PathBuf,
    style: TailStyle,
    pieces: Mutex<TailPieces>,
    writer: Mutex<TailWriter>,
    readers: Mutex<HashMap<u32, Arc<File>>>,
    has_failed: AtomicBool,
}

/// Locks; a thread that panicked left nothing half done in these short sections.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tail {
    /// Goes on at `end`; the folder must exist.
    pub(crate) fn new(dir: &Path, style: TailStyle, end: Spot) -> Tail {
        Tail {
            dir: dir.to_owned(),
            style,
            pieces: Mutex::new(TailPieces {
                end,
                pending: Vec::new(),
                in_flight: Vec::new(),
                spare: Vec::new(),
            }),
            writer: Mutex::default(),
            readers: Mutex::default(),
            has_failed: AtomicBool::new(false),
        }
    }

    /// Opens the files there are, so that they can be read after they are removed.
    pub(crate) fn hold_open(&self) -> Result<(), StoreError> {
        for number in numbers(&self.dir, self.style.extension)? {
            match self.reader(number) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io(&self.path(number), e));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The same files, read up to another end. Files that are open stay so.
    pub(crate) fn up_to(&self, end: Spot) -> Tail {
        let tail = Tail::new(&self.dir, self.style, end);
        locked(&tail.readers).clone_from(&locked(&self.readers));
        tail
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn path(&self, file: u32) -> PathBuf {
        path(&self.dir, self.style.extension, file)
    }

    /// Where the next byte goes.
    pub(crate) fn end(&self) -> Spot {
        locked(&self.pieces).end
    }

    /// Bytes in one of the files.
    pub(crate) fn length(&self, file: u32) -> Result<u64, StoreError> {
        let end = self.end();
        if file == end.file {
            return Ok(end.offset);
        }
        let path = self.path(file);
        Ok(fs::metadata(&path).map_err(|e| StoreError::io(&path, e))?.len())
    }

    /// Bytes not handed to the file system yet.
    pub(crate) fn pending(&self) -> u64 {
        let pieces = locked(&self.pieces);
        pieces.pending.iter().map(|piece| piece.bytes.len() as u64).sum()
    }

    /// Appends what `record` writes; `opening` writes the start of each new file.
    pub(crate) fn append<T>(
        &self,
        opening: impl FnOnce(u32, &mut Vec<u8>),
        record: impl FnOnce(Spot, &mut Vec<u8>) -> T,
    ) -> T {
        let mut pieces = locked(&self.pieces);
        if pieces.end.offset >= self.style.file_size {
            pieces.end = Spot::new(pieces.end.file + 1, 0);
        }
        let Spot { file, offset } = pieces.end;
        if pieces.pending.last().is_none_or(|piece| piece.file != file) {
            let bytes = std::mem::take(&mut pieces.spare);
            pieces.pending.push(TailPiece { file, offset, bytes });
        }
        let piece = pieces.pending.last_mut().expect("one was just pushed");
        if offset == 0 {
            opening(file, &mut piece.bytes);
        }
        let spot = Spot::new(file, piece.offset + piece.bytes.len() as u64);
        let result = record(spot, &mut piece.bytes);
        pieces.end = Spot::new(file, piece.offset + piece.bytes.len() as u64);
        result
    }

    /// Reads what there is at `spot`, at most the buffer's length; fewer bytes than that may come
    /// from the border of disk and memory, none from the end of the file.
    pub(crate) fn read(&self, spot: Spot, buffer: &mut [u8]) -> Result<usize, StoreError> {
        if let Some(n) = self.read_memory(spot, buffer) {
            return Ok(n);
        }
        let path = || self.path(spot.file);
        let file = self.reader(spot.file).map_err(|e| StoreError::io(&path(), e))?;
        let mut filled = 0;
        while filled < buffer.len() {
            let at = spot.offset + filled as u64;
            match file.read_at(&mut buffer[filled..], at) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(StoreError::io(&path(), e)),
            }
        }
        Ok(filled)
    }

    /// Fills the buffer from `spot`; false when the file ends before.
    pub(crate) fn read_exact(&self, spot: Spot, buffer: &mut [u8]) -> Result<bool, StoreError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(spot.skip(filled as u64), &mut buffer[filled..])? {
                0 => return Ok(false),
                n => filled += n,
            }
        }
        Ok(true)
    }

    fn read_memory(&self, spot: Spot, buffer: &mut [u8]) -> Option<usize> {
        let pieces = locked(&self.pieces);
        let in_flight = pieces.in_flight.iter().map(AsRef::as_ref);
        let bytes = in_flight.chain(&pieces.pending).find_map(|piece| piece.from(spot))?;
        let n = bytes.len().min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        Some(n)
    }

    fn reader(&self, file: u32) -> std::io::Result<Arc<File>> {
        if let Some(open) = locked(&self.readers).get(&file) {
            return Ok(open.clone());
        }
        let open = Arc::new(File::open(self.path(file))?);
        locked(&self.readers).insert(file, open.clone());
        Ok(open)
    }

    /// Hands what is pending to the file system: it outlives this process, not a power cut.
    pub(crate) fn write(&self) -> Result<(), StoreError> {
        self.unless_failed(&mut locked(&self.writer), |writer| self.write_out(writer))
    }

    /// The same once there is this much of it, so that it is copied while it is near: unless somebody
    /// else is writing.
    pub(crate) fn write_from(&self, least: u64) -> Result<(), StoreError> {
        let pending = self.pending();
        let Some(mut writer) = self.writer.try_lock().ok().filter(|_| pending >= least) else {
            return Ok(());
        };
        crate::space::require(&self.dir, pending)?;
        self.unless_failed(&mut writer, |writer| self.write_out(writer))
    }

    /// Makes everything appended before this call durable.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.unless_failed(&mut locked(&self.writer), |writer| {
            self.write_out(writer)?;
            let current = writer.file.as_ref().filter(|_| writer.is_dirty);
            for (number, file) in writer.unsynced.iter().chain(current) {
                file.sync_data().map_err(|e| StoreError::io(&self.path(*number), e))?;
            }
            if writer.has_new {
                sync_dir(&self.dir)?;
            }
            writer.unsynced.clear();
            (writer.is_dirty, writer.has_new) = (false, false);
            Ok(())
        })
    }

    fn unless_failed(
        &self,
        writer: &mut TailWriter,
        step: impl FnOnce(&mut TailWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.has_failed.load(Ordering::Acquire) {
            crate::space::require(&self.dir, 0)?;
            let what = "an earlier write failed; open the collection again to continue";
            return Err(StoreError::damaged(&self.dir, what));
        }
        let result = step(writer);
        self.has_failed.store(result.is_err(), Ordering::Release);
        result
    }

    fn write_out(&self, writer: &mut TailWriter) -> Result<(), StoreError> {
        let mut taken: Vec<Arc<TailPiece>> = {
            let mut pieces = locked(&self.pieces);
            let taken = pieces.pending.drain(..).map(Arc::new).collect::<Vec<_>>();
            pieces.in_flight.clone_from(&taken);
            taken
        };
        for piece in &taken {
            let path = self.path(piece.file);
            if writer.file.as_ref().is_none_or(|(number, _)| *number != piece.file) {
                let open = DiskFile::open(&path, FileOpening::Kept);
                let open = open.map_err(|e| StoreError::io(&path, e))?;
                writer.unsynced.extend(writer.file.replace((piece.file, open)));
                writer.has_new = true;
            }
            if let Some((_, file)) = &writer.file {
                file.write_all_at(&piece.bytes, piece.offset)
                    .map_err(|e| StoreError::io(&path, e))?;
                writer.is_dirty = true;
            }
        }
        let mut pieces = locked(&self.pieces);
        pieces.in_flight.clear();
        let last = taken.pop().and_then(Arc::into_inner).map(|piece| piece.bytes);
        if let Some(mut bytes) = last.filter(|bytes| bytes.capacity() <= LARGEST_SPARE) {
            bytes.clear();
            pieces.spare = bytes;
        }
        Ok(())
    }
}

fn path(dir: &Path, extension: &str, file: u32) -> PathBuf {
    dir.join(format!("{file:05}.{extension}"))
}

/// The last file of a folder and its length; nothing when there is none.
pub(crate) fn last(dir: &Path, style: TailStyle) -> Result<Option<Spot>, StoreError> {
    let numbers = numbers(dir, style.extension)?;
    let Some(&number) = numbers.last() else { return Ok(None) };
    let path = path(dir, style.extension, number);
    let length = fs::metadata(&path).map_err(|e| StoreError::io(&path, e))?.len();
    Ok(Some(Spot::new(number, length)))
}

/// The numbers of the files in a folder, smallest first.
pub(crate) fn numbers(dir: &Path, extension: &str) -> Result<Vec<u32>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| StoreError::io(dir, e))?,
    };
    let mut numbers: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(extension)?.strip_suffix('.')?.parse().ok())
        .collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Writes again what stands between two places, and makes it durable. After a sync that failed, bytes may be there to
/// be read that never reach the disk, and no later sync tells.
pub(crate) fn renew(
    dir: &Path,
    style: TailStyle,
    from: Spot,
    until: Spot,
) -> Result<(), StoreError> {
    let between = |number: &u32| (from.file..=until.file).contains(number);
    for number in numbers(dir, style.extension)?.into_iter().filter(between) {
        let path = path(dir, style.extension, number);
        let start = if number == from.file { from.offset } else { 0 };
        let end = if number == until.file { until.offset } else { u64::MAX };
        disk::renew(&path, start, end).map_err(|e| StoreError::io(&path, e))?;
    }
    sync_dir(dir)
}

/// Makes what stands in a folder's files durable, from one file on.
pub(crate) fn sync_files(dir: &Path, style: TailStyle, from: u32) -> Result<(), StoreError> {
    for number in numbers(dir, style.extension)?.into_iter().filter(|&number| number >= from) {
        let path = path(dir, style.extension, number);
        disk::sync_file(&path).map_err(|e| StoreError::io(&path, e))?;
    }
    sync_dir(dir)
}

/// Cuts off whatever stands after `end`, or moves it into files of its own.
pub(crate) fn cut(dir: &Path, style: TailStyle, end: Spot, rest: Rest) -> Result<(), StoreError> {
    let mut after = Vec::new();
    for number in numbers(dir, style.extension)?.into_iter().filter(|&number| number >= end.file) {
        let path = path(dir, style.extension, number);
        let length = fs::metadata(&path).map_err(|e| StoreError::io(&path, e))?.len();
        let start = if number == end.file { end.offset } else { 0 };
        if number > end.file || length > start {
            after.push((path, start, length.saturating_sub(start)));
        }
    }
    let sum: u64 = after.iter().map(|(.., length)| length).sum();
    for (path, start, length) in after.iter().rev() {
        if *length > 0 && (rest == Rest::Keep || sum > MOST_OPEN) {
            set_aside(path, *start)?;
        }
        let is_last = *path == self::path(dir, style.extension, end.file);
        let result = if is_last { shorten(path, *start) } else { disk::remove_file(path) };
        result.map_err(|e| StoreError::io(path, e))?;
    }
    if after.is_empty() { Ok(()) } else { sync_dir(dir) }
}

/// Copies the end of a file into one of its own beside it, which no one takes for a part of the whole.
fn set_aside(path: &Path, start: u64) -> Result<(), StoreError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let names = (0..).map(|n: u32| path.with_file_name(format!("unacknowledged-{n}-{name}")));
    let aside = names.into_iter().find(|aside| !aside.exists()).unwrap_or_default();
    disk::copy_from(path, start, &aside).map_err(|e| StoreError::io(&aside, e))?;
    sync_dir(path.parent().unwrap_or(path))?;
    tracing::warn!(
        path = %path.display(), start, kept = %aside.display(),
        "the ledger is damaged, so that nothing acknowledges what stands from here on; it is kept in a \
         file of its own: captures can be taken in again with fyke import"
    );
    Ok(())
}

fn shorten(path: &Path, length: u64) -> std::io::Result<()> {
    let file = DiskFile::open(path, FileOpening::Standing)?;
    if file.shorten(length)? {
        tracing::info!(path = %path.display(), length, "what was not acknowledged is cut off");
        file.sync_all()?;
    }
    Ok(())
}

/// Makes a new or renamed file's name durable.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    disk::sync_dir(dir).map_err(|e| StoreError::io(dir, e))
}
