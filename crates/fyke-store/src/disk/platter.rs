//! What a disk holds for certain, and what it may lose: files with the writes since their last sync, folders
//! with the names that were changed since theirs. A power cut keeps any part of the rest, in sectors.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a disk writes whole or not at all.
const SECTOR: u64 = 512;
/// The collection's folder.
const ROOT: usize = 0;

/// Numbers that follow from a seed.
#[derive(Debug)]
pub(super) struct SeededDraw {
    seed: u64,
    drawn: u64,
}

impl SeededDraw {
    pub(super) fn new(seed: u64) -> SeededDraw {
        SeededDraw { seed, drawn: 0 }
    }

    /// A number below `most`.
    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.drawn += 1;
        xxh3_64_with_seed(&self.drawn.to_le_bytes(), self.seed) % most.max(1)
    }
}

/// A change of a file that is not synced yet.
#[derive(Debug)]
enum Patch {
    Bytes(u64, Vec<u8>),
    Length(u64),
}

/// A file or a folder, whatever its name.
#[derive(Debug)]
enum Inode {
    File { durable: Vec<u8>, patches: Vec<Patch> },
    Folder { durable: BTreeMap<OsString, usize>, now: BTreeMap<OsString, usize> },
}

/// A name in a folder that gets another meaning, or none.
#[derive(Debug)]
struct NameChange {
    folder: usize,
    name: OsString,
    inode: Option<usize>,
}

/// The disk under one folder.
#[derive(Debug)]
pub(super) struct SimulatedDisk {
    root: PathBuf,
    inodes: Vec<Inode>,
    /// Changes of names that are not synced yet; those of one step are kept or lost together.
    changes: Vec<Vec<NameChange>>,
}

/// How much of what was not synced a power cut leaves.
#[derive(Clone, Copy, Debug)]
enum Survival {
    Nothing,
    All,
    /// Up to some moment.
    Before,
    /// Any of it.
    Some,
}

impl SimulatedDisk {
    /// A disk on which all that stands in a folder now is durable.
    pub(super) fn of(root: &Path) -> io::Result<SimulatedDisk> {
        let mut platter =
            SimulatedDisk { root: root.into(), inodes: Vec::new(), changes: Vec::new() };
        platter.load(root)?;
        Ok(platter)
    }

