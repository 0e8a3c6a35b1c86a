//! The frontier's promises, held in simulated time for any crawl (000 "Back queue invariants").

use fyke_crawl::frontier::{Addresses, Frontier, HostId, Next, Origin, Task};
use fyke_crawl::politeness::Politeness;
use fyke_store::Position;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use tempfile::TempDir;

const FLOOR: u64 = 1000;

/// A frontier and the folder of its overflow.
struct Fixture {
    frontier: Frontier,
    /// The best comes first, and what is worse waits longer, as in a focused crawl.
    is_strict: bool,
    /// The first four numbers are two hosts with two sides each.
    has_sides: bool,
    _dir: TempDir,
}

/// Of the two sides of a host the first.
fn first_side(host: HostId) -> HostId {
    if host.0 < 4 { HostId(host.0 / 2 * 2) } else { host }
}

fn frontier(per_address: usize) -> Fixture {
    sharing(&Arc::new(Addresses::new(per_address)))
}

fn sharing(addresses: &Arc<Addresses>) -> Fixture {
    let politeness = Politeness { floor: FLOOR, factor: 10.0, longest: 60_000 };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("overflow");
    let frontier = Frontier::new(politeness, Arc::clone(addresses), &path);
    Fixture { frontier, is_strict: false, has_sides: false, _dir: dir }
}

impl Fixture {
    fn host(&mut self, number: usize) -> HostId {
        let first = match self.has_sides {
            true => first_side(HostId(number as u32)).0 as usize,
            false => number,
        };
        self.frontier.host(&format!("h{first}.test"), first != number)
    }

    fn push(&mut self, host: usize, page: u64, priority: u8) {
        let host = self.host(host);
        self.frontier.push(host, priority, Position(page)).expect("a disk");
    }

    fn next(&mut self, now: u64) -> Next {
        match self.is_strict {
            // As time goes by, everything may go.
            true => self.frontier.next_best(now, 1 + (now / 300 % 8) as u8).expect("a disk"),
            false => self.frontier.next(now).expect("a disk"),
        }
    }

    /// What comes next, which must be a page: its host and its number.
    fn page(&mut self, now: u64) -> (HostId, u64) {
        match self.next(now) {
            Next::Fetch(host, Task::Row(page)) => (host, page.0),
            next => panic!("{next:?}"),
        }
    }
}

/// Host `h` is served from one of three addresses.
fn address(host: HostId) -> IpAddr {
    Ipv4Addr::from(0x0100_0000 + host.0 % 3).into()
}

/// Everything a server could say against the crawl.
#[derive(Default)]
struct Judge {
    /// By the first side.
    busy: BTreeSet<HostId>,
    busy_addresses: HashMap<IpAddr, usize>,
    /// Earliest next start by host, side and address.
    next: HashMap<HostId, u64>,
    held: HashMap<HostId, u64>,
    next_at: HashMap<IpAddr, u64>,
    given: BTreeMap<u64, usize>,
}

/// A request under way: when it ends, how long it took, its host and page.
type Flight = (u64, u64, HostId, u64);

/// A page to crawl: host, priority, time of the fetch, whether a hold follows.
type Page = (usize, u8, u64, bool);

fn delay(host: HostId) -> u64 {
    u64::from(host.0 % 3) * 700
}

