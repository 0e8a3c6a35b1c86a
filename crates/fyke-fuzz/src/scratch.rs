//! A folder in which a target puts the file that it reads: one for each thread, gone when the thread ends. In memory
//! where the system has such a place, so that a fuzzer does not wait for a disk.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = folder();
}

fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir());
    made.expect("a folder for scratch files can be made")
}

/// The file of this name with these bytes; the one before is overwritten.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.with(|folder| folder.path().join(name));
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above).expect("a scratch folder can be made");
    }
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    path
}
