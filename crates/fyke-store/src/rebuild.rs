//! A rebuild beside the old state: documents/, columns/ and index/ are made in `rebuild/` and change places
//! with those of the collection when they are whole, so that no reader ever meets half of them.
//!
//! `rebuild/done` says that all is there. Each new folder holds a file `new` until every one has its
//! place: so a swap that was cut short is known, and ended at the next opening.

use crate::StoreError;
use crate::disk::{self, exchange};
use crate::sieve::manifest::replace;
use crate::tail::sync_dir;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// What is derived.
const FOLDERS: [&str; 3] = ["documents", "columns", "index"];
const NEW: &str = "new";
const DONE: &str = "done";
/// Which program began it.
const BY: &str = "by";
/// How long a reader waits for folders that change places: that takes milliseconds, unless the writer was
/// killed then. Whatever stands is shown after that.
const PATIENCE: u32 = 400;
const PAUSE: Duration = Duration::from_millis(5);

fn folder(root: &Path) -> PathBuf {
    root.join("rebuild")
}

/// The folder to make things in: that of a rebuild which the same program began, or an empty one.
pub(crate) fn begin(root: &Path) -> Result<PathBuf, StoreError> {
    let (dir, by) = (folder(root), program());
    let is_ours = fs::read_to_string(dir.join(BY)).is_ok_and(|noted| noted == by);
    if !is_ours {
        remove(&dir)?;
    }
    disk::create_dir(&dir).map_err(|e| StoreError::io(&dir, e))?;
    replace(&dir.join(BY), by.as_bytes())?;
    Ok(dir)
}

/// This program, told from others by its size and time.
fn program() -> String {
    let meta = std::env::current_exe().and_then(fs::metadata);
    let parts = meta.ok().map(|meta| {
        let time = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (meta.len(), time.unwrap_or_default().as_nanos())
    });
    parts.map_or_else(String::new, |(length, time)| format!("{length} {time}"))
}

/// Puts what was made in its place.
pub(crate) fn finish(root: &Path) -> Result<(), StoreError> {
    let dir = folder(root);
    for name in FOLDERS {
        let made = dir.join(name);
        disk::create_dir(&made).map_err(|e| StoreError::io(&made, e))?;
        replace(&made.join(NEW), b"")?;
    }
    replace(&dir.join(DONE), b"")?;
    swap(root)
}

/// Throws away what was made.
pub(crate) fn give_up(root: &Path) -> Result<(), StoreError> {
    remove(&folder(root))
}

/// Ends a swap that was cut short.
pub(crate) fn recover(root: &Path) -> Result<(), StoreError> {
    if folder(root).join(DONE).exists() { swap(root) } else { Ok(()) }
}

fn swap(root: &Path) -> Result<(), StoreError> {
    let dir = folder(root);
    for name in FOLDERS {
        let (made, place) = (dir.join(name), root.join(name));
        if made.join(NEW).exists() {
            exchange(&made, &place).map_err(|e| StoreError::io(&place, e))?;
        }
    }
    sync_dir(root)?;
    for mark in FOLDERS.map(|name| root.join(name).join(NEW)).into_iter().chain([dir.join(DONE)]) {
        match disk::remove_file(&mark) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(StoreError::io(&mark, e)),
            _ => {}
        }
    }
    sync_dir(&dir)?;
    remove(&dir)
}

/// Waits while folders change places.
pub(crate) fn wait_for_swap(root: &Path) {
    let done = folder(root).join(DONE);
    for _ in 0..PATIENCE {
        if !done.exists() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Deletes a folder, if there is one.
pub(crate) fn remove(dir: &Path) -> Result<(), StoreError> {
    disk::remove_dir(dir).map_err(|e| StoreError::io(dir, e))
}
