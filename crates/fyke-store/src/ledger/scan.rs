//! The rows that stand now, read from the log in two passes: the first marks every record that a
//! later one replaced, a bit for each eight bytes of log (a record is longer than that, so no two
//! share a bit); the second gives the records that are left.

use super::record::{self, Record};
use super::{Ledger, Row};
use crate::log::{Log, Position, Scan};
use crate::{Reason, StoreError};
use fyke_web::UrlId;

/// Bits by file and byte.
#[derive(Debug, Default)]
struct Marks(Vec<Vec<u64>>);

impl Marks {
    /// File, word and bit of a position.
    fn place(position: Position) -> (usize, usize, u64) {
        let (file, offset) = record::plain(position).spot();
        (file as usize, (offset / 512) as usize, 1 << (offset / 8 % 64))
    }

    fn set(&mut self, position: Position) {
        let (file, word, bit) = Marks::place(position);
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
        let (file, word, bit) = Marks::place(position);
        self.0.get(file).and_then(|words| words.get(word)).is_some_and(|word| word & bit != 0)
    }
}

/// Current rows, in log order.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    ledger: &'a Ledger,
    replaced: Marks,
    scan: Scan<'a>,
    wanted: Option<Reason>,
}

impl<'a> Rows<'a> {
    /// The rows that stand at this moment, all or those of one reason.
    pub(super) fn new(ledger: &'a Ledger, wanted: Option<Reason>) -> Rows<'a> {
        let end = ledger.log.end();
        let mut replaced = Marks::default();
        let mut scan = ledger.log.scan(Log::start(), end);
        while let Some(found) = scan.next() {
            // Damage is told by the second pass.
            if let Ok((_, payload)) = found
                && let Some(Record::Url(record)) = record::read(payload)
                && let Some(before) = record.before
                && before < end
            {
                replaced.set(before);
            }
        }
        Rows { ledger, replaced, scan: ledger.log.scan(Log::start(), end), wanted }
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<(Position, UrlId, Row), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (position, payload) = match self.scan.next()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            let Some(Record::Url(found)) = record::read(payload) else { continue };
            let is_wanted = self.wanted.is_none_or(|reason| reason == found.reason);
            if !is_wanted || self.replaced.has(position) {
                continue;
            }
            let position =
                if found.origin.is_some() { record::of_state(position) } else { position };
            let position = record::marked(position, found.reason);
            let row = self.ledger.row(position, &found);
            return Some(row.map(|row| (position, found.id, row)));
        }
    }
}

/// The URLs of all records that tell one.
pub(super) fn found(ledger: &Ledger) -> impl Iterator<Item = Result<String, StoreError>> {
    let mut scan = ledger.log.scan(Log::start(), ledger.log.end());
    std::iter::from_fn(move || {
        loop {
            let (_, payload) = match scan.next()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            let Some(Record::Url(found)) = record::read(payload) else { continue };
            if found.origin.is_none()
                && let Some(row) = found.row()
            {
                return Some(Ok(row.url));
            }
        }
    })
}
