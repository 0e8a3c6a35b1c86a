//! Where redirects lead by the rows of a cell: to a page, in a circle, or to another cell.

use crate::crawl::cell::CrawlCell;
use crate::crawl::letter::Hop;
use crate::verdict::MOST_REDIRECTS;
use fyke_store::{Reason, StoreError};
use fyke_web::{Url, UrlId};

/// Where redirects lead by what this cell knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// To a URL that does not redirect, as far as is known.
    Open,
    /// Back to the first of them.
    Ring,
    /// To a URL of another cell.
    Elsewhere,
}

/// Follows redirects through the rows of this cell, from where the last of them leads: whether they close a
/// ring, and otherwise whether they lead to another cell. Whichever URL of a ring is fetched last finds it, so
/// the outcome does not depend on the order.
pub(super) fn walk(
    cell: &CrawlCell<'_>,
    hops: &mut Vec<Hop>,
    at: &mut Url,
) -> Result<Walked, StoreError> {
    while hops.len() <= 2 * MOST_REDIRECTS {
        let id = at.id();
        if hops.first().is_some_and(|first| first.id == id) {
            return Ok(Walked::Ring);
        }
        if cell.is_elsewhere(at) {
            return Ok(Walked::Elsewhere);
        }
        let row = cell.ledger_of(id).get(id)?;
        let row = row.filter(|row| row.reason == Reason::Redirect);
        let target = row.and_then(|row| row.redirect).and_then(|url| Url::parse(&url).ok());
        let Some(target) = target else { break };
        hops.push(Hop { id, domain: at.domain_hash() });
        *at = target;
    }
    Ok(Walked::Open)
}

/// Says of a redirect that it leads in a circle, or is one too many.
pub(super) fn mark_loop(
    cell: &CrawlCell<'_>,
    id: UrlId,
    detail: &str,
    now: u64,
) -> Result<(), StoreError> {
    cell.touch(now);
    let update = cell.ledger_of(id).update(id, |row| {
        let is_redirect = row.reason == Reason::Redirect;
        (row.reason, row.detail) = (Reason::RedirectLoop, detail.to_owned());
        is_redirect
    });
    update.map(drop)
}
