//! Front queues: prioritisation (000 "Front queues", "Biased front queue selector").

use super::Entry;
use std::collections::VecDeque;

/// K queues, each first in, first out; queue 1 is the best.
#[derive(Debug)]
pub(super) struct FrontQueues {
    queues: Vec<VecDeque<Entry>>,
    pulls: u64,
    len: usize,
}

impl FrontQueues {
    pub(super) fn new(count: usize) -> FrontQueues {
        let queues = (0..count.max(1)).map(|_| VecDeque::new()).collect();
        FrontQueues { queues, pulls: 0, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends the URL to the queue of its priority.
    pub(super) fn push(&mut self, entry: Entry) {
        let queue = usize::from(entry.priority.max(1) - 1).min(self.queues.len() - 1);
        self.queues[queue].push_back(entry);
        self.len += 1;
    }

    /// The biased selector: the ruler sequence 1 2 1 3 1 2 1 4 … gives queue 1 every second pull,
    /// queue 2 every fourth, and so on, so that no queue starves. Where the chosen queue is empty,
    /// the best one that is not gives.
    pub(super) fn pull(&mut self) -> Option<Entry> {
        if self.len == 0 {
            return None;
        }
        self.pulls += 1;
        let chosen = self.pulls.trailing_zeros() as usize % self.queues.len();
        let queue = match self.queues[chosen].is_empty() {
            true => self.queues.iter().position(|q| !q.is_empty())?,
            false => chosen,
        };
        self.len -= 1;
        self.queues[queue].pop_front()
    }
}
