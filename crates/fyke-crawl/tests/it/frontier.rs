//! The frontier's promises, held in simulated time for any crawl (000 "Back queue invariants").

use fyke_crawl::frontier::{Entry, Frontier, Next, Options, Task};
use fyke_crawl::politeness::Politeness;
use fyke_web::Url;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};

const FLOOR: u64 = 1000;

fn entry(host: usize, page: usize, priority: u8) -> Entry {
    let url = Url::parse(&format!("http://h{host}.test/{page}")).expect("a URL");
    Entry { id: url.id(), url, priority, task: Task::Row }
}

fn frontier(fetchers: usize, per_address: usize) -> Frontier {
    let politeness = Politeness { floor: FLOOR, factor: 10.0, longest: 60_000 };
    Frontier::new(&Options { fetchers, front_queues: 8, politeness, per_address })
}

/// Host `h` is served from one of three addresses.
fn address(host: &str) -> IpAddr {
    let number = host.bytes().map(u32::from).sum::<u32>() % 3;
    Ipv4Addr::from(0x0100_0000 + number).into()
}

/// Everything a server could say against the crawl.
#[derive(Default)]
struct Judge {
    busy: BTreeSet<String>,
    busy_addresses: HashMap<IpAddr, usize>,
    /// Earliest next start by host and by address.
    next: HashMap<String, u64>,
    next_at: HashMap<IpAddr, u64>,
    given: BTreeMap<String, usize>,
}

/// A request under way: when it ends, how long it took.
type Flight = (u64, u64, String);

/// A page to crawl: host, priority, time of the fetch, whether a hold follows.
type Page = (usize, u8, u64, bool);

/// What the web is like: by URL the time of the fetch and the hold, by host the Crawl-delay.
#[derive(Default)]
struct Web {
    times: HashMap<String, (u64, bool)>,
    delays: HashMap<String, u64>,
}

/// Crawls `pages` and judges every step.
fn simulate(pages: &[Page], fetchers: usize, per_address: usize) -> Result<(), TestCaseError> {
    let mut frontier = frontier(fetchers, per_address);
    let web = Web {
        delays: (0..8).map(|h| (format!("h{h}.test"), (h as u64 % 3) * 700)).collect(),
        times: pages
            .iter()
            .enumerate()
            .map(|(i, (h, _, t, hold))| (format!("http://h{h}.test/{i}"), (*t, *hold)))
            .collect(),
    };
    for (name, delay) in &web.delays {
        frontier.set_delay(name, *delay);
        frontier.resolved(name, address(name));
    }
    let mut waiting: Vec<(usize, &Page)> = pages.iter().enumerate().collect();
    waiting.reverse();
    let mut judge = Judge::default();
    let mut flights: Vec<Flight> = Vec::new();
    let mut now = 1_000_000;
    for _ in 0..100_000 {
        // URLs keep coming in while the crawl runs.
        for (i, (host, priority, ..)) in waiting.split_off(waiting.len().saturating_sub(3)) {
            frontier.push(entry(*host, i, *priority));
        }
        check_queues(&frontier, fetchers)?;
        let next = match flights.len() < fetchers {
            true => frontier.next(now),
            false => Next::InFlight,
        };
        match next {
            Next::Fetch(entry) => {
                judge.start(&entry, now, per_address)?;
                let (time, _) = web.times[entry.url.as_str()];
                flights.push((now + time, time, entry.url.as_str().to_owned()));
            }
            Next::Done if waiting.is_empty() => break,
            Next::Done => {}
            Next::WaitUntil(time) => {
                prop_assert!(time > now);
                let end = flights.iter().map(|f| f.0).min().unwrap_or(u64::MAX);
                if end > time {
                    now = time;
                    continue;
                }
                now = finish(&mut frontier, &mut judge, &mut flights, &web).max(now);
            }
            Next::InFlight => {
                prop_assert!(!flights.is_empty());
                now = finish(&mut frontier, &mut judge, &mut flights, &web).max(now);
            }
        }
    }
    prop_assert_eq!(frontier.len(), 0);
    prop_assert_eq!(judge.given.len(), pages.len(), "no URL is lost");
    prop_assert!(judge.given.values().all(|&times| times == 1), "none is given twice");
    Ok(())
}

