//! Sides of hosts that nothing more is asked of in this run, and what becomes of their URLs.

use crate::crawl::is_queued;
use crate::crawl::robots::RobotsFor;
use crate::frontier::{Frontier, HostId, Task};
use fyke_store::{Ledger, Position, Reason, StoreError};
use std::collections::{BTreeSet, HashMap};

/// URLs that are shelved in one turn of the loop.
const SLICE: usize = 256;

/// Why a side is done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Closed {
    /// The reason its URLs get; none leaves them queued.
    pub(super) reason: Option<Reason>,
    pub(super) detail: String,
    /// It gave no answer too often: the next run takes up what was not asked for.
    pub(super) given_up: bool,
}

/// What was left of closed hosts.
#[derive(Debug, Default)]
pub(in crate::crawl) struct Shelved {
    /// The robots.txt files of other hosts that were looked for there.
    pub(in crate::crawl) robots: Vec<RobotsFor>,
    /// Parts of pages that were to be asked for there.
    pub(in crate::crawl) parts: Vec<u64>,
    /// URLs of hosts that were given up.
    pub(in crate::crawl) given_up: u64,
}

/// The closed sides of one thread.
#[derive(Debug, Default)]
pub(in crate::crawl) struct ClosedSides {
    sides: HashMap<HostId, Closed>,
    /// Those with URLs in the queue that are still to be shelved.
    closing: BTreeSet<HostId>,
}

impl ClosedSides {
    pub(super) fn close(&mut self, side: HostId, closed: Closed) {
        self.sides.insert(side, closed);
        self.closing.insert(side);
    }

    pub(super) fn get(&self, side: HostId) -> Option<&Closed> {
        self.sides.get(&side)
    }

    pub(in crate::crawl) fn has(&self, side: HostId) -> bool {
        self.sides.contains_key(&side)
    }

    /// A URL of this side was queued: if it is closed, that is to be shelved.
    pub(super) fn note_queued(&mut self, side: HostId) {
        if self.has(side) {
            self.closing.insert(side);
        }
    }

    /// Whether URLs of closed sides are still to be shelved.
    pub(in crate::crawl) fn are_closing(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Shelves a part of what closed sides have queued, little enough that other hosts do not wait; none when nothing
    /// is left of it.
    pub(in crate::crawl) fn shelve_some(
        &mut self,
        frontier: &mut Frontier,
        ledger: &Ledger,
    ) -> Result<Option<Shelved>, StoreError> {
        let Some(&side) = self.closing.first() else { return Ok(None) };
        let tasks = frontier.drain(side, SLICE)?;
        if tasks.len() < SLICE {
            self.closing.remove(&side);
        }
        self.shelve(side, tasks, ledger).map(Some)
    }

    /// Writes why these tasks of a closed side are not asked for.
    pub(in crate::crawl) fn shelve(
        &self,
        side: HostId,
        tasks: Vec<Task>,
        ledger: &Ledger,
    ) -> Result<Shelved, StoreError> {
        let mut shelved = Shelved::default();
        for task in tasks {
            match (task, self.get(side)) {
                (Task::Robots { of, hops, .. }, _) => shelved.robots.push(RobotsFor { of, hops }),
                (Task::Part(number), _) => shelved.parts.push(number),
                (Task::Row(position), Some(closed)) => {
                    shelved.given_up += u64::from(closed.shelve(position, ledger)?);
                }
                (Task::Row(_), None) => {}
            }
        }
        Ok(shelved)
    }
}

impl Closed {
    /// Writes why a URL that waits is not asked for; true when its host was given up.
    fn shelve(&self, position: Position, ledger: &Ledger) -> Result<bool, StoreError> {
        let Closed { reason: Some(reason), detail, given_up } = self else { return Ok(false) };
        let Some((id, _)) = ledger.at(position)? else { return Ok(false) };
        ledger.update(id, |row| {
            // What was fetched and is due again is due in the next run, too.
            let waits = is_queued(row);
            (row.reason, row.detail, row.given_up) = (*reason, detail.clone(), *given_up);
            waits
        })?;
        Ok(*given_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_queued_for_a_closed_side_is_shelved_and_that_of_others_is_not() {
        let (one, other) = (HostId(1), HostId(2));
        let mut sides = ClosedSides::default();
        sides.note_queued(one);
        assert!(!sides.are_closing());
        let closed = Closed { reason: None, detail: "banned".to_owned(), given_up: false };
        sides.close(one, closed.clone());
        assert_eq!((sides.get(one), sides.has(other)), (Some(&closed), false));
        assert_eq!(sides.closing.pop_first(), Some(one), "it may have URLs");
        sides.note_queued(other);
        assert!(!sides.are_closing());
        sides.note_queued(one);
        assert!(sides.are_closing(), "one more URL came");
    }
}
