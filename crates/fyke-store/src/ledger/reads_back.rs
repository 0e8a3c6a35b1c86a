//! Whether a record says the same when it is written again: asked of bytes of any kind, as a log may hold anything.

use super::record::{self, Commit, HostRecord, LedgerRecord, UrlRecord};
use super::{RobotsCopy, Row};
use crate::Reason;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads the payload of a record and writes it: whether it then reads the same; none where there is no record to read.
#[doc(hidden)]
#[must_use]
pub fn reads_back(payload: &[u8]) -> Option<bool> {
    match record::read(payload)? {
        LedgerRecord::Url(found) => row_reads_back(&found),
        LedgerRecord::Host(body) => value_reads_back::<HostRecord>(body, record::host),
        LedgerRecord::Commit(body) => value_reads_back::<Commit>(body, record::commit),
        LedgerRecord::Robots => {
            let copy: RobotsCopy = record::read_robots(payload)?;
            Some(record::read_robots(&record::robots("a.test", &copy)) == Some(copy))
        }
    }
}

fn row_reads_back(found: &UrlRecord<'_>) -> Option<bool> {
    let origin = || Row::new("http://a.test/", Reason::Queued, 7);
    let (row, written) = match (found.before, found.origin) {
        (Some(before), Some(at)) => {
            let row = found.row_after(origin())?;
            (row.clone(), record::state(found.id, &row, before, at))
        }
        (Some(before), None) => {
            let row = found.row()?;
            (row.clone(), record::whole(found.id, &row, before))
        }
        _ => {
            let row = found.row()?;
            (row.clone(), record::found(found.id, &row))
        }
    };
    let Some(LedgerRecord::Url(again)) = record::read(&written) else { return Some(false) };
    let same = again.id == found.id
        && again.before == found.before.map(record::plain)
        && again.origin == found.origin.map(record::plain);
    let read = if again.origin.is_some() { again.row_after(origin()) } else { again.row() };
    Some(same && read == Some(row))
}

fn value_reads_back<T: DeserializeOwned + Serialize + PartialEq>(
    body: &[u8],
    write: fn(&T) -> Vec<u8>,
) -> Option<bool> {
    let value: T = record::decode(body)?;
    let written = write(&value);
    Some(record::decode(written.get(1..)?).as_ref() == Some(&value))
}
