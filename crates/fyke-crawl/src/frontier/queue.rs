//! One host's queued URLs, the best priority first, first in first out within one (000 "Front queues":
//! prioritisation). A few stand in memory; the rest waits in blocks of the overflow, by priority.

use super::overflow::{BLOCK, Overflow};
use fyke_store::{Position, StoreError};
use std::collections::VecDeque;

/// K, the number of priorities; 1 is the best.
pub const PRIORITIES: usize = 8;
/// URLs of one host that stand ready in memory.
const NEAR: usize = 8;

/// The queue of one host.
#[derive(Debug, Default)]
pub(super) struct HostQueue {
    /// Sorted by priority.
    near: VecDeque<(u8, Position)>,
    /// Sorted by priority; none is empty.
    far: Vec<QueueLevel>,
    len: u64,
}

/// Far URLs of one priority: those that had to leave memory, full blocks, then the one that is being
/// filled.
#[derive(Debug)]
struct QueueLevel {
    priority: u8,
    /// The oldest, the newest of them first.
    displaced: Vec<Position>,
    blocks: VecDeque<u32>,
    filling: Vec<Position>,
}

impl QueueLevel {
    fn new(priority: u8) -> QueueLevel {
        let (displaced, filling) = (Vec::new(), Vec::new());
        QueueLevel { priority, displaced, blocks: VecDeque::new(), filling }
    }

    fn is_empty(&self) -> bool {
        self.displaced.is_empty() && self.blocks.is_empty() && self.filling.is_empty()
    }

    /// Puts a URL before all others: one from memory is older than any here.
    fn push_front(&mut self, url: Position, overflow: &mut Overflow) -> Result<(), StoreError> {
        self.displaced.push(url);
        if let Ok(mut full) = <[Position; BLOCK]>::try_from(self.displaced.as_slice()) {
            full.reverse();
            self.blocks.push_front(overflow.write(&full)?);
            self.displaced.clear();
        }
        Ok(())
    }

    fn push(&mut self, url: Position, overflow: &mut Overflow) -> Result<(), StoreError> {
        self.filling.push(url);
        if let Ok(full) = self.filling.as_slice().try_into() {
            self.blocks.push_back(overflow.write(full)?);
            self.filling.clear();
        }
        Ok(())
    }

    /// The oldest URLs: a block at the most.
    fn take(&mut self, overflow: &mut Overflow) -> Result<Vec<Position>, StoreError> {
        if !self.displaced.is_empty() {
            self.displaced.reverse();
            return Ok(std::mem::take(&mut self.displaced));
        }
        match self.blocks.pop_front() {
            Some(block) => Ok(overflow.take(block)?.to_vec()),
            None => Ok(std::mem::take(&mut self.filling)),
        }
    }
}

impl HostQueue {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The priority of the URL that comes next.
    pub(super) fn best(&self) -> Option<u8> {
        let near = self.near.front().map(|(priority, _)| *priority);
        near.into_iter().chain(self.best_far()).min()
    }

    pub(super) fn push(
        &mut self,
        priority: u8,
        url: Position,
        overflow: &mut Overflow,
    ) -> Result<(), StoreError> {
        self.len += 1;
        if let Some(level) = self.far.iter_mut().find(|level| level.priority == priority) {
            return level.push(url, overflow);
        }
        let place = self.near.partition_point(|(known, _)| *known <= priority);
        self.near.insert(place, (priority, url));
        if self.near.len() > NEAR
            && let Some((priority, url)) = self.near.pop_back()
        {
            return self.level(priority).push_front(url, overflow);
        }
        Ok(())
    }

    /// The far URLs of a priority.
    fn level(&mut self, priority: u8) -> &mut QueueLevel {
        let place = self.far.partition_point(|level| level.priority < priority);
        if self.far.get(place).is_none_or(|level| level.priority != priority) {
            self.far.insert(place, QueueLevel::new(priority));
        }
        &mut self.far[place]
    }

    /// The next URL with its priority.
    pub(super) fn pop(
        &mut self,
        overflow: &mut Overflow,
    ) -> Result<Option<(u8, Position)>, StoreError> {
        let near = self.near.front().map(|(priority, _)| *priority);
        if let Some(level) = self.far.first_mut()
            && near.is_none_or(|near| level.priority < near)
        {
            let priority = level.priority;
            for url in level.take(overflow)?.into_iter().rev() {
                self.near.push_front((priority, url));
            }
            if level.is_empty() {
                self.far.remove(0);
            }
        }
        let url = self.near.pop_front();
        self.len -= u64::from(url.is_some());
        if self.near.is_empty() {
            self.near = VecDeque::new();
        }
        Ok(url)
    }

    fn best_far(&self) -> Option<u8> {
        self.far.first().map(|level| level.priority)
    }
}

/// Where a priority stands in a list of all.
pub(super) fn index(priority: u8) -> usize {
    usize::from(priority - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_best_priority_comes_first_and_within_it_what_was_first_in(
            steps in prop::collection::vec((1..=8_u8, prop::bool::weighted(0.7)), 1..1500),
        ) {
            let dir = tempfile::tempdir().expect("a folder");
            let mut overflow = Overflow::new(&dir.path().join("overflow"));
            let mut queue = HostQueue::default();
            // By priority, then by number: a plain list would sort them so.
            let mut model = BTreeSet::new();
            for (number, (priority, pushes)) in steps.into_iter().enumerate() {
                if pushes {
                    let url = Position(number as u64);
                    queue.push(priority, url, &mut overflow).expect("a disk");
                    model.insert((priority, url.0));
                } else {
                    prop_assert_eq!(queue.best(), model.first().map(|(priority, _)| *priority));
                    let popped = queue.pop(&mut overflow).expect("a disk");
                    let expected = model.pop_first();
                    prop_assert_eq!(popped.map(|(priority, url)| (priority, url.0)), expected);
                }
                prop_assert_eq!(queue.len(), model.len() as u64);
            }
        }
    }

    #[test]
    fn better_urls_do_not_push_the_oldest_behind_the_newest() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut overflow = Overflow::new(&dir.path().join("overflow"));
        let mut queue = HostQueue::default();
        let mut push = |priority, url| queue.push(priority, Position(url), &mut overflow);
        (0..2000).try_for_each(|url| push(5, url)).expect("a disk");
        (2000..2100).try_for_each(|url| push(2, url)).expect("a disk");
        let mut popped = Vec::new();
        while let Some((_, url)) = queue.pop(&mut overflow).expect("a disk") {
            popped.push(url.0);
        }
        let expected: Vec<u64> = (2000..2100).chain(0..2000).collect();
        assert_eq!(popped, expected);
    }
}