/// Crawls `pages` and judges every step.
fn simulate(
    pages: &[Page],
    fetchers: usize,
    per_address: usize,
    is_strict: bool,
) -> Result<(), TestCaseError> {
    let mut world = Fixture { is_strict, has_sides: true, ..frontier(per_address) };
    for number in 0..8 {
        let host = world.host(number);
        world.frontier.set_delay(host, delay(host));
        world.frontier.resolved(host, address(host));
    }
    let mut waiting: Vec<(usize, &Page)> = pages.iter().enumerate().collect();
    waiting.reverse();
    let mut judge = Judge::default();
    let mut flights: Vec<Flight> = Vec::new();
    let mut now = 1_000_000;
    for _ in 0..100_000 {
        // URLs keep coming in while the crawl runs.
        for (page, (host, priority, ..)) in waiting.split_off(waiting.len().saturating_sub(3)) {
            world.push(*host, page as u64, *priority);
        }
        let next = match flights.len() < fetchers {
            true => world.next(now),
            false => Next::InFlight,
        };
        match next {
            Next::Fetch(host, Task::Row(page)) => {
                judge.start(host, page.0, now, per_address)?;
                let time = pages[page.0 as usize].2;
                flights.push((now + time, time, host, page.0));
            }
            Next::Fetch(..) => prop_assert!(false, "nobody asked for a robots.txt"),
            Next::Done if waiting.is_empty() => break,
            Next::Done => {}
            Next::WaitUntil(time) => {
                prop_assert!(time > now);
                let end = flights.iter().map(|f| f.0).min().unwrap_or(u64::MAX);
                if end > time {
                    now = time;
                    continue;
                }
                now = finish(&mut world.frontier, &mut judge, &mut flights, pages).max(now);
            }
            Next::InFlight => {
                prop_assert!(!flights.is_empty());
                now = finish(&mut world.frontier, &mut judge, &mut flights, pages).max(now);
            }
        }
    }
    prop_assert_eq!(world.frontier.len(), 0);
    prop_assert_eq!(world.frontier.hosts_waiting(), 0);
    prop_assert_eq!(judge.given.len(), pages.len(), "no URL is lost");
    prop_assert!(judge.given.values().all(|&times| times == 1), "none is given twice");
    Ok(())
}

fn finish(
    frontier: &mut Frontier,
    judge: &mut Judge,
    flights: &mut Vec<Flight>,
    pages: &[Page],
) -> u64 {
    let first = (0..flights.len()).min_by_key(|&i| flights[i].0).expect("a flight");
    let (now, time, host, page) = flights.swap_remove(first);
    // A Crawl-delay binds its host; the rest binds the address too.
    let gap = FLOOR.max((10 * time).min(60_000));
    let first = first_side(host);
    let sides = if host.0 < 4 { [first, HostId(first.0 + 1)] } else { [host; 2] };
    let longest = sides.map(delay).into_iter().max().unwrap_or(0);
    judge.end(host, now + gap.max(longest), now + gap);
    frontier.done(host, time, now);
    if pages[page as usize].3 {
        let until = now + 45_000;
        frontier.hold(host, until);
        let held = judge.held.entry(host).or_default();
        *held = until.max(*held);
    }
    now
}

impl Judge {
    fn start(
        &mut self,
        host: HostId,
        page: u64,
        now: u64,
        per_address: usize,
    ) -> Result<(), TestCaseError> {
        let address = address(host);
        *self.given.entry(page).or_default() += 1;
        let first = first_side(host);
        prop_assert!(self.next.get(&first).is_none_or(|&time| time <= now), "too early: {host:?}");
        prop_assert!(self.held.get(&host).is_none_or(|&time| time <= now), "held: {host:?}");
        prop_assert!(self.busy.insert(first), "two at once for one host");
        let in_flight = self.busy_addresses.entry(address).or_default();
        *in_flight += 1;
        if per_address > 0 {
            prop_assert!(*in_flight <= per_address, "too many at one address");
            prop_assert!(self.next_at.get(&address).is_none_or(|&time| time <= now));
        }
        Ok(())
    }

