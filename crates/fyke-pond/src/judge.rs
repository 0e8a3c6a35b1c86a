//! The judge: what a crawler did, seen from the server's side (000 "Politeness").
//!
//! It is told of every request when its head has arrived, again when its answer is known, and a
//! third time when the answer has left or the connection is gone. It reads no clock and parses no
//! robots.txt. Per host it keeps counters and a hash for each page asked for, nothing else.

use crate::render::http_date;
use crate::{Answer, AnswerKind};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is counted for a host, and in sum over all hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HostStats {
    /// All requests, robots.txt and sitemaps included.
    pub requests: u64,
    /// Different pages delivered.
    pub unique_pages: u64,
    /// Pages delivered again to a request without If-None-Match or If-Modified-Since.
    pub duplicate_fetches: u64,
    /// Requests that robots.txt forbids to this agent.
    pub disallowed_fetches: u64,
    /// Requests into endless or worthless spaces, beyond what is fair.
    pub trap_fetches: u64,
    /// Requests for what only nofollow links lead to.
    pub nofollow_fetches: u64,
    /// Requests before the time named by a Retry-After was over.
    pub retry_after_violations: u64,
    /// Between the arrivals of two requests, in milliseconds; none before the second.
    pub smallest_gap_ms: Option<f64>,
    /// The gap this host wants: the floor or its Crawl-delay, whichever is larger.
    pub required_gap_ms: u64,
    /// Requests that came closer to the one before than the required gap.
    pub gap_violations: u64,
    /// Requests that came while another to the same host was in flight.
    pub in_flight_violations: u64,
    /// Requests in flight now.
    pub in_flight: u32,
    /// Largest number of requests in flight at once to this host.
    pub max_in_flight: u32,
    /// Largest number in flight at once to the host's address, all its hosts together.
    pub max_in_flight_address: u32,
    /// Bytes written, headers included.
    pub bytes_sent: u64,
    /// Requests that destroy something, or show a secret to whom it is not for.
    pub harmful_requests: u64,
    /// Gap, in-flight and Retry-After violations, disallowed fetches and harmful requests together. A
    /// request may count under several of them.
    pub politeness_violations: u64,
}

/// What `GET /__pond/stats` shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Hosts that were asked for anything. Names the pond does not have are one, `unknown`.
    pub hosts: BTreeMap<String, HostStats>,
    /// Sums; of gaps the smallest, of numbers in flight and required gaps the largest.
    pub sum: HostStats,
    /// As in `sum`: the figure that must be 0.
    pub politeness_violations: u64,
}

/// A request whose head has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    pub host: &'a str,
    pub address: IpAddr,
    /// Hash of the page's identity.
    pub page: u64,
    /// Since the pond started.
    pub now_ms: f64,
    pub required_gap_ms: u64,
    pub is_disallowed: bool,
    pub is_nofollow: bool,
}

/// What the judge remembers that an answer may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Earlier requests for this page.
    pub visit: u64,
    /// End of the open Retry-After window, as milliseconds since the pond started; or long past.
    pub retry_until_ms: u64,
}

/// An answer that is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct JudgedAnswer<'a> {
    pub host: &'a str,
    pub page: u64,
    pub answer: &'a Answer,
    /// The request carried If-None-Match or If-Modified-Since.
    pub is_conditional: bool,
    /// Only the head was asked for: nothing is delivered.
    pub is_head: bool,
    pub now_ms: f64,
    /// Unix milliseconds when the pond started.
    pub epoch_ms: u64,
}

/// Counts for all hosts.
#[derive(Debug, Default)]
pub struct Judge {
    seen: Mutex<SeenPage>,
}

#[derive(Debug, Default)]
struct SeenPage {
    hosts: HashMap<String, JudgedHost>,
    in_flight: HashMap<IpAddr, u32>,
}

#[derive(Debug, Default)]
struct JudgedHost {
    stats: HostStats,
    last_ms: Option<f64>,
    retry_until_ms: u64,
    pages: HashMap<u64, Visits>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Visits {
    asked: u32,
    is_delivered: bool,
}

/// A crawler that reads a date off its own clock may be this early.
const DATE_GRACE_MS: u64 = 100;

impl Judge {
    fn seen(&self) -> MutexGuard<'_, SeenPage> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a request. Each must be followed by [`Judge::leave`].
    pub(crate) fn arrive(&self, arrival: &Arrival) -> Memory {
        let mut seen = self.seen();
        let at_address = seen.in_flight.entry(arrival.address).or_default();
        *at_address += 1;
        let at_address = *at_address;
        if !seen.hosts.contains_key(arrival.host) {
            seen.hosts.insert(arrival.host.to_owned(), JudgedHost::default());
        }
        let host = seen.hosts.get_mut(arrival.host).expect("it was just put there");
        host.arrive(arrival, at_address)
    }

