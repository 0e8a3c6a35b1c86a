//! The frontier beside a plain list: any order of operations, reopenings included, gives what the list allows.

use fyke_crawl::frontier::{Addresses, Frontier, HostId, Next, PRIORITIES, Task};
use fyke_crawl::politeness::Politeness;
use fyke_store::Position;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const FLOOR: u64 = 1000;
const HOSTS: usize = 5;

#[derive(Clone, Debug)]
enum FrontierStep {
    /// So many URLs of a host at a priority.
    Push(usize, u8, u8),
    /// Asks for what may be fetched.
    Next,
    /// The oldest request ends after so many milliseconds.
    Done(u64),
    /// The oldest request was never made.
    Release,
    /// A host is left alone for so long.
    Hold(usize, u64),
    Drain(usize, usize),
    /// Time goes by.
    Pass(u64),
    /// The process ends; what was queued or under way is queued again.
    Reopen,
}

fn step() -> impl Strategy<Value = FrontierStep> {
    let host = 0..HOSTS;
    prop_oneof![
        6 => (host.clone(), 1..=PRIORITIES as u8, 1..30_u8)
            .prop_map(|(host, priority, count)| FrontierStep::Push(host, priority, count)),
        12 => Just(FrontierStep::Next),
        5 => (0..200_u64).prop_map(FrontierStep::Done),
        1 => Just(FrontierStep::Release),
        1 => (host.clone(), 0..5_000_u64).prop_map(|(host, time)| FrontierStep::Hold(host, time)),
        1 => (host, 0..40_usize).prop_map(|(host, most)| FrontierStep::Drain(host, most)),
        6 => (1..1_500_u64).prop_map(FrontierStep::Pass),
        1 => Just(FrontierStep::Reopen),
    ]
}

/// A queued URL.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Queued {
    host: usize,
    priority: u8,
    page: u64,
}

/// What should be: a list, and for each host when it may be asked.
#[derive(Default)]
struct PlainFrontier {
    queue: Vec<Queued>,
    ready: BTreeMap<usize, u64>,
    /// Requests under way, the oldest first.
    flights: Vec<Queued>,
    now: u64,
    pushed: u64,
}

impl PlainFrontier {
    fn is_busy(&self, host: usize) -> bool {
        self.flights.iter().any(|flight| flight.host == host)
    }

    fn ready(&self, host: usize) -> u64 {
        self.ready.get(&host).copied().unwrap_or(0)
    }

    /// Hosts that have URLs and are not busy.
    fn free(&self) -> impl Iterator<Item = usize> {
        let has_some = |host: &usize| self.queue.iter().any(|url| url.host == *host);
        (0..HOSTS).filter(move |host| has_some(host) && !self.is_busy(*host))
    }

    /// Takes a URL off that was given, which must be one of the best of a host that may be asked.
    fn take(&mut self, host: usize, page: u64) -> Result<(), TestCaseError> {
        prop_assert!(!self.is_busy(host), "two requests at once");
        prop_assert!(self.ready(host) <= self.now, "too early");
        let best = self.queue.iter().filter(|url| url.host == host).map(|url| url.priority).min();
        let at = self.queue.iter().position(|url| url.page == page && url.host == host);
        prop_assert!(at.is_some(), "page {page} of host {host} is not queued");
        let taken = self.queue.remove(at.unwrap_or(0));
        prop_assert_eq!(Some(taken.priority), best, "a better one waits");
        self.flights.push(taken);
        Ok(())
    }
}

struct Both {
    frontier: Frontier,
    plain: PlainFrontier,
}

fn open(overflow: &Path) -> Frontier {
    let politeness = Politeness { floor: FLOOR, factor: 10.0, longest: 60_000 };
    let mut frontier = Frontier::new(politeness, Arc::new(Addresses::new(0)), overflow);
    for number in 0..HOSTS {
        let host = frontier.host(&format!("h{number}.test"), false);
        frontier.set_delay(host, delay(number));
    }
    frontier
}

fn delay(host: usize) -> u64 {
    host as u64 % 2 * 1_700
}

fn id(host: usize) -> HostId {
    HostId(host as u32)
}

