//! One collection, opened and locked by its one writer: the order of writes that makes it crash-safe
//! lives here. Readers in any number of processes need no lock: see [`crate::Reader`].
//!
//! Captures and rows are put into memory, by as many threads as there are; [`Collection::sync`] makes
//! them durable in one order: capture records to the WARC file, fsync; then the ledger's log with a
//! commit record that names the new end of the captures, fsync. Whatever a crash leaves past the
//! last commit was never acknowledged and is cut off at the next opening; when the ledger is damaged, so
//! that this is not sure, it is kept in files of its own.
//!
//! `ledger/lock` is held locked while the collection is open; the lock goes with the process,
//! however it ends. `ledger/log/` is the log, `ledger/urls/` and `ledger/hosts/` are indexes of it,
//! `ledger/acknowledged` holds the end of its last commit.

use crate::disk;
use crate::reader::{CellsNow, private_mark};
use crate::tail::{Spot, locked, sync_dir};
use crate::{
    Captures, CellsWriter, Documents, HostRow, Ledger, Packer, Place, Reader, Row, StoreError,
    Underway, View, rebuild, space, warc,
};
use fyke_web::{Capture, ExtractRules, UrlId};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// What one group commit writes.
#[derive(Debug, Default)]
pub struct Round {
    /// Captures to append, each with the request head that was sent; the row of the capture's URL
    /// in `rows` gets its place.
    pub captures: Vec<(Vec<u8>, Capture)>,
    pub rows: Vec<(UrlId, Row)>,
    pub hosts: Vec<(String, HostRow)>,
}

/// A collection's folder, written by this process alone.
#[derive(Debug)]
pub struct Collection {
    pub captures: Captures,
    pub ledger: Ledger,
    pub documents: Documents,
    /// Derived facts.
    pub cells: Arc<CellsWriter>,
    /// The pages that are being read.
    pub underway: Arc<Underway>,
    /// See [`Collection::set_extract_rules`].
    extract_rules: RwLock<Arc<ExtractRules>>,
    /// What can be read of it.
    view: Arc<View>,
    /// Held shared while a group is put, alone while a commit is closed.
    gate: RwLock<()>,
    /// Held by whoever makes a commit durable.
    turn: Mutex<Turn>,
    /// See [`Collection::begin_deriving`].
    deriving: Mutex<()>,
    /// Dropped last: the lock outlives the tables.
    _lock: Lock,
}

/// What is left of the commits before.
#[derive(Debug, Default)]
struct Turn {
    /// A write failed: whether it reached the disk shows when the collection is opened again.
    is_unsure: bool,
    packer: Packer,
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

impl Deref for Collection {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl Collection {
    /// Waits until no other thread derives from this collection, and keeps others waiting until the guard is
    /// dropped: what a derivation reads and what it publishes belong together, and no page is to be made twice.
    pub fn begin_deriving(&self) -> MutexGuard<'_, ()> {
        locked(&self.deriving)
    }

    /// Notes, before anything is asked for with credentials, that something may be private: a site for others then keeps
    /// back what is made from all documents.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn expect_private(&self) -> Result<(), StoreError> {
        let path = private_mark(self.root());
        match path.exists() {
            true => Ok(()),
            false => disk::replace(&path, b"some pages were fetched with credentials\n")
                .map_err(|error| StoreError::io(&path, error)),
        }
    }

    /// From now on documents are made of pages by these rules, by whoever makes them: a crawl does so, too, far from
    /// the settings.
    pub fn set_extract_rules(&self, rules: ExtractRules) {
        let mut place = self.extract_rules.write().unwrap_or_else(PoisonError::into_inner);
        *place = Arc::new(rules);
    }

