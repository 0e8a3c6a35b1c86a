//! Feeds (003 §3.4): found by the pages that name them or given as seeds, known by what they hold. A feed is a row
//! of its own kind and counts as no page. Its items are queued ahead of other links, and each row remembers in which
//! capture of the feed its text stands, from which a document is made until the page itself is fetched.

use super::discovery::Found;
use super::hosts::HostNumber;
use super::pushes::slowed;
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::frontier::HostId;
use crate::glance::LinkTarget;
use crate::options::FeedChoice;
use fyke_store::{FedText, Listed, Place, Reason, Row, StoreError};
use fyke_web::feed::{Feed, FeedItem, iso_time};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;

/// Feeds that the pages of one host may name in one run.
const FEEDS_A_HOST: u32 = 8;
/// Where feeds stand on many hosts.
const USUAL: [&str; 5] = ["/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml"];
/// Seconds within which a hub tells of an item.
const HUB_TIME: i64 = 60;
/// How many priorities the items of a feed stand ahead of other links.
const AHEAD: i8 = 3;

/// A feed that was fetched.
#[derive(Debug)]
pub(super) struct FetchedFeed {
    pub(super) id: UrlId,
    pub(super) url: Url,
    pub(super) told: FeedWay,
    /// Its capture, where texts of its items may be taken from it.
    pub(super) place: Option<Place>,
    pub(super) depth: u16,
    pub(super) feed: Feed,
}

/// By which way a feed came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FeedWay {
    /// It was asked for, for the first time.
    First,
    /// And once more.
    Visited,
    /// A hub brought it.
    Pushed,
}

/// How many feeds the pages of each host have named.
#[derive(Debug, Default)]
pub(super) struct FeedTurns {
    named: HashMap<HostNumber, u32>,
}

impl FeedTurns {
    /// Counts a feed; false when it is one too many.
    fn counts(&mut self, of: HostNumber) -> bool {
        let named = self.named.entry(of).or_default();
        *named += 1;
        *named <= FEEDS_A_HOST
    }
}

/// Whether a feed is about one page alone, as the comments on it are: blogs name one on each of their pages.
fn is_of_one_page(feed: &Url, page: &Url) -> bool {
    let (below, above) = (feed.path(), page.path().trim_end_matches('/'));
    let is_below = !above.is_empty() && feed.host() == page.host() && below.starts_with(above);
    is_below || below.to_ascii_lowercase().contains("comments")
}

/// What is fetched of a document that a feed tells of: nothing of a file that goes with it, which is no page.
fn refusal(item: &FeedItem) -> Option<String> {
    let file = item.enclosures.first().filter(|_| item.link.is_none())?;
    Some(format!("a file of a feed's item, not fetched: {}", file.media))
}

impl<F: Fetch> Shard<'_, F> {
    /// Takes in the feeds that a page names, which is `depth` - 1 links from a seed.
    pub(super) fn discover_feeds(
        &mut self,
        of: HostId,
        (page, depth): (&Url, u16),
        feeds: &[Url],
    ) -> Result<(), StoreError> {
        let choice = self.node.options.feeds;
        if !matches!(choice, FeedChoice::Auto | FeedChoice::Guess) {
            return Ok(());
        }
        let is_silent = feeds.is_empty() && page.path_and_query() == "/";
        let guessed = match choice == FeedChoice::Guess && is_silent {
            true => usual_places(page),
            false => Vec::new(),
        };
        let feeds = if is_silent { &guessed } else { feeds };
        for feed in feeds {
            let is_news = !is_of_one_page(feed, page) && !self.discovery.is_known(feed)?;
            if is_news && self.feeds.counts(self.hosts.number(of)) {
                let found = Found { parent: Some(page.id()), depth, ..Found::SEED };
                self.discovery.discover_feed(&mut self.mail, feed, found)?;
            }
        }
        Ok(())
    }

    /// Takes in the items of a feed, as near as the links of the page that names it.
    pub(super) fn read_feed(
        &mut self,
        host: HostId,
        fetched: FetchedFeed,
    ) -> Result<(), StoreError> {
        let FetchedFeed { id, url, told, place, depth, feed } = fetched;
        if told != FeedWay::Pushed {
            self.subscribe(&url, &feed)?;
        }
        if told == FeedWay::Visited {
            self.mind_hub(id, &feed)?;
        }
        let number = self.hosts.number(host);
        let room = self.sitemaps.room(number, feed.items.len());
        let found = Found { parent: Some(id), depth: depth.max(1), ahead: AHEAD, ..Found::SEED };
        for item in feed.items.into_iter().take(room) {
            let Some(url) = item.url() else { continue };
            let target = LinkTarget::new(url.clone());
            let listed = item
                .time()
                .map(|time| Listed { modified: Some(iso_time(time)), ..Listed::default() });
            let fed = place.map(|place| FedText { place, print: item.print() });
            match refusal(&item) {
                Some(why) => self.discovery.enter_fed_file(&target, found, why)?,
                None => self.discovery.discover_entry(&mut self.mail, &target, found, listed)?,
            }
            if let Some(fed) = fed {
                self.discovery.note_fed(target.id, fed)?;
            }
            self.deliver()?;
        }
        Ok(())
    }

    /// A visit of a feed that a hub tells of: it is slowed down, unless it found items that the hub left out.
    fn mind_hub(&mut self, id: UrlId, feed: &Feed) -> Result<(), StoreError> {
        let Some(visits) = self.cell.ledger_of(id).get(id)?.and_then(|row| row.feed) else {
            return Ok(());
        };
        if visits.push.is_none() {
            return Ok(());
        }
        let (mut missed, now) = (0, self.node.now());
        for item in feed.items.iter().filter(|item| is_overdue(item, now)) {
            let Some(url) = item.url() else { continue };
            missed += u64::from(!self.cell.is_elsewhere(url) && !self.discovery.is_known(url)?);
        }
        self.count_missed(id, missed)?;
        self.discovery.note_pace(id, slowed(visits, missed > 0).push)
    }
}

/// Where feeds stand on many hosts; each is asked for once, as any URL that is known.
fn usual_places(home: &Url) -> Vec<Url> {
    USUAL.iter().filter_map(|path| home.at(path).ok()).collect()
}

/// Whether an item is so old, in seconds, that a hub would have told of it by now.
fn is_overdue(item: &FeedItem, now: u64) -> bool {
    let now = i64::try_from(now / 1_000).unwrap_or(i64::MAX);
    item.time().is_none_or(|time| time <= now - HUB_TIME)
}

/// Whether a row may have a text from a feed: it was not refused before it was asked for.
pub(super) fn may_be_fed(row: &Row) -> bool {
    use Reason::{Nofollow, ScopeDepth, ScopeHost, ScopePath, ScopeSubject};
    use Reason::{TrapCalendar, TrapLength, TrapPath, TrapQuery};
    let refused = [
        Nofollow,
        ScopeDepth,
        ScopeHost,
        ScopePath,
        ScopeSubject,
        TrapCalendar,
        TrapLength,
        TrapPath,
        TrapQuery,
    ];
    !refused.contains(&row.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_of_one_page_are_left_out() {
        let check = |feed: &str, page: &str, expected: bool| {
            let url = |path: &str| Url::parse(&format!("http://a.test{path}")).expect("a URL");
            assert_eq!(is_of_one_page(&url(feed), &url(page)), expected, "{feed} on {page}");
        };
        check("/feed/", "/", false);
        check("/feed/", "/2020/eels/", false);
        check("/2020/eels/feed/", "/2020/eels/", true);
        check("/comments/feed/", "/", true);
        check("/eels.xml", "/nets", false);
    }
}
