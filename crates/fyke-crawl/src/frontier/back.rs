//! Back queues: politeness (000 "Back queue invariants", "Back queue heap").

use super::{Entry, Next, Options};
use crate::politeness::Politeness;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;

/// A host that must wait longer than this gives up its back queue meanwhile.
const PARK: u64 = 10_000;

/// Where a host's URLs stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It has none.
    Out,
    /// In this back queue.
    Back(usize),
    /// Aside, until its earliest time.
    Parked,
    /// Due again, in line for a back queue.
    Returning,
}

/// One host with its queue; the host table outlives its place in a back queue, so that its earliest
/// time is never forgotten.
#[derive(Debug)]
struct Host {
    name: Box<str>,
    queue: VecDeque<Entry>,
    place: Place,
    /// A request is under way.
    busy: bool,
    /// Its address was busy: it stands in the address's line.
    in_line: bool,
    dropped: bool,
    /// Earliest time by the gap.
    ready: u64,
    /// Earliest time by a hold.
    held: u64,
    /// It waits for something without a time of its own.
    waits: bool,
    /// End of the last request.
    ended: Option<u64>,
    /// Crawl-delay.
    delay: u64,
    address: Option<IpAddr>,
    /// The address that the request under way counts against.
    flies_to: Option<IpAddr>,
}

impl Host {
    fn earliest(&self) -> u64 {
        if self.waits { u64::MAX } else { self.ready.max(self.held) }
    }
}

/// One server address.
#[derive(Debug, Default)]
struct Address {
    in_flight: usize,
    ready: u64,
    line: VecDeque<usize>,
    /// The heap has an entry for it.
    woken: bool,
}

/// What a heap entry is about. An entry that is no longer true is passed over when it comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wake {
    Host(usize),
    Address(IpAddr),
    Parked(usize),
}

/// B back queues, the table from hosts to them, and the heap of earliest times.
#[derive(Debug)]
pub(super) struct BackQueues {
    queues: Vec<Option<usize>>,
    free: Vec<usize>,
    returning: VecDeque<usize>,
    hosts: Vec<Host>,
    table: HashMap<Box<str>, usize>,
    addresses: HashMap<IpAddr, Address>,
    heap: BinaryHeap<Reverse<(u64, Wake)>>,
    politeness: Politeness,
    per_address: usize,
    in_flight: usize,
    waiting: usize,
    len: usize,
    now: u64,
}

