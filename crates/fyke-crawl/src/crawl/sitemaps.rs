//! Sitemaps on their way. One may have fifty times the bytes of a large page, so that only a few are
//! fetched at a time, over all threads, and the others wait while their hosts are asked for pages. Most
//! are small: a sitemap is asked for up to a few megabytes, and whole only if it turns out to be longer.

use super::fetches::{SITEMAP_BYTES, Wanted};
use super::hosts::HostNumber;
use crate::frontier::HostId;
use fyke_store::{Position, Row};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What a sitemap may have when it is first asked for, and when that was not enough.
const BYTES: [usize; 2] = [2 << 20, SITEMAP_BYTES];
/// Sitemaps of each of these sizes that are on their way at a time: 150 MB in all.
const MOST: [usize; 2] = [25, 2];

/// Where a sitemap is looked for that nobody names.
pub(super) const USUAL_SITEMAP: &str = "/sitemap.xml";

/// Sitemaps of one host that are read in one run.
pub(super) const SITEMAPS_A_HOST: u32 = 50;

/// One sitemap's leave to be on its way.
pub(super) type SitemapSlot = OwnedSemaphorePermit;

/// The slots that are free, by size.
#[derive(Debug)]
pub(super) struct Slots([Arc<Semaphore>; 2]);

impl Default for Slots {
    fn default() -> Slots {
        Slots(MOST.map(|most| Arc::new(Semaphore::new(most))))
    }
}

/// URLs and further sitemaps that the sitemaps of one host may give in one run.
const MOST_LISTED: u32 = 50_000;

/// What one host has given by sitemaps.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    sitemaps: u32,
    listed: u32,
}

/// Sitemaps of one thread: those that wait for a slot, by size, and what each host has given.
#[derive(Debug)]
pub(super) struct SitemapTurns<'a> {
    slots: &'a Slots,
    waiting: [VecDeque<(HostId, Position)>; 2],
    /// By the number of the host.
    given: HashMap<HostNumber, Given>,
}

/// Which size a sitemap is taken to have: one that was asked for before may not have fitted.
fn size(row: &Row) -> usize {
    usize::from(row.tries > 0)
}

/// The bytes that a sitemap may have this time.
pub(super) fn most_bytes(row: &Row) -> usize {
    BYTES[size(row)]
}

impl<'a> SitemapTurns<'a> {
    pub(super) fn new(slots: &'a Slots) -> SitemapTurns<'a> {
        SitemapTurns { slots, waiting: Default::default(), given: HashMap::new() }
    }

    /// Gives a sitemap a slot; false when there is none and it waits.
    pub(super) fn take_slot(&mut self, host: HostId, wanted: &mut Wanted) -> bool {
        let size = size(&wanted.row);
        wanted.slot = Arc::clone(&self.slots.0[size]).try_acquire_owned().ok();
        if wanted.slot.is_none() {
            self.waiting[size].push_back((host, wanted.position));
        }
        wanted.slot.is_some()
    }

    /// Sitemaps that waited and may go by now, as many as there are slots.
    pub(super) fn ready(&mut self) -> Vec<(HostId, Position)> {
        let mut ready = Vec::new();
        for (waiting, slots) in self.waiting.iter_mut().zip(&self.slots.0) {
            let free = slots.available_permits().min(waiting.len());
            ready.extend(waiting.drain(..free));
        }
        ready
    }

    /// Whether no sitemap waits here.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    /// Counts a sitemap that a host names; false when it is one too many.
    pub(super) fn counts(&mut self, of: HostNumber) -> bool {
        let given = self.given.entry(of).or_default();
        given.sitemaps += 1;
        given.sitemaps <= SITEMAPS_A_HOST
    }

    /// How many URLs or sitemaps a host may still give by sitemaps, of those `wanted`; counts them.
    pub(super) fn room(&mut self, of: HostNumber, wanted: usize) -> usize {
        let given = self.given.entry(of).or_default();
        let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
        let room = MOST_LISTED.saturating_sub(given.listed).min(wanted);
        given.listed += room;
        room as usize
    }
}
