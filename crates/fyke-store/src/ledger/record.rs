//! The ledger's records as they stand in the log. The first byte says of which kind one is; a kind's
//! encoding never changes, a new one gets a new number.
//!
//! | kind | fields |
//! |---|---|
//! | 1, 2, 3, 7, 8 | rows of earlier versions, read and no longer written: `record/before.rs` |
//! | 4 host | authority, counters, position and hash of the robots copy |
//! | 5 robots | a copy of robots.txt |
//! | 6 commit | number, end of the captures, URLs by reason |
//! | 9 found | id, reason, every field: a new URL |
//! | 10 state | id, reason, position before, how far before that the origin stands, fields of a state |
//! | 11 whole | id, reason, position before, every field: URL, parent or time changed as well |
//!
//! The fields of a row are a table of their own: `record/fields.rs`.

mod before;
mod fields;

use super::{HostRow, Known, RobotsCopy, Row};
use crate::Reason;
use crate::log::Position;
use crate::tail::Spot;
use fields::Belongs;
use fyke_web::UrlId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const HOST: u8 = 4;
const ROBOTS: u8 = 5;
const COMMIT: u8 = 6;
const FOUND: u8 = 9;
const STATE: u8 = 10;
const WHOLE: u8 = 11;

/// Set in the position of a state, which names its origin but holds no URL. Offsets are smaller.
const NEEDS_ORIGIN: u64 = 1 << 31;
/// Set in the position of a record whose URL was refused for the way it was found, so that the log need
/// not be read to know that: for links that may not be followed, …
const NOFOLLOW: u64 = 1 << 30;
/// … or for its distance.
const FAR: u64 = 1 << 29;

/// One acknowledged point of the log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Commit {
    pub(super) number: u64,
    /// Up to where captures are acknowledged.
    pub(super) end: Spot,
    /// URLs by reason, in the order of the reasons' numbers.
    pub(super) counts: Vec<u64>,
}

/// A host without its robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HostRecord {
    pub(super) authority: String,
    pub(super) row: HostRow,
    /// Position and hash of the robots copy.
    pub(super) robots: Option<(u64, u64)>,
}

/// A record about a URL, its fixed fields read.
#[derive(Debug)]
pub(super) struct UrlRecord<'a> {
    pub(super) id: UrlId,
    pub(super) reason: Reason,
    /// The record it replaces.
    pub(super) before: Option<Position>,
    /// The record that holds URL, parent and time, when this does not.
    pub(super) origin: Option<Position>,
    layout: RowLayout,
    body: &'a [u8],
}

/// How a row's fields stand in a record.
#[derive(Clone, Copy, Debug)]
enum RowLayout {
    /// By their tags.
    Tagged,
    Before(before::Earlier),
}

