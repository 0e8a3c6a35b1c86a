//! `ledger/acknowledged`: the end of the last commit, to notice a log that lost its tail, and a copy of
//! that commit, should its record be damaged.
//!
//! End (eight bytes), length of the copy (four), the copy, checksum (eight); all little-endian. Earlier
//! versions wrote the end alone.

use super::record::{self, Commit, LedgerRecord};
use crate::log::Position;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What was promised last.
#[derive(Debug, PartialEq)]
pub(super) struct Acknowledged {
    pub(super) end: Position,
    pub(super) commit: Option<Commit>,
}

/// The file's bytes for a commit that ends there, as it stands in the log.
pub(super) fn write(end: Position, commit: &[u8]) -> Vec<u8> {
    let checksum = xxh3_64_with_seed(commit, end.0).to_le_bytes();
    let length = (commit.len() as u32).to_le_bytes();
    [&end.0.to_le_bytes(), &length[..], commit, &checksum].concat()
}

/// Reads the file; none when it is damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Acknowledged> {
    let (end, rest) = bytes.split_first_chunk::<8>()?;
    let end = Position(u64::from_le_bytes(*end));
    if rest.is_empty() {
        return Some(Acknowledged { end, commit: None });
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    // A longer copy may have stood there before.
    let (commit, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let checksum = u64::from_le_bytes(*rest.first_chunk::<8>()?);
    if checksum != xxh3_64_with_seed(commit, end.0) {
        return None;
    }
    match record::read(commit)? {
        LedgerRecord::Commit(body) => Some(Acknowledged { end, commit: record::decode(body) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tail::Spot;

    #[test]
    fn the_copy_of_a_commit_comes_back_unless_a_byte_was_flipped() {
        let commit = Commit { number: 7, end: Spot::new(1, 2_000), counts: vec![3, 0, 70_000] };
        let bytes = write(Position(900), &record::commit(&commit));
        let whole = Acknowledged { end: Position(900), commit: Some(commit) };
        assert_eq!(read(&bytes), Some(whole));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            assert_eq!(read(&flipped), None, "byte {at}");
        }
    }

    #[test]
    fn the_end_alone_is_read_as_earlier_versions_wrote_it() {
        let old = Acknowledged { end: Position(900), commit: None };
        assert_eq!(read(&900u64.to_le_bytes()), Some(old));
        assert_eq!(read(&[]), None);
    }
}