    fn end(&mut self, host: HostId, next: u64, next_at: u64) {
        self.busy.remove(&first_side(host));
        *self.busy_addresses.entry(address(host)).or_default() -= 1;
        for (earliest, time) in [
            (self.next.entry(first_side(host)).or_default(), next),
            (self.next_at.entry(address(host)).or_default(), next_at),
        ] {
            *earliest = time.max(*earliest);
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
        is_strict: bool,
    ) {
        simulate(&pages, fetchers, per_address, is_strict)?;
    }
}

#[test]
fn a_side_that_is_held_leaves_the_other_to_be_asked_and_both_take_turns() {
    let mut world = Fixture { has_sides: true, ..frontier(0) };
    (0..6).for_each(|page| world.push(page as usize % 2, page, 1));
    let sides = [world.host(0), world.host(1)];
    world.frontier.hold(sides[0], 3000);
    let mut given = Vec::new();
    for now in (0..6).map(|n| n * FLOOR) {
        let (host, page) = world.page(now);
        assert!(!matches!(world.next(now), Next::Fetch(..)), "one request at a time for both");
        world.frontier.done(host, 0, now);
        given.push(page);
    }
    assert_eq!(given, [1, 3, 5, 0, 2, 4]);
    (0..4).for_each(|page| world.push(page as usize % 2, page, 1));
    world.push(1, 9, 2);
    let given = [6, 7, 8, 9, 10].map(|n| {
        let (host, page) = world.page(n * FLOOR);
        world.frontier.done(host, 0, n * FLOOR);
        page
    });
    assert_eq!(given, [1, 0, 3, 2, 9], "in turn, the better priority first");
}

#[test]
fn every_host_with_urls_is_kept_busy() {
    let mut world = frontier(0);
    for page in 0..3000 {
        world.push(page as usize % 1000, page, 1);
    }
    let mut now = 5;
    for round in 0..3 {
        for _ in 0..1000 {
            let (host, _) = world.page(now);
            world.frontier.done(host, 0, now);
        }
        let next = if round < 2 { Next::WaitUntil(now + FLOOR) } else { Next::Done };
        assert_eq!(world.next(now), next);
        now += FLOOR;
    }
}

#[test]
fn higher_priorities_come_first_on_average_and_none_starves() {
    let mut world = frontier(0);
    let priority = |page: u64| (page % 4 + 1) as u8;
    for page in 0..400 {
        world.push(page as usize, page, priority(page));
    }
    let mut order: Vec<u8> = Vec::new();
    while !world.frontier.is_empty() {
        let (_, page) = world.page(0);
        order.push(priority(page));
    }
    let place = |priority: u8| {
        let at = order.iter().enumerate().filter(|(_, p)| **p == priority).map(|(i, _)| i);
        at.sum::<usize>() / 100
    };
    assert!(place(1) < place(2) && place(2) < place(3) && place(3) < place(4));
    assert!(order[..40].contains(&4), "the lowest is not starved: {:?}", &order[..40]);
}

#[test]
fn the_best_url_of_a_host_comes_first_however_many_wait() {
    let mut world = frontier(0);
    for page in 0..5000 {
        world.push(0, page, (page % 8 + 1) as u8);
    }
    assert_eq!(world.frontier.queued(), [625; 8]);
    let mut now = 0;
    let mut last = 1;
    while !world.frontier.is_empty() {
        let (host, page) = world.page(now);
        let priority = page % 8 + 1;
        assert!(priority >= last, "page {page} came after priority {last}");
        last = priority;
        world.frontier.done(host, 0, now);
        now += FLOOR;
    }
}

#[test]
fn two_frontiers_share_the_limits_of_an_address() {
    let addresses = Arc::new(Addresses::new(1));
    let mut worlds = [sharing(&addresses), sharing(&addresses)];
    for world in &mut worlds {
        world.push(0, 1, 1);
        let host = world.host(0);
        world.frontier.resolved(host, address(host));
    }
    let [one, two] = &mut worlds;
    let (host, _) = one.page(100);
    let Next::WaitUntil(soon) = two.next(100) else { panic!("the address is taken") };
    assert!(soon > 100 && soon < 200, "it looks again: {soon}");
    one.frontier.done(host, 0, 150);
    assert_eq!(two.next(soon.max(150)), Next::WaitUntil(150 + FLOOR));
    assert_eq!(two.page(150 + FLOOR).1, 1);
}

#[test]
fn a_thousand_hosts_of_one_address_take_turns() {
    let mut world = frontier(1);
    for host in 0..1000 {
        world.push(host, host as u64, 1);
        let id = world.host(host);
        world.frontier.resolved(id, IpAddr::from([10, 0, 0, 1]));
    }
    let mut now = 0;
    for page in 0..1000 {
        let (host, given) = world.page(now);
        assert_eq!(given, page);
        assert_eq!(world.next(now), Next::InFlight);
        world.frontier.done(host, 0, now);
        now += FLOOR;
    }
    assert_eq!(world.next(now), Next::Done);
}

#[test]
fn parts_are_given_while_a_host_waits_for_room_but_not_while_its_rules_are_looked_for() {
    let mut world = frontier(0);
    world.push(0, 1, 1);
    let host = world.host(0);
    world.frontier.set_waits(host, true);
    world.frontier.push_urgent(host, Task::Part(7));
    assert_eq!(world.next(5000), Next::Fetch(host, Task::Part(7)));
    world.frontier.set_seeks(host, true);
    world.frontier.push_urgent(host, Task::Part(8));
    world.frontier.done(host, 0, 5000);
    assert_eq!(world.next(9000), Next::Done);
    world.frontier.set_waits(host, false);
    world.frontier.set_seeks(host, false);
    assert_eq!(world.next(9000), Next::Fetch(host, Task::Part(8)));
}

#[test]
fn a_host_that_waits_is_asked_only_for_a_robots_txt_and_its_hold_is_not_forgotten() {
    let mut world = frontier(0);
    world.push(0, 1, 1);
    let host = world.host(0);
    world.frontier.hold(host, 4000);
    world.frontier.set_waits(host, true);
    assert_eq!(world.next(5000), Next::Done);
    let url = fyke_web::Url::parse("http://h0.test/robots.txt").expect("a URL");
    world.frontier.push_urgent(host, Task::Row(Position(2)));
    assert_eq!(world.next(5000), Next::Done, "no page, however urgent, comes before its rules");
    let of = Origin { is_secure: false, authority: "h1.test".to_owned() };
    let robots = Task::Robots { of, url, hops: 1 };
    world.frontier.push_urgent(host, robots.clone());
    world.frontier.push_urgent(host, Task::Row(Position(3)));
    assert_eq!(world.next(5000), Next::Fetch(host, robots));
    world.frontier.done(host, 0, 5000);
    world.frontier.hold(host, 9000);
    world.frontier.set_waits(host, false);
    assert_eq!(world.next(7000), Next::WaitUntil(9000));
    assert_eq!(world.page(9000), (host, 3));
    world.frontier.done(host, 0, 9000);
    assert_eq!(world.page(9000 + FLOOR), (host, 2));
    world.frontier.done(host, 0, 9000 + FLOOR);
    assert_eq!(world.page(9000 + 2 * FLOOR), (host, 1));
}

#[test]
fn draining_a_host_gives_everything_back_once() {
    let mut world = frontier(0);
    for page in 0..500 {
        world.push(0, page, (page % 8 + 1) as u8);
        world.push(1, page, 1);
    }
    let host = world.host(0);
    let mut pages = Vec::new();
    for most in [7, 200, 1000] {
        assert_eq!(world.frontier.hosts_waiting(), 2);
        let tasks = world.frontier.drain(host, most).expect("a disk");
        assert_eq!(tasks.len(), most.min(293));
        pages.extend(tasks.into_iter().map(|task| match task {
            Task::Row(page) => page.0,
            task => panic!("{task:?}"),
        }));
    }
    pages.sort_unstable();
    assert_eq!(pages, (0..500).collect::<Vec<_>>());
    assert_eq!((world.frontier.len(), world.frontier.hosts_waiting()), (500, 1));
    let (host, _) = world.page(0);
    assert_eq!(world.frontier.name(host), "h1.test");
}

#[test]
fn releasing_a_host_costs_no_gap_and_urgent_comes_first() {
    let mut world = frontier(0);
    world.push(0, 1, 1);
    let (host, _) = world.page(5);
    world.frontier.push_urgent(host, Task::Row(Position(1)));
    world.frontier.push_urgent(host, Task::Row(Position(2)));
    assert_eq!(world.next(5), Next::InFlight);
    world.frontier.release(host, 5);
    assert_eq!(world.page(5), (host, 2));
    world.frontier.done(host, 0, 7);
    assert_eq!(world.next(7), Next::WaitUntil(7 + FLOOR));
    assert_eq!(world.page(7 + FLOOR), (host, 1));
}
