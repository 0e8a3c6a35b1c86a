//! The owner's half of discovery: is a URL known, and what is written of it (000 "Duplicate URL
//! elimination"). Every URL gets one row, whatever becomes of it.

use crate::crawl::cell::CrawlCell;
use crate::crawl::feeds::may_be_fed;
use crate::crawl::is_queued;
use fyke_store::{FedText, Known, Listed, Position, PushPace, Reason, Row, RowKind, StoreError};
use fyke_web::UrlId;

/// What became of a URL that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crawl) enum Entered {
    /// It waits: where its record stands, and its priority.
    Queued(Position, u8),
    /// Its row says why not.
    Refused,
    /// It was known already.
    Known,
}

/// The rows of all URLs.
#[derive(Clone, Copy)]
pub(in crate::crawl) struct Register<'a> {
    cell: &'a CrawlCell<'a>,
}

/// Whether a URL waits as a sitemap, was read as one or leads to one, or is left for the next run as one too many. Any
/// other is asked for as a sitemap when a host names it.
fn is_settled_sitemap(row: &Row) -> bool {
    let is_settled = matches!(
        row.reason,
        Reason::Queued
            | Reason::Type
            | Reason::BudgetHost
            | Reason::Redirect
            | Reason::RedirectLoop
    );
    row.kind == RowKind::Sitemap && is_settled
}

impl<'a> Register<'a> {
    pub(in crate::crawl) fn new(cell: &'a CrawlCell<'a>) -> Register<'a> {
        Register { cell }
    }

    /// How well a URL is known.
    pub(in crate::crawl) fn known(self, id: UrlId) -> Result<Known, StoreError> {
        self.cell.ledger_of(id).known(id)
    }

    /// Whether a host may still name this sitemap: it was not settled before.
    pub(in crate::crawl) fn sitemap(self, id: UrlId) -> Result<SitemapState, StoreError> {
        Ok(match self.cell.ledger_of(id).get(id)? {
            None => SitemapState::Unknown,
            Some(row) if is_settled_sitemap(&row) => SitemapState::Settled,
            Some(_) => SitemapState::Page,
        })
    }

    /// Enters the row of a URL that was found.
    pub(in crate::crawl) fn enter(
        self,
        id: UrlId,
        row: &Row,
        now: u64,
    ) -> Result<Entered, StoreError> {
        let Some(position) = self.cell.ledger_of(id).find(id, row)? else {
            // Another thread was faster.
            return Ok(Entered::Known);
        };
        self.cell.touch(now);
        Ok(match is_queued(row) {
            true => Entered::Queued(position, row.priority),
            false => Entered::Refused,
        })
    }

    /// Enters a page as the sitemap it turned out to be: it is asked for once more. One that waits
    /// already keeps its place.
    pub(in crate::crawl) fn change_to_sitemap(
        self,
        id: UrlId,
        new: &Row,
        now: u64,
    ) -> Result<Entered, StoreError> {
        self.cell.touch(now);
        let mut waits = false;
        let position = self.cell.ledger_of(id).update(id, |row| {
            waits = is_queued(row);
            let is_new = !is_settled_sitemap(row);
            (row.kind, row.given_up) = (RowKind::Sitemap, false);
            (row.reason, row.detail) = (new.reason, new.detail.clone());
            is_new
        })?;
        Ok(match position {
            Some(position) if is_queued(new) && !waits => Entered::Queued(position, new.priority),
            _ => Entered::Refused,
        })
    }

    /// Keeps what a sitemap says of a URL that is known already; true when that is new.
    pub(in crate::crawl) fn note_listing(
        self,
        id: UrlId,
        listed: Option<Listed>,
    ) -> Result<bool, StoreError> {
        let Some(listed) = listed else { return Ok(false) };
        // The URL may be another thread's, which writes what came of it at any moment.
        let update = self.cell.ledger_of(id).update(id, |row| {
            let before = row.listed.replace(listed.clone());
            before != row.listed
        });
        Ok(update?.is_some())
    }

    /// Keeps where a feed has a text of a URL. The same text stays where it stood first.
    pub(in crate::crawl) fn note_fed(self, id: UrlId, fed: FedText) -> Result<(), StoreError> {
        let update = self.cell.ledger_of(id).update(id, |row| {
            let is_new = row.fed.is_none_or(|before| before.print != fed.print);
            row.fed = Some(fed);
            is_new && may_be_fed(row)
        });
        update.map(drop)
    }

    /// A hub is to be asked at once; false where it waits for that already.
    pub(in crate::crawl) fn change_due(self, id: UrlId, now: u64) -> Result<bool, StoreError> {
        let time = i64::try_from(now).unwrap_or(i64::MAX);
        let update = self.cell.ledger_of(id).update(id, |row| {
            row.due = Some(time);
            row.kind == RowKind::Hub && !is_queued(row)
        });
        Ok(update?.is_some())
    }

    /// Keeps how a hub slows down the visits of a feed.
    pub(in crate::crawl) fn note_pace(
        self,
        id: UrlId,
        pace: Option<PushPace>,
    ) -> Result<(), StoreError> {
        let update = self.cell.ledger_of(id).update(id, |row| {
            let Some(feed) = &mut row.feed else { return false };
            let before = std::mem::replace(&mut feed.push, pace);
            before != pace
        });
        update.map(drop)
    }

    /// Where the record of a URL stands.
    pub(in crate::crawl) fn position(self, id: UrlId) -> Result<Option<Position>, StoreError> {
        self.cell.ledger_of(id).position(id)
    }

    /// Where a URL stands that still waits.
    pub(in crate::crawl) fn queued(self, id: UrlId) -> Result<Option<(Position, Row)>, StoreError> {
        let Some(position) = self.position(id)? else { return Ok(None) };
        let row = self.cell.ledger().at(position)?.map(|(_, row)| row);
        Ok(row.filter(is_queued).map(|row| (position, row)))
    }
}

/// What is known of a URL that a host names as a sitemap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crawl) enum SitemapState {
    Unknown,
    /// It is known as something else.
    Page,
    /// It waits as a sitemap, was read as one, leads to another, or is left for the next run.
    Settled,
}