    /// What is kept and dropped of pages of some hosts.
    #[must_use]
    pub fn extract_rules(&self) -> Arc<ExtractRules> {
        Arc::clone(&self.extract_rules.read().unwrap_or_else(PoisonError::into_inner))
    }

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
        rebuild::recover(root)?;
        let ledger = Ledger::open(&root.join("ledger"))?;
        let captures = Captures::open(&root.join("captures"), ledger.end(), ledger.rest())?;
        captures.renew(ledger.sure())?;
        let cells = open_cells(root)?;
        let documents = open_documents(root, captures.end(), &cells)?;
        let notes = root.join("ledger");
        let underway = Underway::open(&notes).map_err(|e| StoreError::io(&notes, e))?;
        // The folders just made must not go with the next power cut.
        sync_dir(&root.join("ledger"))?;
        sync_dir(root)?;
        let (gate, turn, deriving) = Default::default();
        let view = Arc::new(View {
            captures: captures.view(),
            ledger: ledger.view(),
            documents: documents.view(),
            cells: CellsNow::Latest(Arc::clone(&cells)),
            root: root.to_owned(),
            derived: root.to_owned(),
        });
        Ok(Collection {
            captures,
            ledger,
            documents,
            cells,
            underway,
            extract_rules: RwLock::default(),
            view,
            gate,
            turn,
            deriving,
            _lock: lock,
        })
    }

    /// A reader of the collection at `root`, beside its writer, if there is one.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn reader(root: &Path) -> Result<Reader, StoreError> {
        Reader::open(root)
    }

    /// What can be read of it, as it stands at each moment, for other threads of this process.
    #[must_use]
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.view)
    }

    /// Makes everything durable that was put or appended before the call; other threads may go on
    /// putting meanwhile. Of several callers at once one works and the others wait for their turn,
    /// in which they mostly find nothing left to do.
    ///
    /// # Errors
    /// `Full` when the disk is (nearly) full. After a failed write nothing more is acknowledged
    /// until the collection is opened again.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.sync_in_turn(&mut locked(&self.turn), false)
    }

    fn sync_in_turn(&self, turn: &mut Turn, settle: bool) -> Result<(), StoreError> {
        if turn.is_unsure {
            space::require(self.root(), 0)?;
            let what = "an earlier commit failed; open the collection again to continue";
            return Err(StoreError::damaged(&self.root().join("ledger"), what));
        }
        space::require(self.root(), self.pending())?;
        self.ledger.make_room()?;
        let closed = {
            let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
            self.ledger.close(|| self.captures.tail(), settle)?
        };
        let Some(pending) = closed else { return Ok(()) };
        turn.is_unsure = true;
        self.captures.sync()?;
        self.ledger.commit(&pending)?;
        self.captures.acknowledge(pending.end);
        turn.is_unsure = false;
        if self.captures.are_many_unlisted() {
            self.captures.list()?;
        }
        Ok(())
    }

    /// Runs a step whose captures, rows and hosts become durable together or not at all, whoever
    /// calls [`Collection::sync`] meanwhile. Steps are to be short; several threads may be in one
    /// at once. Neither `sync` nor another group may be called inside.
    pub fn group<T>(&self, step: impl FnOnce() -> T) -> T {
        let _shared = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        step()
    }

    /// Bytes put or appended that wait in memory for the next [`Collection::sync`].
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.captures.pending() + self.ledger.pending()
    }

    /// Puts a round and makes it durable; returns the places of its captures, in order. The rows of
    /// captured URLs get the place and the digest of the payload.
    ///
    /// # Errors
    /// `Full` when the disk is (nearly) full: nothing of the round is acknowledged then.
    pub fn commit(&self, mut round: Round) -> Result<Vec<Place>, StoreError> {
        let mut turn = locked(&self.turn);
        space::require(self.root(), size(&round))?;
        let places = self.group(|| self.put(&mut turn.packer, &mut round))?;
        self.sync_in_turn(&mut turn, false)?;
        Ok(places)
    }

    fn put(&self, packer: &mut Packer, round: &mut Round) -> Result<Vec<Place>, StoreError> {
        let mut places = Vec::with_capacity(round.captures.len());
        let mut taken = HashMap::new();
        for (request, capture) in &round.captures {
            let packed = packer.pack(request, capture);
            let place = self.captures.append(&packed)?;
            taken.insert(capture.url.id(), (place, packed.digest));
            places.push(place);
        }
        for (id, row) in &mut round.rows {
            if let Some(&(place, digest)) = taken.get(id) {
                (row.capture, row.digest) = (Some(place), Some(digest));
            }
            self.ledger.put(*id, None, row)?;
        }
        for (authority, host) in &round.hosts {
            self.ledger.put_host(authority, host)?;
        }
        Ok(places)
    }

    /// Puts the folder in order after long work, for other tools and for a quick next opening:
    /// writes the sorted CDXJ index of every WARC file whose index is missing or older than it, and
    /// settles the tables. Nothing depends on it: a killed process never comes here.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn settle(&self) -> Result<(), StoreError> {
        self.sync_in_turn(&mut locked(&self.turn), true)?;
        self.ledger.settle()?;
        self.documents.settle()?;
        self.captures.list()
    }

    /// Has documents, columns and index be made again from the captures, in a folder beside those that
    /// stand; readers go on with these until [`Collection::finish_rebuild`]. A rebuild that was cut short
    /// goes on, if the same program began it.
    ///
    /// # Errors
    /// When a folder cannot be made or deleted.
    pub fn begin_rebuild(&mut self) -> Result<(), StoreError> {
        let dir = rebuild::begin(self.root())?;
        self.derive_in(&dir)
    }

    /// Puts what was made again in the place of what stood before, all at once; a kill in between is made
    /// good at the next opening.
    ///
    /// # Errors
    /// When a folder cannot be moved.
    pub fn finish_rebuild(&mut self) -> Result<(), StoreError> {
        self.documents.settle()?;
        self.documents.close();
        rebuild::finish(self.root())?;
        let root = self.root().to_owned();
        self.derive_in(&root)
    }

    /// Throws away what a rebuild has made so far; what stood before stays.
    ///
    /// # Errors
    /// When the folder cannot be deleted.
    pub fn give_up_rebuild(&mut self) -> Result<(), StoreError> {
        let root = self.root().to_owned();
        self.derive_in(&root)?;
        rebuild::give_up(&root)
    }

    /// Goes on with documents and columns in another folder.
    fn derive_in(&mut self, derived: &Path) -> Result<(), StoreError> {
        self.documents.close();
        self.cells = open_cells(derived)?;
        self.documents = open_documents(derived, self.captures.end(), &self.cells)?;
        let cells = CellsNow::Latest(Arc::clone(&self.cells));
        let (documents, derived) = (self.documents.view(), derived.to_owned());
        self.view = Arc::new(View { documents, cells, derived, ..View::clone(&self.view) });
        Ok(())
    }

    /// Has `build` make an index in an empty folder, and puts it in the place of the one before in a
    /// single step: whoever searches meets the one or the other.
    ///
    /// # Errors
    /// What `build` gives; the index before stays then. When a folder cannot be moved or deleted.
    pub fn replace_index<T, E: From<StoreError>>(
        &self,
        build: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<T, E> {
        let index = self.index_dir();
        let new = index.with_extension("new");
        rebuild::remove(&new)?;
        let built = build(&new)?;
        disk::exchange(&new, &index).map_err(|e| StoreError::io(&index, e))?;
        sync_dir(&self.derived)?;
        rebuild::remove(&new)?;
        Ok(built)
    }
}

