//! A disk for tests: it stands under one folder of this process, keeps count of what is durable, and fails, tears
//! or loses power as a seed says. The folder itself always holds what a running program sees.

use super::FileOpening;
use super::platter::{SeededDraw, SimulatedDisk};
use crate::tail::locked;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Whether there is any faulty disk in this process.
static IS_ANY: AtomicBool = AtomicBool::new(false);
static DISKS: RwLock<Vec<Weak<FaultyDisk>>> = RwLock::new(Vec::new());

/// What goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFaults {
    /// One step in so many fails; none does when it is zero.
    pub one_in: u64,
    /// Steps until the power goes.
    pub power: Option<u64>,
    /// Bytes that may still be written until the disk is full.
    pub room: Option<u64>,
}

/// A disk that fails.
#[derive(Debug)]
pub struct FaultyDisk {
    root: PathBuf,
    state: Mutex<FaultyState>,
}

#[derive(Debug)]
struct FaultyState {
    platter: SimulatedDisk,
    seed: u64,
    faults: DiskFaults,
    chances: SeededDraw,
    /// Steps on each path so far: what fails does not depend on the order of threads.
    steps: HashMap<PathBuf, u64>,
    is_off: bool,
}

/// The faulty disk that holds a path.
#[inline]
pub(super) fn of(path: &Path) -> Option<Arc<FaultyDisk>> {
    if IS_ANY.load(Ordering::Relaxed) { find(path) } else { None }
}

#[cold]
fn find(path: &Path) -> Option<Arc<FaultyDisk>> {
    let disks = DISKS.read().unwrap_or_else(PoisonError::into_inner);
    disks.iter().filter_map(Weak::upgrade).find(|disk| path.starts_with(&disk.root))
}

impl FaultyDisk {
    /// Puts a disk under a folder, on which all that stands there is durable; it goes when it is dropped.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn under(root: &Path, seed: u64) -> io::Result<Arc<FaultyDisk>> {
        let state = FaultyState {
            platter: SimulatedDisk::of(root)?,
            seed,
            faults: DiskFaults::default(),
            chances: SeededDraw::new(seed),
            steps: HashMap::new(),
            is_off: false,
        };
        let disk = Arc::new(FaultyDisk { root: root.to_owned(), state: Mutex::new(state) });
        let mut disks = DISKS.write().unwrap_or_else(PoisonError::into_inner);
        disks.retain(|disk| disk.strong_count() > 0);
        disks.push(Arc::downgrade(&disk));
        IS_ANY.store(true, Ordering::Relaxed);
        Ok(disk)
    }

    /// Says what goes wrong from now on.
    pub fn set_faults(&self, faults: DiskFaults) {
        locked(&self.state).faults = faults;
    }

    /// Whether the power is gone: every step fails until [`FaultyDisk::restart`].
    #[must_use]
    pub fn is_off(&self) -> bool {
        locked(&self.state).is_off
    }

    /// Takes the power, if it is not gone yet, and gives it back: of what was not synced some is lost. Nothing goes
    /// wrong afterwards until it is asked for.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn restart(&self) -> io::Result<()> {
        let mut state = locked(&self.state);
        let FaultyState { platter, chances, .. } = &mut *state;
        platter.cut_power(chances)?;
        (state.is_off, state.faults) = (false, DiskFaults::default());
        Ok(())
    }

    /// Takes a step, if it does not fail: then `act` does it and `note` keeps account of it.
    fn step<T>(
        &self,
        path: &Path,
        act: impl FnOnce() -> io::Result<T>,
        note: impl FnOnce(&mut SimulatedDisk),
    ) -> io::Result<T> {
        let mut state = locked(&self.state);
        state.check(path)?;
        let done = act()?;
        note(&mut state.platter);
        Ok(done)
    }

    pub(super) fn open(
        &self,
        path: &Path,
        opening: FileOpening,
        act: impl FnOnce() -> io::Result<File>,
    ) -> io::Result<File> {
        self.step(path, act, |platter| {
            platter.create(path);
            if opening == FileOpening::Emptied {
                platter.shorten(path, 0);
            }
        })
    }

    /// Writes; when that fails, some of the bytes may have been written.
    pub(super) fn write(
        &self,
        path: &Path,
        offset: u64,
        bytes: &[u8],
        act: impl FnOnce(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut state = locked(&self.state);
        let was_off = state.is_off;
        let checked = state.check(path).and_then(|()| state.take_room(bytes.len() as u64));
        let part = match &checked {
            Ok(()) => bytes,
            Err(_) if was_off => return checked,
            Err(_) => &bytes[..state.chances.below(bytes.len() as u64 + 1) as usize],
        };
        act(part)?;
        state.platter.write(path, offset, part);
        checked
    }

    /// Syncs a file; when that fails, what was written since the last time is never synced.
    pub(super) fn sync(&self, path: &Path) -> io::Result<()> {
        let mut state = locked(&self.state);
        let checked = state.check(path);
        match checked.is_ok() {
            true => state.platter.sync(path),
            false if !state.is_off => state.platter.forget(path),
            false => {}
        }
        checked
    }

    pub(super) fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.step(dir, || Ok(()), |platter| platter.sync_dir(dir))
    }

    pub(super) fn shorten(
        &self,
        path: &Path,
        length: u64,
        act: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.step(path, act, |platter| platter.shorten(path, length))
    }

    pub(super) fn rename(
        &self,
        from: &Path,
        to: &Path,
        act: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.step(to, act, |platter| platter.rename(from, to))
    }

    pub(super) fn exchange(
        &self,
        one: &Path,
        other: &Path,
        act: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.step(one, act, |platter| platter.exchange(one, other))
    }

    pub(super) fn remove(
        &self,
        path: &Path,
        act: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.step(path, act, |platter| platter.remove(path))
    }

    pub(super) fn create_dir(
        &self,
        dir: &Path,
        act: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.step(dir, act, |platter| platter.create_dir(dir))
    }
}

impl FaultyState {
    /// Whether the next step on a path is done.
    fn check(&mut self, path: &Path) -> io::Result<()> {
        if self.is_off {
            return Err(io::Error::other("the power is gone"));
        }
        if let Some(left) = &mut self.faults.power {
            if *left == 0 {
                self.is_off = true;
                return Err(io::Error::other("the power is gone"));
            }
            *left -= 1;
        }
        let step = self.steps.entry(path.to_owned()).or_default();
        *step += 1;
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let chance = xxh3_64_with_seed(name, self.seed ^ *step);
        match self.faults.one_in {
            0 => Ok(()),
            one_in if !chance.is_multiple_of(one_in) => Ok(()),
            _ => Err(io::Error::other("the disk failed")),
        }
    }

    fn take_room(&mut self, bytes: u64) -> io::Result<()> {
        let Some(room) = &mut self.faults.room else { return Ok(()) };
        match room.checked_sub(bytes) {
            Some(left) => *room = left,
            None => return Err(io::ErrorKind::StorageFull.into()),
        }
        Ok(())
    }
}
