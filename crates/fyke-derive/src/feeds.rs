//! Documents of the items of feeds. The text that a feed has of a page stands for the page until that is fetched
//! ([`Row::stands_in_feed`]). It is made of the capture of the feed in which it stood first, which the page's row
//! names: so it is made once, is the same after a rebuild, and gives way to the page's own capture.

use crate::Derived;
use crate::derive::derive_item;
use fyke_formats::feed_capture;
use fyke_store::{Collection, Place, Row, StoreError};
use fyke_web::feed::{self, FeedItem};
use fyke_web::{Capture, UrlId};
use std::panic::catch_unwind;

/// An item of a feed in the place of its page.
#[derive(Debug)]
pub(crate) struct FedPage {
    pub(crate) capture: Capture,
    pub(crate) derived: Derived,
}

/// The items of a captured feed that stand for their pages, by this capture and no other.
pub(crate) fn fed_pages(
    collection: &Collection,
    capture: &Capture,
    place: Place,
) -> Result<Vec<FedPage>, StoreError> {
    if !feed::is_feed(capture) {
        return Ok(Vec::new());
    }
    let mut pages = Vec::new();
    for item in items(capture) {
        let Some(url) = item.url() else { continue };
        let row = collection.ledger.get(url.id())?;
        let stands =
            |row: &Row| row.stands_in_feed() && row.fed.is_some_and(|fed| fed.place == place);
        if row.as_ref().is_some_and(stands) {
            pages.extend(fed_page(capture, &item));
        }
    }
    Ok(pages)
}

/// The item that stands for a page, whose row this is, from the capture that the row names.
pub(crate) fn fed_page_of(
    collection: &Collection,
    id: UrlId,
    row: &Row,
) -> Result<Option<FedPage>, StoreError> {
    let Some(fed) = row.fed.filter(|_| row.stands_in_feed()) else { return Ok(None) };
    let capture = match collection.captures.read(fed.place) {
        Ok(capture) => capture,
        Err(damage @ StoreError::Damaged { .. }) => {
            tracing::warn!(%damage, "a capture was skipped");
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let is_meant = |item: &FeedItem| item.url().is_some_and(|url| url.id() == id);
    let item = items(&capture).into_iter().find(|item| is_meant(item) && item.print() == fed.print);
    Ok(item.and_then(|item| fed_page(&capture, &item)))
}

/// Whether a capture took nothing away from the text that a feed has of its page: the server failed.
pub(crate) fn keeps_text(collection: &Collection, capture: &Capture) -> Result<bool, StoreError> {
    if capture.has_content() {
        return Ok(false);
    }
    let row = collection.ledger.get(capture.url.id())?;
    Ok(row.is_some_and(|row| row.stands_in_feed()))
}

fn items(capture: &Capture) -> Vec<FeedItem> {
    let read = catch_unwind(|| feed::of_capture(capture)).ok().flatten();
    read.map(|feed| feed.items).unwrap_or_default()
}

fn fed_page(capture: &Capture, item: &FeedItem) -> Option<FedPage> {
    let capture = feed_capture(capture, item)?;
    let derived = derive_item(&capture, item);
    Some(FedPage { capture, derived })
}
