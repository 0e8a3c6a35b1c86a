//! The full-text index as a derivation: documents with their anchor texts, ranks and facts become postings. What
//! has changed is put or taken out; only where all has changed a new index is built, which takes the place of
//! the one before. One commit at the end, with the mark: until then the former index answers, and a crash
//! leaves it as it was.

mod anchors;
mod entry;
mod fresh;

pub use anchors::Anchors;
pub use entry::{entry, sections};
pub use fresh::{FreshRound, freshen};

use crate::changes::Totals;
use crate::facts::FACTS;
use crate::run::{Orders, Step, cpu_micros, now};
use crate::stale::{DerivedMark, Due, Eagerness, due, mark_of};
use crate::table::{DERIVATIONS, Derivation, Tier};
use crate::{DeriveError, totals};
use entry::EntrySource;
use fyke_index::{Index, IndexError};
use fyke_store::{Cells, Collection, StoreError};
use fyke_web::UrlId;

/// Its mark stands in its own commit. It further reads every derivation that has facts.
pub const ROW: Derivation = Derivation {
    name: "index",
    what: "what is searched: documents with all that ranks, filters and counts",
    code: 32,
    version: 7,
    reads: &["print", "papers", "reasons", "twins", "titles", "compounds", "ranks"],
    late: &["anchors"],
    writes: &[],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Index,
};

/// Brings the index up to date.
pub(crate) fn run(collection: &Collection, orders: &mut Orders<'_>) -> Result<(), DeriveError> {
    (orders.observe)(Step { stage: ROW.name, done: 0, total: None });
    if orders.only == Some(ROW.name) {
        return run_anew(collection, orders);
    }
    let index = match Index::open_with(&collection.index_dir(), &FACTS) {
        // Derived all the same: one that cannot be read is made anew.
        Err(IndexError::Old(_)) => return run_anew(collection, orders),
        Err(error @ IndexError::Broken { .. }) => {
            tracing::warn!(%error, "the index is damaged and is made again");
            return run_anew(collection, orders);
        }
        opened => opened?,
    };
    let (cells, mark) = (collection.cells(), mark_in(&index));
    match due(&ROW, mark.as_ref(), &cells, orders.settings, orders.pace)? {
        Due::All(_) if orders.pace != Eagerness::Fresh => run_anew(collection, orders),
        Due::Some { pages, late } => {
            let start = cpu_micros();
            let done = Due::Some { pages: Vec::new(), late };
            let mark = DerivedMark::after(&ROW, mark.as_ref(), &done, &cells, orders.settings)?;
            match take_up(collection, (&cells, &index), (&pages, &mark), orders.observe) {
                Err(DeriveError::Index(error @ IndexError::Broken { .. })) => {
                    tracing::warn!(%error, "the index is damaged and is made again");
                    return run_anew(collection, orders);
                }
                taken => taken?,
            };
            Ok(finish(collection, &mark, cpu_micros().saturating_sub(start))?)
        }
        _ => Ok(()),
    }
}

/// Puts these pages into an index as they are now, or takes them out; returns how many were put.
fn take_up(
    collection: &Collection,
    (cells, index): (&Cells, &Index),
    (pages, mark): (&[UrlId], &DerivedMark),
    observe: &mut dyn FnMut(Step),
) -> Result<u64, DeriveError> {
    let mut writer = index.writer()?;
    let source = EntrySource::new(collection, cells);
    let mut put = 0;
    let total = Some(pages.len() as u64);
    for (done, id) in (0..).zip(pages) {
        if done % 64 == 0 {
            observe(Step { stage: ROW.name, done, total });
        }
        let document = if source.is_searched(*id)? { collection.documents.get(*id)? } else { None };
        match document {
            Some(document) => {
                source.put(&document, &mut writer)?;
                put += 1;
            }
            None => writer.delete(id.0)?,
        }
    }
    writer.commit(&mark.text())?;
    Ok(put)
}

/// The mark in an index's last commit.
fn mark_in(index: &Index) -> Option<DerivedMark> {
    serde_json::from_str(&index.mark()).ok()
}

/// Makes a new index, which takes the place of the one before when it is done.
fn run_anew(collection: &Collection, orders: &mut Orders<'_>) -> Result<(), DeriveError> {
    let (cells, start) = (collection.cells(), cpu_micros());
    let (before, all) = (mark_of(&cells, &ROW), Due::All(""));
    let mark = DerivedMark::after(&ROW, before.as_ref(), &all, &cells, orders.settings)?;
    collection.replace_index(|dir| {
        let index = Index::open_with(dir, &FACTS)?;
        fill(collection, &cells, &index, &mark, orders.observe)
    })?;
    Ok(finish(collection, &mark, cpu_micros().saturating_sub(start))?)
}

/// Puts every document into an empty index, in one commit.
fn fill(
    collection: &Collection,
    cells: &Cells,
    index: &Index,
    mark: &DerivedMark,
    observe: &mut dyn FnMut(Step),
) -> Result<(), DeriveError> {
    let total = Some(totals(cells)?.documents);
    let source = EntrySource::new(collection, cells);
    let mut writer = index.writer()?;
    let mut indexed = 0;
    for document in collection.documents.all() {
        let document = document?;
        if !source.is_searched(document.id)? {
            continue;
        }
        source.put(&document, &mut writer)?;
        indexed += 1;
        if indexed % 64 == 0 {
            observe(Step { stage: ROW.name, done: indexed, total });
        }
    }
    writer.commit(&mark.text())?;
    Ok(())
}

/// Notes in the cells how far the index is, once it is committed, with the microseconds of CPU time that it
/// took, and drops from the log of changes what everybody has seen.
fn finish(collection: &Collection, mark: &DerivedMark, cpu: u64) -> Result<(), StoreError> {
    let (cells, time) = (collection.cells(), now());
    let mut batch = collection.cells.batch(time);
    batch.mark(ROW.name, &DerivedMark { cpu, time, ..mark.clone() }.bytes());
    let mut totals = Totals::read(&cells, time)?;
    let whole = DERIVATIONS.iter().filter(|row| matches!(row.tier, Tier::Whole { .. }));
    let seen = |mark: &DerivedMark| mark.seen.min(mark.seen_late);
    let others = whole.map(|row| mark_of(&cells, row).as_ref().map_or(0, seen));
    let seen = others.chain([seen(mark)]).min().unwrap_or(0);
    totals.drop_seen(&cells, &mut batch, seen)?;
    collection.cells.publish(batch)
}

/// Deletes the index: the next run makes another.
fn discard_index(collection: &Collection) -> Result<(), StoreError> {
    let dir = collection.index_dir();
    std::fs::remove_dir_all(&dir).map_err(|error| StoreError::io(&dir, error))
}

/// Opens the index for whoever shows a crawl. One that cannot be read is of no use to them: they begin
/// with an empty one.
///
/// # Errors
/// When it cannot be made.
pub fn open_index(collection: &Collection) -> Result<Index, DeriveError> {
    let dir = collection.index_dir();
    match Index::open_with(&dir, &FACTS) {
        Err(IndexError::Old(_) | IndexError::Broken { .. }) => {
            discard_index(collection)?;
            Ok(Index::open_with(&dir, &FACTS)?)
        }
        other => Ok(other?),
    }
}
