//! The ledger's records as they stand in the log. The first byte says of which kind one is; a kind's
//! encoding never changes, a new one gets a new number.
//!
//! | kind | fields |
//! |---|---|
//! | 1 found | id, reason, the whole row: a new URL |
//! | 2 state | id, reason, position before, position of the origin, what may change |
//! | 3 whole | id, reason, position before, the whole row: URL, parent or time changed as well |
//! | 4 host | authority, counters, position and hash of the robots copy |
//! | 5 robots | a copy of robots.txt |
//! | 6 commit | number, end of the captures, URLs by reason |
//! | 7 found | as 1, and what a sitemap said of the URL |
//! | 8 whole | as 3, and what a sitemap said of the URL |

use super::{HostRow, Known, Listed, RobotsCopy, Row};
use crate::log::Position;
use crate::tail::Spot;
use crate::{Place, Reason};
use fyke_web::UrlId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const FOUND: u8 = 1;
const STATE: u8 = 2;
const WHOLE: u8 = 3;
const HOST: u8 = 4;
const ROBOTS: u8 = 5;
const COMMIT: u8 = 6;
const FOUND_LISTED: u8 = 7;
const WHOLE_LISTED: u8 = 8;

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
    /// What a sitemap said stands after the row.
    is_listed: bool,
    body: &'a [u8],
}

/// What a record is about.
#[derive(Debug)]
pub(super) enum Record<'a> {
    Url(UrlRecord<'a>),
    Host(&'a [u8]),
    Robots,
    Commit(&'a [u8]),
}

/// What may change about a URL, as it is encoded.
type Change =
    (u16, u8, Option<i64>, u16, u16, Option<Place>, Option<[u8; 16]>, Option<String>, String);

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
    let kind = if row.listed.is_some() { FOUND_LISTED } else { FOUND };
    encode_row(head(kind, id, row.reason, &[]), row)
}

pub(super) fn whole(id: UrlId, row: &Row, before: Position) -> Vec<u8> {
    let kind = if row.listed.is_some() { WHOLE_LISTED } else { WHOLE };
    encode_row(head(kind, id, row.reason, &[before]), row)
}

fn encode_row(head: Vec<u8>, row: &Row) -> Vec<u8> {
    match &row.listed {
        None => encode(head, row),
        Some(listed) => encode(head, &(row, listed)),
    }
}

pub(super) fn state(id: UrlId, row: &Row, before: Position, origin: Position) -> Vec<u8> {
    let change = (
        row.depth,
        row.priority,
        row.fetched,
        row.status,
        row.tries,
        row.capture,
        row.digest,
        row.redirect.as_deref(),
        row.detail.as_str(),
    );
    encode(head(STATE, id, row.reason, &[before, origin]), &change)
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

fn head(kind: u8, id: UrlId, reason: Reason, positions: &[Position]) -> Vec<u8> {
    let mut head = Vec::with_capacity(192);
    head.push(kind);
    head.extend_from_slice(&id.0.to_le_bytes());
    head.push(reason as u8);
    for &position in positions {
        head.extend_from_slice(&plain(position).0.to_le_bytes());
    }
    head
}

fn encode<T: Serialize>(head: Vec<u8>, value: &T) -> Vec<u8> {
    postcard::to_extend(value, head).expect("plain values always encode")
}

/// Reads a record's kind and fixed fields; none when it is of no known kind.
pub(super) fn read(payload: &[u8]) -> Option<Record<'_>> {
    let (&kind, body) = payload.split_first()?;
    match kind {
        FOUND | FOUND_LISTED => url(body, 0, kind == FOUND_LISTED).map(Record::Url),
        WHOLE | WHOLE_LISTED => url(body, 1, kind == WHOLE_LISTED).map(Record::Url),
        STATE => url(body, 2, false).map(Record::Url),
        HOST => Some(Record::Host(body)),
        ROBOTS => Some(Record::Robots),
        COMMIT => Some(Record::Commit(body)),
        _ => None,
    }
}

fn url(body: &[u8], positions: usize, is_listed: bool) -> Option<UrlRecord<'_>> {
    let (id, body) = word(body)?;
    let (&reason, mut body) = body.split_first()?;
    let reason = *Reason::ALL.get(usize::from(reason))?;
    let (before, origin) = (None, None);
    let mut record = UrlRecord { id: UrlId(id), reason, before, origin, is_listed, body };
    for at in 0..positions {
        let (position, rest) = word(body)?;
        body = rest;
        let field = if at == 0 { &mut record.before } else { &mut record.origin };
        *field = Some(Position(position));
    }
    Some(UrlRecord { body, ..record })
}

fn word(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*word), rest))
}

impl UrlRecord<'_> {
    /// The row of a record that holds all of it.
    pub(super) fn row(&self) -> Option<Row> {
        if !self.is_listed {
            return decode(self.body);
        }
        let (row, listed): (Row, Listed) = decode(self.body)?;
        Some(Row { listed: Some(listed), ..row })
    }

    /// The row of a state, from the row of its origin.
    pub(super) fn row_after(&self, origin: Row) -> Option<Row> {
        let (depth, priority, fetched, status, tries, capture, digest, redirect, detail): Change =
            decode(self.body)?;
        let reason = self.reason;
        let Row { url, parent, found, listed, .. } = origin;
        Some(Row {
            url,
            reason,
            parent,
            depth,
            priority,
            found,
            fetched,
            status,
            tries,
            capture,
            digest,
            redirect,
            detail,
            listed,
        })
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
