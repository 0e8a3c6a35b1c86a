//! Where one side of a host is, until when that may be believed, and which of its addresses took no connection.

use crate::crawl::millis;
use crate::fetch::Address;
use std::net::{IpAddr, SocketAddr};

/// The addresses of one side of a host; none before it was looked for.
#[derive(Debug, Default)]
pub(super) struct Whereabouts {
    address: Option<Address>,
    /// Until when it may be believed.
    until: u64,
    /// Addresses in a row that took no connection.
    silent: usize,
}

impl Whereabouts {
    /// Takes in what was found; the address that took the last connection stays the first.
    pub(super) fn found(&mut self, mut address: Address, now: u64) {
        let last = self.address.as_ref().and_then(|known| known.sockets.first());
        let place = last.and_then(|last| address.sockets.iter().position(|s| s == last));
        (0..place.unwrap_or(0)).for_each(|_| address.turn());
        let until = now + millis(address.ttl);
        *self = Whereabouts { address: Some(address), until, silent: 0 };
    }

    /// Whether they may be believed now.
    pub(super) fn are_known(&self, now: u64) -> bool {
        self.address.is_some() && self.until > now
    }

    /// The address that politeness counts.
    pub(super) fn counted(&self) -> Option<IpAddr> {
        self.address.as_ref().map(|known| known.key)
    }

    /// Where to connect to.
    pub(super) fn sockets(&self) -> Vec<SocketAddr> {
        self.address.as_ref().map(|known| known.sockets.clone()).unwrap_or_default()
    }

    /// The first address took a connection.
    pub(super) fn answered(&mut self) {
        self.silent = 0;
    }

    /// The first address took no connection: the next one is the first. False when all have been silent.
    pub(super) fn turn(&mut self) -> bool {
        let Some(known) = &mut self.address else { return false };
        known.turn();
        self.silent = (self.silent + 1) % known.tried();
        self.silent > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn address(last: &[u8]) -> Address {
        let sockets: Vec<SocketAddr> =
            last.iter().map(|&last| ([10, 0, 0, last], 80).into()).collect();
        Address { key: sockets[0].ip(), sockets, ttl: Duration::from_secs(1) }
    }

    #[test]
    fn addresses_are_tried_in_turn_and_believed_for_their_time() {
        let mut known = Whereabouts::default();
        assert!(!known.are_known(0) && !known.turn() && known.sockets().is_empty());
        known.found(address(&[1, 2, 3]), 500);
        assert!(known.are_known(1499) && !known.are_known(1500));
        assert_eq!([known.turn(), known.turn(), known.turn()], [true, true, false]);
        assert_eq!(known.sockets(), address(&[1, 2, 3]).sockets, "all were silent");
        known.turn();
        known.answered();
        assert_eq!([known.turn(), known.turn(), known.turn()], [true, true, false]);
    }

    #[test]
    fn the_address_that_took_the_last_connection_stays_the_first() {
        let mut known = Whereabouts::default();
        known.found(address(&[1, 2, 3]), 0);
        known.turn();
        known.found(address(&[3, 1, 2]), 0);
        assert_eq!(known.sockets(), address(&[2, 3, 1]).sockets);
        assert_eq!(known.counted(), Some([10, 0, 0, 2].into()));
        known.found(address(&[4, 5]), 0);
        assert_eq!(known.sockets(), address(&[4, 5]).sockets, "it is not there any more");
    }
}
