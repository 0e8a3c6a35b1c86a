//! The URL ledger: every URL ever seen with its one current reason; hosts and their robots (B1).
//!
//! A log of records and two sieves over it: id → position of the URL's latest record, and hash of
//! the authority → position of the host's latest record. The log is the truth; the sieves are made
//! again from it when they are missing. A commit record closes what was put before it: at opening,
//! the log is replayed from the commit that the sieves cover, and what stands after its last commit
//! is cut off.
//!
//! Everything takes `&self`. One lock orders the writers and is held for as long as it takes to copy
//! a record into memory; disk is read outside it.

mod acknowledged;
mod history;
mod hosts;
mod known;
mod reader;
mod reads_back;
mod record;
mod rendering;
mod replay;
mod row;
mod scan;

pub use known::Known;
#[doc(hidden)]
pub use reads_back::reads_back;
pub use rendering::{RenderCause, RenderEnd, Rendering};
pub use row::{FedText, FeedVisits, HostRow, Listed, MOST_VISITS, RobotsCopy, Row, RowKind, Visit};
pub use scan::PlacedRow;

use crate::disk::DiskFile;
use crate::log::{Damage, Log, Position};
use crate::sieve::{Sieve, SieveGlance};
use crate::tail::{Rest, Spot, locked};
use crate::{Reason, StoreError};
use fyke_web::UrlId;
use record::{Commit, LedgerRecord, UrlRecord};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The ledger as it is read: the writer's own, or the state that a reader sees.
#[derive(Debug)]
pub struct LedgerView {
    log: Log,
    urls: Sieve,
    hosts: Sieve,
    /// The commit that would be written now. Its lock orders all writers.
    standing: Mutex<Commit>,
    /// The commit up to which the sieves hold the log, or will.
    covered: AtomicU64,
    rest: Rest,
}

/// The ledger on disk, as its one writer has it.
#[derive(Debug)]
pub struct Ledger {
    view: Arc<LedgerView>,
    /// Holds the last acknowledged commit and its end.
    acknowledged: DiskFile,
    /// Up to where captures were acknowledged when it was opened, if that was noted.
    sure: Option<Spot>,
}

impl Deref for Ledger {
    type Target = LedgerView;

    fn deref(&self) -> &LedgerView {
        &self.view
    }
}

/// A commit on its way to disk.
#[derive(Debug)]
pub(crate) struct Pending {
    /// Up to where the captures are acknowledged by it.
    pub(crate) end: Spot,
    log_end: Position,
    /// The commit's record.
    record: Vec<u8>,
}

impl Ledger {
    /// Opens the ledger in `dir`.
    pub(crate) fn open(dir: &Path) -> Result<Ledger, StoreError> {
        replay::open(dir)
    }

    /// Up to where captures are durable for certain, if that is known.
    pub(crate) fn sure(&self) -> Option<Spot> {
        self.sure
    }

    /// What can be read of it.
    pub(crate) fn view(&self) -> Arc<LedgerView> {
        Arc::clone(&self.view)
    }
}

impl LedgerView {
    /// Up to where captures are acknowledged: file and length.
    pub(crate) fn end(&self) -> Spot {
        locked(&self.standing).end
    }

    /// What is to become of captures that no commit acknowledges: whether it is sure, by what the log
    /// was like when it was opened, that none ever did.
    #[must_use]
    pub fn rest(&self) -> Rest {
        self.rest
    }

    /// What is known of a URL. A row that cannot be read is as if it were not there: that is named once,
    /// and the rest stands (so all of these).
    ///
    /// # Errors
    /// When the ledger cannot be read (so all of these).
    pub fn get(&self, id: UrlId) -> Result<Option<Row>, StoreError> {
        self.position(id)?.map_or(Ok(None), |position| self.row_at(id, position))
    }

    /// The row of a URL at a position.
    fn row_at(&self, id: UrlId, position: Position) -> Result<Option<Row>, StoreError> {
        Ok(match self.at(position)? {
            Some((found, row)) if found == id => Some(row),
            Some(_) => self.unusable(position, "it is about another URL"),
            None => None,
        })
    }

