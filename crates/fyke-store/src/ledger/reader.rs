//! The ledger beside its writer: one committed state, put together in memory from the sieves on disk and
//! the log after them. Nothing is written, and no lock is taken.
//!
//! The writer makes a commit durable, then notes its end in `acknowledged`, then lets the sieves go to
//! disk. A reader goes the other way: sieves first, `acknowledged` next, the log between the two last.
//! So all that it needs is there, and what is past that end is not looked at.

use super::LedgerView;
use super::acknowledged::{self, Acknowledged};
use super::record::Commit;
use super::replay::{self, Replay, covered};
use crate::StoreError;
use crate::log::{Log, Position};
use crate::sieve::Sieve;
use crate::tail::{Rest, locked};
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

/// The note is written in place: a half-written one is read again so often.
const TRIES: usize = 100;

impl LedgerView {
    /// Opens the state that was committed last in `dir`.
    pub(crate) fn open_to_read(dir: &Path) -> Result<LedgerView, StoreError> {
        let sieves =
            (Sieve::open_to_read(&dir.join("urls"))?, Sieve::open_to_read(&dir.join("hosts"))?);
        let from = covered(&sieves.0).min(covered(&sieves.1));
        let noted = noted(dir);
        // After a power cut an older end may stand there: then the log itself is asked.
        let end = noted.map(|noted| noted.end).filter(|end| *end >= from);
        let log = Log::open_to_read(&dir.join("log"), end)?;
        read_on(&log, sieves, (from, replay::empty()), end)
    }

    /// The state committed now, if it is another than this one.
    pub(crate) fn newer(&self, dir: &Path) -> Result<Option<LedgerView>, StoreError> {
        let Some(end) = noted(dir).map(|noted| noted.end).filter(|end| *end != self.log.end())
        else {
            return Ok(None);
        };
        let forked = (self.urls.fork()?, self.hosts.fork()?);
        let (Some(urls), Some(hosts), true) = (forked.0, forked.1, end > self.log.end()) else {
            return LedgerView::open_to_read(dir).map(Some);
        };
        let last = locked(&self.standing).clone();
        let from = self.log.end();
        read_on(&self.log.up_to(end), (urls, hosts), (from, last), Some(end)).map(Some)
    }

    /// Bytes that were acknowledged and are gone from the end of the log; none when it is whole.
    pub(crate) fn lost(&self, dir: &Path) -> Result<Option<u64>, StoreError> {
        let (promised, there) = (self.log.end().spot(), Log::on_disk(&dir.join("log"))?);
        Ok((there < promised).then(|| match there.file == promised.file {
            true => promised.offset - there.offset,
            false => promised.offset,
        }))
    }

    /// The number of the last commit: it grows with each.
    #[must_use]
    pub fn number(&self) -> u64 {
        locked(&self.standing).number
    }
}

/// The end of the last commit; none when nothing was ever committed, or it cannot be told.
fn noted(dir: &Path) -> Option<Acknowledged> {
    let path = dir.join("acknowledged");
    for _ in 0..TRIES {
        let bytes = fs::read(&path).ok().filter(|bytes| !bytes.is_empty())?;
        if let Some(noted) = acknowledged::read(&bytes) {
            return Some(noted);
        }
        std::thread::yield_now();
    }
    None
}

/// Puts the log from a commit on into the sieves' memory: up to its end, when that is known to be one of
/// a commit, else up to the last commit that is whole.
fn read_on(
    log: &Log,
    (urls, hosts): (Sieve, Sieve),
    (from, last): (Position, Commit),
    end: Option<Position>,
) -> Result<LedgerView, StoreError> {
    let mut replay = Replay::new(&urls, &hosts, last);
    let cell = RefCell::new(&mut replay);
    let replayed = log.replay(
        from,
        end.unwrap_or(Position(0)),
        |position, payload| cell.borrow_mut().note(position, payload),
        |commit| {
            cell.borrow_mut().remember(commit);
            Ok(())
        },
    )?;
    let standing = Mutex::new(replay.last);
    let end = replayed.end.unwrap_or(from).max(end.unwrap_or(Position(0)));
    let log = log.up_to(end);
    replayed.damage.iter().for_each(|damage| log.name(damage));
    let covered = AtomicU64::new(from.0);
    Ok(LedgerView { log, urls, hosts, standing, covered, rest: Rest::Keep })
}
