//! The index on a disk that fails and loses power: after whatever a seed does the index is as of its last commit (or
//! of the one under way), or it is named as damaged, so that it is made again. `FYKE_TEST_SEEDS` asks for more seeds.

use crate::{Entry, Index, IndexError, Query, SearchOptions};
use fyke_store::disk::{self, DiskFaults, DiskFile, FaultyDisk, FileOpening};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::Directory;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

const SEEDS: u64 = 120;

/// The engine's own folder, which writes as that does, through the store's door.
#[derive(Clone, Debug)]
pub(crate) struct OnFaultyDisk {
    folder: MmapDirectory,
    dir: PathBuf,
}

impl OnFaultyDisk {
    pub(crate) fn open(dir: &Path) -> Result<OnFaultyDisk, OpenDirectoryError> {
        Ok(OnFaultyDisk { folder: MmapDirectory::open(dir)?, dir: dir.to_owned() })
    }
}

struct FaultyFile(DiskFile);

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for FaultyFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.sync_all()
    }
}

impl Directory for OnFaultyDisk {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.folder.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.folder.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.folder.atomic_read(path)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.folder.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.folder.watch(callback)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let failed =
            |error| DeleteError::IoError { io_error: Arc::new(error), filepath: path.to_owned() };
        disk::remove_file(&self.dir.join(path)).map_err(failed)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = DiskFile::open(&self.dir.join(path), FileOpening::New);
        let file = file.map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        Ok(BufWriter::new(Box::new(FaultyFile(file))))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.dir.join(path);
        let new = path.with_extension("tmp");
        let mut file = DiskFile::open(&new, FileOpening::Emptied)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        disk::rename(&new, &path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        disk::sync_dir(&self.dir)
    }
}

/// A commit: one new entry, and one that every commit replaces.
fn commit(index: &Index, number: u64) -> Result<(), IndexError> {
    let mut writer = index.writer()?;
    let body = format!("eel number{number}");
    writer.put(&Entry { id: 1_000, body: &body, ..Entry::default() })?;
    writer.put(&Entry { id: number, body: "carp", ..Entry::default() })?;
    writer.commit(&number.to_string())
}

/// Asserts that the index is as of one of these commits; says which, or none when it is named as damaged.
fn check(dir: &Path, least: u64, most: u64) -> Option<u64> {
    let count = match Index::verify(dir, &[]) {
        Ok(count) => count,
        Err(IndexError::Broken { .. } | IndexError::Old(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    let index = Index::open_to_read(dir, &[]).unwrap();
    let number: u64 = index.mark().parse().unwrap_or(0);
    assert!((least..=most).contains(&number), "commit {number} of {least}..={most}");
    assert_eq!(count, if number == 0 { 0 } else { number + 1 });
    let query = Query::parse(&format!("number{number}"));
    let found = index.search(&query, &SearchOptions::default()).unwrap();
    assert_eq!(found.total as u64, u64::from(number > 0));
    Some(number)
}

/// Some stretches of commits, each ended by trouble; says how often the index had to be named.
fn run(dir: &Path, seed: u64) -> u64 {
    let mut named = 0;
    drop(Index::open(dir).unwrap());
    let disk = FaultyDisk::under(dir, seed).unwrap();
    let mut number = 0;
    for turn in 0..3 {
        let chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7 * turn) >> 8;
        disk.set_faults(match chance % 4 {
            0 => DiskFaults { one_in: 20 + chance % 80, ..DiskFaults::default() },
            1 => DiskFaults { room: Some(chance % 60_000), ..DiskFaults::default() },
            _ => DiskFaults { power: Some(chance % 160), ..DiskFaults::default() },
        });
        let mut begun = number;
        if let Ok(index) = Index::open(dir) {
            for _ in 0..4 {
                begun = number + 1;
                if commit(&index, begun).is_err() {
                    break;
                }
                number = begun;
            }
        }
        if disk.is_off() || chance & 0x1000 == 0 {
            disk.restart().unwrap();
        }
        disk.set_faults(DiskFaults::default());
        let Some(found) = check(dir, number, begun) else {
            named += 1;
            break;
        };
        number = found;
    }
    named
}

#[test]
fn an_index_is_as_of_its_last_commit_or_named_whatever_the_disk_does() {
    let seeds = std::env::var("FYKE_TEST_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let seeds = seeds.unwrap_or(SEEDS);
    let named: u64 = (0..seeds)
        .map(|seed| {
            let memory = Path::new("/dev/shm");
            let dir =
                if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
            run(dir.unwrap().path(), seed)
        })
        .sum();
    assert!(named * 10 < seeds, "{named} of {seeds} had to be made again");
}
