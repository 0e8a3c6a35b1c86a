//! Back queues: politeness (000 "Back queue invariants", "Back queue heap").

use super::addresses::Addresses;
use super::overflow::Overflow;
use super::queue::{HostQueue, PRIORITIES, index};
use super::ready::Ready;
use super::{HostId, Next, Outlook, Task};
use crate::politeness::Politeness;
use fyke_store::{Position, StoreError};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

/// How often an address that another thread has taken is looked at again, in milliseconds.
const POLL: u64 = 10;

/// Where a host stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostPlace {
    /// Nothing can be asked of it: no task, or it waits for something without a time.
    Out,
    /// In the heap, for this time.
    Heap(u64),
    /// Among those that may be asked now.
    Ready,
    /// In the line of its address.
    InLine,
    /// A request is under way.
    Busy,
}

/// One host with its queue. It is kept when the queue is empty: its earliest time still binds.
#[derive(Debug)]
struct BackHost {
    name: Arc<str>,
    queue: HostQueue,
    urgent: VecDeque<Task>,
    place: HostPlace,
    /// Earliest time by the gap.
    ready: u64,
    /// Earliest time by a hold.
    held: u64,
    /// Only a robots.txt is asked for, and parts of pages.
    waits: bool,
    /// Its robots.txt is looked for elsewhere: parts are not asked for, either.
    seeks: bool,
    /// End of the last request.
    ended: Option<u64>,
    /// Crawl-delay.
    delay: u64,
    address: Option<IpAddr>,
    /// The address that the request under way counts against.
    flies_to: Option<IpAddr>,
    /// The other side of the same authority, if it was met.
    sister: Option<HostId>,
    /// When it was last taken, as a number that counts up.
    taken: u64,
}

impl BackHost {
    fn has_task(&self) -> bool {
        !self.urgent.is_empty() || !self.queue.is_empty()
    }

    /// When it may be asked for its next task; none while there is nothing to ask.
    fn earliest(&self) -> Option<u64> {
        let asks = self.urgent().is_some() || !self.waits && !self.queue.is_empty();
        asks.then(|| self.ready.max(self.held))
    }

    /// The place of the urgent task that comes next: a robots.txt, then parts of pages, then others. While the host waits,
    /// no other is asked for, and no part before its rules are known.
    fn urgent(&self) -> Option<usize> {
        let is_robots = |task: &Task| matches!(task, Task::Robots { .. });
        let is_part = |task: &Task| !self.seeks && matches!(task, Task::Part(_));
        let first = self.urgent.iter().position(is_robots);
        // A page is under way that waits for its part, while URLs that are put back may come to the front again and again.
        let first = first.or_else(|| self.urgent.iter().position(is_part));
        first.or_else(|| (!self.waits && !self.urgent.is_empty()).then_some(0))
    }

    fn priority(&self) -> u8 {
        if self.urgent.is_empty() { self.queue.best().unwrap_or(1) } else { 1 }
    }
}

/// Hosts of one busy address, in the order they came.
#[derive(Debug, Default)]
struct AddressLine {
    hosts: VecDeque<HostId>,
    /// Requests of this frontier under way there.
    flying: usize,
    /// The heap has an entry for it, for this time.
    woken: Option<u64>,
}

/// What a heap entry is about. An entry that is no longer true is passed over when it comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wake {
    Host(HostId),
    Line(IpAddr),
}

/// One back queue a host, the table from hosts to them, and the heap of earliest times.
#[derive(Debug)]
pub(super) struct BackQueues {
    hosts: Vec<BackHost>,
    /// By authority: without TLS, and with it.
    table: HashMap<Arc<str>, [Option<HostId>; 2]>,
    lines: HashMap<IpAddr, AddressLine>,
    heap: BinaryHeap<Reverse<(u64, Wake)>>,
    ready: Ready,
    politeness: Politeness,
    addresses: Arc<Addresses>,
    overflow: Overflow,
    in_flight: usize,
    waiting: usize,
    urgent: u64,
    queued: [u64; PRIORITIES],
    /// The priority of the URL taken last; none if it was urgent.
    taken: Option<u8>,
    /// Tasks taken so far.
    takes: u64,
}