    /// The URL and the row that stand at a position given by [`Ledger::find`], [`Ledger::put`] or
    /// [`Ledger::queued`].
    pub fn at(&self, position: Position) -> Result<Option<(UrlId, Row)>, StoreError> {
        let Some(payload) = self.log.read_good(record::plain(position))? else { return Ok(None) };
        let Some(LedgerRecord::Url(found)) = record::read(&payload) else {
            return Ok(self.unusable(position, "it is about no URL"));
        };
        Ok(self.row(position, &found)?.map(|row| (found.id, row)))
    }

    /// The row of a record, with the help of its origin.
    fn row(&self, position: Position, record: &UrlRecord) -> Result<Option<Row>, StoreError> {
        let row = match record.origin {
            None => record.row(),
            Some(origin) => {
                let Some(payload) = self.log.read_good(origin)? else { return Ok(None) };
                let origin = match record::read(&payload) {
                    Some(LedgerRecord::Url(origin)) if origin.id == record.id => origin.as_origin(),
                    _ => None,
                };
                origin.and_then(|origin| record.row_after(origin))
            }
        };
        Ok(row.or_else(|| self.unusable(position, "its row cannot be read")))
    }

    /// Whether a URL is known: the duplicate URL eliminator (000). The log is not read.
    pub fn known(&self, id: UrlId) -> Result<Known, StoreError> {
        if self.urls.remembers(id.0) {
            return Ok(Known::Yes);
        }
        let known = self.position(id)?.map_or(Known::No, record::known);
        if known == Known::Yes {
            self.urls.remember(id.0);
        }
        Ok(known)
    }

    /// Where the latest record of a URL stands.
    pub fn position(&self, id: UrlId) -> Result<Option<Position>, StoreError> {
        Ok(self.urls.get(id.0)?.map(Position))
    }
}

