//! Tables on fjall: opened with bounded memory, made whole or not at all, and values that carry the
//! version of their encoding.
//!
//! fjall makes a database in several steps and cannot open one whose making was cut short, so a new
//! one is made beside its place and moved there when it is whole.

use crate::captures::sync_dir;
use crate::{StoreError, space};
use fjall::config::CompressionPolicy;
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

/// Version of the encoding of values; it is their first byte.
const VERSION: u8 = 1;
/// Blocks kept in memory, per database.
const CACHE: u64 = 32 * 1024 * 1024;

/// A database and where it stands.
#[derive(Clone)]
pub(crate) struct Table {
    db: Database,
    dir: PathBuf,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.dir.display())
    }
}

impl Table {
    /// Opens the database at `dir` with these keyspaces, making it first where there is none.
    pub(crate) fn open(dir: &Path, names: &[&str]) -> Result<(Table, Vec<Keyspace>), StoreError> {
        if !dir.exists() {
            create(dir, names)?;
        }
        open(dir, names)
    }

    /// Where the database stands.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn batch(&self) -> fjall::OwnedWriteBatch {
        self.db.batch()
    }

    /// Commits a batch; when this returns it outlives a power cut.
    pub(crate) fn commit_durably(&self, batch: fjall::OwnedWriteBatch) -> Result<(), StoreError> {
        let batch = batch.durability(Some(PersistMode::SyncAll));
        batch.commit().map_err(|e| error(&self.dir, &e))
    }

    /// Commits a batch; it outlives this process, but a power cut may take it back.
    pub(crate) fn commit(&self, batch: fjall::OwnedWriteBatch) -> Result<(), StoreError> {
        batch.commit().map_err(|e| error(&self.dir, &e))
    }

    /// Writes what is in memory to sorted files, so that the next opening need not fill it again.
    pub(crate) fn settle(&self, keyspaces: &[&Keyspace]) -> Result<(), StoreError> {
        let settled = keyspaces.iter().try_for_each(|keyspace| keyspace.rotate_memtable_and_wait());
        settled.map_err(|e| error(&self.dir, &e))
    }

    /// The decoded value of a key.
    pub(crate) fn get<T: DeserializeOwned>(
        &self,
        keyspace: &Keyspace,
        key: &[u8],
    ) -> Result<Option<T>, StoreError> {
        let value = keyspace.get(key).map_err(|e| error(&self.dir, &e))?;
        value.map(|value| decode(&self.dir, &value)).transpose()
    }

    /// A key and a decoded value out of an iteration.
    pub(crate) fn entry<T: DeserializeOwned>(
        &self,
        guard: fjall::Guard,
    ) -> Result<(fjall::UserKey, T), StoreError> {
        let (key, value) = guard.into_inner().map_err(|e| error(&self.dir, &e))?;
        let value = decode(&self.dir, &value)?;
        Ok((key, value))
    }

    /// The id that a key of this table starts with at `at`.
    pub(crate) fn id(&self, key: &[u8], at: usize) -> Result<u64, StoreError> {
        let bytes = key.get(at..at + 8).and_then(|b| b.try_into().ok());
        let bytes = bytes.ok_or_else(|| StoreError::damaged(&self.dir, "a key is too short"))?;
        Ok(u64::from_be_bytes(bytes))
    }
}

fn create(dir: &Path, names: &[&str]) -> Result<(), StoreError> {
    let parent = dir.parent().unwrap_or(Path::new("."));
    let new = dir.with_extension("new");
    if new.exists() {
        fs::remove_dir_all(&new).map_err(|e| StoreError::io(&new, e))?;
    }
    fs::create_dir_all(&new).map_err(|e| StoreError::io(&new, e))?;
    drop(open(&new, names)?);
    fs::rename(&new, dir).map_err(|e| StoreError::io(dir, e))?;
    sync_dir(parent)
}

fn open(dir: &Path, names: &[&str]) -> Result<(Table, Vec<Keyspace>), StoreError> {
    let db = Database::builder(dir)
        .cache_size(CACHE)
        .max_journaling_size(64 * 1024 * 1024)
        // Opening reads the journal and packs every value again to check it: unpacked, it opens in
        // half the time.
        .journal_compression(CompressionType::None)
        .worker_threads(2)
        .open()
        .map_err(|e| error(dir, &e))?;
    let options = || {
        KeyspaceCreateOptions::default()
            .max_memtable_size(space::memtable(dir))
            .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
    };
    let keyspaces: Result<Vec<Keyspace>, _> =
        names.iter().map(|name| db.keyspace(name, options)).collect();
    let keyspaces = keyspaces.map_err(|e| error(dir, &e))?;
    Ok((Table { db, dir: dir.to_owned() }, keyspaces))
}

/// Version byte and postcard.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_extend(value, vec![VERSION]).expect("plain values always encode")
}

pub(crate) fn decode<T: DeserializeOwned>(dir: &Path, value: &[u8]) -> Result<T, StoreError> {
    match value.split_first() {
        Some((&VERSION, rest)) => postcard::from_bytes(rest)
            .map_err(|e| StoreError::damaged(dir, format!("a value: {e}"))),
        _ => Err(StoreError::damaged(dir, "a value was written by a newer version of fyke")),
    }
}

/// Sorts fjall's errors into ours.
fn error(dir: &Path, error: &fjall::Error) -> StoreError {
    let io = match error {
        fjall::Error::Io(e) | fjall::Error::Storage(fjall::LsmError::Io(e)) => Some(e),
        _ => None,
    };
    match (error, io) {
        (_, Some(e)) => {
            let code = e.raw_os_error();
            let copy = code.map_or_else(
                || std::io::Error::new(e.kind(), e.to_string()),
                std::io::Error::from_raw_os_error,
            );
            StoreError::io(dir, copy)
        }
        // After a failed write in the background all further ones are refused.
        (fjall::Error::Poisoned, _) if space::is_short(dir) => {
            StoreError::Full { path: dir.into(), free: space::free(dir) }
        }
        _ => StoreError::damaged(dir, error.to_string()),
    }
}