    /// Takes note of what the request is answered with.
    pub fn answer(&self, verdict: &JudgedAnswer) {
        let mut seen = self.seen();
        if let Some(host) = seen.hosts.get_mut(verdict.host) {
            host.answer(verdict);
        }
    }

    /// The answer has left, or the connection is gone.
    pub fn leave(&self, host: &str, address: IpAddr, bytes: u64) {
        let mut seen = self.seen();
        if let Some(count) = seen.in_flight.get_mut(&address) {
            *count = count.saturating_sub(1);
        }
        if let Some(host) = seen.hosts.get_mut(host) {
            host.stats.in_flight = host.stats.in_flight.saturating_sub(1);
            host.stats.bytes_sent += bytes;
        }
    }

    /// The counts so far.
    pub fn stats(&self) -> Stats {
        let seen = self.seen();
        let hosts: BTreeMap<String, HostStats> = seen
            .hosts
            .iter()
            .filter(|(_, host)| host.stats.requests > 0)
            .map(|(name, host)| (name.clone(), with_violations(host.stats.clone())))
            .collect();
        let sum = with_violations(hosts.values().fold(HostStats::default(), add));
        Stats { politeness_violations: sum.politeness_violations, hosts, sum }
    }

    /// Forgets all counts and pages; requests in flight stay in flight.
    pub fn reset(&self) {
        for host in self.seen().hosts.values_mut() {
            let in_flight = host.stats.in_flight;
            *host = JudgedHost::default();
            host.stats.in_flight = in_flight;
        }
    }
}

impl JudgedHost {
    fn arrive(&mut self, arrival: &Arrival, at_address: u32) -> Memory {
        let stats = &mut self.stats;
        let now = arrival.now_ms;
        stats.in_flight += 1;
        stats.requests += 1;
        stats.required_gap_ms = arrival.required_gap_ms;
        stats.disallowed_fetches += u64::from(arrival.is_disallowed);
        stats.nofollow_fetches += u64::from(arrival.is_nofollow);
        stats.in_flight_violations += u64::from(stats.in_flight > 1);
        stats.max_in_flight = stats.max_in_flight.max(stats.in_flight);
        stats.max_in_flight_address = stats.max_in_flight_address.max(at_address);
        stats.retry_after_violations += u64::from(now < self.retry_until_ms as f64);
        if let Some(last) = self.last_ms {
            let gap = (now - last).max(0.0);
            stats.smallest_gap_ms = Some(stats.smallest_gap_ms.map_or(gap, |g| g.min(gap)));
            stats.gap_violations += u64::from(gap < arrival.required_gap_ms as f64);
        }
        self.last_ms = Some(now);
        let visits = self.pages.entry(arrival.page).or_default();
        visits.asked = visits.asked.saturating_add(1);
        Memory { visit: u64::from(visits.asked) - 1, retry_until_ms: self.retry_until_ms }
    }

