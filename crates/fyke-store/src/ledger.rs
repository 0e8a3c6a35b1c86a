//! The URL ledger: every URL ever seen with its one current reason; hosts and their robots (B1).
//!
//! Keyspaces: `urls` (id → row), `queued` (priority, time found, id → row: the queue as it stands,
//! so that a resumed crawl reads no more than what waits), `hosts` (authority → host), `counts`
//! (reason → number) and `meta`. Rows are keyed by id alone, because that is what a caller holds;
//! the partition that owns a row follows from its URL, and a scan of one partition is a filter over
//! `rows`.

use crate::table::{Table, encode};
use crate::{Place, Reason, StoreError};
use fjall::Keyspace;
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What is known of one URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// As first found.
    pub url: String,
    pub reason: Reason,
    /// The page it was first found on; none for seeds.
    pub parent: Option<UrlId>,
    /// Links from a seed.
    pub depth: u16,
    /// Front queue, 1 (best) to K.
    pub priority: u8,
    /// When first seen, milliseconds since 1970.
    pub found: i64,
    /// When last asked for.
    pub fetched: Option<i64>,
    /// HTTP status of the last answer, 0 when none came.
    pub status: u16,
    /// How often it was asked for.
    pub tries: u16,
    /// Its last capture.
    pub capture: Option<Place>,
    /// blake3 of the payload, first 16 bytes.
    pub digest: Option<[u8; 16]>,
    /// Where it redirects to.
    pub redirect: Option<String>,
    /// More about the reason: the robots line, the error's text, the trap's pattern.
    pub detail: String,
}

/// The last good copy of a host's robots.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotsCopy {
    pub fetched: i64,
    /// 200: `body` binds; 4xx: all allowed; anything else: unreachable, all disallowed.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What is known of one host (keyed by authority: "a.test" or "a.test:8080").
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HostRow {
    pub robots: Option<RobotsCopy>,
    /// No request before this time, milliseconds since 1970 (Retry-After, back-off).
    pub not_before: i64,
    /// Failures in a row.
    pub failures: u32,
    /// Pages fetched (counts against per_host_pages).
    pub pages: u64,
    /// Bytes of payload received.
    pub bytes: u64,
    /// Why it waits, in words, empty when it does not.
    pub waits: String,
}

/// The last acknowledged commit, in the ledger's own words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Commit {
    /// How many commits there were.
    number: u64,
    /// Up to where captures are acknowledged.
    end: (u32, u64),
}

/// The ledger on disk.
pub struct Ledger {
    table: Table,
    urls: Keyspace,
    queued: Keyspace,
    hosts: Keyspace,
    counts: Keyspace,
    meta: Keyspace,
    /// The counts in memory, always those on disk.
    standing: BTreeMap<Reason, u64>,
    commit: Commit,
    /// Holds the number of the last acknowledged commit, to notice a table that lost its tail.
    acknowledged: File,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("table", &self.table).finish_non_exhaustive()
    }
}

const COMMIT: &[u8] = b"commit";

impl Ledger {
    /// Opens the ledger in `dir`. A torn tail of fjall's journal is dropped without a word, so what
    /// it holds is compared with the number of the last commit that was acknowledged.
    pub(crate) fn open(dir: &Path) -> Result<Ledger, StoreError> {
        let names = ["urls", "queued", "hosts", "counts", "meta"];
        let (table, keyspaces) = Table::open(&dir.join("table"), &names)?;
        let Ok([urls, queued, hosts, counts, meta]) = <[Keyspace; 5]>::try_from(keyspaces) else {
            return Err(StoreError::damaged(dir, "a keyspace is missing"));
        };
        let commit: Commit = table.get(&meta, COMMIT)?.unwrap_or_default();
        let path = dir.join("acknowledged");
        let acknowledged = fs::read(&path).ok().and_then(|bytes| bytes.try_into().ok());
        let promised = acknowledged.map_or(0, u64::from_le_bytes);
        if promised > commit.number {
            let what = format!(
                "it ends with commit {}, but {promised} were acknowledged; to go on with what is \
                 left, remove {}",
                commit.number,
                path.display()
            );
            return Err(StoreError::damaged(table.dir(), what));
        }
        let acknowledged = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let acknowledged = acknowledged.map_err(|e| StoreError::io(&path, e))?;
        let mut standing = BTreeMap::new();
        for guard in counts.iter() {
            let (_, (reason, count)) = table.entry::<(Reason, u64)>(guard)?;
            if count > 0 {
                standing.insert(reason, count);
            }
        }
        Ok(Ledger { table, urls, queued, hosts, counts, meta, standing, commit, acknowledged })
    }

    /// Up to where captures are acknowledged: file and length.
    pub(crate) fn end(&self) -> (u32, u64) {
        self.commit.end
    }

