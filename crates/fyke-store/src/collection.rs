//! One collection, opened and locked: the order of writes that makes it crash-safe lives here.
//!
//! A [`Round`] is made durable in one order: capture records to the WARC file, fsync; then ledger
//! rows, hosts and the new end of the captures in one atomic synced batch. Whatever a crash leaves
//! past that end was never acknowledged and is cut off at the next opening.
//!
//! `ledger/lock` is held locked while the collection is open; the lock goes with the process,
//! however it ends. `ledger/table/` is the database, `ledger/acknowledged` the number of its last
//! commit.

use crate::{Captures, Documents, HostRow, Ledger, Place, Row, StoreError, cdxj, space};
use fyke_web::{Capture, UrlId};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What one group commit writes.
#[derive(Debug, Default)]
pub struct Round {
    /// Captures to append, each with the request head that was sent; the row of the capture's URL
    /// in `rows` gets its place.
    pub captures: Vec<(Vec<u8>, Capture)>,
    pub rows: Vec<(UrlId, Row)>,
    pub hosts: Vec<(String, HostRow)>,
}

/// A collection's folder, held by this process alone.
#[derive(Debug)]
pub struct Collection {
    pub captures: Captures,
    pub ledger: Ledger,
    pub documents: Documents,
    root: PathBuf,
    /// A ledger write failed: whether it reached the disk shows when the collection is opened
    /// again.
    is_unsure: bool,
    /// Dropped last: the lock outlives the tables.
    _lock: Lock,
}

/// The lock on the collection. Closing the file would not do: a child that another thread is just
/// starting has a copy of it until it runs its own program.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the collection's lock could not be released");
        }
    }
}

impl Collection {
    /// Opens and locks the collection at `root` (a folder with fyke.toml).
    ///
    /// # Errors
    /// `Missing`, `Held`, `ReadOnly` and the rest of [`StoreError`].
    pub fn open(root: &Path) -> Result<Collection, StoreError> {
        if !root.join("fyke.toml").exists() {
            return Err(StoreError::Missing(root.into()));
        }
        let lock = lock(root)?;
        keep_captures_without_ledger(root)?;
        let ledger = Ledger::open(&root.join("ledger"))?;
        let captures = Captures::open(&root.join("captures"), ledger.end())?;
        let documents = open_documents(&root.join("documents"), ledger.end())?;
        let root = root.to_owned();
        Ok(Collection { captures, ledger, documents, root, is_unsure: false, _lock: lock })
    }

    /// Makes the round durable; returns the places of its captures, in order. The rows of captured
    /// URLs get the place and the digest of the payload.
    ///
    /// # Errors
    /// `Full` when the disk is (nearly) full: nothing of the round is acknowledged then.
    pub fn commit(&mut self, mut round: Round) -> Result<Vec<Place>, StoreError> {
        if self.is_unsure {
            space::require(&self.root, 0)?;
            let what = "an earlier commit failed; open the collection again to go on";
            return Err(StoreError::damaged(&self.root.join("ledger"), what));
        }
        space::require(&self.root, size(&round))?;
        let places = self.captures.append(&round.captures)?;
        fill_in(&mut round, &places);
        let end = self.captures.tail();
        if let Err(error) = self.ledger.commit(&round.rows, &round.hosts, end) {
            // The batch may yet turn out to be on disk, so the captures must stay: the next opening
            // keeps or cuts them as the ledger says.
            self.is_unsure = true;
            return Err(error);
        }
        self.captures.acknowledge();
        Ok(places)
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of the full-text index.
    #[must_use]
    pub fn index_dir(&self) -> PathBuf {
        index_dir(&self.root)
    }

    /// Puts the folder in order after long work, for other tools and for a quick next opening:
    /// writes the sorted CDXJ index of every WARC file whose index is missing or older than it, and
    /// settles the tables. Nothing depends on it: a killed process never comes here.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        self.ledger.settle()?;
        self.documents.settle()?;
        cdxj::write(&self.captures)
    }

