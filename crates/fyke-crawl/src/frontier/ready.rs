//! The hosts that may be asked now, by the priority of what they would be asked for, and the biased
//! selector among them (000 "Biased front queue selector").

use super::HostId;
use super::queue::PRIORITIES;
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(super) struct Ready {
    queues: [VecDeque<HostId>; PRIORITIES],
    pulls: u64,
    len: usize,
}

impl Ready {
    pub(super) fn push(&mut self, priority: u8, host: HostId) {
        self.queues[usize::from(priority - 1)].push_back(host);
        self.len += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first host of the best priority, if that is no worse than `worst`; with that priority.
    pub(super) fn pull_best(&mut self, worst: u8) -> Option<(u8, HostId)> {
        let best = self.queues.iter().take(worst.into()).position(|queue| !queue.is_empty())?;
        self.len -= 1;
        Some((best as u8 + 1, self.queues[best].pop_front()?))
    }

    /// The ruler sequence 1 2 1 3 1 2 1 4 … gives queue 1 every second pull, queue 2 every fourth,
    /// and so on, so that no queue starves. Where the chosen queue is empty, the best one that is not
    /// gives.
    pub(super) fn pull(&mut self) -> Option<HostId> {
        if self.len == 0 {
            return None;
        }
        self.pulls += 1;
        let chosen = self.pulls.trailing_zeros() as usize % PRIORITIES;
        let queue = match self.queues[chosen].is_empty() {
            true => self.queues.iter().position(|queue| !queue.is_empty())?,
            false => chosen,
        };
        self.len -= 1;
        self.queues[queue].pop_front()
    }
}
