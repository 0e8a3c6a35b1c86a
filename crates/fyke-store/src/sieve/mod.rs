//! The sieve: eight-byte keys to eight-byte values in little memory, for tens of millions of keys
//! (the duplicate URL eliminator of 000, on disk; the log-structured merge of 003 §3.6).
//!
//! New entries go into a table in memory; a full table is frozen and written as a sorted run by a
//! thread of its own, which also merges runs. The newest value of a key counts. A lookup asks what
//! is remembered, the tables, then the runs' filters, newest first.
//!
//! A sieve promises nothing about what is in memory: its owner either writes all of it
//! ([`Sieve::flush`]), or notes with each frozen table how far its own log is covered, and puts the
//! rest in again after opening.

pub(crate) mod filter;
pub(crate) mod manifest;
pub(crate) mod merge;
mod recent;
mod run;
mod table;
mod worker;

use crate::StoreError;
use crate::disk;
use crate::tail::locked;
use manifest::Manifest;
use merge::SieveMerge;
use recent::RecentKeys;
use run::SieveRun;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use table::SieveTable;

/// Frozen tables that may wait for the disk before inserts do.
const MOST_FROZEN: usize = 4;

/// The table grows with the sieve, to a 64th of it, up to so many times its first size: a large
/// sieve writes fewer runs, and merges less.
const GROWTH: usize = 8;
const SHARE: u64 = 64;

/// How much memory a sieve may take.
#[derive(Clone, Copy, Debug)]
pub struct SieveOptions {
    /// Entries of the table in memory at first.
    pub entries: usize,
    /// Keys that are remembered in front of everything, at most: eight bytes each.
    pub recent: usize,
}

impl Default for SieveOptions {
    fn default() -> SieveOptions {
        SieveOptions { entries: 128 * 1024, recent: 1 << 26 }
    }
}

/// A table that takes no more entries.
#[derive(Debug)]
struct FrozenTable {
    table: SieveTable,
    note: Vec<u8>,
    len: u64,
}

type SieveRuns = Arc<Vec<Arc<SieveRun>>>;

#[derive(Debug, Default)]
struct SieveState {
    memory: SieveTable,
    /// Oldest first; the first `released` may be written out.
    frozen: VecDeque<Arc<FrozenTable>>,
    released: usize,
    /// Oldest first.
    runs: SieveRuns,
    len: u64,
    is_closing: bool,
    /// The worker is writing or merging.
    is_busy: bool,
    /// What went wrong in the background; told once.
    failure: Option<StoreError>,
}

impl SieveState {
    /// The value of a key that has not reached the runs.
    fn recent(&self, key: u64) -> Option<u64> {
        let frozen = || self.frozen.iter().rev().find_map(|f| f.table.get(&key));
        self.memory.get(&key).or_else(frozen).copied()
    }
}

#[derive(Debug)]
struct SieveShared {
    dir: PathBuf,
    state: Mutex<SieveState>,
    changed: Condvar,
    /// Touched by the worker alone once the sieve is open.
    manifest: Mutex<Manifest>,
}

/// An open sieve.
#[derive(Debug)]
pub struct Sieve {
    shared: Arc<SieveShared>,
    options: SieveOptions,
    recent: RecentKeys,
    worker: Mutex<Option<JoinHandle<()>>>,
}

/// What a lookup saw; see [`Sieve::set_if_still`].
#[derive(Debug)]
pub(crate) struct SieveGlance {
    /// The newest value of the key.
    pub(crate) value: Option<u64>,
    /// The runs that were asked.
    runs: SieveRuns,
}

impl Sieve {
    /// Opens the sieve in a folder, making it where there is none. Neither entries nor filters are
    /// read.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or a run's frame is damaged.
    pub fn open(dir: &Path, options: SieveOptions) -> Result<Sieve, StoreError> {
        disk::create_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        let manifest = Manifest::load(dir)?;
        let runs = manifest.open_runs(dir)?;
        Ok(Sieve::of(
            dir,
            options,
            manifest,
            SieveState { runs: Arc::new(runs), ..SieveState::default() },
        ))
    }

