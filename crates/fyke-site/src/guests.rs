//! The connections there are: whose each is, and whether a request of it is being answered. One that only
//! waits can be sent away to make room.

use axum::body::{Body, Bytes};
use hyper::body::{Body as Answer, Frame, SizeHint};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::Notify;

/// All connections, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct ClientTable {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    last: u64,
    all: BTreeMap<u64, ClientRow>,
}

#[derive(Debug)]
struct ClientRow {
    peer: IpAddr,
    /// Requests that are being answered.
    busy: usize,
    leave: Arc<Notify>,
}

impl Rows {
    /// Sends away the oldest connection (of a peer) that only waits; says whether there is one.
    fn send_away(&mut self, peer: Option<IpAddr>) -> bool {
        let is_meant = |row: &ClientRow| row.busy == 0 && peer.is_none_or(|peer| row.peer == peer);
        let Some(number) = self.all.iter().find(|(_, row)| is_meant(row)).map(|(n, _)| *n) else {
            return false;
        };
        // It counts no longer, though it takes a moment to go.
        self.all.remove(&number).into_iter().for_each(|row| row.leave.notify_one());
        true
    }
}

impl ClientTable {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection in, if need be in the place of one that only waits; none where all are busy.
    pub(crate) fn admit(
        self: &Arc<ClientTable>,
        peer: IpAddr,
        of_peer: usize,
        all: usize,
    ) -> Option<ClientConnection> {
        let mut rows = self.rows();
        let own = rows.all.values().filter(|row| row.peer == peer).count();
        if own >= of_peer && !rows.send_away(Some(peer)) {
            return None;
        }
        if rows.all.len() >= all && !rows.send_away(None) {
            return None;
        }
        rows.last += 1;
        let (number, leave) = (rows.last, Arc::new(Notify::new()));
        rows.all.insert(number, ClientRow { peer, busy: 0, leave: Arc::clone(&leave) });
        drop(rows);
        Some(ClientConnection { number, leave, guests: Arc::clone(self) })
    }

    /// Sends one away that only waits.
    pub(crate) fn send_one_away(&self) {
        self.rows().send_away(None);
    }

    fn count(&self, number: u64, change: isize) {
        if let Some(row) = self.rows().all.get_mut(&number) {
            row.busy = row.busy.saturating_add_signed(change);
        }
    }
}

/// One connection; it counts until this is dropped.
#[derive(Debug)]
pub(crate) struct ClientConnection {
    number: u64,
    leave: Arc<Notify>,
    guests: Arc<ClientTable>,
}

impl ClientConnection {
    /// Done when it is to go.
    pub(crate) async fn sent_away(&self) {
        self.leave.notified().await;
    }

    /// It is busy until the answer is dropped.
    pub(crate) fn begin(&self) -> Busy {
        self.guests.count(self.number, 1);
        Busy { number: self.number, guests: Arc::clone(&self.guests) }
    }
}

impl Drop for ClientConnection {
    fn drop(&mut self) {
        self.guests.rows().all.remove(&self.number);
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(crate) struct Busy {
    number: u64,
    guests: Arc<ClientTable>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.guests.count(self.number, -1);
    }
}

/// The body of an answer, which keeps its connection busy until it is sent.
#[derive(Debug)]
pub(crate) struct HeldBody {
    body: Body,
    _busy: Busy,
}

impl HeldBody {
    pub(crate) fn new(body: Body, busy: Busy) -> HeldBody {
        HeldBody { body, _busy: busy }
    }
}

impl Answer for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn who_only_waits_goes_and_who_is_answered_stays() {
        let guests = Arc::new(ClientTable::default());
        let first = guests.admit(peer(1), 2, 3).expect("a place");
        let busy = first.begin();
        let second = guests.admit(peer(1), 2, 3).expect("a place");
        // The second of this address only waits.
        let third = guests.admit(peer(1), 2, 3).expect("the place of the second");
        let numbers = || guests.rows().all.keys().copied().collect::<Vec<_>>();
        assert_eq!(numbers(), [first.number, third.number]);
        drop(second);
        let others = [2, 3].map(|last| guests.admit(peer(last), 2, 3).expect("a place"));
        assert_eq!(numbers(), [first.number, others[0].number, others[1].number]);
        let answers = others.each_ref().map(ClientConnection::begin);
        assert!(guests.admit(peer(4), 2, 3).is_none(), "all are busy");
        drop((busy, answers));
        assert!(guests.admit(peer(4), 2, 3).is_some());
    }
}
