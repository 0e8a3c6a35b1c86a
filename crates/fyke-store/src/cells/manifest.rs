//! The manifest says what the state is: the columns, the tablets, the marks. It is replaced whole; a
//! tablet belongs to the state only while its number stands there.

use super::declare::{ColumnKind, Declaration};
use super::tablet::Tablet;
use crate::StoreError;
use crate::sieve::manifest::replace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

pub(super) const NAME: &str = "manifest";
const MAGIC: &[u8; 8] = b"fyketab1";
/// Magic number, lineage, number.
const HEAD: usize = 24;
/// Manifests read in a row that were outdated before their tablets were open.
const TRIES: u32 = 1000;

/// A column as the manifest knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ColumnEntry {
    pub(super) version: u16,
    pub(super) kind: ColumnKind,
    /// Names its sections. A column that is replaced or cleared gets another number: what stands
    /// under a number that no entry has is void.
    pub(super) number: u64,
    /// A tablet of its own, older than the others, if it was replaced by many cells.
    pub(super) base: Option<u64>,
}

impl ColumnEntry {
    pub(super) fn is(&self, declaration: Declaration) -> bool {
        self.version == declaration.version && self.kind == declaration.kind
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TabletManifest {
    pub(super) columns: BTreeMap<String, ColumnEntry>,
    /// Numbers of the tablets, oldest first; bases are not among them.
    pub(super) tablets: Vec<u64>,
    pub(super) marks: BTreeMap<String, Vec<u8>>,
    /// The next number of a tablet or column.
    pub(super) next: u64,
}

/// Which state it is. Folders made one after the other in one place differ in their lineage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) lineage: u64,
    pub(super) number: u64,
}

impl Stamp {
    fn read(head: &[u8; HEAD]) -> Option<Stamp> {
        let [magic, lineage, number] = *head.as_chunks::<8>().0 else { return None };
        let stamp =
            Stamp { lineage: u64::from_le_bytes(lineage), number: u64::from_le_bytes(number) };
        (magic == *MAGIC).then_some(stamp)
    }

    /// That of the next state; the first one begins a lineage.
    pub(super) fn next(self) -> Stamp {
        let lineage = match self {
            Stamp { lineage: 0, number: 0 } => RandomState::new().hash_one(std::process::id()),
            Stamp { lineage, .. } => lineage,
        };
        Stamp { lineage, number: self.number.wrapping_add(1) }
    }

    /// The state that is on disk now.
    pub(super) fn on_disk(dir: &Path) -> Result<Stamp, StoreError> {
        let path = dir.join(NAME);
        let mut head = [0; HEAD];
        match File::open(&path).and_then(|mut file| file.read_exact(&mut head)) {
            Ok(()) => Stamp::read(&head).ok_or_else(|| not_ours(&path)),
            Err(e) if is_missing(&e) => Ok(Stamp::default()),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => Err(not_ours(&path)),
            Err(e) => Err(StoreError::io(&path, e)),
        }
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn not_ours(path: &Path) -> StoreError {
    super::damaged(path, "it is no manifest of this version")
}

impl TabletManifest {
    /// Reads the manifest of a folder; an empty one where there is none.
    fn load(dir: &Path) -> Result<(Stamp, TabletManifest), StoreError> {
        let path = dir.join(NAME);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if is_missing(&e) => return Ok(Default::default()),
            Err(e) => return Err(StoreError::io(&path, e)),
        };
        let read = || {
            let (whole, checksum) = bytes.split_last_chunk::<8>()?;
            let (head, body) = whole.split_first_chunk::<HEAD>()?;
            let stamp = Stamp::read(head).filter(|_| xxh3_64(whole).to_le_bytes() == *checksum)?;
            Some((stamp, postcard::from_bytes(body).ok()?))
        };
        read().ok_or_else(|| not_ours(&path))
    }

    /// Puts this manifest in the place of the one before.
    pub(super) fn save(&self, stamp: Stamp, dir: &Path) -> Result<(), StoreError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&stamp.lineage.to_le_bytes());
        bytes.extend_from_slice(&stamp.number.to_le_bytes());
        bytes.extend(postcard::to_stdvec(self).expect("plain values always encode"));
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        replace(&dir.join(NAME), &bytes)
    }

    /// Numbers of all files of the state.
    pub(super) fn files(&self) -> impl Iterator<Item = u64> {
        let bases = self.columns.values().filter_map(|column| column.base);
        bases.chain(self.tablets.iter().copied())
    }

    /// The entry of a column, if it was written by this declaration.
    pub(super) fn column(&self, declaration: Declaration) -> Option<&ColumnEntry> {
        self.columns.get(declaration.name).filter(|entry| entry.is(declaration))
    }
}

/// Open tablets by number.
pub(super) type Tablets = BTreeMap<u64, Arc<Tablet>>;

/// A state on disk, with its tablets open.
#[derive(Debug)]
pub(super) struct CellsState {
    pub(super) stamp: Stamp,
    pub(super) manifest: TabletManifest,
    pub(super) tablets: Tablets,
}

/// Tablets of the state before, which are not opened again.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenTablets<'a> {
    pub(super) of: Stamp,
    pub(super) tablets: &'a Tablets,
}

/// Reads the state on disk and opens its tablets, but those that are `open`. A tablet that is gone was replaced
/// meanwhile: then there is a newer manifest.
pub(super) fn load_state(
    dir: &Path,
    open: Option<OpenTablets<'_>>,
) -> Result<CellsState, StoreError> {
    let mut last = None;
    for _ in 0..TRIES {
        let (stamp, manifest) = TabletManifest::load(dir)?;
        let open = open.filter(|open| open.of.lineage == stamp.lineage);
        let known = |number| open?.tablets.get(&number).cloned();
        let tablets: Result<Tablets, StoreError> = manifest
            .files()
            .map(|number| {
                let tablet =
                    known(number).map_or_else(|| Tablet::open(dir, number).map(Arc::new), Ok);
                Ok((number, tablet?))
            })
            .collect();
        match tablets {
            Ok(tablets) => return Ok(CellsState { stamp, manifest, tablets }),
            Err(StoreError::Io { path, source }) if is_missing(&source) => {
                if last == Some(stamp) {
                    return Err(super::damaged(&path, "it is missing"));
                }
                last = Some(stamp);
            }
            Err(error) => return Err(sorted(error)),
        }
    }
    let path: PathBuf = dir.join(NAME);
    Err(StoreError::io(&path, std::io::Error::other("it was replaced again and again meanwhile")))
}

/// Puts an error that was passed as it came into the variant a caller can act on.
fn sorted(error: StoreError) -> StoreError {
    match error {
        StoreError::Io { path, source } => StoreError::io(&path, source),
        other => other,
    }
}
