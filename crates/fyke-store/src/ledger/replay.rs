//! Opening the ledger: finding its last commit, and putting into the sieves' memory what they do
//! not hold on disk.

use super::hosts::host_key;
use super::record::{self, Commit, LedgerRecord};
use super::{Ledger, LedgerView, acknowledged};
use crate::disk::{DiskFile, FileOpening};
use crate::log::{Log, Position};
use crate::sieve::{Sieve, SieveOptions};
use crate::tail::Rest;
use crate::{Reason, StoreError};
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

/// Records noted while replaying, until their commit counts.
#[derive(Debug)]
enum Noted {
    Url(u64, Position),
    Host(u64, Position),
    Commit(Commit, Position),
}

/// What is replayed into.
pub(super) struct Replay<'a> {
    urls: &'a Sieve,
    hosts: &'a Sieve,
    noted: VecDeque<Noted>,
    pub(super) last: Commit,
}

pub(super) fn open(dir: &Path) -> Result<Ledger, StoreError> {
    refuse_old(dir)?;
    let folder = dir.join("log");
    let log = Log::open(&folder)?;
    let sieve = |name: &str| Sieve::open_or_discard(&dir.join(name), SieveOptions::default());
    let (urls, hosts) = (sieve("urls")?, sieve("hosts")?);
    let from = covered(&urls).min(covered(&hosts));
    let path = dir.join("acknowledged");
    let noted = fs::read(&path).ok();
    let known = noted.as_deref().and_then(acknowledged::read);
    let promised = known.as_ref().map(|known| known.end);
    let sure = known.as_ref().and_then(|known| Some(known.commit.as_ref()?.end));
    // What is found may not have been synced; what goes into the sieves must be.
    log.renew(from, promised.unwrap_or(from).max(from))?;

    let mut replay = Replay::new(&urls, &hosts, empty());
    let cell = std::cell::RefCell::new(&mut replay);
    let replayed = log.replay(
        from,
        promised.unwrap_or(Position(0)),
        |position, payload| cell.borrow_mut().note(position, payload),
        |commit| cell.borrow_mut().apply(commit),
    )?;
    let mut end = replayed.end.unwrap_or(Log::start());
    let log = match known.and_then(|known| Some((known.end, known.commit?))) {
        Some((promised, commit)) if promised > end.max(from) && promised <= log.end() => {
            let log = replay.restore(log.cut(&folder, promised, Rest::Keep)?, promised, commit)?;
            end = log.end();
            log
        }
        _ => log,
    };
    let last = replay.last;
    replayed.damage.iter().for_each(|damage| log.name(damage));
    if promised > Some(end) || end < from {
        let what = format!(
            "it ends with commit {}, but more was acknowledged; put it back from a copy, or, to go \
             on with what is left, remove {} and the folders urls and hosts beside it (what \
             nothing acknowledges then is kept in files of its own)",
            last.number,
            path.display()
        );
        return Err(StoreError::damaged(&folder, what));
    }
    // A ledger that has a commit has noted its end; until the first one there is nothing to note.
    let is_noted = promised.is_some() || (last.number == 0 && noted.is_some());
    let rest = if is_noted && !replayed.is_holed { Rest::Cut } else { Rest::Keep };
    // Without a note it stays unsure until the next commit, should this opening be cut short.
    let opening = if rest == Rest::Keep { FileOpening::Emptied } else { FileOpening::Kept };
    let acknowledged = DiskFile::open(&path, opening);
    let acknowledged = acknowledged.map_err(|e| StoreError::io(&path, e))?;
    let log = log.cut(&folder, end, rest)?;
    let (standing, covered) = (Mutex::new(last), AtomicU64::new(from.0));
    let view = Arc::new(LedgerView { log, urls, hosts, standing, covered, rest });
    Ok(Ledger { view, acknowledged, sure })
}

pub(super) fn empty() -> Commit {
    Commit { counts: vec![0; Reason::ALL.len()], ..Commit::default() }
}