    /// Settles what was committed, so that the next opening is quick.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        let all = [&self.urls, &self.queued, &self.hosts, &self.counts, &self.meta];
        self.table.settle(&all)
    }

    /// What is known of a URL.
    ///
    /// # Errors
    /// When the table cannot be read (so all of these).
    pub fn get(&self, id: UrlId) -> Result<Option<Row>, StoreError> {
        self.table.get(&self.urls, &id.0.to_be_bytes())
    }

    /// What is known of a host.
    pub fn host(&self, authority: &str) -> Result<Option<HostRow>, StoreError> {
        self.table.get(&self.hosts, authority.as_bytes())
    }

    /// All hosts, by name.
    pub fn hosts(&self) -> impl Iterator<Item = Result<(String, HostRow), StoreError>> {
        self.hosts.iter().map(|guard| {
            let (key, host) = self.table.entry(guard)?;
            Ok((String::from_utf8_lossy(&key).into_owned(), host))
        })
    }

    /// All rows, by id.
    pub fn rows(&self) -> impl Iterator<Item = Result<(UrlId, Row), StoreError>> {
        self.urls.iter().map(|guard| {
            let (key, row) = self.table.entry(guard)?;
            Ok((UrlId(self.table.id(&key, 0)?), row))
        })
    }

    /// The rows that stand as queued: best priority first, then in the order they were found.
    pub fn queued(&self) -> impl Iterator<Item = Result<(UrlId, Row), StoreError>> {
        self.queued.iter().map(|guard| {
            let (key, row) = self.table.entry(guard)?;
            Ok((UrlId(self.table.id(&key, 9)?), row))
        })
    }

    /// How many URLs stand under each reason (kept up to date by commits, not by a scan).
    pub fn counts(&self) -> Result<BTreeMap<Reason, u64>, StoreError> {
        Ok(self.standing.clone())
    }

    /// Writes rows, hosts, counts and the end of the captures in one durable batch. Of two rows of
    /// one URL the later stands.
    pub(crate) fn commit(
        &mut self,
        rows: &[(UrlId, Row)],
        hosts: &[(String, HostRow)],
        end: (u32, u64),
    ) -> Result<(), StoreError> {
        let mut batch = self.table.batch();
        let mut standing = self.standing.clone();
        let rows: BTreeMap<UrlId, &Row> = rows.iter().map(|(id, row)| (*id, row)).collect();
        for (&id, row) in &rows {
            let key = id.0.to_be_bytes();
            let old: Option<Row> = self.table.get(&self.urls, &key)?;
            if let Some(old) = &old {
                let count = standing.entry(old.reason).or_default();
                *count = count.saturating_sub(1);
            }
            *standing.entry(row.reason).or_default() += 1;
            let value = fjall::UserValue::from(encode(row));
            let place = queue_key(id, row);
            // One key must not be written twice in a batch: all of it has the same age.
            if let Some(left) =
                old.and_then(|old| queue_key(id, &old)).filter(|k| Some(*k) != place)
            {
                batch.remove(&self.queued, left);
            }
            if let Some(place) = place {
                batch.insert(&self.queued, place, value.clone());
            }
            batch.insert(&self.urls, key, value);
        }
        let hosts: BTreeMap<&str, &HostRow> = hosts.iter().map(|(a, h)| (&**a, h)).collect();
        for (authority, host) in hosts {
            batch.insert(&self.hosts, authority, encode(host));
        }
        standing.retain(|reason, count| {
            if self.standing.get(reason) != Some(count) {
                batch.insert(&self.counts, [*reason as u8], encode(&(*reason, *count)));
            }
            *count > 0
        });
        let commit = Commit { number: self.commit.number + 1, end };
        batch.insert(&self.meta, COMMIT, encode(&commit));
        self.table.commit_durably(batch)?;
        (self.standing, self.commit) = (standing, commit);
        self.acknowledge();
        Ok(())
    }

    /// Notes the commit's number outside the table. Not synced: after a power cut an older number
    /// may stand there, which only makes the check at the next opening weaker.
    fn acknowledge(&self) {
        if let Err(error) = self.acknowledged.write_all_at(&self.commit.number.to_le_bytes(), 0) {
            tracing::warn!(%error, "the number of the last commit could not be noted");
        }
    }
}

/// Where a row stands in the queue, if it does: priority, time found, id.
fn queue_key(id: UrlId, row: &Row) -> Option<[u8; 17]> {
    (row.reason == Reason::Queued).then(|| {
        let mut key = [0; 17];
        key[0] = row.priority;
        // The sign bit turned over makes times before 1970 sort first.
        key[1..9].copy_from_slice(&(row.found as u64 ^ 1 << 63).to_be_bytes());
        key[9..].copy_from_slice(&id.0.to_be_bytes());
        key
    })
}
