//! Trouble with the machine, in variants a caller can act on.

use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong with the collection's folder.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process writes the collection (exit 6).
    #[error("the collection {0} is written by another fyke process{1}; wait for it, or stop it")]
    Held(PathBuf, String),
    /// The disk is full or nearly so (exit 3).
    #[error(
        "no room left on the disk that holds {path}: {free} bytes free; free some space, \
         then run the same command again: it goes on where it stopped"
    )]
    Full { path: PathBuf, free: u64 },
    /// The folder cannot be written.
    #[error("{0} cannot be written: {1}; check its permissions")]
    ReadOnly(PathBuf, io::Error),
    /// There is no collection here.
    #[error("{0} is no collection (no fyke.toml); make one with: fyke new {0}")]
    Missing(PathBuf),
    /// A file is damaged.
    #[error("{path} is damaged: {what}")]
    Damaged { path: PathBuf, what: String },
    /// Anything else of the file system.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

impl StoreError {
    /// Sorts an error of the file system into the variant a caller can act on.
    pub fn io(path: &Path, source: io::Error) -> StoreError {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        match source.kind() {
            StorageFull | QuotaExceeded => {
                StoreError::Full { path: path.into(), free: crate::space::free(path) }
            }
            PermissionDenied | ReadOnlyFilesystem => StoreError::ReadOnly(path.into(), source),
            _ => StoreError::Io { path: path.into(), source },
        }
    }

    /// The same for a file that must be there: one that is missing is damage.
    pub(crate) fn promised(path: &Path, source: io::Error) -> StoreError {
        match source.kind() {
            io::ErrorKind::NotFound => StoreError::damaged(path, "it is missing"),
            _ => StoreError::io(path, source),
        }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.into(), what: what.into() }
    }
}