/// The ledger of earlier versions was a database of another kind.
fn refuse_old(dir: &Path) -> Result<(), StoreError> {
    let table = dir.join("table");
    if !table.exists() {
        return Ok(());
    }
    let what = "it was made by an earlier version of fyke, whose ledger this one cannot read; crawl \
                again into a new collection (the captures in captures/ stay readable as WARC files)";
    Err(StoreError::damaged(&table, what))
}

/// Which marks positions have. Sieves of other marks are made again from the log.
const MARKS: u8 = 1;

/// What a sieve notes of how far it holds the log.
pub(super) fn note(covered: Position) -> Vec<u8> {
    [covered.0.to_le_bytes().as_slice(), &[MARKS]].concat()
}

/// The commit up to which a sieve holds the log on disk.
pub(super) fn covered(sieve: &Sieve) -> Position {
    match sieve.note().split_first_chunk::<8>() {
        Some((covered, [MARKS])) => Position(u64::from_le_bytes(*covered)),
        _ => Log::start(),
    }
}

impl<'a> Replay<'a> {
    pub(super) fn new(urls: &'a Sieve, hosts: &'a Sieve, last: Commit) -> Replay<'a> {
        Replay { urls, hosts, noted: VecDeque::new(), last }
    }

    /// Notes a record; says whether it is a commit.
    pub(super) fn note(&mut self, position: Position, payload: &[u8]) -> bool {
        match record::read(payload) {
            Some(LedgerRecord::Url(found)) => {
                let is_state = found.origin.is_some();
                let at = if is_state { record::of_state(position) } else { position };
                let at = record::marked(at, found.reason);
                self.noted.push_back(Noted::Url(found.id.0, at));
                false
            }
            Some(LedgerRecord::Host(body)) => {
                if let Some(host) = record::decode::<record::HostRecord>(body) {
                    self.noted.push_back(Noted::Host(host_key(&host.authority), position));
                }
                false
            }
            Some(LedgerRecord::Commit(body)) => {
                let Some(commit) = record::decode(body) else { return false };
                self.noted.push_back(Noted::Commit(commit, position));
                true
            }
            Some(LedgerRecord::Robots) | None => false,
        }
    }

    /// Closes a log again whose last commit cannot be read, with the copy of that commit.
    fn restore(&mut self, log: Log, end: Position, commit: Commit) -> Result<Log, StoreError> {
        tracing::warn!(
            number = commit.number,
            "the ledger's last commit is damaged; its copy counts"
        );
        let position = log.append(&record::commit(&commit))?;
        log.sync()?;
        self.noted.retain(|noted| match noted {
            Noted::Url(_, at) | Noted::Host(_, at) => record::plain(*at) < end,
            Noted::Commit(..) => false,
        });
        self.noted.push_back(Noted::Commit(commit, position));
        self.apply(position)?;
        Ok(log)
    }

    /// Puts what was noted up to a commit into the sieves, and their full tables on disk.
    fn apply(&mut self, until: Position) -> Result<(), StoreError> {
        self.remember(until);
        if self.urls.is_full() || self.hosts.is_full() {
            let note = note(until);
            for sieve in [self.hosts, self.urls] {
                sieve.make_room()?;
                sieve.freeze(note.clone());
                sieve.release();
            }
        }
        Ok(())
    }

    /// Puts what was noted up to a commit into the sieves' memory.
    pub(super) fn remember(&mut self, until: Position) {
        while let Some(noted) = self.noted.pop_front() {
            match noted {
                Noted::Url(key, position) => self.urls.set(key, position.0),
                Noted::Host(key, position) => self.hosts.set(key, position.0),
                Noted::Commit(commit, position) => {
                    self.last = commit;
                    self.last.counts.resize(Reason::ALL.len(), 0);
                    if position == until {
                        break;
                    }
                }
            }
        }
    }
}
