//! The hosts of the ledger: a row each, its sides with TLS and without, and the robots.txt of each.

use super::record::{self, HostRecord, LedgerRecord};
use super::{HostRow, Ledger, LedgerView, RobotsCopy};
use crate::StoreError;
use crate::log::Position;
use crate::tail::locked;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

impl LedgerView {
    /// What is known of a host, with its robots.txt.
    pub fn host(&self, authority: &str) -> Result<Option<HostRow>, StoreError> {
        let found = self.host_record(authority)?;
        found.map(|found| self.with_robots(found)).transpose()
    }

    /// What is known of a host without its robots.txt, which is not read.
    pub fn host_without_robots(&self, authority: &str) -> Result<Option<HostRow>, StoreError> {
        Ok(self.host_record(authority)?.map(|found| found.row))
    }

    pub(super) fn host_record(&self, authority: &str) -> Result<Option<HostRecord>, StoreError> {
        let Some(position) = self.hosts.get(host_key(authority))? else { return Ok(None) };
        let found = self.host_at(Position(position))?;
        Ok(found.filter(|found| found.authority == authority))
    }

    pub(super) fn host_at(&self, position: Position) -> Result<Option<HostRecord>, StoreError> {
        let Some(payload) = self.log.read_good(position)? else { return Ok(None) };
        let host = match record::read(&payload) {
            Some(LedgerRecord::Host(body)) => record::decode::<HostRecord>(body),
            _ => None,
        };
        Ok(host.or_else(|| self.unusable(position, "it is about no host")))
    }

    pub(super) fn with_robots(&self, host: HostRecord) -> Result<HostRow, StoreError> {
        let HostRecord { mut row, robots, .. } = host;
        if let Some(position) = robots.map(|(position, _)| Position(position)) {
            let payload = self.log.read_good(position)?;
            row.robots = payload.and_then(|payload| {
                let copy = record::read_robots(&payload);
                copy.or_else(|| self.unusable(position, "it is no copy of a robots.txt"))
            });
        }
        Ok(row)
    }
}

impl Ledger {
    /// Writes what is now known of a host. A robots copy that did not change is not written again;
    /// without one the copy in the ledger stays.
    pub fn put_host(&self, authority: &str, host: &HostRow) -> Result<(), StoreError> {
        let old = self.host_record(authority)?.and_then(|known| known.robots);
        let hash = host.robots.as_ref().map(|copy| {
            let seed = xxh3_64_with_seed(&copy.fetched.to_le_bytes(), u64::from(copy.status));
            xxh3_64_with_seed(&copy.body, seed)
        });
        let is_same = hash.is_none() || old.map(|(_, hash)| hash) == hash;
        let robots = host.robots.as_ref().filter(|_| !is_same);
        let robots = robots.map(|copy| record::robots(authority, copy));
        let (waits, mirror_of) = (host.waits.clone(), host.mirror_of.clone());
        let row = HostRow { robots: None, waits, mirror_of, ..*host };
        let mut new = HostRecord { authority: authority.to_owned(), row, robots: old };

        let _standing = locked(&self.standing);
        if !is_same {
            let position = robots.map(|payload| self.log.append(&payload)).transpose()?;
            new.robots = position.zip(hash).map(|(position, hash)| (position.0, hash));
        }
        let position = self.log.append(&record::host(&new))?;
        self.hosts.set(host_key(authority), position.0);
        Ok(())
    }
}

impl LedgerView {
    /// The trouble that one side of a host has, with TLS or without: failures, and why and until when it
    /// waits. That with TLS has its own robots.txt there, too; the plain one's is in the host's row.
    pub fn side(&self, authority: &str, is_secure: bool) -> Result<Option<HostRow>, StoreError> {
        self.host(&side(authority, is_secure))
    }

    /// The robots.txt that binds a host's URLs with TLS. The plain ones have that of the host's row.
    pub fn secure_robots(&self, authority: &str) -> Result<Option<RobotsCopy>, StoreError> {
        Ok(self.side(authority, true)?.and_then(|row| row.robots))
    }

    /// What is known of a host, with the worse trouble of its two sides.
    pub fn with_sides(&self, authority: &str, host: HostRow) -> Result<HostRow, StoreError> {
        let mut host = host;
        for is_secure in [false, true] {
            let side = self.host_record(&side(authority, is_secure))?.map(|found| found.row);
            host = host.with_side(side.unwrap_or_default());
        }
        Ok(host)
    }
}

impl Ledger {
    /// Writes the trouble of one side of a host; without a robots.txt the copy in the ledger stays.
    pub fn put_side(
        &self,
        authority: &str,
        is_secure: bool,
        row: &HostRow,
    ) -> Result<(), StoreError> {
        self.put_host(&side(authority, is_secure), row)
    }
}

/// The name under which one side of a host is kept, beside the host itself.
fn side(authority: &str, is_secure: bool) -> String {
    let scheme = if is_secure { "https" } else { "http" };
    format!("{scheme}://{authority}")
}

pub(super) fn host_key(authority: &str) -> u64 {
    xxh3_64(authority.as_bytes())
}