fn check_queues(frontier: &Frontier, fetchers: usize) -> Result<(), TestCaseError> {
    let queues: Vec<_> = frontier.back_queues().collect();
    prop_assert_eq!(queues.len(), 3 * fetchers);
    let hosts: BTreeSet<&str> = queues.iter().flatten().map(|(host, _)| *host).collect();
    prop_assert_eq!(hosts.len(), queues.iter().flatten().count(), "one queue a host");
    prop_assert!(queues.iter().flatten().all(|(_, len)| *len > 0), "no empty queue has a host");
    Ok(())
}

fn finish(frontier: &mut Frontier, judge: &mut Judge, flights: &mut Vec<Flight>, web: &Web) -> u64 {
    let first = (0..flights.len()).min_by_key(|&i| flights[i].0).expect("a flight");
    let (now, time, url) = flights.swap_remove(first);
    let host = Url::parse(&url).expect("a URL").authority().to_owned();
    let gap = FLOOR.max(web.delays[&host]).max((10 * time).min(60_000));
    judge.end(&host, now + gap);
    frontier.done(&host, time, now);
    if web.times[&url].1 {
        let until = now + 45_000;
        frontier.hold(&host, until);
        let next = judge.next.entry(host).or_default();
        *next = until.max(*next);
    }
    now
}

impl Judge {
    fn start(&mut self, entry: &Entry, now: u64, per_address: usize) -> Result<(), TestCaseError> {
        let host = entry.url.authority().to_owned();
        let address = address(&host);
        *self.given.entry(entry.url.as_str().to_owned()).or_default() += 1;
        prop_assert!(self.next.get(&host).is_none_or(|&time| time <= now), "too early for {host}");
        prop_assert!(self.busy.insert(host), "two at once for one host");
        let in_flight = self.busy_addresses.entry(address).or_default();
        *in_flight += 1;
        if per_address > 0 {
            prop_assert!(*in_flight <= per_address, "too many at one address");
            prop_assert!(self.next_at.get(&address).is_none_or(|&time| time <= now));
        }
        Ok(())
    }

