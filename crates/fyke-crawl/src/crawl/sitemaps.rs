//! Sitemaps on their way. One may have fifty times the bytes of a large page, so that only a few are
//! fetched at a time, over all threads, and the others wait while their hosts are asked for pages. Most
//! are small: a sitemap is asked for up to a few megabytes, and whole only if it turns out to be longer.

use super::dispatch::SITEMAP_BYTES;
use super::shard::{Shard, Wanted};
use crate::fetch::Fetch;
use crate::frontier::{HostId, Task};
use fyke_store::{Position, Row};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What a sitemap may have when it is first asked for, and when that was not enough.
const BYTES: [usize; 2] = [2 << 20, SITEMAP_BYTES];
/// Sitemaps of each of these sizes that are on their way at a time: 150 MB in all.
const MOST: [usize; 2] = [25, 2];

/// One sitemap's leave to be on its way.
pub(super) type Slot = OwnedSemaphorePermit;

/// The slots that are free, by size.
#[derive(Debug)]
pub(super) struct Slots([Arc<Semaphore>; 2]);

impl Default for Slots {
    fn default() -> Slots {
        Slots(MOST.map(|most| Arc::new(Semaphore::new(most))))
    }
}

/// Sitemaps of one thread that wait for a slot, by size.
pub(super) type Waiting = [VecDeque<(HostId, Position)>; 2];

/// Which size a sitemap is taken to have: one that was asked for before may not have fitted.
fn size(row: &Row) -> usize {
    usize::from(row.tries > 0)
}

/// The bytes that a sitemap may have this time.
pub(super) fn most_bytes(row: &Row) -> usize {
    BYTES[size(row)]
}

impl<F: Fetch> Shard<'_, F> {
    /// Gives a sitemap a slot; false when there is none and it waits.
    pub(super) fn take_slot(&mut self, host: HostId, wanted: &mut Wanted) -> bool {
        let size = size(&wanted.row);
        let slot = Arc::clone(&self.shared.slots.0[size]).try_acquire_owned();
        wanted.slot = slot.ok();
        if wanted.slot.is_none() {
            self.waiting[size].push_back((host, wanted.position));
            self.frontier.release(host, self.shared.now());
        }
        wanted.slot.is_some()
    }

    /// Gives sitemaps that waited back to their hosts, as many as there are slots.
    pub(super) fn bring_sitemaps(&mut self) {
        for (waiting, slots) in self.waiting.iter_mut().zip(&self.shared.slots.0) {
            let free = slots.available_permits().min(waiting.len());
            for (host, position) in waiting.drain(..free) {
                self.frontier.push_urgent(host, Task::Row(position));
            }
        }
    }

    /// Whether a sitemap waits here.
    pub(super) fn has_waiting(&self) -> bool {
        self.waiting.iter().any(|waiting| !waiting.is_empty())
    }
}