/// Takes the lock, or says who has it.
fn lock(root: &Path) -> Result<Lock, StoreError> {
    let dir = root.join("ledger");
    disk::create_dir(&dir).map_err(|e| StoreError::io(&dir, e))?;
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
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let since = warc::date(i64::try_from(since.as_millis()).unwrap_or(0));
    let _ = writeln!(file, "process {}: {}, since {since}", std::process::id(), command.join(" "));
    Ok(Lock(file))
}

/// A new ledger would acknowledge none of the captures, and they would be cut off as unacknowledged.
pub(crate) fn keep_captures_without_ledger(root: &Path) -> Result<(), StoreError> {
    let captures = fs::metadata(root.join("captures/00000.warc.gz"));
    let ledger = root.join("ledger");
    if captures.is_ok_and(|file| file.len() > 0) && !ledger.join("log/00000.log").exists() {
        if ledger.join("table").exists() {
            // Opening the ledger says what to do about that.
            return Ok(());
        }
        let what = "it is missing, but there are captures; put the ledger back from a copy, or move \
                    captures/ away to begin anew";
        return Err(StoreError::damaged(&ledger, what));
    }
    Ok(())
}

/// Opens the cells. They are derived: when they are damaged, they are thrown away and made again.
fn open_cells(root: &Path) -> Result<Arc<CellsWriter>, StoreError> {
    let dir = root.join("columns");
    let cells = match CellsWriter::open(&dir) {
        Err(error @ StoreError::Damaged { .. }) => {
            tracing::warn!(%error, "the columns are damaged and will be made again");
            rebuild::remove(&dir)?;
            CellsWriter::open(&dir)?
        }
        opened => opened?,
    };
    Ok(Arc::new(cells))
}

/// Opens the documents. They are derived: when they are damaged, or ahead of the captures they were
/// made from, they are thrown away and made again from the start, and all cells with them.
fn open_documents(root: &Path, end: Spot, cells: &CellsWriter) -> Result<Documents, StoreError> {
    let mut documents = match Documents::open(root) {
        Err(error @ StoreError::Damaged { .. }) => {
            tracing::warn!(%error, "the documents are damaged and will be made again");
            cells.clear()?;
            Documents::remove(root)?;
            Documents::open(root)?
        }
        opened => opened?,
    };
    if documents.mark()? > end {
        tracing::warn!("the documents are ahead of the captures and will be made again");
        cells.clear()?;
        Documents::remove(root)?;
        documents = Documents::open(root)?;
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