impl BackQueues {
    pub(super) fn new(options: &Options) -> BackQueues {
        let count = 3 * options.fetchers.max(1);
        BackQueues {
            queues: vec![None; count],
            free: (0..count).rev().collect(),
            returning: VecDeque::new(),
            hosts: Vec::new(),
            table: HashMap::new(),
            addresses: HashMap::new(),
            heap: BinaryHeap::new(),
            politeness: options.politeness,
            per_address: options.per_address,
            in_flight: 0,
            waiting: 0,
            len: 0,
            now: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    pub(super) fn has_free(&self) -> bool {
        !self.free.is_empty()
    }

    pub(super) fn queues(&self) -> impl Iterator<Item = Option<(&str, usize)>> {
        self.queues
            .iter()
            .map(|host| host.map(|h| (self.hosts[h].name.as_ref(), self.hosts[h].queue.len())))
    }

    pub(super) fn set_delay(&mut self, authority: &str, delay: u64) {
        let h = self.index(authority);
        let host = &mut self.hosts[h];
        host.delay = delay;
        if let Some(ended) = host.ended {
            host.ready = host.ready.max(ended.saturating_add(delay));
            self.reschedule(h);
        }
    }

    pub(super) fn set_address(&mut self, authority: &str, address: IpAddr) {
        let h = self.index(authority);
        self.hosts[h].address = Some(address);
    }

    fn index(&mut self, authority: &str) -> usize {
        if let Some(&index) = self.table.get(authority) {
            return index;
        }
        let index = self.hosts.len();
        self.table.insert(authority.into(), index);
        self.hosts.push(Host {
            name: authority.into(),
            queue: VecDeque::new(),
            place: Place::Out,
            busy: false,
            in_line: false,
            dropped: false,
            ready: 0,
            held: 0,
            waits: false,
            ended: None,
            delay: 0,
            address: None,
            flies_to: None,
        });
        index
    }

    /// Appends a URL from the front queues to its host's queue; a host without a place gets one.
    pub(super) fn push(&mut self, entry: Entry, dropped: &mut Vec<Entry>) {
        let h = self.index(entry.url.authority());
        if self.hosts[h].dropped {
            dropped.push(entry);
            return;
        }
        self.len += 1;
        self.hosts[h].queue.push_back(entry);
        self.placed(h, false);
    }

    /// Puts a URL at the head of its host's queue.
    pub(super) fn push_front(&mut self, entry: Entry, dropped: &mut Vec<Entry>) {
        let h = self.index(entry.url.authority());
        if self.hosts[h].dropped {
            dropped.push(entry);
            return;
        }
        self.len += 1;
        self.hosts[h].queue.push_front(entry);
        self.placed(h, true);
    }

    /// Gives a host whose queue just became non-empty its place.
    fn placed(&mut self, h: usize, in_line: bool) {
        if self.hosts[h].queue.len() == 1 && !self.hosts[h].busy {
            self.waiting += 1;
        }
        if self.hosts[h].place != Place::Out {
            return;
        }
        if self.hosts[h].earliest() > self.now.saturating_add(PARK) {
            self.park(h);
        } else if in_line || self.free.is_empty() {
            self.hosts[h].place = Place::Returning;
            self.returning.push_back(h);
        } else {
            self.assign(h);
        }
    }

    /// Gives a free back queue to the first host in line; false when nobody is.
    pub(super) fn assign_returning(&mut self) -> bool {
        while let Some(h) = self.returning.pop_front() {
            if self.hosts[h].place == Place::Returning {
                self.assign(h);
                return true;
            }
        }
        false
    }

    fn assign(&mut self, h: usize) {
        let Some(queue) = self.free.pop() else { return };
        self.queues[queue] = Some(h);
        self.hosts[h].place = Place::Back(queue);
        self.schedule(h);
    }

    /// Takes the host out of wherever it stands.
    fn unplace(&mut self, h: usize) {
        if let Place::Back(queue) = self.hosts[h].place {
            self.queues[queue] = None;
            self.free.push(queue);
        }
        self.hosts[h].place = Place::Out;
        self.hosts[h].in_line = false;
    }

    fn park(&mut self, h: usize) {
        self.unplace(h);
        self.hosts[h].place = Place::Parked;
        self.heap.push(Reverse((self.hosts[h].earliest(), Wake::Parked(h))));
    }

    /// Makes the heap entry of a host that can be hit again, or parks it.
    fn schedule(&mut self, h: usize) {
        let host = &self.hosts[h];
        if host.busy || host.in_line || !matches!(host.place, Place::Back(_)) {
            return;
        }
        let at = host.earliest();
        match at > self.now.saturating_add(PARK) {
            true => self.park(h),
            false => self.heap.push(Reverse((at, Wake::Host(h)))),
        }
    }

    /// Extracts the root of the heap and the head of its queue, if its time has come.
    pub(super) fn next(&mut self, now: u64) -> Next {
        self.now = self.now.max(now);
        while let Some(&Reverse((at, wake))) = self.heap.peek() {
            if at > now {
                return match self.is_true(at, wake) {
                    true if at == u64::MAX && self.in_flight > 0 => Next::InFlight,
                    true => Next::WaitUntil(at),
                    false => {
                        self.heap.pop();
                        continue;
                    }
                };
            }
            self.heap.pop();
            if !self.is_true(at, wake) {
                continue;
            }
            let found = match wake {
                Wake::Host(h) => self.try_host(h, now),
                Wake::Address(address) => self.try_line(address, now),
                Wake::Parked(h) => {
                    self.hosts[h].place = Place::Returning;
                    self.returning.push_back(h);
                    if self.has_free() {
                        self.assign_returning();
                    }
                    None
                }
            };
            if let Some(entry) = found {
                return Next::Fetch(entry);
            }
        }
        match self.in_flight > 0 {
            true => Next::InFlight,
            false => Next::Done,
        }
    }

    /// Whether a heap entry still says how things are.
    fn is_true(&self, at: u64, wake: Wake) -> bool {
        match wake {
            Wake::Host(h) => {
                let host = &self.hosts[h];
                let ready = !host.busy && !host.in_line && !host.queue.is_empty();
                ready && matches!(host.place, Place::Back(_)) && host.earliest() == at
            }
            Wake::Address(_) => true,
            Wake::Parked(h) => {
                self.hosts[h].place == Place::Parked && self.hosts[h].earliest() == at
            }
        }
    }

    /// The head of this host's queue, unless its address has to rest: then it stands in line there.
    fn try_host(&mut self, h: usize, now: u64) -> Option<Entry> {
        if self.per_address > 0
            && let Some(key) = self.hosts[h].address
        {
            let address = self.addresses.entry(key).or_default();
            if address.in_flight >= self.per_address || address.ready > now {
                address.line.push_back(h);
                self.hosts[h].in_line = true;
                self.wake(key);
                return None;
            }
        }
        self.take(h)
    }

    /// The address is free: the first host in its line goes.
    fn try_line(&mut self, key: IpAddr, now: u64) -> Option<Entry> {
        let address = self.addresses.get_mut(&key)?;
        address.woken = false;
        if address.in_flight >= self.per_address {
            return None;
        }
        if address.ready > now {
            self.wake(key);
            return None;
        }
        while let Some(h) = self.addresses.get_mut(&key)?.line.pop_front() {
            if !self.hosts[h].in_line {
                continue;
            }
            self.hosts[h].in_line = false;
            if self.hosts[h].earliest() > now {
                self.schedule(h);
                continue;
            }
            let entry = self.take(h);
            self.wake(key);
            return entry;
        }
        None
    }

    /// Makes the heap entry of an address that has a line and may be hit again.
    fn wake(&mut self, key: IpAddr) {
        let Some(address) = self.addresses.get_mut(&key) else { return };
        if !address.woken && !address.line.is_empty() && address.in_flight < self.per_address {
            address.woken = true;
            self.heap.push(Reverse((address.ready, Wake::Address(key))));
        }
    }

    fn take(&mut self, h: usize) -> Option<Entry> {
        let entry = self.hosts[h].queue.pop_front()?;
        self.len -= 1;
        self.waiting -= 1;
        self.in_flight += 1;
        self.hosts[h].busy = true;
        self.hosts[h].flies_to = self.hosts[h].address;
        if let Some(key) = self.hosts[h].flies_to {
            self.addresses.entry(key).or_default().in_flight += 1;
        }
        if self.hosts[h].queue.is_empty() {
            self.unplace(h);
        }
        Some(entry)
    }

    /// Frees the host; `elapsed` is none when no request was made.
    pub(super) fn done(&mut self, authority: &str, elapsed: Option<u64>, now: u64) {
        self.now = self.now.max(now);
        let h = self.index(authority);
        if !std::mem::take(&mut self.hosts[h].busy) {
            return;
        }
        self.in_flight -= 1;
        let gap = elapsed.map(|elapsed| self.politeness.gap(self.hosts[h].delay, elapsed));
        let ready = gap.map_or(0, |gap| now.saturating_add(gap));
        self.hosts[h].ready = self.hosts[h].ready.max(ready);
        self.hosts[h].ended = elapsed.map(|_| now).or(self.hosts[h].ended);
        if let Some(key) = self.hosts[h].flies_to.take() {
            let address = self.addresses.entry(key).or_default();
            address.in_flight -= 1;
            address.ready = address.ready.max(ready);
            self.wake(key);
        }
        if !self.hosts[h].queue.is_empty() {
            self.waiting += 1;
            self.schedule(h);
        }
    }

    pub(super) fn hold(&mut self, authority: &str, until: u64) {
        let h = self.index(authority);
        self.hosts[h].held = self.hosts[h].held.max(until);
        self.reschedule(h);
    }

    pub(super) fn set_waits(&mut self, authority: &str, waits: bool) {
        let h = self.index(authority);
        self.hosts[h].waits = waits;
        self.reschedule(h);
    }

    /// The host's earliest time has changed.
    fn reschedule(&mut self, h: usize) {
        match self.hosts[h].place {
            Place::Parked => self.park(h),
            Place::Back(_) => self.schedule(h),
            Place::Out | Place::Returning => {}
        }
    }

    pub(super) fn drop_host(&mut self, authority: &str) -> Vec<Entry> {
        let h = self.index(authority);
        self.hosts[h].dropped = true;
        let entries = Vec::from(std::mem::take(&mut self.hosts[h].queue));
        self.len -= entries.len();
        if !entries.is_empty() && !self.hosts[h].busy {
            self.waiting -= 1;
        }
        self.unplace(h);
        entries
    }
}