    fn end(&mut self, host: &str, next: u64) {
        self.busy.remove(host);
        *self.busy_addresses.entry(address(host)).or_default() -= 1;
        for earliest in [
            self.next.entry(host.to_owned()).or_default(),
            self.next_at.entry(address(host)).or_default(),
        ] {
            *earliest = next.max(*earliest);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn any_crawl_is_polite_and_loses_nothing(
        pages in prop::collection::vec(
            (0..8_usize, 1..=8_u8, 0..3000_u64, prop::bool::weighted(0.05)), 1..120),
        fetchers in 1..6_usize,
        per_address in 0..3_usize,
    ) {
        simulate(&pages, fetchers, per_address)?;
    }
}

#[test]
fn back_queues_stay_full_while_hosts_remain() {
    let mut frontier = frontier(2, 0);
    for host in 0..40 {
        for page in 0..3 {
            frontier.push(entry(host, page, 1));
        }
    }
    let full = |frontier: &Frontier| frontier.back_queues().flatten().count() == 6;
    assert!(full(&frontier));
    let mut now = 0;
    while frontier.len() > 60 {
        match frontier.next(now) {
            Next::Fetch(entry) => frontier.done(entry.url.authority(), 0, now),
            Next::WaitUntil(time) => now = time,
            next => panic!("{next:?}"),
        }
        assert!(full(&frontier), "with {} left", frontier.len());
    }
}

#[test]
fn higher_priorities_come_first_on_average_and_none_starves() {
    let mut frontier = frontier(1, 0);
    for page in 0..400 {
        frontier.push(entry(page, page, (page % 4 + 1) as u8));
    }
    let mut order: Vec<u8> = Vec::new();
    let mut now = 0;
    loop {
        match frontier.next(now) {
            Next::Fetch(entry) => {
                order.push(entry.priority);
                frontier.done(entry.url.authority(), 0, now);
            }
            Next::WaitUntil(time) => now = time,
            Next::InFlight | Next::Done => break,
        }
    }
    let place = |priority: u8| {
        let at = order.iter().enumerate().filter(|(_, p)| **p == priority).map(|(i, _)| i);
        at.sum::<usize>() / 100
    };
    assert!(place(1) < place(2) && place(2) < place(3) && place(3) < place(4));
    assert!(order[..40].contains(&4), "the lowest is not starved: {:?}", &order[..40]);
}

#[test]
fn a_long_hold_gives_the_back_queue_away() {
    let mut frontier = frontier(1, 0);
    for host in 0..3 {
        frontier.push(entry(host, 1, 1));
        frontier.push(entry(host, 2, 1));
    }
    frontier.push(entry(9, 1, 1));
    assert_eq!(frontier.back_queues().flatten().count(), 3);
    for host in 0..3 {
        frontier.hold(&format!("h{host}.test"), 500_000);
    }
    let Next::Fetch(first) = frontier.next(10) else { panic!("h9 has its turn") };
    assert_eq!(first.url.authority(), "h9.test");
    frontier.done("h9.test", 0, 10);
    assert_eq!(frontier.next(20), Next::WaitUntil(500_000));
}

#[test]
fn a_host_that_waits_is_left_alone_and_its_hold_is_not_forgotten() {
    let mut frontier = frontier(1, 0);
    frontier.push(entry(0, 1, 1));
    frontier.hold("h0.test", 4000);
    frontier.set_waits("h0.test", true);
    assert_eq!(frontier.next(5000), Next::WaitUntil(u64::MAX));
    frontier.hold("h0.test", 9000);
    frontier.set_waits("h0.test", false);
    assert_eq!(frontier.next(5000), Next::WaitUntil(9000));
    assert!(matches!(frontier.next(9000), Next::Fetch(_)));
}

#[test]
fn a_dropped_host_gives_back_everything_sooner_or_later() {
    let mut frontier = frontier(1, 0);
    for host in 0..6 {
        for page in 0..2 {
            frontier.push(entry(host, page, 1));
        }
    }
    let mut back = frontier.drop_host("h0.test");
    frontier.push(entry(0, 7, 1));
    let mut now = 0;
    loop {
        match frontier.next(now) {
            Next::Fetch(entry) => {
                assert_ne!(entry.url.authority(), "h0.test");
                frontier.done(entry.url.authority(), 0, now);
            }
            Next::WaitUntil(time) => now = time,
            Next::InFlight | Next::Done => break,
        }
        back.extend(frontier.take_dropped());
    }
    assert_eq!(back.len(), 3);
    assert_eq!(frontier.hosts_waiting(), 0);
}

#[test]
fn releasing_a_host_costs_no_gap_and_urgent_comes_first() {
    let mut frontier = frontier(1, 0);
    frontier.push(entry(0, 1, 1));
    let Next::Fetch(first) = frontier.next(5) else { panic!("ready") };
    frontier.push_urgent(first.clone());
    frontier.push_urgent(entry(0, 2, 1));
    assert_eq!(frontier.next(5), Next::InFlight);
    frontier.release("h0.test", 5);
    let Next::Fetch(urgent) = frontier.next(5) else { panic!("no gap") };
    assert_eq!(urgent.url.path_and_query(), "/2");
    frontier.done("h0.test", 0, 7);
    assert_eq!(frontier.next(7), Next::WaitUntil(7 + FLOOR));
    assert_eq!(frontier.next(7 + FLOOR), Next::Fetch(first));
}
