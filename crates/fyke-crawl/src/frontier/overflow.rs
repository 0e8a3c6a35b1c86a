//! What does not fit into memory: blocks of queued URLs in a scratch file. It holds nothing that the
//! ledger does not know, so it is never synced and starts empty with every run.

use fyke_store::{Position, StoreError};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// URLs in one block.
pub(super) const BLOCK: usize = 32;
const BYTES: usize = BLOCK * 8;

/// The scratch file; made when the first block is written, gone with the last handle.
#[derive(Debug)]
pub(super) struct Overflow {
    path: PathBuf,
    file: Option<File>,
    free: Vec<u32>,
    blocks: u32,
}

impl Overflow {
    pub(super) fn new(path: &Path) -> Overflow {
        Overflow { path: path.to_owned(), file: None, free: Vec::new(), blocks: 0 }
    }

    /// Writes a full block; returns its number.
    pub(super) fn write(&mut self, urls: &[Position; BLOCK]) -> Result<u32, StoreError> {
        let mut bytes = [0; BYTES];
        for (slot, url) in bytes.chunks_exact_mut(8).zip(urls) {
            slot.copy_from_slice(&url.0.to_le_bytes());
        }
        let block = self.free.pop().unwrap_or(self.blocks);
        let offset = u64::from(block) * BYTES as u64;
        self.file()?.write_all_at(&bytes, offset).map_err(|e| StoreError::io(&self.path, e))?;
        self.blocks = self.blocks.max(block + 1);
        Ok(block)
    }

    /// Reads a block and frees it.
    pub(super) fn take(&mut self, block: u32) -> Result<[Position; BLOCK], StoreError> {
        let mut bytes = [0; BYTES];
        let offset = u64::from(block) * BYTES as u64;
        self.file()?
            .read_exact_at(&mut bytes, offset)
            .map_err(|e| StoreError::io(&self.path, e))?;
        self.free.push(block);
        let mut urls = [Position(0); BLOCK];
        for (url, slot) in urls.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *url = Position(u64::from_le_bytes(*slot));
        }
        Ok(urls)
    }

    fn file(&mut self) -> Result<&File, StoreError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                let mut options = OpenOptions::new();
                options.create(true).truncate(true).read(true).write(true);
                let file = options.open(&self.path).map_err(|e| StoreError::io(&self.path, e))?;
                // Nobody else needs its name, and without one a crash leaves nothing behind.
                std::fs::remove_file(&self.path).map_err(|e| StoreError::io(&self.path, e))?;
                file
            }
        };
        Ok(self.file.insert(file))
    }
}
