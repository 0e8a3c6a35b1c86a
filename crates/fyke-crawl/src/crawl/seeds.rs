//! Seeds that are not where they were said to be: one that redirects takes the scope along, one that was given without
//! a scheme is asked for by http where https gives no answer.

use super::cell::{CrawlCell, owner};
use crate::options::CrawlOptions;
use crate::scope::Scope;
use crate::verdict::MOST_REDIRECTS;
use fyke_store::{LedgerView, Reason, Row, StoreError};
use fyke_web::Url;

/// What a seed stands under when nobody answers by https.
const SILENT: [Reason; 5] =
    [Reason::RobotsUnreachable, Reason::Connect, Reason::Tls, Reason::Timeout, Reason::Protocol];

/// Lets the scope follow the redirects of seeds that the ledger knows.
///
/// # Errors
/// When the ledger cannot be read.
pub fn follow_seeds(scope: &Scope, seeds: &[Url], ledger: &LedgerView) -> Result<(), StoreError> {
    follow(scope, seeds, |url| ledger.get(url.id()))
}

/// The same, where `row` knows who has the row of a URL.
pub(super) fn follow(
    scope: &Scope,
    seeds: &[Url],
    row: impl Fn(&Url) -> Result<Option<Row>, StoreError>,
) -> Result<(), StoreError> {
    for seed in seeds {
        let mut at = seed.clone();
        for _ in 0..MOST_REDIRECTS {
            let row = row(&at)?.filter(|row| row.reason == Reason::Redirect);
            let target = row.and_then(|row| row.redirect);
            let Some(Ok(next)) = target.map(|url| Url::parse(&url)) else { break };
            scope.follow(&at, &next);
            at = next;
        }
    }
    Ok(())
}

/// The row of a URL, from the cell that owns it.
pub(super) fn row(cells: &[CrawlCell<'_>], url: &Url) -> Result<Option<Row>, StoreError> {
    let id = url.id();
    owner(cells, url).map_or(Ok(None), |cell| cell.ledger_of(id).get(id))
}

/// The seeds to ask for by http, since https gave no answer.
pub(super) fn without_tls(
    options: &CrawlOptions,
    cells: &[CrawlCell<'_>],
) -> Result<Vec<Url>, StoreError> {
    let mut urls = Vec::new();
    for seed in &options.bare_seeds {
        let is_silent = row(cells, seed)?.is_some_and(|row| SILENT.contains(&row.reason));
        urls.extend(plain(seed).filter(|_| is_silent));
    }
    Ok(urls)
}

/// The same URL without TLS.
pub(super) fn plain(url: &Url) -> Option<Url> {
    let rest = url.as_str().strip_prefix("https://")?;
    Url::parse(&format!("http://{rest}")).ok()
}