    fn load(&mut self, path: &Path) -> io::Result<usize> {
        let at = self.inodes.len();
        if !path.is_dir() {
            self.inodes.push(Inode::File { durable: fs::read(path)?, patches: Vec::new() });
            return Ok(at);
        }
        self.inodes.push(Inode::Folder { durable: BTreeMap::new(), now: BTreeMap::new() });
        let mut names = BTreeMap::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            names.insert(entry.file_name(), self.load(&entry.path())?);
        }
        self.inodes[at] = Inode::Folder { durable: names.clone(), now: names };
        Ok(at)
    }

    fn folder(&mut self, at: usize) -> Option<&mut BTreeMap<OsString, usize>> {
        match &mut self.inodes[at] {
            Inode::Folder { now, .. } => Some(now),
            Inode::File { .. } => None,
        }
    }

    fn find(&mut self, path: &Path) -> Option<usize> {
        let below = path.strip_prefix(&self.root).ok()?.to_owned();
        below.iter().try_fold(ROOT, |at, name| self.folder(at)?.get(name).copied())
    }

    fn parent(&mut self, path: &Path) -> Option<(usize, OsString)> {
        Some((self.find(path.parent()?)?, path.file_name()?.to_owned()))
    }

    fn change(&mut self, changes: Vec<NameChange>) {
        for NameChange { folder, name, inode } in &changes {
            let Some(now) = self.folder(*folder) else { continue };
            match inode {
                Some(inode) => now.insert(name.clone(), *inode),
                None => now.remove(name),
            };
        }
        self.changes.push(changes);
    }

    fn add(&mut self, path: &Path, inode: Inode) {
        let Some((folder, name)) = self.parent(path) else { return };
        self.inodes.push(inode);
        let inode = Some(self.inodes.len() - 1);
        self.change(vec![NameChange { folder, name, inode }]);
    }

    pub(super) fn create(&mut self, path: &Path) {
        if self.find(path).is_none() {
            self.add(path, Inode::File { durable: Vec::new(), patches: Vec::new() });
        }
    }

    pub(super) fn create_dir(&mut self, path: &Path) {
        let above: Vec<&Path> = path.ancestors().take_while(|dir| *dir != self.root).collect();
        for dir in above.into_iter().rev().map(Path::to_owned) {
            if self.find(&dir).is_none() {
                self.add(&dir, Inode::Folder { durable: BTreeMap::new(), now: BTreeMap::new() });
            }
        }
    }

    fn patch(&mut self, path: &Path, patch: Patch) {
        let found = self.find(path);
        if let Some(Inode::File { patches, .. }) = found.map(|at| &mut self.inodes[at]) {
            patches.push(patch);
        }
    }

    pub(super) fn write(&mut self, path: &Path, offset: u64, bytes: &[u8]) {
        self.patch(path, Patch::Bytes(offset, bytes.to_vec()));
    }

    pub(super) fn shorten(&mut self, path: &Path, length: u64) {
        self.patch(path, Patch::Length(length));
    }

    pub(super) fn sync(&mut self, path: &Path) {
        let found = self.find(path);
        if let Some(Inode::File { durable, patches }) = found.map(|at| &mut self.inodes[at]) {
            patches.drain(..).for_each(|patch| apply(durable, &patch));
        }
    }

    /// A sync failed: what was written since the last one is read by whoever asks, and never reaches the disk.
    pub(super) fn forget(&mut self, path: &Path) {
        let found = self.find(path);
        if let Some(Inode::File { patches, .. }) = found.map(|at| &mut self.inodes[at]) {
            patches.clear();
        }
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) {
        let (Some(inode), Some(old), Some(new)) =
            (self.find(from), self.parent(from), self.parent(to))
        else {
            return;
        };
        let gone = NameChange { folder: old.0, name: old.1, inode: None };
        self.change(vec![gone, NameChange { folder: new.0, name: new.1, inode: Some(inode) }]);
    }

    pub(super) fn exchange(&mut self, one: &Path, other: &Path) {
        let (Some(first), Some(second)) = (self.find(one), self.find(other)) else { return };
        let places = self.parent(one).zip(self.parent(other));
        let Some(((here, this), (there, that))) = places else { return };
        let second = NameChange { folder: here, name: this, inode: Some(second) };
        self.change(vec![second, NameChange { folder: there, name: that, inode: Some(first) }]);
    }

    /// Takes a name away, and all that lies in it: each is a change of its own.
    pub(super) fn remove(&mut self, path: &Path) {
        let Some(at) = self.find(path) else { return };
        let names = self.folder(at).map(|now| now.keys().cloned().collect::<Vec<_>>());
        names.unwrap_or_default().iter().for_each(|name| self.remove(&path.join(name)));
        if let Some((folder, name)) = self.parent(path) {
            self.change(vec![NameChange { folder, name, inode: None }]);
        }
    }

    /// Makes a folder's names durable, and what those of others depend on.
    pub(super) fn sync_dir(&mut self, path: &Path) {
        let Some(at) = self.find(path) else { return };
        let mut folders = BTreeSet::from([at]);
        let mut synced = vec![false; self.changes.len()];
        for (is_synced, step) in synced.iter_mut().zip(&self.changes).rev() {
            *is_synced = step.iter().any(|change| folders.contains(&change.folder));
            if *is_synced {
                folders.extend(step.iter().map(|change| change.folder));
            }
        }
        let changes = std::mem::take(&mut self.changes);
        for (step, is_synced) in changes.into_iter().zip(synced) {
            if is_synced { self.keep(&step) } else { self.changes.push(step) }
        }
    }

    fn keep(&mut self, step: &[NameChange]) {
        for NameChange { folder, name, inode } in step {
            let Inode::Folder { durable, .. } = &mut self.inodes[*folder] else { continue };
            match inode {
                Some(inode) => durable.insert(name.clone(), *inode),
                None => durable.remove(name),
            };
        }
    }

    /// The power goes: some of what was not synced is lost, and the folder is as it is found again.
    pub(super) fn cut_power(&mut self, chances: &mut SeededDraw) -> io::Result<()> {
        let kept = kept(chances);
        let changes = std::mem::take(&mut self.changes);
        let count = survivors(kept, changes.len(), chances);
        for (step, is_kept) in changes.iter().zip(count) {
            if is_kept {
                self.keep(step);
            }
        }
        for inode in &mut self.inodes {
            if let Inode::File { durable, patches } = inode {
                lose(durable, std::mem::take(patches), chances);
            }
        }
        let root = self.root.clone();
        empty(&root)?;
        self.write_out(ROOT, &root)?;
        *self = SimulatedDisk::of(&root)?;
        Ok(())
    }

    fn write_out(&self, at: usize, path: &Path) -> io::Result<()> {
        match &self.inodes[at] {
            Inode::File { durable, .. } => fs::write(path, durable),
            Inode::Folder { durable, .. } => {
                fs::create_dir_all(path)?;
                let name = |name: &OsStr| path.join(name);
                durable.iter().try_for_each(|(entry, &at)| self.write_out(at, &name(entry)))
            }
        }
    }
}

fn empty(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(())
}

fn kept(chances: &mut SeededDraw) -> Survival {
    match chances.below(6) {
        0 => Survival::Nothing,
        1 => Survival::All,
        2 => Survival::Before,
        _ => Survival::Some,
    }
}

/// Which of so many changes outlive the cut.
fn survivors(kept: Survival, count: usize, chances: &mut SeededDraw) -> Vec<bool> {
    let border = chances.below(count as u64 + 1) as usize;
    let is_kept = |at: usize, chances: &mut SeededDraw| match kept {
        Survival::Nothing => false,
        Survival::All => true,
        Survival::Before => at < border,
        Survival::Some => chances.below(2) == 0,
    };
    (0..count).map(|at| is_kept(at, chances)).collect()
}

fn apply(bytes: &mut Vec<u8>, patch: &Patch) {
    match patch {
        Patch::Length(length) => bytes.resize(*length as usize, 0),
        Patch::Bytes(offset, new) => {
            let (start, end) = (*offset as usize, *offset as usize + new.len());
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[start..end].copy_from_slice(new);
        }
    }
}

/// Applies what is left of some changes: whole sectors of them.
fn lose(bytes: &mut Vec<u8>, patches: Vec<Patch>, chances: &mut SeededDraw) {
    let pieces: Vec<Patch> = patches.into_iter().flat_map(sectors).collect();
    let survivors = survivors(kept(chances), pieces.len(), chances);
    let left = pieces.iter().zip(survivors).filter(|(_, is_kept)| *is_kept);
    left.for_each(|(patch, _)| apply(bytes, patch));
}

fn sectors(patch: Patch) -> Vec<Patch> {
    let Patch::Bytes(offset, bytes) = patch else { return vec![patch] };
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let begin = offset + at as u64;
        let room = (SECTOR - begin % SECTOR) as usize;
        let end = (at + room).min(bytes.len());
        pieces.push(Patch::Bytes(begin, bytes[at..end].to_vec()));
        at = end;
    }
    pieces
}