impl Both {
    fn take(&mut self, step: &FrontierStep, overflow: &Path) -> Result<(), TestCaseError> {
        let Both { frontier, plain } = self;
        match *step {
            FrontierStep::Push(host, priority, count) => {
                for _ in 0..count {
                    let url = Queued { host, priority, page: plain.pushed };
                    frontier.push(id(host), priority, Position(url.page)).expect("a disk");
                    plain.queue.push(url);
                    plain.pushed += 1;
                }
            }
            FrontierStep::Next => self.ask()?,
            FrontierStep::Done(elapsed) if !plain.flights.is_empty() => {
                let host = plain.flights.remove(0).host;
                plain.now += elapsed;
                frontier.done(id(host), elapsed, plain.now);
                let gap = FLOOR.max((10 * elapsed).min(60_000)).max(delay(host));
                let ready = plain.ready.entry(host).or_default();
                *ready = (*ready).max(plain.now + gap);
            }
            FrontierStep::Release if !plain.flights.is_empty() => {
                let host = plain.flights.remove(0).host;
                frontier.release(id(host), plain.now);
            }
            FrontierStep::Hold(host, time) => {
                frontier.hold(id(host), plain.now + time);
                let ready = plain.ready.entry(host).or_default();
                *ready = (*ready).max(plain.now + time);
            }
            FrontierStep::Drain(host, most) => {
                let tasks = frontier.drain(id(host), most).expect("a disk");
                let queued = plain.queue.iter().filter(|url| url.host == host).count();
                prop_assert_eq!(tasks.len(), most.min(queued));
                for task in tasks {
                    let Task::Row(page) = task else { panic!("{task:?}") };
                    let before = plain.queue.len();
                    plain.queue.retain(|url| url.page != page.0 || url.host != host);
                    prop_assert_eq!(plain.queue.len() + 1, before, "drained and not queued");
                }
            }
            FrontierStep::Pass(time) => plain.now += time,
            FrontierStep::Reopen => {
                *frontier = open(overflow);
                plain.queue.append(&mut plain.flights);
                for url in &plain.queue {
                    let (host, page) = (id(url.host), Position(url.page));
                    frontier.push(host, url.priority, page).expect("a disk");
                }
                // What was promised to a host is in the ledger.
                plain.ready.iter().for_each(|(host, until)| frontier.hold(id(*host), *until));
            }
            _ => {}
        }
        self.compare()
    }

    /// Asks the frontier, and the list whether that answer is right.
    fn ask(&mut self) -> Result<(), TestCaseError> {
        let Both { frontier, plain } = self;
        let earliest = plain.free().map(|host| plain.ready(host)).min();
        match frontier.next(plain.now).expect("a disk") {
            Next::Fetch(host, Task::Row(page)) => plain.take(host.0 as usize, page.0),
            Next::Fetch(_, task) => panic!("nobody asked for {task:?}"),
            Next::WaitUntil(time) => {
                prop_assert_eq!(Some(time), earliest);
                prop_assert!(time > plain.now);
                Ok(())
            }
            Next::InFlight => {
                prop_assert!(earliest.is_none() && !plain.flights.is_empty());
                Ok(())
            }
            Next::Done => {
                prop_assert!(plain.queue.is_empty() && plain.flights.is_empty());
                Ok(())
            }
        }
    }

    fn compare(&self) -> Result<(), TestCaseError> {
        let queue = &self.plain.queue;
        prop_assert_eq!(self.frontier.len(), queue.len() as u64);
        prop_assert_eq!(self.frontier.is_empty(), queue.is_empty());
        let count = |priority: usize| {
            queue.iter().filter(|url| usize::from(url.priority) == priority + 1).count() as u64
        };
        prop_assert_eq!(self.frontier.queued(), std::array::from_fn(count));
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn the_frontier_gives_what_a_plain_list_allows(
        steps in prop::collection::vec(step(), 1..160),
    ) {
        let dir = tempfile::tempdir().expect("a folder");
        let overflow = dir.path().join("overflow");
        let plain = PlainFrontier { now: 1_000_000, ..PlainFrontier::default() };
        let mut both = Both { frontier: open(&overflow), plain };
        for step in &steps {
            both.take(step, &overflow)?;
        }
        // Whatever is left comes out, each URL once.
        let mut most = 10 * (both.plain.queue.len() + HOSTS);
        while !(both.plain.queue.is_empty() && both.plain.flights.is_empty()) {
            for step in [FrontierStep::Next, FrontierStep::Done(0), FrontierStep::Pass(3_000)] {
                both.take(&step, &overflow)?;
            }
            most -= 1;
            prop_assert!(most > 0, "something never comes out");
        }
    }
}
