//! What the ledger says of all URLs that were asked for, in one pass over it: in whose domain each lies, and
//! where those lead that are redirects.

use fyke_store::{StoreError, View};
use fyke_web::{Url, UrlId};
use std::collections::HashMap;

/// URLs that were fetched.
#[derive(Debug, Default)]
pub struct Sites {
    /// The hash of the registrable domain of each, by id.
    domains: Vec<(UrlId, u64)>,
    pub redirects: HashMap<UrlId, UrlId>,
}

impl Sites {
    /// Reads the ledger.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(collection: &View) -> Result<Sites, StoreError> {
        let mut sites = Sites::default();
        for row in collection.ledger.rows() {
            let (id, row) = row?;
            let target = row.redirect.as_deref().and_then(|target| Url::parse(target).ok());
            sites.redirects.extend(target.map(|target| (id, target.id())));
            if row.capture.is_none() {
                continue;
            }
            sites.domains.extend(Url::parse(&row.url).ok().map(|url| (id, url.domain_hash())));
        }
        sites.domains.sort_unstable();
        Ok(sites)
    }

    /// The hash of a URL's registrable domain; 0 for one that was never fetched.
    #[must_use]
    pub fn domain(&self, id: UrlId) -> u64 {
        let found = self.domains.binary_search_by_key(&id, |(id, _)| *id);
        found.map_or(0, |at| self.domains[at].1)
    }
}