    /// Deletes what is derived (documents/ and index/), so that a rebuild starts from the captures.
    ///
    /// # Errors
    /// When a folder cannot be deleted.
    pub fn delete_derived(&mut self) -> Result<(), StoreError> {
        self.documents.delete()?;
        let index = self.index_dir();
        match fs::remove_dir_all(&index) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(StoreError::io(&index, e)),
            _ => Ok(()),
        }
    }
}

/// Takes the lock, or says who has it.
fn lock(root: &Path) -> Result<Lock, StoreError> {
    let dir = root.join("ledger");
    fs::create_dir_all(&dir).map_err(|e| StoreError::io(&dir, e))?;
    let path = dir.join("lock");
    let mut options = OpenOptions::new();
    let mut file = options
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|e| StoreError::io(&path, e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.take(300).read_to_string(&mut holder);
            let holder = holder.trim();
            let holder = if holder.is_empty() { String::new() } else { format!(" ({holder})") };
            return Err(StoreError::Held(root.into(), holder));
        }
        Err(TryLockError::Error(e)) => return Err(StoreError::io(&path, e)),
    }
    // Who holds it is a courtesy to the reader of the message: no reason to fail.
    let command: Vec<String> = std::env::args().take(8).collect();
    let _ = file.set_len(0);
    let _ = writeln!(file, "process {}: {}", std::process::id(), command.join(" "));
    Ok(Lock(file))
}

/// A new ledger would acknowledge none of the captures, and they would be cut off as unacknowledged.
fn keep_captures_without_ledger(root: &Path) -> Result<(), StoreError> {
    let captures = fs::metadata(root.join("captures/00000.warc.gz"));
    let ledger = root.join("ledger");
    if captures.is_ok_and(|file| file.len() > 0) && !ledger.join("table").exists() {
        let what = "it is missing, but there are captures; put the ledger back from a copy, or move \
                    captures/ away to begin anew";
        return Err(StoreError::damaged(&ledger, what));
    }
    Ok(())
}

/// Opens the documents. They are derived: when they are damaged, or ahead of the captures they were
/// made from, they are thrown away and made again from the start.
fn open_documents(dir: &Path, end: (u32, u64)) -> Result<Documents, StoreError> {
    let mut documents = match Documents::open(dir) {
        Err(error @ StoreError::Damaged { .. }) => {
            tracing::warn!(%error, "the documents are damaged and will be made again");
            fs::remove_dir_all(dir).map_err(|e| StoreError::io(dir, e))?;
            Documents::open(dir)?
        }
        opened => opened?,
    };
    if documents.mark()? > end {
        tracing::warn!("the documents are ahead of the captures and will be made again");
        documents.delete()?;
    }
    Ok(documents)
}

/// About how many bytes the round takes on disk, uncompressed.
fn size(round: &Round) -> u64 {
    let captures: usize =
        round.captures.iter().map(|(r, c)| r.len() + c.payload.len() + 2048).sum();
    let robots = |host: &HostRow| host.robots.as_ref().map_or(0, |copy| copy.body.len());
    let hosts: usize = round.hosts.iter().map(|(_, host)| 512 + robots(host)).sum();
    (captures + round.rows.len() * 512 + hosts) as u64
}

/// Gives the rows of captured URLs the place and digest of their last capture.
fn fill_in(round: &mut Round, places: &[Place]) {
    let captures = round.captures.iter().map(|(_, capture)| capture);
    let places: HashMap<UrlId, (Place, &Capture)> = captures
        .zip(places)
        .map(|(capture, place)| (capture.url.id(), (*place, capture)))
        .collect();
    for (id, row) in &mut round.rows {
        if let Some((place, capture)) = places.get(id) {
            let mut digest = [0; 16];
            digest.copy_from_slice(&blake3::hash(&capture.payload).as_bytes()[..16]);
            row.capture = Some(*place);
            row.digest = Some(digest);
        }
    }
}

/// Folder of the full-text index (derived) of the collection at `root`. The index keeps its own
/// locks, so it can be searched while another process holds the collection.
#[must_use]
pub fn index_dir(root: &Path) -> PathBuf {
    root.join("index")
}
