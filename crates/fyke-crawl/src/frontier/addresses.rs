//! Server addresses: many hosts on one machine are one burden, so requests in flight and the gap are
//! counted per address too, by all threads of a crawl together (000 "Politeness – challenges").

use crate::control::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

/// The addresses that are asked, or were asked within their gap.
#[derive(Debug)]
pub struct Addresses {
    /// Requests in flight per address; 0 switches these rules off.
    most: usize,
    known: Mutex<HashMap<IpAddr, BusyAddress>>,
}

#[derive(Debug, Default)]
struct BusyAddress {
    in_flight: usize,
    ready: u64,
}

/// Entries that say nothing any more are swept out when there are so many.
const SWEEP: usize = 16_384;

impl Addresses {
    #[must_use]
    pub fn new(most: usize) -> Addresses {
        Addresses { most, known: Mutex::default() }
    }

    /// Takes the address for one request, or says from when on it may be tried again; none: when a
    /// request under way has ended.
    pub(super) fn take(&self, address: IpAddr, now: u64) -> Result<(), Option<u64>> {
        if self.most == 0 {
            return Ok(());
        }
        let mut known = lock(&self.known);
        if known.len() >= SWEEP && !known.contains_key(&address) {
            known.retain(|_, address| address.in_flight > 0 || address.ready > now);
        }
        let found = known.entry(address).or_default();
        match found.in_flight >= self.most {
            true => Err(None),
            false if found.ready > now => Err(Some(found.ready)),
            false => {
                found.in_flight += 1;
                Ok(())
            }
        }
    }

    /// The request has ended; the next one may come at `ready`.
    pub(super) fn give_back(&self, address: IpAddr, ready: u64) {
        if self.most == 0 {
            return;
        }
        let mut known = lock(&self.known);
        let found = known.entry(address).or_default();
        found.in_flight = found.in_flight.saturating_sub(1);
        found.ready = found.ready.max(ready);
    }
}
