//! Idle connections, kept over the politeness gap: bounded in number over all hosts (the oldest go
//! first) and each in time, by our limit and by what its server said in `Keep-Alive`.

use super::connection::Connection;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The idle connections of all hosts.
#[derive(Debug)]
pub(super) struct Pool {
    most: usize,
    idle_for: Duration,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// By the order in which they came, so the first is the oldest.
    idle: BTreeMap<u64, Idle>,
    ids: HashMap<String, Vec<u64>>,
    last: u64,
}

#[derive(Debug)]
struct Idle {
    key: String,
    until: Instant,
    connection: Connection,
}

impl Pool {
    pub(super) fn new(most: usize, idle_for: Duration) -> Pool {
        Pool { most, idle_for, kept: Mutex::default() }
    }

    /// The youngest idle connection under this key that is not known to be closed.
    pub(super) fn take(&self, key: &str) -> Option<Connection> {
        let now = Instant::now();
        let mut kept = self.lock();
        while let Some(idle) = kept.youngest(key) {
            if idle.until > now && !idle.connection.is_closed() {
                return Some(idle.connection);
            }
        }
        None
    }

    /// Keeps a connection, for as long as its server promised if that is shorter than our own limit.
    pub(super) fn keep(&self, key: String, connection: Connection, promised: Option<Duration>) {
        let now = Instant::now();
        let time = promised.unwrap_or(self.idle_for).min(self.idle_for);
        if time.is_zero() || connection.is_closed() {
            return;
        }
        let mut kept = self.lock();
        kept.insert(Idle { key, until: now + time, connection });
        while kept.idle.len() > self.most || kept.oldest_is_over(now) {
            kept.drop_oldest();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn insert(&mut self, idle: Idle) {
        self.last += 1;
        self.ids.entry(idle.key.clone()).or_default().push(self.last);
        self.idle.insert(self.last, idle);
    }

    fn youngest(&mut self, key: &str) -> Option<Idle> {
        let ids = self.ids.get_mut(key)?;
        let id = ids.pop()?;
        if ids.is_empty() {
            self.ids.remove(key);
        }
        self.idle.remove(&id)
    }

    fn oldest_is_over(&self, now: Instant) -> bool {
        self.idle.values().next().is_some_and(|idle| idle.until <= now)
    }

    fn drop_oldest(&mut self) {
        let Some((id, idle)) = self.idle.pop_first() else { return };
        let Some(ids) = self.ids.get_mut(&idle.key) else { return };
        ids.retain(|other| *other != id);
        if ids.is_empty() {
            self.ids.remove(&idle.key);
        }
    }
}