    fn of(dir: &Path, options: SieveOptions, manifest: Manifest, state: SieveState) -> Sieve {
        let state = SieveState { len: manifest.len, ..state };
        let shared = SieveShared {
            dir: dir.to_owned(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            manifest: Mutex::new(manifest),
        };
        let recent = RecentKeys::new(options.recent);
        Sieve { shared: Arc::new(shared), options, recent, worker: Mutex::default() }
    }

    /// Opens what stands on disk to read it beside its writer. What is set later stays in memory, as long
    /// as nothing is released; a damaged sieve, or none, is an empty one.
    pub(crate) fn open_to_read(dir: &Path) -> Result<Sieve, StoreError> {
        let (manifest, runs) = match Manifest::open_to_read(dir) {
            Err(StoreError::Damaged { .. }) => return Ok(Sieve::empty(dir)),
            opened => opened?,
        };
        let state = SieveState { runs: Arc::new(runs), ..SieveState::default() };
        Ok(Sieve::of(dir, SieveOptions::default(), manifest, state))
    }

    /// A sieve that holds nothing, to be read.
    pub(crate) fn empty(dir: &Path) -> Sieve {
        Sieve::of(dir, SieveOptions::default(), Manifest::default(), SieveState::default())
    }

    /// A sieve of its own that holds what this one, opened to be read, holds now; none when the disk has
    /// moved on.
    pub(crate) fn fork(&self) -> Result<Option<Sieve>, StoreError> {
        let manifest = locked(&self.shared.manifest).clone();
        if Manifest::load(&self.shared.dir).ok().as_ref() != Some(&manifest) {
            return Ok(None);
        }
        let state = locked(&self.shared.state);
        let (memory, runs) = (state.memory.clone(), Arc::clone(&state.runs));
        let state = SieveState { memory, runs, ..SieveState::default() };
        Ok(Some(Sieve::of(&self.shared.dir, self.options, manifest, state)))
    }

    /// Reads every entry of the sieve on disk; says how many there are.
    pub(crate) fn verify(dir: &Path) -> Result<u64, StoreError> {
        let (_, runs) = Manifest::open_to_read(dir)?;
        let mut count = 0;
        for run in runs {
            run.verify()?;
            for entry in run.entries() {
                entry?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Opens a sieve that can be made again: a damaged one is thrown away, and an empty one opened.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn open_or_discard(dir: &Path, options: SieveOptions) -> Result<Sieve, StoreError> {
        match Sieve::open(dir, options) {
            Err(error @ StoreError::Damaged { .. }) => {
                tracing::warn!(%error, "an index is damaged, and is made again");
                disk::remove_dir(dir).map_err(|e| StoreError::io(dir, e))?;
                Sieve::open(dir, options)
            }
            opened => opened,
        }
    }

    /// Has it be refused at the next opening: what it points at is damaged.
    pub(crate) fn distrust(&self) {
        manifest::distrust(&self.shared.dir);
    }

    /// The newest value of a key.
    ///
    /// # Errors
    /// When a run cannot be read (so all of these).
    pub fn get(&self, key: u64) -> Result<Option<u64>, StoreError> {
        Ok(self.look(key)?.value)
    }

    /// Whether a key is known.
    pub fn contains(&self, key: u64) -> Result<bool, StoreError> {
        if self.recent.has(key) {
            return Ok(true);
        }
        let is_known = self.look(key)?.value.is_some();
        if is_known {
            self.recent.add(key);
        }
        Ok(is_known)
    }

    /// Sets the value of a key and returns the one before. Waits when the disk falls far behind.
    pub fn insert(&self, key: u64, value: u64) -> Result<Option<u64>, StoreError> {
        let before = loop {
            let seen = self.look(key)?;
            let before = seen.value;
            let mut state = locked(&self.shared.state);
            if still(&state, key, &seen) {
                state.memory.insert(key, value);
                state.len += u64::from(before.is_none());
                break before;
            }
        };
        self.recent.add(key);
        if self.is_full() {
            self.make_room()?;
            self.freeze(Vec::new());
            self.release();
        }
        Ok(before)
    }

    /// Keys known.
    #[must_use]
    pub fn len(&self) -> u64 {
        locked(&self.shared.state).len
    }

    /// Whether no key is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let state = locked(&self.shared.state);
        let frozen = state.frozen.iter().map(|frozen| frozen.table.capacity());
        let entries = (state.memory.capacity() + frozen.sum::<usize>()) as u64;
        let runs: u64 = state.runs.iter().map(|run| run.memory()).sum();
        // A table keeps an eighth of its places free, and a byte beside each.
        entries * 17 * 8 / 7 + runs + self.recent.memory()
    }

    /// Bytes of its runs on disk.
    #[must_use]
    pub fn disk(&self) -> u64 {
        locked(&self.shared.state).runs.iter().map(|run| run.disk()).sum()
    }

    /// Writes everything to disk, and waits for merges to end.
    pub fn flush(&self) -> Result<(), StoreError> {
        if !locked(&self.shared.state).memory.is_empty() {
            self.freeze(Vec::new());
        }
        self.release();
        self.wait(|state| state.frozen.is_empty() && !state.is_busy)
    }

    /// Looks a key up.
    pub(crate) fn look(&self, key: u64) -> Result<SieveGlance, StoreError> {
        let (recent, runs) = {
            let state = locked(&self.shared.state);
            (state.recent(key), state.runs.clone())
        };
        if recent.is_some() {
            return Ok(SieveGlance { value: recent, runs });
        }
        for run in runs.iter().rev() {
            if let Some(value) = run.get(key)? {
                return Ok(SieveGlance { value: Some(value), runs });
            }
        }
        Ok(SieveGlance { value: None, runs })
    }

    /// Sets the value that `make` gives if what was seen of a key still holds. None may also mean
    /// that this cannot be told without looking again.
    pub(crate) fn set_if_still(
        &self,
        key: u64,
        seen: &SieveGlance,
        make: impl FnOnce() -> Result<u64, StoreError>,
    ) -> Result<Option<u64>, StoreError> {
        let mut state = locked(&self.shared.state);
        if !still(&state, key, seen) {
            return Ok(None);
        }
        let value = make()?;
        state.memory.insert(key, value);
        Ok(Some(value))
    }

    /// Whether a table of this sieve, not yet in a run, holds another value for the key.
    pub(crate) fn has_newer(&self, key: u64, value: u64) -> bool {
        locked(&self.shared.state).recent(key).is_some_and(|recent| recent != value)
    }

    /// Sets a value without a look at what was there: `len` counts no such keys.
    pub(crate) fn set(&self, key: u64, value: u64) {
        locked(&self.shared.state).memory.insert(key, value);
    }

    /// Whether a key is known, as far as that can be told without a look at tables and runs.
    pub(crate) fn remembers(&self, key: u64) -> bool {
        self.recent.has(key)
    }

    /// Notes that a key is known.
    pub(crate) fn remember(&self, key: u64) {
        self.recent.add(key);
    }

    /// Takes back that a key is remembered; its entry stays.
    pub(crate) fn forget(&self, key: u64) {
        self.recent.forget(key);
    }

    /// Whether the table in memory should be frozen.
    pub(crate) fn is_full(&self) -> bool {
        let state = locked(&self.shared.state);
        state.memory.len() >= self.room(state.runs.iter().map(|run| run.count()).sum())
    }

    /// Entries the table may have beside so many in runs.
    fn room(&self, in_runs: u64) -> usize {
        let share = usize::try_from(in_runs / SHARE).unwrap_or(usize::MAX);
        share.clamp(self.options.entries, self.options.entries.saturating_mul(GROWTH))
    }

    /// Whether everything is in runs.
    pub(crate) fn is_settled(&self) -> bool {
        let state = locked(&self.shared.state);
        state.memory.is_empty() && state.frozen.is_empty()
    }

    /// Waits until the disk has caught up, and tells what went wrong there.
    pub(crate) fn make_room(&self) -> Result<(), StoreError> {
        self.wait(|state| state.frozen.len() < MOST_FROZEN)
    }

    /// Freezes the table in memory, with a note for the next opening. It is written out only after
    /// [`Sieve::release`].
    pub(crate) fn freeze(&self, note: Vec<u8>) {
        let mut state = locked(&self.shared.state);
        let known: u64 = state.runs.iter().map(|run| run.count()).sum();
        self.recent.grow(known);
        // The next one will grow as large: taking the room at once saves moving entries.
        let room = state.memory.len().min(self.room(known));
        let next = SieveTable::with_capacity_and_hasher(room, Default::default());
        let table = std::mem::replace(&mut state.memory, next);
        let len = state.len;
        state.frozen.push_back(Arc::new(FrozenTable { table, note, len }));
    }

    /// Lets what is frozen go to disk.
    pub(crate) fn release(&self) {
        {
            let mut state = locked(&self.shared.state);
            state.released = state.frozen.len();
            if state.released == 0 {
                return;
            }
        }
        locked(&self.worker).get_or_insert_with(|| worker::start(self.shared.clone()));
        self.shared.changed.notify_all();
    }

    /// Ends the thread; what it has not written stays in memory.
    pub(crate) fn close(&self) {
        locked(&self.shared.state).is_closing = true;
        self.shared.changed.notify_all();
        let worker = locked(&self.worker).take();
        if worker.is_some_and(|worker| worker.join().is_err()) {
            tracing::warn!("the sieve's thread ended badly");
        }
    }

    fn wait(&self, is_done: impl Fn(&SieveState) -> bool) -> Result<(), StoreError> {
        let mut state = locked(&self.shared.state);
        loop {
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            // What is not released cannot be waited for.
            if is_done(&state) || (state.released == 0 && !state.is_busy) {
                return Ok(());
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The note of the newest table on disk; empty when there is none.
    pub(crate) fn note(&self) -> Vec<u8> {
        locked(&self.shared.manifest).note.clone()
    }

    /// All entries, by key, as they stand now.
    pub(crate) fn entries(&self) -> SieveMerge {
        let state = locked(&self.shared.state);
        let frozen = state.frozen.iter().rev().map(|frozen| &frozen.table);
        let tables = std::iter::once(&state.memory).chain(frozen).map(|table| {
            let entries = worker::sorted(table);
            Box::new(entries.into_iter().map(Ok)) as Box<dyn Iterator<Item = _> + Send>
        });
        let runs = state
            .runs
            .iter()
            .rev()
            .map(|run| Box::new(run.clone().entries()) as Box<dyn Iterator<Item = _> + Send>);
        SieveMerge::new(tables.chain(runs).collect())
    }
}

fn still(state: &SieveState, key: u64, seen: &SieveGlance) -> bool {
    match state.recent(key) {
        Some(recent) => Some(recent) == seen.value,
        None => Arc::ptr_eq(&state.runs, &seen.runs),
    }
}

impl Drop for Sieve {
    fn drop(&mut self) {
        self.close();
    }
}
