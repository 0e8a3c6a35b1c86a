//! The one door through which the store changes files: every write, sync, rename, truncation and deletion goes
//! through it, so that a test can put a disk behind it that fails, tears, forgets and loses power
//! ([`FaultyDisk`]). Without such a disk it is the standard library's call and the reading of one flag.

mod faulty;
mod platter;

pub use faulty::{DiskFaults, FaultyDisk};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A file that is written.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    path: PathBuf,
    /// Where the next bytes go that come without a place.
    at: u64,
}

/// What becomes of a file that is opened to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOpening {
    /// It is made, and may not be there.
    New,
    /// It is made where there is none, and emptied.
    Emptied,
    /// It is made where there is none, and stays as it is.
    Kept,
    /// It must be there, and stays as it is.
    Standing,
}

impl DiskFile {
    /// Opens a file to be written.
    ///
    /// # Errors
    /// When the disk refuses (so all of these).
    pub fn open(path: &Path, opening: FileOpening) -> io::Result<DiskFile> {
        let mut options = OpenOptions::new();
        options.write(true);
        match opening {
            FileOpening::New => options.create_new(true),
            FileOpening::Emptied => options.create(true).truncate(true),
            FileOpening::Kept => options.create(true).truncate(false),
            FileOpening::Standing => &mut options,
        };
        let file = match faulty::of(path) {
            None => options.open(path)?,
            Some(disk) => disk.open(path, opening, || options.open(path))?,
        };
        Ok(DiskFile { file, path: path.to_owned(), at: 0 })
    }

    pub(crate) fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        match faulty::of(&self.path) {
            None => self.file.write_all_at(bytes, offset),
            Some(disk) => {
                disk.write(&self.path, offset, bytes, |part| self.file.write_all_at(part, offset))
            }
        }
    }

    /// Makes its bytes durable, and what is needed to find them.
    pub(crate) fn sync_data(&self) -> io::Result<()> {
        match faulty::of(&self.path) {
            None => self.file.sync_data(),
            Some(disk) => disk.sync(&self.path),
        }
    }

    /// Makes all of it durable, but for its name.
    ///
    /// # Errors
    /// As [`DiskFile::open`].
    pub fn sync_all(&self) -> io::Result<()> {
        match faulty::of(&self.path) {
            None => self.file.sync_all(),
            Some(disk) => disk.sync(&self.path),
        }
    }

    /// Cuts it off at a length, if it is longer; says whether it was.
    pub(crate) fn shorten(&self, length: u64) -> io::Result<bool> {
        if self.file.metadata()?.len() <= length {
            return Ok(false);
        }
        match faulty::of(&self.path) {
            None => self.file.set_len(length)?,
            Some(disk) => disk.shorten(&self.path, length, || self.file.set_len(length))?,
        }
        Ok(true)
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all_at(bytes, self.at)?;
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Replaces a small file whole: written beside it, synced, moved into its place.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = DiskFile::open(&new, FileOpening::Emptied)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename(&new, path)?;
    sync_dir(path.parent().unwrap_or(path))
}

/// Makes durable what another process wrote to a file.
pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    match faulty::of(path) {
        None => File::open(path)?.sync_all(),
        Some(disk) => disk.sync(path),
    }
}

/// Writes the bytes of a file between two places again, durably.
pub(crate) fn renew(path: &Path, start: u64, end: u64) -> io::Result<()> {
    let from = File::open(path)?;
    let to = DiskFile::open(path, FileOpening::Standing)?;
    let (mut at, mut buffer) = (start, vec![0; 1 << 20]);
    while at < end {
        let most = usize::try_from(end - at).unwrap_or(usize::MAX).min(buffer.len());
        let read = from.read_at(&mut buffer[..most], at)?;
        if read == 0 {
            break;
        }
        to.write_all_at(&buffer[..read], at)?;
        at += read as u64;
    }
    to.sync_all()
}

/// Copies the end of a file into a new one, durably.
pub(crate) fn copy_from(path: &Path, start: u64, to: &Path) -> io::Result<()> {
    let mut from = File::open(path)?;
    from.seek(SeekFrom::Start(start))?;
    let mut to = DiskFile::open(to, FileOpening::New)?;
    io::copy(&mut from, &mut to)?;
    to.sync_all()
}

/// Moves a file or a folder; durable after the next [`sync_dir`].
///
/// # Errors
/// As [`DiskFile::open`].
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match faulty::of(from) {
        None => fs::rename(from, to),
        Some(disk) => disk.rename(from, to, || fs::rename(from, to)),
    }
}

/// Lets two folders change places, so that neither name is ever without one; where there is only the
/// first, it is moved.
pub(crate) fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    let act = || renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).map_err(io::Error::from);
    let done = match faulty::of(new) {
        None => act(),
        Some(disk) => disk.exchange(new, old, act),
    };
    match done.as_ref().err().and_then(Errno::from_io_error) {
        Some(Errno::NOENT) => rename(new, old),
        // A file system that cannot: there is a moment with neither.
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            let aside = new.with_extension("old");
            rename(old, &aside)?;
            rename(new, old)?;
            rename(&aside, new)
        }
        _ => done,
    }
}

/// Deletes a file.
///
/// # Errors
/// As [`DiskFile::open`].
pub fn remove_file(path: &Path) -> io::Result<()> {
    match faulty::of(path) {
        None => fs::remove_file(path),
        Some(disk) => disk.remove(path, || fs::remove_file(path)),
    }
}

/// Deletes a folder, if there is one.
pub(crate) fn remove_dir(dir: &Path) -> io::Result<()> {
    let removed = match faulty::of(dir) {
        None => fs::remove_dir_all(dir),
        Some(disk) => disk.remove(dir, || fs::remove_dir_all(dir)),
    };
    match removed {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Makes a folder and those it lies in, where there are none.
pub(crate) fn create_dir(dir: &Path) -> io::Result<()> {
    match faulty::of(dir) {
        None => fs::create_dir_all(dir),
        Some(disk) => disk.create_dir(dir, || fs::create_dir_all(dir)),
    }
}

/// Makes a new or renamed file's name durable.
///
/// # Errors
/// As [`DiskFile::open`].
pub fn sync_dir(dir: &Path) -> io::Result<()> {
    match faulty::of(dir) {
        None => File::open(dir)?.sync_all(),
        Some(disk) => disk.sync_dir(dir),
    }
}
