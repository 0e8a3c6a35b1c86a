//! What URLs seem to be worth before they are fetched (000 "Front queues": prioritisation; 003 §4.5.2). A page that
//! is read gives what it seems to be worth itself in equal parts to the URLs that it links to, once: the ranks of
//! PageRank as far as the crawl has come, without a second look at any page. Copies give nothing.
//!
//! Sums stand in two tables of fixed size by the hashes of their URLs, so that a link costs two looks into memory and
//! none into the ledger. URLs that share a place share its sum, and the lesser of the two counts. The tables last as
//! long as the run (docs/decisions/015).

use crate::options::{CrawlOptions, QueueOrder};
use fyke_store::Listed;
use fyke_web::UrlId;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Places of each table.
const PLACES: usize = 1 << 19;
/// One page's own part, before anything is known of links to it.
const OWN: u64 = 1 << 16;
/// Of what comes to a page this part, in 256ths, goes on to what it links to: the .85 of PageRank.
const GOES_ON: u64 = 218;
/// How far a URL may stand behind and ahead of others of its depth, in priorities.
const BEHIND: i32 = -1;
const AHEAD: i32 = 3;
/// A sitemap's priority, in hundredths, from which a URL stands one place further ahead, and up to which one further
/// behind; what says nothing has 50.
const HIGH: u8 = 80;
const LOW: u8 = 20;

/// What came to each URL, and what a URL has on average.
#[derive(Debug)]
pub(in crate::crawl) struct LinkWorth {
    /// Empty where URLs have another order.
    came: Box<[[AtomicU32; 2]]>,
    /// All that was given, and the URLs that are queued for their first time.
    given: AtomicU64,
    urls: AtomicU64,
    /// The mean of what came to one, as a power of two.
    mean: AtomicU32,
}

/// What a URL had before a link, and what it has with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::crawl) struct Brought {
    before: u32,
    now: u32,
}

impl Brought {
    /// Whether it passed a power of two: only then may its priority be another.
    pub(super) fn has_grown(self) -> bool {
        self.now.leading_zeros() < self.before.leading_zeros()
    }
}

impl LinkWorth {
    pub(in crate::crawl) fn new(options: &CrawlOptions) -> LinkWorth {
        let is_asked = options.order == QueueOrder::Worth && options.focus.is_none();
        let places = if is_asked { PLACES } else { 0 };
        LinkWorth {
            came: (0..places).map(|_| Default::default()).collect(),
            given: AtomicU64::new(0),
            urls: AtomicU64::new(0),
            mean: AtomicU32::new(0),
        }
    }

    /// The two places of a URL; none where nothing is kept.
    fn places(&self, id: UrlId) -> Option<[&AtomicU32; 2]> {
        let place = |hash: u64| self.came.get(hash as usize & (PLACES - 1));
        Some([&place(id.0)?[0], &place(id.0 >> 32)?[1]])
    }

    /// What came to a URL.
    pub(in crate::crawl) fn of(&self, id: UrlId) -> u32 {
        self.places(id).map_or(0, |[one, other]| one.load(Relaxed).min(other.load(Relaxed)))
    }

    /// What a page gives to each of so many links.
    pub(in crate::crawl) fn share(&self, page: UrlId, links: usize) -> u32 {
        if self.came.is_empty() || links == 0 {
            return 0;
        }
        let worth = OWN + ((u64::from(self.of(page)) * GOES_ON) >> 8);
        let given = self.given.fetch_add(worth, Relaxed) + worth;
        let links = links as u64;
        // Of the first page no link is known yet.
        let mean = given / self.urls.load(Relaxed).max(links);
        self.mean.store(mean.max(1).ilog2(), Relaxed);
        u32::try_from(worth / links).unwrap_or(u32::MAX)
    }

    /// A link brings its share to a URL.
    pub(super) fn bring(&self, id: UrlId, share: u32) -> Brought {
        let Some(places) = self.places(id) else { return Brought::default() };
        let before = places.map(|place| place.load(Relaxed));
        // Of two threads at once one link may be lost.
        let now = before.map(|before| before.saturating_add(share));
        places.iter().zip(now).for_each(|(place, now)| place.store(now, Relaxed));
        Brought { before: before[0].min(before[1]), now: now[0].min(now[1]) }
    }

    /// One more URL is queued.
    pub(super) fn note_queued(&self) {
        self.urls.fetch_add(1, Relaxed);
    }

    /// By how many priorities a URL stands ahead of others of its depth, or behind them where that is negative.
    pub(super) fn ahead(&self, brought: Brought, listed: Option<&Listed>) -> i8 {
        if self.came.is_empty() {
            return 0;
        }
        let mean = self.mean.load(Relaxed) as i32;
        let has = brought.now.checked_ilog2().map_or(BEHIND, |has| has as i32 - mean);
        let said = match listed.and_then(|listed| listed.priority) {
            Some(HIGH..) => 1,
            Some(..=LOW) => -1,
            _ => 0,
        };
        (has.clamp(BEHIND, AHEAD) + said) as i8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::FocusOptions;

    fn worth() -> LinkWorth {
        LinkWorth::new(&CrawlOptions::default())
    }

    #[test]
    fn what_comes_to_a_page_goes_on_to_what_it_links_to() {
        let worth = worth();
        let first = worth.share(UrlId(1), 4);
        assert_eq!(u64::from(first), OWN / 4);
        for _ in 0..10 {
            worth.bring(UrlId(2), first);
        }
        let given = u64::from(worth.share(UrlId(2), 1));
        assert_eq!(given, OWN + 10 * u64::from(first) * GOES_ON / 256);
        assert_eq!(u64::from(worth.share(UrlId(3), 1)), OWN, "nothing came to it");
    }

    #[test]
    fn a_url_with_more_than_others_stands_ahead_and_one_with_nothing_behind() {
        let worth = worth();
        (0..8).for_each(|_| worth.note_queued());
        let share = worth.share(UrlId(1), 8);
        let ahead = |brought| worth.ahead(brought, None);
        let brought = [0, 1, 2, 4, 8, 64]
            .map(|links| worth.bring(UrlId(9 + u64::from(links)), links * share));
        assert_eq!(brought.map(ahead), [-1, 0, 1, 2, 3, 3]);
        let again = worth.bring(UrlId(10), share / 2);
        assert!(!again.has_grown() && worth.bring(UrlId(10), share / 2).has_grown());
        // What a sitemap says counts as much as twice the links.
        let said = |priority| Listed { priority: Some(priority), ..Listed::default() };
        let listed =
            [0, 20, 50, 80, 100].map(|priority| worth.ahead(brought[1], Some(&said(priority))));
        assert_eq!(listed, [-1, -1, 0, 1, 1]);
    }

    #[test]
    fn where_urls_have_another_order_nothing_is_kept() {
        let by_depth = CrawlOptions { order: QueueOrder::Depth, ..CrawlOptions::default() };
        let focused =
            CrawlOptions { focus: Some(FocusOptions::default()), ..CrawlOptions::default() };
        for options in [by_depth, focused] {
            let worth = LinkWorth::new(&options);
            let brought = worth.bring(UrlId(1), 1_000);
            assert_eq!((worth.share(UrlId(1), 1), brought.has_grown()), (0, false));
            assert_eq!(worth.ahead(brought, None), 0);
        }
    }
}