    fn answer(&mut self, verdict: &JudgedAnswer) {
        let JudgedAnswer { answer, now_ms, .. } = *verdict;
        self.stats.trap_fetches += u64::from(answer.kind == AnswerKind::Trap);
        self.stats.harmful_requests += u64::from(answer.kind == AnswerKind::Harmful);
        if answer.kind == AnswerKind::Page && answer.status == 200 && !verdict.is_head {
            let visits = self.pages.entry(verdict.page).or_default();
            self.stats.unique_pages += u64::from(!visits.is_delivered);
            let is_again = visits.is_delivered && !verdict.is_conditional;
            self.stats.duplicate_fetches += u64::from(is_again);
            visits.is_delivered = true;
        }
        if now_ms >= self.retry_until_ms as f64
            && let Some((_, value)) = answer.headers.iter().find(|(name, _)| *name == "retry-after")
        {
            self.retry_until_ms = retry_until(value, now_ms as u64, verdict.epoch_ms);
        }
    }
}

/// The end of a window that opens now, from the header that was sent.
fn retry_until(value: &str, now_ms: u64, epoch_ms: u64) -> u64 {
    if let Ok(seconds) = value.parse::<u64>() {
        return now_ms + seconds * 1000;
    }
    let now = (epoch_ms + now_ms) / 1000;
    let end = (now..now + 60).find(|&second| http_date(second) == value);
    end.map_or(0, |second| (second * 1000).saturating_sub(epoch_ms + DATE_GRACE_MS))
}

pub(crate) fn with_violations(mut stats: HostStats) -> HostStats {
    stats.politeness_violations = stats.gap_violations
        + stats.in_flight_violations
        + stats.retry_after_violations
        + stats.disallowed_fetches
        + stats.harmful_requests;
    stats
}

pub(crate) fn add(mut sum: HostStats, host: &HostStats) -> HostStats {
    sum.requests += host.requests;
    sum.unique_pages += host.unique_pages;
    sum.duplicate_fetches += host.duplicate_fetches;
    sum.disallowed_fetches += host.disallowed_fetches;
    sum.trap_fetches += host.trap_fetches;
    sum.nofollow_fetches += host.nofollow_fetches;
    sum.retry_after_violations += host.retry_after_violations;
    let gaps = [sum.smallest_gap_ms, host.smallest_gap_ms];
    sum.smallest_gap_ms = gaps.into_iter().flatten().reduce(f64::min);
    sum.required_gap_ms = sum.required_gap_ms.max(host.required_gap_ms);
    sum.gap_violations += host.gap_violations;
    sum.in_flight_violations += host.in_flight_violations;
    sum.in_flight += host.in_flight;
    sum.max_in_flight = sum.max_in_flight.max(host.max_in_flight);
    sum.max_in_flight_address = sum.max_in_flight_address.max(host.max_in_flight_address);
    sum.bytes_sent += host.bytes_sent;
    sum.harmful_requests += host.harmful_requests;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Body};

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn arrival(host: &str, page: u64, now_ms: f64) -> Arrival<'_> {
        Arrival {
            host,
            address: ADDRESS,
            page,
            now_ms,
            required_gap_ms: 20,
            is_disallowed: false,
            is_nofollow: false,
        }
    }

    fn page(kind: AnswerKind, headers: Vec<(&'static str, String)>) -> Answer {
        Answer { status: 200, headers, body: Body::Bytes(Vec::new()), kind }
    }

    /// Asks for pages (number, time) of one host, one after the other, and gives the counts.
    fn check(requests: &[(u64, f64)], answer: &Answer) -> HostStats {
        let judge = Judge::default();
        for &(page, now_ms) in requests {
            judge.arrive(&arrival("a.test", page, now_ms));
            let host = "a.test";
            let epoch_ms = 1_700_000_000_500;
            judge.answer(&JudgedAnswer {
                host,
                page,
                answer,
                is_conditional: false,
                is_head: false,
                now_ms,
                epoch_ms,
            });
            judge.leave("a.test", ADDRESS, 10);
        }
        judge.stats().hosts["a.test"].clone()
    }

    #[test]
    fn a_page_delivered_twice_is_one_page_and_one_duplicate() {
        let stats = check(&[(1, 0.0), (2, 30.0), (1, 60.0)], &page(AnswerKind::Page, vec![]));
        assert_eq!((stats.unique_pages, stats.duplicate_fetches, stats.bytes_sent), (2, 1, 30));
        assert_eq!((stats.smallest_gap_ms, stats.politeness_violations), (Some(30.0), 0));
    }

    #[test]
    fn a_request_closer_than_the_required_gap_is_a_violation() {
        let stats = check(&[(1, 0.0), (2, 20.0), (3, 39.5)], &page(AnswerKind::Trap, vec![]));
        assert_eq!((stats.gap_violations, stats.smallest_gap_ms), (1, Some(19.5)));
        assert_eq!((stats.trap_fetches, stats.unique_pages), (3, 0));
    }

    #[test]
    fn a_window_in_seconds_closes_the_host_until_it_ends() {
        let busy = page(AnswerKind::Other, vec![("retry-after", "2".into())]);
        let stats = check(&[(1, 100.0), (1, 2099.0), (1, 2100.0)], &busy);
        assert_eq!(stats.retry_after_violations, 1);
    }

    #[test]
    fn a_window_by_date_ends_a_moment_before_the_date() {
        // The pond started half a second before a whole second: two seconds later is 2500 ms.
        let date = http_date(1_700_000_003);
        let busy = page(AnswerKind::Other, vec![("retry-after", date)]);
        let stats = check(&[(1, 100.0), (1, 2399.0), (1, 2400.0)], &busy);
        assert_eq!(stats.retry_after_violations, 1);
    }

    #[test]
    fn two_hosts_in_flight_at_one_address_are_two_there_and_one_each() {
        let judge = Judge::default();
        judge.arrive(&arrival("a.test", 1, 0.0));
        judge.arrive(&arrival("b.test", 1, 0.0));
        judge.leave("a.test", ADDRESS, 0);
        judge.arrive(&arrival("b.test", 2, 50.0));
        let sum = judge.stats().sum;
        assert_eq!((sum.max_in_flight, sum.max_in_flight_address), (2, 2));
        assert_eq!((sum.in_flight_violations, sum.politeness_violations), (1, 1));
    }

    #[test]
    fn a_reset_forgets_counts_but_not_what_is_in_flight() {
        let judge = Judge::default();
        judge.arrive(&arrival("a.test", 1, 0.0));
        judge.reset();
        assert_eq!(judge.stats(), Stats::default());
        judge.arrive(&arrival("a.test", 2, 1.0));
        assert_eq!(judge.stats().sum.max_in_flight, 2);
    }
}
