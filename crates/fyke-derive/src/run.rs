//! Runs what is due, in the order of the table; a derivation's cells, its changes and its mark are published
//! together.

use crate::changes::{Changed, Totals};
use crate::facts::FACTS;
use crate::mend::mending;
use crate::pages::{derive_batches, derive_page_again};
use crate::stale::{DerivedMark, Due, Eagerness, due, mark_of};
use crate::table::{DERIVATIONS, Derivation, DeriveSettings, Tier, WholeStep};
use crate::whole::WholeRun;
use crate::whole::twins::FOUND;
use crate::{DeriveError, index};
use fyke_index::Index;
use fyke_store::{Collection, StoreError};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub stage: &'static str,
    pub done: u64,
    /// Known for stages that go over all documents.
    pub total: Option<u64>,
}

/// What is to be run, and who watches.
pub struct Orders<'a> {
    pub settings: &'a DeriveSettings,
    pub pace: Eagerness,
    /// Made anew, whatever its mark says.
    pub only: Option<&'static str>,
    pub observe: &'a mut dyn FnMut(Step),
}

impl std::fmt::Debug for Orders<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Orders").field("pace", &self.pace).field("only", &self.only).finish()
    }
}

/// What there is after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Made {
    /// Captures looked at.
    pub captures: u64,
    /// Documents there are now.
    pub documents: u64,
    pub twins: u64,
    /// Documents in the index.
    pub indexed: u64,
}

/// Makes documents and cells of what was captured, and brings every derivation up to date, but for what can
/// wait. Columns that are found damaged are made again.
///
/// # Errors
/// When the collection cannot be read or written.
pub fn run(collection: &Collection, orders: &mut Orders<'_>) -> Result<Made, DeriveError> {
    let _turn = collection.begin_deriving();
    mending(collection, || run_all(collection, orders))
}

fn run_all(collection: &Collection, orders: &mut Orders<'_>) -> Result<Made, DeriveError> {
    (orders.observe)(Step { stage: "derive", done: 0, total: None });
    let captures = derive_batches(collection, |done, _| {
        (orders.observe)(Step { stage: "derive", done, total: None });
        Ok::<(), StoreError>(())
    })?;
    DERIVATIONS.iter().try_for_each(|row| run_one(collection, row, orders))?;
    let cells = collection.cells();
    let documents = crate::totals(&cells)?.documents;
    let twins = cells.value(&FOUND)?.unwrap_or(0);
    let indexed = Index::open_to_read(&collection.index_dir(), &FACTS)?.len()?;
    Ok(Made { captures, documents, twins, indexed })
}

/// Runs one derivation alone, if that is due or asked for.
///
/// # Errors
/// As [`run`].
pub fn run_row(
    collection: &Collection,
    row: &'static Derivation,
    orders: &mut Orders<'_>,
) -> Result<(), DeriveError> {
    let _turn = collection.begin_deriving();
    run_one(collection, row, orders)
}

/// The same, in a turn that has begun.
pub(crate) fn run_one(
    collection: &Collection,
    row: &'static Derivation,
    orders: &mut Orders<'_>,
) -> Result<(), DeriveError> {
    match row.tier {
        Tier::Page(_) if orders.only == Some(row.name) => Ok(derive_page_again(collection, row)?),
        Tier::Page(_) => Ok(()),
        Tier::Whole { all, some, .. } => Ok(run_whole(collection, row, (all, some), orders)?),
        Tier::Index => index::run(collection, orders),
    }
}

fn run_whole(
    collection: &Collection,
    row: &'static Derivation,
    (all, some): (WholeStep, Option<WholeStep>),
    orders: &mut Orders<'_>,
) -> Result<(), StoreError> {
    let is_asked = orders.only == Some(row.name);
    let cells = collection.cells();
    let before = mark_of(&cells, row);
    let due = match is_asked {
        true => Due::All("it was asked for"),
        false => due(row, before.as_ref(), &cells, orders.settings, orders.pace)?,
    };
    let (run, pages) = match (&due, some) {
        (Due::All(_), _) => (all, &[][..]),
        (Due::Some { pages, .. }, Some(some)) => (some, &pages[..]),
        _ => return Ok(()),
    };
    let (start, time) = (cpu_micros(), now());
    let mut batch = collection.cells.batch(time);
    let observe = &mut |done, total| (orders.observe)(Step { stage: row.name, done, total });
    let mut work = WholeRun {
        view: collection,
        cells: &cells,
        settings: orders.settings,
        batch: &mut batch,
        pages,
        touched: BTreeSet::new(),
        time,
        observe,
    };
    run(&mut work)?;
    let touched: Changed = work.touched.iter().map(|id| (*id, row.bit())).collect();
    let mark = DerivedMark::after(row, before.as_ref(), &due, &cells, orders.settings)?;
    Totals::read(&cells, time)?.note(&mut batch, &touched)?;
    let cpu = cpu_micros().saturating_sub(start);
    batch.mark(row.name, &DerivedMark { cpu, time, ..mark }.bytes());
    collection.cells.publish(batch)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(0)
}

/// Ticks of the kernel's clock in a second.
const TICKS: u64 = 100;

/// CPU time of this process in microseconds, to a hundredth of a second; 0 where the system does not tell.
#[must_use]
pub fn cpu_micros() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The 14th and 15th value; the second is a name that may hold anything.
    let values = stat.rsplit_once(')').map_or("", |(_, values)| values).split_whitespace();
    let ticks: u64 = values.skip(11).take(2).filter_map(|value| value.parse::<u64>().ok()).sum();
    ticks * (1_000_000 / TICKS)
}
