//! What the threads of a crawl write to each other. Threads of one cell share its ledger: they name a URL by its
//! record. To another cell a URL goes as it was found, and its owner judges it, knows whether it is news, and
//! writes its row.

use super::discovery::Found;
use super::robots::RobotsFor;
use crate::frontier::Origin;
use crate::glance::LinkTarget;
use crate::guide::Reweighed;
use crate::render::PartAsked;
use crate::robots::RobotsAnswer;
use fyke_store::{Listed, Position};
use fyke_web::{Url, UrlId};

/// One letter.
#[derive(Debug)]
pub(super) enum Letter {
    /// A queued URL of yours: its origin, its record, its priority, and the domain (by hash) that
    /// links to it, none for its own.
    Url { of: Origin, position: Position, priority: u8, from: Option<u64> },
    /// A URL of your cell was found in another.
    Found(Box<FoundUrl>),
    /// A domain (by hash) links to a host of yours, to a URL that is known.
    Inlink { authority: String, from: u64 },
    /// Please ask one of your hosts for the robots.txt of one of mine.
    Robots { asked: RobotsFor, url: Url },
    /// What came of that.
    Rules { asked: RobotsFor, found: RobotsAnswer },
    /// A host of yours has the same pages as another.
    Mirror { authority: String, of: String },
    /// A URL of your cell redirects in a ring of so many.
    Loop { id: UrlId, count: usize },
    /// A page of mine asks one of your hosts for a part.
    Part(PartAsked),
    /// URLs of your cell that wait are worth more by now.
    Forward(Vec<Reweighed>),
}

/// A URL as it was found, for the cell that owns it.
#[derive(Debug)]
pub(super) struct FoundUrl {
    pub(super) url: Url,
    pub(super) way: Way,
    /// URLs that redirect here, each to the next.
    pub(super) hops: Vec<Hop>,
    pub(super) found: Found,
    /// The words of the link to it, of which the guide of a focused crawl learns.
    pub(super) words: Vec<u32>,
}

/// A URL that redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) id: UrlId,
    /// By hash: who owns it.
    pub(super) domain: u64,
}

impl FoundUrl {
    pub(super) fn new(url: &Url, way: Way, found: Found) -> FoundUrl {
        FoundUrl { url: url.clone(), way, hops: Vec::new(), found, words: Vec::new() }
    }
}

impl Way {
    /// Of a link.
    pub(super) fn of(target: &LinkTarget) -> Way {
        if target.nofollow { Way::Nofollow } else { Way::Link }
    }
}

/// By which way a URL was found.
#[derive(Debug)]
pub(super) enum Way {
    /// A page leads to it, or a redirect.
    Link,
    /// A link that is not to be followed.
    Nofollow,
    /// A host names it as a sitemap. `is_own`: it vouches for it; `has_room`: it has not named too many.
    Sitemap { is_own: bool, has_room: bool },
    /// A page names it as a feed, or such a one redirects to it.
    Feed,
    /// A sitemap lists it, and may say more of it.
    Listed(Option<Listed>),
}