/// What a record is about.
#[derive(Debug)]
pub(super) enum LedgerRecord<'a> {
    Url(UrlRecord<'a>),
    Host(&'a [u8]),
    Robots,
    Commit(&'a [u8]),
}

/// Position without what the ledger marks in it.
pub(super) fn plain(position: Position) -> Position {
    Position(position.0 & !(NEEDS_ORIGIN | NOFOLLOW | FAR))
}

/// Marks the position of a record by its reason.
pub(super) fn marked(position: Position, reason: Reason) -> Position {
    let mark = match Known::under(reason) {
        Known::Nofollow => NOFOLLOW,
        Known::Far => FAR,
        Known::No | Known::Yes => 0,
    };
    Position(position.0 | mark)
}

/// How the URL of the record at this position is known.
pub(super) fn known(position: Position) -> Known {
    match (position.0 & NOFOLLOW, position.0 & FAR) {
        (0, 0) => Known::Yes,
        (0, _) => Known::Far,
        _ => Known::Nofollow,
    }
}

/// Marks the position of a state.
pub(super) fn of_state(position: Position) -> Position {
    Position(position.0 | NEEDS_ORIGIN)
}

/// Whether the record at this position holds URL, parent and time itself.
pub(super) fn is_origin(position: Position) -> bool {
    position.0 & NEEDS_ORIGIN == 0
}

pub(super) fn found(id: UrlId, row: &Row) -> Vec<u8> {
    let mut record = head(FOUND, id, row.reason);
    fields::write(&mut record, row, false);
    record
}

pub(super) fn whole(id: UrlId, row: &Row, before: Position) -> Vec<u8> {
    let mut record = head(WHOLE, id, row.reason);
    fields::write_varint(&mut record, plain(before).0);
    fields::write(&mut record, row, false);
    record
}

pub(super) fn state(id: UrlId, row: &Row, before: Position, origin: Position) -> Vec<u8> {
    let mut record = head(STATE, id, row.reason);
    let (before, origin) = (plain(before).0, plain(origin).0);
    fields::write_varint(&mut record, before);
    // The origin is the record before, or an earlier one.
    fields::write_varint(&mut record, before.wrapping_sub(origin));
    fields::write(&mut record, row, true);
    record
}

pub(super) fn host(host: &HostRecord) -> Vec<u8> {
    encode(vec![HOST], host)
}

pub(super) fn robots(authority: &str, copy: &RobotsCopy) -> Vec<u8> {
    encode(vec![ROBOTS], &(authority, copy))
}

pub(super) fn commit(commit: &Commit) -> Vec<u8> {
    encode(vec![COMMIT], commit)
}

fn head(kind: u8, id: UrlId, reason: Reason) -> Vec<u8> {
    let mut head = Vec::with_capacity(192);
    head.push(kind);
    head.extend_from_slice(&id.0.to_le_bytes());
    head.push(reason as u8);
    head
}

fn encode<T: Serialize>(head: Vec<u8>, value: &T) -> Vec<u8> {
    postcard::to_extend(value, head).expect("plain values always encode")
}

/// Reads a record's kind and fixed fields; none when it is of no known kind.
pub(super) fn read(payload: &[u8]) -> Option<LedgerRecord<'_>> {
    let (&kind, body) = payload.split_first()?;
    match kind {
        FOUND | STATE | WHOLE => tagged(kind, body).map(LedgerRecord::Url),
        HOST => Some(LedgerRecord::Host(body)),
        ROBOTS => Some(LedgerRecord::Robots),
        COMMIT => Some(LedgerRecord::Commit(body)),
        _ => before::read(kind, body).map(LedgerRecord::Url),
    }
}

fn tagged(kind: u8, body: &[u8]) -> Option<UrlRecord<'_>> {
    let UrlRecordHead { id, reason, mut body } = UrlRecordHead::read(body)?;
    let (mut before, mut origin) = (None, None);
    if kind != FOUND {
        let (position, rest) = fields::varint(body)?;
        (before, body) = (Some(Position(position)), rest);
        if kind == STATE {
            let (distance, rest) = fields::varint(body)?;
            (origin, body) = (Some(Position(position.wrapping_sub(distance))), rest);
        }
    }
    Some(UrlRecord { id, reason, before, origin, layout: RowLayout::Tagged, body })
}

/// What every record about a URL begins with, and the rest.
struct UrlRecordHead<'a> {
    id: UrlId,
    reason: Reason,
    body: &'a [u8],
}

impl UrlRecordHead<'_> {
    fn read(body: &[u8]) -> Option<UrlRecordHead<'_>> {
        let (id, body) = word(body)?;
        let (&reason, body) = body.split_first()?;
        let reason = *Reason::ALL.get(usize::from(reason))?;
        Some(UrlRecordHead { id: UrlId(id), reason, body })
    }
}

fn word(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*word), rest))
}

impl UrlRecord<'_> {
    /// The row of a record that holds all of it.
    pub(super) fn row(&self) -> Option<Row> {
        self.read(None)
    }

    /// What a record that holds all of a row says of how its URL was found, for a state that stands on it.
    pub(super) fn as_origin(&self) -> Option<Row> {
        self.read(Some(Belongs::Origin))
    }

    fn read(&self, only: Option<Belongs>) -> Option<Row> {
        if self.origin.is_some() {
            return None;
        }
        match self.layout {
            RowLayout::Before(layout) => before::row(layout, self.body, only.is_some()),
            RowLayout::Tagged => {
                let mut row = fields::blank(self.reason);
                fields::read(self.body, &mut row, only)?;
                Some(row)
            }
        }
    }

    /// The row of a state, on what its origin gave.
    pub(super) fn row_after(&self, mut origin: Row) -> Option<Row> {
        origin.reason = self.reason;
        match self.layout {
            RowLayout::Before(_) => before::row_after(self.body, origin),
            RowLayout::Tagged => {
                fields::read(self.body, &mut origin, Some(Belongs::State))?;
                Some(origin)
            }
        }
    }
}

pub(super) fn decode<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    postcard::from_bytes(body).ok()
}

/// The copy in a robots record.
pub(super) fn read_robots(payload: &[u8]) -> Option<RobotsCopy> {
    let body = payload.strip_prefix(&[ROBOTS])?;
    decode::<(String, RobotsCopy)>(body).map(|(_, copy)| copy)
}
