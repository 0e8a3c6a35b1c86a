//! Derivations of the whole collection: from columns to columns.

pub mod citations;
pub mod compounds;
pub mod corpus;
pub mod graph;
pub mod likeness;
pub mod names;
pub mod reasons;
mod sites;
pub mod soft404;
pub mod spam;
pub mod subject;
pub mod templates;
pub mod titles;
pub mod topics;
pub mod twins;

use crate::table::DeriveSettings;
use fyke_store::{CellBatch, Cells, View};
use fyke_web::UrlId;
use std::collections::BTreeSet;

/// A derivation of the whole at work.
pub struct WholeRun<'a> {
    pub view: &'a View,
    /// The state it begins with.
    pub cells: &'a Cells,
    pub settings: &'a DeriveSettings,
    /// What it writes to.
    pub batch: &'a mut CellBatch,
    /// The pages that have changed; none when it is to look at all.
    pub pages: &'a [UrlId],
    /// The pages whose cells it has changed, where it did not look at all.
    pub touched: BTreeSet<UrlId>,
    /// Now, in milliseconds since 1970.
    pub time: i64,
    /// Told how much is done, and of how much.
    pub observe: &'a mut dyn FnMut(u64, Option<u64>),
}

impl std::fmt::Debug for WholeRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WholeRun").field("pages", &self.pages.len()).finish_non_exhaustive()
    }
}
