//! The judge of the plain web: as [`crate::judge`], but with some forty bytes for a host and a bit
//! for a page, so that a hundred thousand hosts and a hundred million pages fit.

use crate::judge::{HostStats, Stats};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hosts shown beside the sum: those with the most violations.
const SHOWN: usize = 20;

/// Counts for all hosts.
#[derive(Debug)]
pub struct Tally {
    /// The gap that every host wants.
    floor_us: u64,
    counts: Mutex<HostCounts>,
}

#[derive(Debug)]
struct HostCounts {
    hosts: Vec<TalliedHost>,
    /// A bit for each page that was delivered.
    delivered: Vec<u64>,
    unique_pages: u64,
    duplicate_fetches: u64,
    bytes_sent: u64,
    in_flight: u32,
    max_in_flight: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct TalliedHost {
    last_us: u64,
    smallest_gap_us: Option<u32>,
    requests: u32,
    gap_violations: u32,
    in_flight_violations: u32,
    disallowed_fetches: u32,
    in_flight: u16,
    max_in_flight: u16,
}

impl Tally {
    #[must_use]
    pub fn new(hosts: u64, pages: u64, floor_ms: u64) -> Tally {
        let counts = HostCounts {
            hosts: vec![TalliedHost::default(); hosts as usize],
            delivered: vec![0; pages.div_ceil(64) as usize],
            unique_pages: 0,
            duplicate_fetches: 0,
            bytes_sent: 0,
            in_flight: 0,
            max_in_flight: 0,
        };
        Tally { floor_us: floor_ms * 1000, counts: Mutex::new(counts) }
    }

    fn counts(&self) -> MutexGuard<'_, HostCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has arrived, so many microseconds after the start.
    pub(crate) fn arrive(&self, host: u64, now_us: u64, is_disallowed: bool) {
        let counts = &mut *self.counts();
        counts.in_flight += 1;
        counts.max_in_flight = counts.max_in_flight.max(counts.in_flight);
        let Some(host) = counts.hosts.get_mut(host as usize) else { return };
        if host.requests > 0 {
            let gap = now_us.saturating_sub(host.last_us);
            let short = u32::try_from(gap).unwrap_or(u32::MAX);
            host.smallest_gap_us = Some(host.smallest_gap_us.map_or(short, |g| g.min(short)));
            host.gap_violations += u32::from(gap < self.floor_us);
        }
        host.last_us = now_us;
        host.requests += 1;
        host.disallowed_fetches += u32::from(is_disallowed);
        host.in_flight = host.in_flight.saturating_add(1);
        host.in_flight_violations += u32::from(host.in_flight > 1);
        host.max_in_flight = host.max_in_flight.max(host.in_flight);
    }

    /// A page, by its number, is about to be sent.
    pub fn deliver(&self, page: u64) {
        let counts = &mut *self.counts();
        let Some(word) = counts.delivered.get_mut((page / 64) as usize) else { return };
        let is_new = *word & (1 << (page % 64)) == 0;
        *word |= 1 << (page % 64);
        counts.unique_pages += u64::from(is_new);
        counts.duplicate_fetches += u64::from(!is_new);
    }

    /// The answer has left, or the connection is gone.
    pub fn leave(&self, host: u64, bytes: u64) {
        let counts = &mut *self.counts();
        counts.in_flight = counts.in_flight.saturating_sub(1);
        counts.bytes_sent += bytes;
        if let Some(host) = counts.hosts.get_mut(host as usize) {
            host.in_flight = host.in_flight.saturating_sub(1);
        }
    }

    /// The counts so far: the sum, and the hosts with the most violations by name.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let counts = self.counts();
        let mut sum = HostStats::default();
        let mut worst: Vec<(u64, usize)> = Vec::new();
        for (number, host) in counts.hosts.iter().enumerate().filter(|(_, h)| h.requests > 0) {
            let stats = self.host_stats(host);
            if stats.politeness_violations > 0 {
                worst.push((stats.politeness_violations, number));
            }
            sum = crate::judge::add(sum, &stats);
        }
        sum.unique_pages = counts.unique_pages;
        sum.duplicate_fetches = counts.duplicate_fetches;
        sum.bytes_sent = counts.bytes_sent;
        sum.max_in_flight_address = counts.max_in_flight;
        let sum = crate::judge::with_violations(sum);
        worst.sort_unstable_by(|a, b| b.cmp(a));
        let named = |&(_, number): &(u64, usize)| {
            (format!("h{number:06}.test"), self.host_stats(&counts.hosts[number]))
        };
        let hosts: BTreeMap<_, _> = worst.iter().take(SHOWN).map(named).collect();
        Stats { hosts, politeness_violations: sum.politeness_violations, sum }
    }

    fn host_stats(&self, host: &TalliedHost) -> HostStats {
        crate::judge::with_violations(HostStats {
            requests: host.requests.into(),
            disallowed_fetches: host.disallowed_fetches.into(),
            smallest_gap_ms: host.smallest_gap_us.map(|gap| f64::from(gap) / 1000.0),
            required_gap_ms: self.floor_us / 1000,
            gap_violations: host.gap_violations.into(),
            in_flight_violations: host.in_flight_violations.into(),
            in_flight: host.in_flight.into(),
            max_in_flight: host.max_in_flight.into(),
            ..HostStats::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Arrival, Judge, JudgedAnswer};
    use crate::{Answer, AnswerKind, Body};
    use proptest::prelude::*;
    use std::net::{IpAddr, Ipv4Addr};

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// The same requests, told to the judge of the pond.
    fn judged(requests: &[(u64, u64, u64, bool)]) -> HostStats {
        let judge = Judge::default();
        let answer = Answer {
            status: 200,
            headers: Vec::new(),
            body: Body::Bytes(Vec::new()),
            kind: AnswerKind::Page,
        };
        let mut now_us = 0;
        for &(host, page, wait, is_disallowed) in requests {
            now_us += wait;
            let (name, now_ms) = (host.to_string(), now_us as f64 / 1000.0);
            judge.arrive(&Arrival {
                host: &name,
                address: ADDRESS,
                page,
                now_ms,
                required_gap_ms: 20,
                is_disallowed,
                is_nofollow: false,
            });
            let (answer, is_conditional) = (&answer, false);
            let host = name.as_str();
            judge.answer(&JudgedAnswer {
                host,
                page,
                answer,
                is_conditional,
                is_head: false,
                now_ms,
                epoch_ms: 0,
            });
            if wait % 3 > 0 {
                judge.leave(&name, ADDRESS, 10);
            }
        }
        judge.stats().sum
    }

    proptest! {
        #[test]
        fn the_tally_counts_what_the_judge_counts(
            requests in prop::collection::vec((0..3_u64, 0..9_u64, 0..50_000_u64, any::<bool>()), 0..60),
        ) {
            let tally = Tally::new(3, 27, 20);
            let mut now_us = 0;
            for &(host, page, wait, is_disallowed) in &requests {
                now_us += wait;
                tally.arrive(host, now_us, is_disallowed);
                tally.deliver(page * 3 + host);
                if wait % 3 > 0 {
                    tally.leave(host, 10);
                }
            }
            let (mut ours, mut theirs) = (tally.stats().sum, judged(&requests));
            // Thousandths of a millisecond, by two roads.
            let gaps = ours.smallest_gap_ms.take().zip(theirs.smallest_gap_ms.take());
            prop_assert!(gaps.is_none_or(|(a, b)| (a - b).abs() < 0.001));
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn a_host_takes_few_bytes() {
        assert!(size_of::<TalliedHost>() <= 48);
    }
}
