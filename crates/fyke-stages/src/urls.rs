//! The known URLs by reason and host, as `fyke urls` prints them and the site lists them.

use crate::reasons;
use fyke_store::{Reason, Row, StoreError, View};
use fyke_web::authority_of;

/// Which URLs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlFilter {
    /// Only those with this reason.
    pub reason: Option<Reason>,
    /// Only those of this host, with its port if it has one.
    pub host: Option<String>,
}

impl UrlFilter {
    /// The URLs that pass, each with its effective reason, in the order of the ledger. Nothing is read before it is
    /// asked for.
    pub fn rows<'a>(
        &'a self,
        view: &'a View,
    ) -> impl Iterator<Item = Result<(Row, Reason), StoreError>> + 'a {
        let is_of_host = |row: &Row| {
            let host = self.host.as_deref();
            host.is_none_or(|host| authority_of(&row.url).eq_ignore_ascii_case(host))
        };
        view.ledger.rows().filter_map(move |row| {
            let found = row.and_then(|(id, row)| match is_of_host(&row) {
                true => reasons::of_row(view, id, &row).map(|reason| Some((row, reason))),
                false => Ok(None),
            });
            let passes =
                |(_, reason): &(Row, Reason)| self.reason.is_none_or(|wanted| wanted == *reason);
            found.map(|found| found.filter(passes)).transpose()
        })
    }
}
