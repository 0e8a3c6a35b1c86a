//! The log of changes: which pages were changed by which derivation, a number for each publish. By it a
//! derivation finds what has changed since its mark without looking at the whole.

use crate::page::print::PRINTS;
use fyke_store::{CellBatch, Cells, ColumnGroup, Single, StoreError};
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The state in which a log of changes began: another log has another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogStart {
    pub time: i64,
    /// Of the state.
    pub number: u64,
}

/// What the log and the pages come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    pub began: LogStart,
    /// Documents there are.
    pub documents: u64,
    /// The last number of the log …
    pub change: u64,
    /// … and the last that it no longer holds.
    pub dropped: u64,
}

pub(crate) const TOTALS: Single<Totals> = Single::new("totals", 1);

/// Under each number of the log the pages that were changed, with the bits of the derivations that did.
pub(crate) const CHANGES: ColumnGroup<u64> = ColumnGroup::new("change", 1);

/// Pages with bits.
pub(crate) type Changed = BTreeMap<UrlId, u64>;

/// The totals of a state.
///
/// # Errors
/// When the cells cannot be read.
pub fn totals(cells: &Cells) -> Result<Totals, StoreError> {
    Ok(cells.value(&TOTALS)?.unwrap_or_default())
}

impl Totals {
    /// Those of a state, or the first ones.
    pub(crate) fn read(cells: &Cells, time: i64) -> Result<Totals, StoreError> {
        let began = LogStart { time, number: cells.number() };
        Ok(cells.value(&TOTALS)?.unwrap_or(Totals { began, ..Totals::default() }))
    }

    /// Enters changes in the log, with the totals.
    pub(crate) fn note(
        &mut self,
        batch: &mut CellBatch,
        changed: &Changed,
    ) -> Result<(), StoreError> {
        if !changed.is_empty() {
            self.change += 1;
        }
        for (id, bits) in changed {
            batch.put_in(&CHANGES, UrlId(self.change), id.0, bits);
        }
        batch.set(&TOTALS, self)
    }

    /// Drops what every reader of the log has seen.
    pub(crate) fn drop_seen(
        &mut self,
        cells: &Cells,
        batch: &mut CellBatch,
        seen: u64,
    ) -> Result<(), StoreError> {
        for number in self.dropped + 1..=seen.min(self.change) {
            for (id, _) in cells.group(&CHANGES, UrlId(number))? {
                batch.delete_in(&CHANGES, UrlId(number), id);
            }
            self.dropped = number;
        }
        batch.set(&TOTALS, self)
    }

    /// The pages changed after a number by derivations with these bits, by id.
    pub(crate) fn since(
        &self,
        cells: &Cells,
        seen: u64,
        wanted: u64,
    ) -> Result<BTreeSet<UrlId>, StoreError> {
        let mut changed = BTreeSet::new();
        for number in seen + 1..=self.change {
            for (id, bits) in cells.group(&CHANGES, UrlId(number))? {
                if bits & wanted != 0 {
                    changed.insert(UrlId(id));
                }
            }
        }
        Ok(changed)
    }
}

/// Whether there is a document of this URL.
pub(crate) fn is_document(cells: &Cells, id: UrlId) -> Result<bool, StoreError> {
    Ok(cells.get(&PRINTS, id)?.is_some())
}
