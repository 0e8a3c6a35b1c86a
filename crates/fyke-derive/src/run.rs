//! Runs what is due, in the order of the table; a derivation's cells, its changes and its mark are published
//! together.

use crate::changes::{Changed, Totals};
use crate::pages::derive_page_again;
use crate::stale::{DerivedMark, Due, Pace, due, mark_of};
use crate::table::{DERIVATIONS, Derivation, DeriveSettings, INDEX, Tier};
use crate::whole::WholeRun;
use fyke_store::{Collection, StoreError};
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
    pub pace: Pace,
    /// Made anew, whatever its mark says.
    pub only: Option<&'static str>,
    pub observe: &'a mut dyn FnMut(Step),
}

impl std::fmt::Debug for Orders<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Orders").field("pace", &self.pace).field("only", &self.only).finish()
    }
}

/// Runs the derivations that the index reads.
///
/// # Errors
/// When the collection cannot be read or written.
pub fn run_before_index(
    collection: &Collection,
    orders: &mut Orders<'_>,
) -> Result<(), StoreError> {
    let before = DERIVATIONS.iter().take_while(|row| row.name != INDEX.name);
    before.into_iter().try_for_each(|row| run(collection, row, orders))
}

/// Runs the others.
///
/// # Errors
/// As [`run_before_index`].
pub fn run_after_index(collection: &Collection, orders: &mut Orders<'_>) -> Result<(), StoreError> {
    let after = DERIVATIONS.iter().skip_while(|row| row.name != INDEX.name);
    after.into_iter().try_for_each(|row| run(collection, row, orders))
}

/// Runs one derivation alone, if that is due or asked for.
///
/// # Errors
/// As [`run_before_index`].
pub fn run_only(
    collection: &Collection,
    name: &str,
    orders: &mut Orders<'_>,
) -> Result<(), StoreError> {
    Derivation::named(name).map_or(Ok(()), |row| run(collection, row, orders))
}

fn run(
    collection: &Collection,
    row: &'static Derivation,
    orders: &mut Orders<'_>,
) -> Result<(), StoreError> {
    let is_asked = orders.only == Some(row.name);
    if row.is_of_pages() && is_asked {
        return derive_page_again(collection, row);
    }
    let Tier::Whole { all, some, .. } = row.tier else { return Ok(()) };
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

/// Notes in the cells how far the index is, once it is committed, with the microseconds of CPU time that it
/// took, and drops from the log of changes what
/// everybody has seen.
///
/// # Errors
/// When the cells cannot be written.
pub fn finish_index(
    collection: &Collection,
    mark: &DerivedMark,
    cpu: u64,
) -> Result<(), StoreError> {
    let (cells, time) = (collection.cells(), now());
    let mut batch = collection.cells.batch(time);
    batch.mark(INDEX.name, &DerivedMark { cpu, time, ..mark.clone() }.bytes());
    let mut totals = Totals::read(&cells, time)?;
    let whole = DERIVATIONS.iter().filter(|row| matches!(row.tier, Tier::Whole { .. }));
    let seen = |mark: &DerivedMark| mark.seen.min(mark.seen_late);
    let others = whole.map(|row| mark_of(&cells, row).as_ref().map_or(0, seen));
    let seen = others.chain([seen(mark)]).min().unwrap_or(0);
    totals.drop_seen(&cells, &mut batch, seen)?;
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