impl Ledger {
    /// Takes in a URL that is new, or found by a better way than those it was refused for: gives the
    /// position of its record, or none when it is known as well as that already. Of several threads
    /// that find one URL at once, one gets a position.
    pub fn find(&self, id: UrlId, row: &Row) -> Result<Option<Position>, StoreError> {
        loop {
            let glance = self.urls.look(id.0)?;
            let before = glance.value.map(Position);
            if before.map_or(Known::No, record::known) >= Known::under(row.reason) {
                return Ok(None);
            }
            let found = match before {
                None => self.take_in(id, row, &glance)?,
                Some(before) => {
                    let old = self.row_at(id, before)?;
                    self.replace(id, row, &glance, old)?
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    /// Puts a URL that is not known; none when that changed meanwhile.
    fn take_in(
        &self,
        id: UrlId,
        row: &Row,
        glance: &SieveGlance,
    ) -> Result<Option<Position>, StoreError> {
        let payload = record::found(id, row);
        let mut standing = locked(&self.standing);
        let append = || Ok(record::marked(self.log.append(&payload)?, row.reason).0);
        let position = self.urls.set_if_still(id.0, glance, append)?;
        if position.is_some() {
            standing.counts[row.reason as usize] += 1;
            self.remember(id, row);
        }
        Ok(position.map(Position))
    }

    /// Writes what is now known of a URL and returns its new position.
    ///
    /// `before` is the position and reason it stood under until now, for a caller that knows them:
    /// then nothing is read, and URL, parent and time found are taken to be as they were. Without it
    /// the row is looked up, and put whole where those three changed; a URL not known is taken in. What
    /// a sitemap said stays unless the row says something else.
    pub fn put(
        &self,
        id: UrlId,
        before: Option<(Position, Reason)>,
        row: &Row,
    ) -> Result<Position, StoreError> {
        if let Some((position, reason)) = before
            && let Some(put) = self.put_after(id, position, reason, row)?
        {
            return Ok(put);
        }
        loop {
            if let Some(position) = self.put_looking(id, row)? {
                return Ok(position);
            }
        }
    }

    /// Changes the row of a URL, whoever else writes it meanwhile: `change` gets the row that stands and
    /// says whether what it made of it is to be written, and is asked again when that one changed in
    /// between. None when nothing was written.
    pub fn update(
        &self,
        id: UrlId,
        mut change: impl FnMut(&mut Row) -> bool,
    ) -> Result<Option<Position>, StoreError> {
        loop {
            let glance = self.urls.look(id.0)?;
            let Some(before) = glance.value.map(Position) else { return Ok(None) };
            let Some(old) = self.row_at(id, before)? else { return Ok(None) };
            let mut row = old.clone();
            if !change(&mut row) {
                return Ok(None);
            }
            if let Some(put) = self.replace(id, &row, &glance, Some(old))? {
                return Ok(Some(put));
            }
        }
    }

    /// Puts a state on the caller's word; none when that is out of date.
    fn put_after(
        &self,
        id: UrlId,
        before: Position,
        reason: Reason,
        row: &Row,
    ) -> Result<Option<Position>, StoreError> {
        let Some(origin) = self.origin(before)? else { return Ok(None) };
        let payload = record::state(id, row, before, origin);
        let mut standing = locked(&self.standing);
        if self.urls.has_newer(id.0, before.0) {
            return Ok(None);
        }
        let position = record::marked(self.log.append(&payload)?, row.reason);
        let position = record::of_state(position);
        self.urls.set(id.0, position.0);
        self.remember(id, row);
        move_count(&mut standing.counts, reason, row.reason);
        Ok(Some(position))
    }

    /// Only URLs that stand as known without reserve are remembered as such.
    fn remember(&self, id: UrlId, row: &Row) {
        match Known::under(row.reason) {
            Known::Yes => self.urls.remember(id.0),
            _ => self.urls.forget(id.0),
        }
    }
}

impl LedgerView {
    /// The record that holds URL, parent and time for the record at a position.
    fn origin(&self, position: Position) -> Result<Option<Position>, StoreError> {
        if record::is_origin(position) {
            return Ok(Some(position));
        }
        let Some(payload) = self.log.read_good(record::plain(position))? else { return Ok(None) };
        Ok(match record::read(&payload) {
            Some(LedgerRecord::Url(state)) => Some(state.origin.unwrap_or(position)),
            _ => self.unusable(position, "it is about no URL"),
        })
    }
}

impl Ledger {
    /// Puts a row whatever stands; none when that changed meanwhile.
    fn put_looking(&self, id: UrlId, row: &Row) -> Result<Option<Position>, StoreError> {
        let glance = self.urls.look(id.0)?;
        match glance.value {
            None => self.take_in(id, row, &glance),
            Some(before) => {
                let before = Position(before);
                let old = self.row_at(id, before)?;
                self.replace(id, row, &glance, old)
            }
        }
    }

    /// Puts a row after the one that stands, `old` if it can be read; none when that changed meanwhile.
    fn replace(
        &self,
        id: UrlId,
        row: &Row,
        glance: &SieveGlance,
        old: Option<Row>,
    ) -> Result<Option<Position>, StoreError> {
        let Some(before) = glance.value.map(Position) else { return Ok(None) };
        let is_same = |old: &Row| {
            (&old.url, old.parent, old.found) == (&row.url, row.parent, row.found)
                && (row.listed.is_none() || row.listed == old.listed)
        };
        let origin = match old.as_ref().is_some_and(is_same) {
            true => self.origin(before)?,
            false => None,
        };
        let payload = match origin {
            Some(origin) => record::state(id, row, before, origin),
            None => {
                let said = || old.as_ref().and_then(|old| old.listed.clone());
                let listed = row.listed.clone().or_else(said);
                record::whole(id, &Row { listed, ..row.clone() }, before)
            }
        };
        let append = || {
            let position = record::marked(self.log.append(&payload)?, row.reason);
            Ok(if origin.is_some() { record::of_state(position).0 } else { position.0 })
        };
        let mut standing = locked(&self.standing);
        let put = self.urls.set_if_still(id.0, glance, append)?;
        if put.is_some() {
            // Of one that could not be read it is not known where it was counted.
            if let Some(old) = old {
                move_count(&mut standing.counts, old.reason, row.reason);
            }
            self.remember(id, row);
        }
        Ok(put.map(Position))
    }
}

impl LedgerView {
    /// All hosts without their robots.txt, which [`Ledger::host`] gives; in no order that means anything.
    pub fn hosts(&self) -> impl Iterator<Item = Result<(String, HostRow), StoreError>> {
        let all = self.hosts.entries().filter_map(|entry| {
            let host = entry.and_then(|(_, position)| self.host_at(Position(position)));
            Some(host.transpose()?.map(|host| (host.authority, host.row)))
        });
        all.filter(|host| !host.as_ref().is_ok_and(|(name, _)| name.contains("://")))
    }

    /// All rows as they stand now, in the order in which they came to stand so.
    pub fn rows(&self) -> impl Iterator<Item = Result<(UrlId, Row), StoreError>> {
        scan::CurrentRows::new(self, None).map(|found| found.map(|found| (found.id, found.row)))
    }

    /// The same with the positions of their records.
    pub fn placed(&self) -> impl Iterator<Item = Result<PlacedRow, StoreError>> {
        scan::CurrentRows::new(self, None)
    }

    /// URLs in the order in which they were found, as they were found then. Nothing is read before it
    /// is asked for.
    pub fn found(&self) -> impl Iterator<Item = Result<String, StoreError>> {
        scan::found(self)
    }

    /// The rows that stand as queued, with their positions, in the order in which they came to
    /// stand so. Takes two passes over the log and a bit of memory for each eight bytes of it.
    pub fn queued(&self) -> impl Iterator<Item = Result<PlacedRow, StoreError>> {
        scan::CurrentRows::new(self, Some(Reason::Queued))
    }

    /// How many URLs stand under each reason (kept up to date by puts, not by a scan).
    pub fn counts(&self) -> Result<BTreeMap<Reason, u64>, StoreError> {
        let standing = locked(&self.standing);
        let counts = Reason::ALL.iter().copied().zip(standing.counts.iter().copied());
        Ok(counts.filter(|&(_, count)| count > 0).collect())
    }

    /// URLs known.
    #[must_use]
    pub fn len(&self) -> u64 {
        locked(&self.standing).counts.iter().sum()
    }

    /// Whether no URL is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Ledger {
    /// Bytes put and not yet on their way to disk.
    pub(crate) fn pending(&self) -> u64 {
        self.log.pending()
    }

    /// Waits until the sieves' disk has caught up.
    pub(crate) fn make_room(&self) -> Result<(), StoreError> {
        self.urls.make_room()?;
        self.hosts.make_room()
    }

    /// Closes what was put with a commit record, `end` being read while no row can be put; none
    /// when there is nothing to commit. Full tables are frozen with it, and `settle` freezes all.
    pub(crate) fn close(
        &self,
        end: impl FnOnce() -> Spot,
        settle: bool,
    ) -> Result<Option<Pending>, StoreError> {
        let mut standing = locked(&self.standing);
        let end = end();
        let settle = settle && !(self.urls.is_settled() && self.hosts.is_settled());
        if self.log.pending() == 0 && end == standing.end && !settle {
            return Ok(None);
        }
        (standing.number, standing.end) = (standing.number + 1, end);
        let record = record::commit(&standing);
        let position = self.log.append(&record)?;
        let covered = Position(self.covered.load(Ordering::Relaxed));
        let is_full = self.urls.is_full() || self.hosts.is_full();
        if settle || is_full || self.log.is_far_from(covered) {
            let note = replay::note(position);
            self.hosts.freeze(note.clone());
            self.urls.freeze(note);
            self.covered.store(position.0, Ordering::Relaxed);
        }
        Ok(Some(Pending { end, log_end: self.log.end(), record }))
    }

    /// Makes a closed commit durable; the captures it speaks of must be.
    pub(crate) fn commit(&self, pending: &Pending) -> Result<(), StoreError> {
        self.log.sync()?;
        // Not synced: after a power cut an older end may stand there, which only makes the check at
        // the next opening weaker.
        let bytes = acknowledged::write(pending.log_end, &pending.record);
        if let Err(error) = self.acknowledged.write_all_at(&bytes, 0) {
            tracing::warn!(%error, "the end of the last commit could not be noted");
        }
        self.hosts.release();
        self.urls.release();
        Ok(())
    }

    /// Waits until the sieves are on disk.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        self.hosts.flush()?;
        self.urls.flush()
    }
}

impl LedgerView {
    /// What was found damaged in the log since it was opened, in words.
    #[must_use]
    pub fn damage(&self) -> Vec<String> {
        self.log.damage()
    }

    /// Names a record that is good and of no use.
    fn unusable<T>(&self, position: Position, what: &str) -> Option<T> {
        let position = record::plain(position);
        let error = self.log.damaged(position, what);
        self.log.name(&Damage { bytes: position.0..position.0 + 1, error });
        None
    }
}

fn move_count(counts: &mut [u64], from: Reason, to: Reason) {
    counts[from as usize] = counts[from as usize].saturating_sub(1);
    counts[to as usize] += 1;
}

#[cfg(test)]
mod tests;
