//! The manifest names the runs of a sieve. It is replaced whole: a reader finds the old one or the
//! new one, and a run belongs to the sieve only once its name stands there.

use super::run::SieveRun;
use crate::StoreError;
use crate::disk;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const NAME: &str = "manifest";
/// Stands beside the manifest of a sieve that was found damaged.
const DAMAGED: &str = "damaged";
const MAGIC: &[u8; 8] = b"fykesie1";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Numbers of the runs, oldest first.
    pub(crate) runs: Vec<u64>,
    /// Number of the next run.
    pub(crate) next: u64,
    /// Keys in the runs.
    pub(crate) len: u64,
    /// What the owner wants to know at the next opening.
    pub(crate) note: Vec<u8>,
}

impl Manifest {
    /// Reads the manifest of a folder; an empty one where there is none.
    pub(crate) fn load(dir: &Path) -> Result<Manifest, StoreError> {
        if dir.join(DAMAGED).exists() {
            return Err(StoreError::damaged(dir, "a part of it could not be read before"));
        }
        let path = dir.join(NAME);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Manifest::default()),
            Err(e) => return Err(StoreError::io(&path, e)),
        };
        let body = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_last_chunk::<8>());
        body.filter(|(body, checksum)| xxh3_64(body) == u64::from_le_bytes(**checksum))
            .and_then(|(body, _)| postcard::from_bytes(body).ok())
            .ok_or_else(|| StoreError::damaged(&path, "it is no manifest of this version"))
    }

    /// Puts this manifest in the place of the one before.
    pub(crate) fn save(&self, dir: &Path) -> Result<(), StoreError> {
        let body = postcard::to_stdvec(self).expect("plain values always encode");
        let bytes = [&MAGIC[..], &body, &xxh3_64(&body).to_le_bytes()].concat();
        replace(&dir.join(NAME), &bytes)
    }

    /// Opens the runs and deletes files that belong to no manifest.
    pub(crate) fn open_runs(&self, dir: &Path) -> Result<Vec<Arc<SieveRun>>, StoreError> {
        let wanted: BTreeSet<PathBuf> = self.runs.iter().map(|&n| run_path(dir, n)).collect();
        // This manifest must stay, before what it does not name goes.
        disk::sync_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        let entries = fs::read_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let is_ours = path.extension().is_some_and(|ext| ext == "run" || ext == "new");
            if is_ours && !wanted.contains(&path) {
                disk::remove_file(&path).map_err(|e| StoreError::io(&path, e))?;
            }
        }
        self.open_only(dir)
    }

    /// Opens the runs.
    fn open_only(&self, dir: &Path) -> Result<Vec<Arc<SieveRun>>, StoreError> {
        self.runs.iter().map(|&n| SieveRun::open(&run_path(dir, n)).map(Arc::new)).collect()
    }

    /// Reads the manifest and opens its runs beside a writer, who may merge them away between the two:
    /// then the manifest has changed, and is read again.
    pub(crate) fn open_to_read(dir: &Path) -> Result<(Manifest, Vec<Arc<SieveRun>>), StoreError> {
        let mut manifest = Manifest::load(dir)?;
        loop {
            let runs = manifest.open_only(dir);
            let now = Manifest::load(dir)?;
            match runs {
                Err(_) if now != manifest => manifest = now,
                runs => return runs.map(|runs| (manifest, runs)),
            }
        }
    }
}

/// Has a sieve be refused at the next opening, so that its owner makes it again.
pub(crate) fn distrust(dir: &Path) {
    if let Err(error) = disk::replace(&dir.join(DAMAGED), b"") {
        tracing::warn!(%error, dir = %dir.display(), "remove this folder: it is made again");
    }
}

pub(crate) fn run_path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("{number:06}.run"))
}

/// Replaces a small file whole: written beside it, synced, moved into its place.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    disk::replace(path, bytes).map_err(|e| StoreError::io(path, e))
}
