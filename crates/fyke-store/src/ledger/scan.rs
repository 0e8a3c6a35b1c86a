//! The rows that stand now, read from the log in two passes: the first marks every record that a
//! later one replaced, a bit for each eight bytes of log (a record is longer than that, so no two
//! share a bit); the second gives the records that are left.

use super::record::{self, LedgerRecord};
use super::{LedgerView, Row};
use crate::log::{Log, LogScan, Position};
use crate::{Reason, Spot, StoreError};
use fyke_web::UrlId;

/// Bits by file and byte.
#[derive(Debug, Default)]
struct FileMarks(Vec<Vec<u64>>);

/// Where the mark of a position stands.
struct MarkPlace {
    file: usize,
    word: usize,
    bit: u64,
}

impl FileMarks {
    fn place(position: Position) -> MarkPlace {
        let Spot { file, offset } = record::plain(position).spot();
        let word = (offset / 512) as usize;
        MarkPlace { file: file as usize, word, bit: 1 << (offset / 8 % 64) }
    }

    fn set(&mut self, position: Position) {
        let MarkPlace { file, word, bit } = FileMarks::place(position);
        if self.0.len() <= file {
            self.0.resize(file + 1, Vec::new());
        }
        let words = &mut self.0[file];
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        words[word] |= bit;
    }

    fn has(&self, position: Position) -> bool {
        let MarkPlace { file, word, bit } = FileMarks::place(position);
        self.0.get(file).and_then(|words| words.get(word)).is_some_and(|word| word & bit != 0)
    }
}

/// A row with its record's place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedRow {
    pub position: Position,
    pub id: UrlId,
    pub row: Row,
}

/// Current rows, in log order.
#[derive(Debug)]
pub(super) struct CurrentRows<'a> {
    ledger: &'a LedgerView,
    replaced: FileMarks,
    scan: LogScan<'a>,
    wanted: Option<Reason>,
    end: Position,
    /// With damage in the log, a record may not be known to be replaced.
    is_unsure: bool,
}

impl<'a> CurrentRows<'a> {
    /// The rows that stand at this moment, all or those of one reason.
    pub(super) fn new(ledger: &'a LedgerView, wanted: Option<Reason>) -> CurrentRows<'a> {
        let end = ledger.log.end();
        let mut replaced = FileMarks::default();
        let mut scan = ledger.log.scan(Log::start(), end);
        // What cannot be read at all is told by the second pass.
        while let Ok(Some((_, payload))) = scan.next_good() {
            if let Some(LedgerRecord::Url(record)) = record::read(payload)
                && let Some(before) = record.before
                && before < end
            {
                replaced.set(before);
            }
        }
        let is_unsure = scan.has_passed;
        let scan = ledger.log.scan(Log::start(), end);
        CurrentRows { ledger, replaced, scan, wanted, end, is_unsure }
    }

    /// Whether a record was replaced by one that can still be read.
    fn is_stale(&self, id: UrlId, position: Position) -> Result<bool, StoreError> {
        let latest = self.ledger.position(id)?.map(record::plain);
        let Some(latest) = latest.filter(|latest| *latest != position && *latest < self.end) else {
            return Ok(false);
        };
        Ok(self.ledger.row_at(id, latest)?.is_some())
    }

    /// The next row that stands and is wanted; records whose row cannot be read are passed over.
    fn next_row(&mut self) -> Result<Option<PlacedRow>, StoreError> {
        while let Some((position, payload)) = self.scan.next_good()? {
            let Some(LedgerRecord::Url(found)) = record::read(payload) else { continue };
            let is_wanted = self.wanted.is_none_or(|reason| reason == found.reason);
            if !is_wanted || self.replaced.has(position) {
                continue;
            }
            let at = if found.origin.is_some() { record::of_state(position) } else { position };
            let at = record::marked(at, found.reason);
            let (id, row) = (found.id, self.ledger.row(at, &found)?);
            if self.is_unsure && self.is_stale(id, position)? {
                continue;
            }
            if let Some(row) = row {
                return Ok(Some(PlacedRow { position: at, id, row }));
            }
        }
        Ok(None)
    }
}

impl Iterator for CurrentRows<'_> {
    type Item = Result<PlacedRow, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}

/// The URLs of all records that tell one.
pub(super) fn found(ledger: &LedgerView) -> impl Iterator<Item = Result<String, StoreError>> {
    let mut scan = ledger.log.scan(Log::start(), ledger.log.end());
    std::iter::from_fn(move || {
        loop {
            let (_, payload) = match scan.next_good().transpose()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            let Some(LedgerRecord::Url(found)) = record::read(payload) else { continue };
            if found.origin.is_none()
                && let Some(row) = found.row()
            {
                return Some(Ok(row.url));
            }
        }
    })
}
