//! What can go wrong with the index's folder; a query never goes wrong.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// Trouble with the index's folder.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Written by another version or with another analysis: delete the folder and build it again.
    #[error("the index in {0} was made by another version; run `fyke rebuild`")]
    Old(PathBuf),
    /// Another process holds the writer.
    #[error("the index in {0} is being written by another process; wait for it or stop it")]
    Locked(PathBuf),
    /// A table of facts, or an entry's facts, cannot be used.
    #[error("the index cannot take these facts: {0}; mend their declaration")]
    Facts(String),
    /// The disk refused (full, read-only, missing rights).
    #[error("could not read or write the index in {dir}: {source}")]
    Disk {
        /// The index's folder.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The files do not fit together: delete the folder and build it again.
    #[error("the index in {dir} is damaged ({what}); run `fyke rebuild`")]
    Broken {
        /// The index's folder.
        dir: PathBuf,
        /// What was found.
        what: String,
    },
}

/// An error of the disk, met in `dir`. A file that is missing, too short or no text is damage.
pub(crate) fn disk(dir: &Path, source: io::Error) -> IndexError {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    match source.kind() {
        InvalidData | NotFound | UnexpectedEof => {
            IndexError::Broken { dir: dir.to_owned(), what: source.to_string() }
        }
        _ => IndexError::Disk { dir: dir.to_owned(), source },
    }
}

/// An error of the engine, met in `dir`.
pub(crate) fn engine(dir: &Path, error: TantivyError) -> IndexError {
    // The engine shares its errors; the kind (disk full, read-only) is what a caller acts on.
    let io = |e: &io::Error| disk(dir, io::Error::new(e.kind(), e.to_string()));
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Locked(dir.to_owned()),
        TantivyError::LockFailure(LockError::IoError(e), _) | TantivyError::IoError(e) => io(&e),
        TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error, .. })
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, .. }) => io(&io_error),
        other => IndexError::Broken { dir: dir.to_owned(), what: other.to_string() },
    }
}
