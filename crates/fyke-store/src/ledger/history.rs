//! A URL as it stood before: each record about a URL names the one it replaced.

use super::record::{self, LedgerRecord};
use super::{LedgerView, Row};
use crate::StoreError;
use fyke_web::UrlId;

impl LedgerView {
    /// The row of a URL as it stands and as it stood before, newest first, at most `most`. It ends early at a
    /// record that cannot be read.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn history(&self, id: UrlId, most: usize) -> Result<Vec<Row>, StoreError> {
        let mut rows = Vec::new();
        let mut next = self.position(id)?.map(record::plain);
        while let Some(position) = next.filter(|_| rows.len() < most) {
            let Some(payload) = self.log.read_good(position)? else { break };
            let Some(LedgerRecord::Url(found)) = record::read(&payload) else { break };
            let Some(row) = self.row(position, &found)?.filter(|_| found.id == id) else { break };
            rows.push(row);
            // A record stands after the one it replaced: a damaged one must not make a ring.
            next = found.before.map(record::plain).filter(|before| *before < position);
        }
        Ok(rows)
    }
}
