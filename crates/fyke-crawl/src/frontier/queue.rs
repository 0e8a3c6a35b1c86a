//! One host's queued URLs, the best priority first, first in first out within one (000 "Front queues":
//! prioritisation). A few stand in memory; the rest waits in blocks of the overflow, by priority.

use super::overflow::Overflow;
use fyke_store::{Position, StoreError};
use std::collections::VecDeque;

/// K, the number of priorities; 1 is the best.
pub const PRIORITIES: usize = 8;
/// URLs of one host that stand ready in memory.
const NEAR: usize = 8;

/// The queue of one host.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Sorted by priority.
    near: VecDeque<(u8, Position)>,
    /// Sorted by priority; none is empty.
    far: Vec<Level>,
    len: u64,
}

/// Far URLs of one priority: full blocks, then the one that is being filled.
#[derive(Debug)]
struct Level {
    priority: u8,
    blocks: VecDeque<u32>,
    filling: Vec<Position>,
}

impl Level {
    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.filling.is_empty()
    }

    fn push(&mut self, url: Position, overflow: &mut Overflow) -> Result<(), StoreError> {
        self.filling.push(url);
        if let Ok(full) = self.filling.as_slice().try_into() {
            self.blocks.push_back(overflow.write(full)?);
            self.filling.clear();
        }
        Ok(())
    }

    /// The oldest block, or what there is of the last one.
    fn take(&mut self, overflow: &mut Overflow) -> Result<Vec<Position>, StoreError> {
        match self.blocks.pop_front() {
            Some(block) => Ok(overflow.take(block)?.to_vec()),
            None => Ok(std::mem::take(&mut self.filling)),
        }
    }
}

impl Queue {
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
        if self.far.iter().any(|level| level.priority == priority) {
            return self.push_far(priority, url, overflow);
        }
        let place = self.near.partition_point(|(known, _)| *known <= priority);
        self.near.insert(place, (priority, url));
        if self.near.len() > NEAR
            && let Some((priority, url)) = self.near.pop_back()
        {
            return self.push_far(priority, url, overflow);
        }
        Ok(())
    }

    fn push_far(
        &mut self,
        priority: u8,
        url: Position,
        overflow: &mut Overflow,
    ) -> Result<(), StoreError> {
        let place = self.far.partition_point(|level| level.priority < priority);
        if self.far.get(place).is_none_or(|level| level.priority != priority) {
            let (blocks, filling) = (VecDeque::new(), Vec::new());
            self.far.insert(place, Level { priority, blocks, filling });
        }
        self.far[place].push(url, overflow)
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

    proptest! {
        #[test]
        fn no_url_is_lost_or_doubled_and_the_best_priority_comes_first(
            steps in prop::collection::vec((1..=8_u8, prop::bool::weighted(0.7)), 1..1500),
        ) {
            let dir = tempfile::tempdir().expect("a folder");
            let mut overflow = Overflow::new(&dir.path().join("overflow"));
            let mut queue = Queue::default();
            let mut model: Vec<(u8, Position)> = Vec::new();
            for (number, (priority, pushes)) in steps.into_iter().enumerate() {
                if pushes {
                    let url = Position(number as u64);
                    queue.push(priority, url, &mut overflow).expect("a disk");
                    model.push((priority, url));
                } else {
                    let best = model.iter().map(|(priority, _)| *priority).min();
                    prop_assert_eq!(queue.best(), best);
                    let popped = queue.pop(&mut overflow).expect("a disk");
                    let place = model.iter().position(|url| Some(*url) == popped && Some(url.0) == best);
                    prop_assert_eq!(place.is_some(), best.is_some());
                    place.map(|place| model.remove(place));
                }
                prop_assert_eq!(queue.len(), model.len() as u64);
            }
        }
    }
}