impl BackQueues {
    pub(super) fn new(
        politeness: Politeness,
        addresses: Arc<Addresses>,
        overflow: &Path,
    ) -> BackQueues {
        BackQueues {
            hosts: Vec::new(),
            table: HashMap::new(),
            lines: HashMap::new(),
            heap: BinaryHeap::new(),
            ready: Ready::default(),
            politeness,
            addresses,
            overflow: Overflow::new(overflow),
            in_flight: 0,
            waiting: 0,
            urgent: 0,
            queued: [0; PRIORITIES],
            taken: None,
            takes: 0,
        }
    }

    pub(super) fn taken(&self) -> Option<u8> {
        self.taken
    }

    pub(super) fn len(&self) -> u64 {
        self.urgent + self.queued.iter().sum::<u64>()
    }

    pub(super) fn queued(&self) -> [u64; PRIORITIES] {
        self.queued
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    pub(super) fn known(&self, authority: &str) -> [Option<HostId>; 2] {
        self.table.get(authority).copied().unwrap_or_default()
    }

    pub(super) fn name(&self, host: HostId) -> &str {
        &self.hosts[host.index()].name
    }

    pub(super) fn ready(&self, host: HostId) -> u64 {
        self.hosts[host.index()].ready
    }

    pub(super) fn outlook(&self, host: HostId) -> Outlook {
        let host = &self.hosts[host.index()];
        Outlook {
            until: host.earliest(),
            queued: host.queue.len(),
            in_line: host.place == HostPlace::InLine,
        }
    }

    pub(super) fn host(&mut self, authority: &str, is_secure: bool) -> HostId {
        let sides = self.known(authority);
        if let Some(host) = sides[usize::from(is_secure)] {
            return host;
        }
        let id = HostId(u32::try_from(self.hosts.len()).expect("fewer than 2^32 hosts"));
        let sister = sides[usize::from(!is_secure)];
        let (name, ready, ended) = match sister.map(|sister| &mut self.hosts[sister.index()]) {
            Some(other) => {
                other.sister = Some(id);
                (Arc::clone(&other.name), other.ready, other.ended)
            }
            None => (authority.into(), 0, None),
        };
        self.table.entry(Arc::clone(&name)).or_default()[usize::from(is_secure)] = Some(id);
        self.hosts.push(BackHost {
            name,
            queue: HostQueue::default(),
            urgent: VecDeque::new(),
            place: HostPlace::Out,
            ready,
            held: 0,
            waits: false,
            seeks: false,
            ended,
            delay: 0,
            address: None,
            flies_to: None,
            sister,
            taken: 0,
        });
        id
    }

    fn sister(&self, id: HostId) -> Option<&BackHost> {
        self.hosts[id.index()].sister.map(|sister| &self.hosts[sister.index()])
    }

    /// Whether the other side of the host is asked now.
    fn is_sister_busy(&self, id: HostId) -> bool {
        self.sister(id).is_some_and(|sister| sister.place == HostPlace::Busy)
    }

    /// Of the two sides of a host the one to be asked first: the better priority, and in turn.
    fn first_of(&self, id: HostId, now: u64) -> HostId {
        let host = &self.hosts[id.index()];
        let order = |host: &BackHost| (host.priority(), host.taken);
        let is_first = |sister: &HostId| {
            let sister = &self.hosts[sister.index()];
            let may_go = sister.earliest().is_some_and(|time| time <= now);
            sister.place == HostPlace::Ready && may_go && order(sister) < order(host)
        };
        host.sister.filter(is_first).unwrap_or(id)
    }

    pub(super) fn push(
        &mut self,
        id: HostId,
        priority: u8,
        url: Position,
    ) -> Result<(), StoreError> {
        let host = &mut self.hosts[id.index()];
        let had_task = host.has_task();
        let priority = priority.clamp(1, PRIORITIES as u8);
        if host.place == HostPlace::Ready && priority < host.priority() {
            // Its place among those that are ready is behind the times: it gets a second one.
            self.ready.push(priority, id);
        }
        host.queue.push(priority, url, &mut self.overflow)?;
        self.queued[index(priority)] += 1;
        self.pushed(id, had_task);
        Ok(())
    }

    pub(super) fn push_urgent(&mut self, id: HostId, task: Task) {
        let host = &mut self.hosts[id.index()];
        let had_task = host.has_task();
        host.urgent.push_front(task);
        self.urgent += 1;
        self.pushed(id, had_task);
    }

    fn pushed(&mut self, id: HostId, had_task: bool) {
        let place = self.hosts[id.index()].place;
        self.waiting += usize::from(!had_task && place != HostPlace::Busy);
        if place == HostPlace::Out {
            self.schedule(id);
        }
    }

    /// Puts the host into the heap for its earliest time, or out where it has none.
    fn schedule(&mut self, id: HostId) {
        let host = &mut self.hosts[id.index()];
        if host.place == HostPlace::Busy {
            return;
        }
        let earliest = host.earliest();
        let place = earliest.map_or(HostPlace::Out, HostPlace::Heap);
        if host.place == place {
            return;
        }
        host.place = place;
        if let Some(time) = earliest {
            self.heap.push(Reverse((time, Wake::Host(id))));
        }
    }

    /// What may be asked for now: of the hosts whose time has come, by the ruler sequence, or, where
    /// `worst` is given, the best and none worse than that.
    pub(super) fn next(&mut self, now: u64, worst: Option<u8>) -> Result<Next, StoreError> {
        if let Some(id) = self.wake(now) {
            return self.take(id);
        }
        while let Some(id) = self.pull(worst) {
            if self.hosts[id.index()].place != HostPlace::Ready {
                continue;
            }
            let first = self.first_of(id, now);
            if first != id {
                // It keeps its place; that of the other side is passed over when it comes up.
                self.ready.push(self.hosts[id.index()].priority(), id);
            }
            if self.may_go(first, now) {
                return self.take(first);
            }
        }
        Ok(match self.wait() {
            Next::WaitUntil(time) if !self.ready.is_empty() => {
                Next::WaitUntil(time.min(now + POLL))
            }
            _ if !self.ready.is_empty() => Next::WaitUntil(now + POLL),
            next => next,
        })
    }

    /// A host that is ready. One that waits under a better priority than it has is put where it belongs.
    fn pull(&mut self, worst: Option<u8>) -> Option<HostId> {
        let Some(worst) = worst else { return self.ready.pull() };
        while let Some((priority, id)) = self.ready.pull_best(worst) {
            let host = &self.hosts[id.index()];
            match host.priority() {
                found if found > priority && host.place == HostPlace::Ready => {
                    self.ready.push(found, id);
                }
                _ => return Some(id),
            }
        }
        None
    }

    /// Wakes the hosts whose time has come; a host of a line that may go is given at once.
    fn wake(&mut self, now: u64) -> Option<HostId> {
        while let Some(&Reverse((time, wake))) = self.heap.peek() {
            if time > now {
                break;
            }
            self.heap.pop();
            match wake {
                Wake::Host(id) if self.hosts[id.index()].place == HostPlace::Heap(time) => {
                    let host = &mut self.hosts[id.index()];
                    host.place = HostPlace::Ready;
                    self.ready.push(host.priority(), id);
                }
                Wake::Line(address) => {
                    if let Some(id) = self.first_in_line(address, time, now) {
                        return Some(id);
                    }
                }
                Wake::Host(_) => {}
            }
        }
        None
    }

    /// Nothing may be asked now: what to wait for.
    fn wait(&mut self) -> Next {
        while let Some(&Reverse((time, wake))) = self.heap.peek() {
            let is_true = match wake {
                Wake::Host(id) => self.hosts[id.index()].place == HostPlace::Heap(time),
                Wake::Line(address) => {
                    self.lines.get(&address).is_some_and(|line| line.woken == Some(time))
                }
            };
            if is_true {
                return Next::WaitUntil(time);
            }
            self.heap.pop();
        }
        match self.in_flight > 0 {
            true => Next::InFlight,
            false => Next::Done,
        }
    }

    /// Whether a host that is ready may go; else it stands in the line of its address, or waits for the end
    /// of a request to its other side.
    fn may_go(&mut self, id: HostId, now: u64) -> bool {
        if self.is_sister_busy(id) {
            self.hosts[id.index()].place = HostPlace::Out;
            return false;
        }
        let host = &mut self.hosts[id.index()];
        if host.earliest().is_none_or(|time| time > now) {
            self.schedule(id);
            return false;
        }
        let Some(address) = host.address else { return true };
        let line = self.lines.get(&address).filter(|line| !line.hosts.is_empty());
        let taken = match line {
            Some(_) => Err(None),
            None => self.addresses.take(address, now),
        };
        let Err(until) = taken else { return true };
        host.place = HostPlace::InLine;
        let line = self.lines.entry(address).or_default();
        let is_first = line.hosts.is_empty();
        line.hosts.push_back(id);
        if is_first {
            self.wake_line(address, until, now);
        }
        false
    }

    /// The first host in the line of an address, if the address is free now.
    fn first_in_line(&mut self, address: IpAddr, time: u64, now: u64) -> Option<HostId> {
        let line = self.lines.get_mut(&address).filter(|line| line.woken == Some(time))?;
        line.woken = None;
        while let Some(&id) = self.lines.get(&address)?.hosts.front() {
            let host = &self.hosts[id.index()];
            let may_go = host.place == HostPlace::InLine
                && host.earliest().is_some_and(|t| t <= now)
                && !self.is_sister_busy(id);
            if may_go && let Err(until) = self.addresses.take(address, now) {
                self.wake_line(address, until, now);
                return None;
            }
            self.lines.get_mut(&address)?.hosts.pop_front();
            if may_go {
                return Some(id);
            }
            if self.hosts[id.index()].place == HostPlace::InLine {
                self.schedule(id);
            }
        }
        if self.lines.get(&address).is_some_and(|line| line.flying == 0) {
            self.lines.remove(&address);
        }
        None
    }

    /// Makes the heap entry for a line; without a time, the end of a request here will do it, or a
    /// look from time to time when the address is taken elsewhere.
    fn wake_line(&mut self, address: IpAddr, until: Option<u64>, now: u64) {
        let Some(line) = self.lines.get_mut(&address) else { return };
        let time = match until {
            Some(until) => until,
            None if line.flying > 0 => return,
            None => now + POLL,
        };
        if line.woken.is_none_or(|woken| woken > time) {
            line.woken = Some(time);
            self.heap.push(Reverse((time, Wake::Line(address))));
        }
    }

    fn take(&mut self, id: HostId) -> Result<Next, StoreError> {
        let host = &mut self.hosts[id.index()];
        let task = match host.urgent().and_then(|place| host.urgent.remove(place)) {
            Some(task) => {
                self.urgent -= 1;
                self.taken = None;
                task
            }
            None if host.waits => return Ok(Next::InFlight),
            None => match host.queue.pop(&mut self.overflow)? {
                Some((priority, url)) => {
                    self.queued[index(priority)] -= 1;
                    self.taken = Some(priority);
                    Task::Row(url)
                }
                None => return Ok(Next::InFlight),
            },
        };
        self.takes += 1;
        host.taken = self.takes;
        host.place = HostPlace::Busy;
        host.flies_to = host.address;
        if let Some(address) = host.flies_to {
            self.lines.entry(address).or_default().flying += 1;
        }
        self.waiting -= 1;
        self.in_flight += 1;
        Ok(Next::Fetch(id, task))
    }

    /// Frees the host; `elapsed` is none when no request was made.
    pub(super) fn done(&mut self, id: HostId, elapsed: Option<u64>, now: u64) {
        let delay = self.delay(id);
        let host = &mut self.hosts[id.index()];
        if host.place != HostPlace::Busy {
            return;
        }
        self.in_flight -= 1;
        let rule = self.politeness.at(host.flies_to);
        let after = |delay| elapsed.map_or(0, |time| now.saturating_add(rule.gap(delay, time)));
        let (ready, address_ready) = (after(delay), after(0));
        host.place = HostPlace::Out;
        host.ready = host.ready.max(ready);
        host.ended = elapsed.map(|_| now).or(host.ended);
        let (both_ready, ended) = (host.ready, host.ended);
        self.waiting += usize::from(host.has_task());
        if let Some(address) = host.flies_to.take() {
            // A Crawl-delay is the word of one host, not of all at its address.
            self.addresses.give_back(address, address_ready);
            if let Some(line) = self.lines.get_mut(&address) {
                line.flying -= 1;
                match line.hosts.is_empty() {
                    true if line.flying == 0 => drop(self.lines.remove(&address)),
                    true => {}
                    false => self.wake_line(address, Some(address_ready.max(now)), now),
                }
            }
        }
        self.schedule(id);
        if let Some(sister) = self.hosts[id.index()].sister {
            let other = &mut self.hosts[sister.index()];
            (other.ready, other.ended) = (other.ready.max(both_ready), ended);
            self.reschedule(sister);
        }
    }

    /// The Crawl-delay of a host: of two sides the longer one binds.
    fn delay(&self, id: HostId) -> u64 {
        let sister = self.sister(id).map_or(0, |sister| sister.delay);
        self.hosts[id.index()].delay.max(sister)
    }

    pub(super) fn set_delay(&mut self, id: HostId, delay: u64) {
        self.hosts[id.index()].delay = delay;
        let delay = self.delay(id);
        for side in [Some(id), self.hosts[id.index()].sister].into_iter().flatten() {
            let host = &mut self.hosts[side.index()];
            if let Some(ended) = host.ended {
                host.ready = host.ready.max(ended.saturating_add(delay));
                self.reschedule(side);
            }
        }
    }

    pub(super) fn set_address(&mut self, id: HostId, address: IpAddr) {
        self.hosts[id.index()].address = Some(address);
    }

    pub(super) fn hold(&mut self, id: HostId, until: u64) {
        let host = &mut self.hosts[id.index()];
        host.held = host.held.max(until);
        self.reschedule(id);
    }

    pub(super) fn set_waits(&mut self, id: HostId, waits: bool) {
        self.hosts[id.index()].waits = waits;
        self.reschedule(id);
    }

    pub(super) fn set_seeks(&mut self, id: HostId, seeks: bool) {
        self.hosts[id.index()].seeks = seeks;
        self.reschedule(id);
    }

    /// The host's earliest time has changed. One in line or ready is looked at when its turn comes.
    fn reschedule(&mut self, id: HostId) {
        if matches!(self.hosts[id.index()].place, HostPlace::Out | HostPlace::Heap(_)) {
            self.schedule(id);
        }
    }

    pub(super) fn drain(&mut self, id: HostId, most: usize) -> Result<Vec<Task>, StoreError> {
        let host = &mut self.hosts[id.index()];
        let had_task = host.has_task();
        let urgent = host.urgent.len().min(most);
        let mut tasks: Vec<Task> = host.urgent.drain(..urgent).collect();
        self.urgent -= urgent as u64;
        while tasks.len() < most
            && let Some((priority, url)) = host.queue.pop(&mut self.overflow)?
        {
            self.queued[index(priority)] -= 1;
            tasks.push(Task::Row(url));
        }
        let is_empty = had_task && !host.has_task();
        self.waiting -= usize::from(is_empty && host.place != HostPlace::Busy);
        self.reschedule(id);
        Ok(tasks)
    }
}
