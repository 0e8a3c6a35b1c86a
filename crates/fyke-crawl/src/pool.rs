//! Idle connections, kept over the politeness gap: one a host, bounded in time and in number.

use bytes::Bytes;
use http_body_util::Empty;
use hyper::client::conn::http1::SendRequest;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A connection ready for a request.
pub(crate) type Connection = SendRequest<Empty<Bytes>>;

/// The idle connections of all hosts.
#[derive(Debug)]
pub(crate) struct Pool {
    most: usize,
    idle_for: Duration,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    connections: HashMap<String, (Instant, Connection)>,
    /// Keys by age; a key whose connection was taken meanwhile is passed over.
    ages: VecDeque<(Instant, String)>,
}

impl Pool {
    pub(crate) fn new(most: usize, idle_for: Duration) -> Pool {
        Pool { most, idle_for, kept: Mutex::default() }
    }

    /// The host's idle connection, if it is still open.
    pub(crate) fn take(&self, key: &str) -> Option<Connection> {
        let (since, connection) = self.lock().connections.remove(key)?;
        (since.elapsed() < self.idle_for && connection.is_ready()).then_some(connection)
    }

    /// Keeps a connection; the oldest go when there are too many or their time is over.
    pub(crate) fn keep(&self, key: String, connection: Connection) {
        if connection.is_closed() {
            return;
        }
        let now = Instant::now();
        let mut kept = self.lock();
        kept.connections.insert(key.clone(), (now, connection));
        kept.ages.push_back((now, key));
        while let Some((since, _)) = kept.ages.front() {
            let fits = kept.connections.len() <= self.most && kept.ages.len() <= 4 * self.most;
            if fits && since.elapsed() < self.idle_for {
                return;
            }
            let Some((since, key)) = kept.ages.pop_front() else { return };
            if kept.connections.get(&key).is_some_and(|(kept_since, _)| *kept_since == since) {
                kept.connections.remove(&key);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
