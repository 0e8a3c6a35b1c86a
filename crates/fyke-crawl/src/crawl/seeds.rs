//! Seeds that are not where they were said to be: one that redirects takes the scope along, one that was given without
//! a scheme is asked for by http where https gives no answer.

use crate::options::CrawlOptions;
use crate::scope::Scope;
use crate::verdict::MOST_REDIRECTS;
use fyke_store::{LedgerView, Reason, StoreError};
use fyke_web::Url;

/// What a seed stands under when nobody answers by https.
const SILENT: [Reason; 5] =
    [Reason::RobotsUnreachable, Reason::Connect, Reason::Tls, Reason::Timeout, Reason::Protocol];

/// Lets the scope follow the redirects of seeds that the ledger knows.
///
/// # Errors
/// When the ledger cannot be read.
pub fn follow_seeds(scope: &Scope, seeds: &[Url], ledger: &LedgerView) -> Result<(), StoreError> {
    for seed in seeds {
        let mut at = seed.clone();
        for _ in 0..MOST_REDIRECTS {
            let row = ledger.get(at.id())?.filter(|row| row.reason == Reason::Redirect);
            let target = row.and_then(|row| row.redirect);
            let Some(Ok(next)) = target.map(|url| Url::parse(&url)) else { break };
            scope.follow(&at, &next);
            at = next;
        }
    }
    Ok(())
}

/// The seeds to ask for by http, since https gave no answer.
pub(super) fn without_tls(
    options: &CrawlOptions,
    ledger: &LedgerView,
) -> Result<Vec<Url>, StoreError> {
    let mut urls = Vec::new();
    for seed in &options.bare_seeds {
        let is_silent = ledger.get(seed.id())?.is_some_and(|row| SILENT.contains(&row.reason));
        urls.extend(plain(seed).filter(|_| is_silent));
    }
    Ok(urls)
}

/// The same URL without TLS.
pub(super) fn plain(url: &Url) -> Option<Url> {
    let rest = url.as_str().strip_prefix("https://")?;
    Url::parse(&format!("http://{rest}")).ok()
}
