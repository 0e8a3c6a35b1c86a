//! Where an export goes: bytes counted and digested on their way, perhaps packed, and files that stand
//! under their names only when they are whole.

use flate2::write::GzEncoder;
use fyke_store::StoreError;
use sha1::{Digest, Sha1};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digested {
    pub bytes: u64,
    /// In hexadecimal, as `sha1sum` prints it.
    pub sha1: String,
}

/// Takes the bytes of an export.
pub(super) struct Out(Packing);

enum Packing {
    Plain(CountedBytes),
    /// Boxed: the compressor is large.
    Gzip(Box<GzEncoder<CountedBytes>>),
}

/// Counts and digests what passes.
struct CountedBytes {
    to: Box<dyn Write + Send>,
    bytes: u64,
    sha1: Sha1,
}

impl Out {
    pub(crate) fn new(to: Box<dyn Write + Send>, gzip: bool) -> Out {
        let counted = CountedBytes { to, bytes: 0, sha1: Sha1::new() };
        Out(match gzip {
            true => Packing::Gzip(Box::new(GzEncoder::new(counted, flate2::Compression::new(6)))),
            false => Packing::Plain(counted),
        })
    }

    /// Writes what is left.
    pub(crate) fn finish(self) -> io::Result<Digested> {
        let mut counted = match self.0 {
            Packing::Plain(counted) => counted,
            Packing::Gzip(packer) => packer.finish()?,
        };
        counted.to.flush()?;
        let sha1 = counted.sha1.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Digested { bytes: counted.bytes, sha1 })
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Packing::Plain(to) => to.write(bytes),
            Packing::Gzip(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Packing::Plain(to) => to.flush(),
            Packing::Gzip(to) => to.flush(),
        }
    }
}

impl Write for CountedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        self.sha1.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A file in the making: under another name until it is kept, gone if it is not.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
}

impl PartFile {
    pub(crate) fn create(path: &Path) -> Result<PartFile, StoreError> {
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            fs::create_dir_all(dir).map_err(|error| StoreError::io(dir, error))?;
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let file = File::create(&part).map_err(|error| StoreError::io(&part, error))?;
        Ok(PartFile { path: path.to_owned(), part, file })
    }

    pub(crate) fn file(&self) -> Result<Box<dyn Write + Send>, StoreError> {
        let file = self.file.try_clone().map_err(|error| StoreError::io(&self.part, error))?;
        Ok(Box::new(BufWriter::with_capacity(1 << 18, file)))
    }

    pub(crate) fn keep(self) -> Result<(), StoreError> {
        let done = self.file.sync_all().and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| StoreError::io(&self.path, error))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // Kept, it has another name by now.
        let _ = fs::remove_file(&self.part);
    }
}

/// Writes a small file, whole or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut part = PartFile::create(path)?;
    part.file.write_all(bytes).map_err(|error| StoreError::io(path, error))?;
    part.keep()
}
