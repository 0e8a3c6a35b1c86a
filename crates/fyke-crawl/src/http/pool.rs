//! Idle connections, kept over the politeness gap: one a host, bounded in number over all hosts (the
//! oldest go first) and each in time, by our limit and by what its server said in `Keep-Alive`.

use super::connection::Connection;
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Where a connection leads, and the host it was made for.
pub(super) type PoolKey = (Option<SocketAddr>, String);

/// The idle connections of all hosts.
#[derive(Debug)]
pub(super) struct Pool {
    most: usize,
    idle_for: Duration,
    kept: Mutex<PooledConnection>,
}

#[derive(Debug, Default)]
struct PooledConnection {
    /// By the order in which they came, so the first is the oldest.
    idle: BTreeMap<u64, IdleConnection>,
    ids: HashMap<PoolKey, u64>,
    last: u64,
}

#[derive(Debug)]
struct IdleConnection {
    key: PoolKey,
    until: Instant,
    connection: Connection,
}

impl Pool {
    pub(super) fn new(most: usize, idle_for: Duration) -> Pool {
        Pool { most, idle_for, kept: Mutex::default() }
    }

    /// The host's idle connection, unless it is known to be closed.
    pub(super) fn take(&self, key: &PoolKey) -> Option<Connection> {
        let mut idle = self.lock().remove(key)?;
        let is_good = idle.until > Instant::now() && !idle.connection.is_closed();
        is_good.then_some(idle.connection)
    }

    /// Keeps a connection, for as long as its server promised if that is shorter than our own limit.
    pub(super) fn keep(&self, key: PoolKey, connection: Connection, promised: Option<Duration>) {
        let now = Instant::now();
        let time = promised.unwrap_or(self.idle_for).min(self.idle_for);
        if time.is_zero() {
            return;
        }
        let mut kept = self.lock();
        kept.insert(IdleConnection { key, until: now + time, connection });
        while kept.idle.len() > self.most || kept.oldest_is_over(now) {
            kept.drop_oldest();
        }
    }

    fn lock(&self) -> MutexGuard<'_, PooledConnection> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PooledConnection {
    fn insert(&mut self, idle: IdleConnection) {
        self.last += 1;
        if let Some(older) = self.ids.insert(idle.key.clone(), self.last) {
            self.idle.remove(&older);
        }
        self.idle.insert(self.last, idle);
    }

    fn remove(&mut self, key: &PoolKey) -> Option<IdleConnection> {
        let id = self.ids.remove(key)?;
        self.idle.remove(&id)
    }

    fn oldest_is_over(&self, now: Instant) -> bool {
        self.idle.values().next().is_some_and(|idle| idle.until <= now)
    }

    fn drop_oldest(&mut self) {
        if let Some((_, idle)) = self.idle.pop_first() {
            self.ids.remove(&idle.key);
        }
    }
}
