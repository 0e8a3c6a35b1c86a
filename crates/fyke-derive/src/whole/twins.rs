//! Twins: which documents are copies of which, found from the prints of all. What a host's pages have in
//! common is left out when they are compared. Private documents are copies of private ones alone: none stands for a
//! public one, or the other way round.

use super::WholeRun;
use super::likeness::{Likeness, Standing, Twin, TwinPrint};
use super::reasons::alone;
use super::templates::{TEMPLATES, Templates};
use crate::page::anchors::anchors;
use crate::page::canonical;
use crate::page::named::NAMED;
use crate::page::print::PRINTS;
use crate::page::private::PRIVATE;
use crate::stale::changed_since;
use crate::table::{Derivation, Tier};
use fyke_store::{
    CellBatch, Cells, Column, ColumnGroup, GroupCell, Reason, Single, StoreError, View,
};
use fyke_text::sketch::{PLACES, jaccard};
use fyke_web::{Url, UrlId, are_named_apart};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub const ROW: Derivation = Derivation {
    name: "twins",
    what: "which documents are copies of which, and what the pages of a host share",
    code: 4,
    version: 3,
    reads: &[],
    late: &["print", "canonical", "anchors", "named", "private"],
    writes: &[
        TWINS.declaration(),
        COPIES.declaration(),
        TEMPLATES.declaration(),
        SKETCHES.declaration(),
        FOUND.declaration(),
    ],
    facts: &[],
    settings: |settings| format!("{} {:?}", settings.near_duplicate, settings.languages),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// Of a copy what it is a copy of.
pub const TWINS: Column<Twin> = Column::new("twin", 1);
/// Of what stands for others its copies, by id.
pub const COPIES: Column<Vec<UrlId>> = Column::new("copies", 1);
/// The sketches of all documents without what their hosts' pages share, some thousand to a cell: a search
/// reads them in a row.
pub const SKETCHES: ColumnGroup<SketchChunk> = ColumnGroup::new("sketch", 1);
/// How many copies there are.
pub const FOUND: Single<u64> = Single::new("twins", 1);

/// Sketches in a cell.
const CHUNK: usize = 4_096;
/// Bytes of an id with its sketch.
const RECORD: usize = 8 + PLACES;

/// Some sketches, each behind the id of its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SketchChunk {
    #[serde(with = "crate::raw")]
    records: Vec<u8>,
}

/// Writes the sketches of documents that have words.
///
/// # Errors
/// When they cannot be written.
pub fn store_sketches(batch: &mut CellBatch, documents: &[TwinPrint]) -> Result<(), StoreError> {
    let filled: Vec<&TwinPrint> =
        documents.iter().filter(|print| print.sketch.0.len() == PLACES).collect();
    let record = |print: &&TwinPrint| [&print.id.0.to_le_bytes()[..], &print.sketch.0].concat();
    let chunk = |(qualifier, prints): (u64, &[&TwinPrint])| {
        let value = SketchChunk { records: prints.iter().flat_map(record).collect() };
        Ok(GroupCell { id: UrlId(0), qualifier, value })
    };
    batch.replace_group(&SKETCHES, (0..).zip(filled.chunks(CHUNK)).map(chunk))
}

/// Shows the sketch of every document that has words: as analysis left it, and those of pages that have
/// come since.
///
/// # Errors
/// When the columns cannot be read.
pub(crate) fn each_sketch(
    cells: &Cells,
    mut see: impl FnMut(UrlId, &[u8]),
) -> Result<(), StoreError> {
    let new = changed_since(cells, &ROW)?;
    for chunk in cells.all_in(&SKETCHES) {
        for record in chunk?.value.records.as_chunks::<RECORD>().0 {
            let (id, places) = record.split_at(8);
            let id = UrlId(u64::from_le_bytes(std::array::from_fn(|n| id[n])));
            if !new.contains(&id) {
                see(id, places);
            }
        }
    }
    for id in new {
        let print = cells.get(&PRINTS, id)?.filter(|print| print.sketch.len() == PLACES);
        print.iter().for_each(|print| see(id, &print.sketch));
    }
    Ok(())
}

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let mut prints = Vec::new();
    for print in run.cells.all(&PRINTS) {
        let (id, print) = print?;
        if alone(run.settings, &print.language, print.words) != Some(Reason::Lang) {
            prints.push(TwinPrint::of(id, print));
        }
    }
    let templates = Templates::leave_out(run.view, &mut prints)?;
    store_sketches(run.batch, &prints)?;
    let found = represented_apart(run, &templates, prints)?;
    let mut copies: BTreeMap<UrlId, Vec<UrlId>> = BTreeMap::new();
    found.iter().for_each(|(id, twin)| copies.entry(twin.of).or_default().push(*id));
    run.batch.set(&FOUND, &(found.len() as u64))?;
    run.batch.replace(&TWINS, found.into_iter().map(Ok))?;
    run.batch.replace(&COPIES, copies.into_iter().map(Ok))?;
    run.batch.replace(&TEMPLATES, templates.0.into_iter().map(Ok))
}

/// Every copy with the document that stands for it, public ones and private ones apart.
fn represented_apart(
    run: &WholeRun<'_>,
    templates: &Templates,
    prints: Vec<TwinPrint>,
) -> Result<BTreeMap<UrlId, Twin>, StoreError> {
    let private = run.cells.all(&PRIVATE).map(|cell| cell.map(|(id, _)| id));
    let private: BTreeSet<UrlId> = private.collect::<Result<_, _>>()?;
    let (private, public): (Vec<_>, Vec<_>) =
        prints.into_iter().partition(|print| private.contains(&print.id));
    let mut found = represented(run, templates, &public)?;
    if !private.is_empty() {
        found.extend(represented(run, templates, &private)?);
    }
    Ok(found)
}

/// Every copy with the document that stands for it.
fn represented(
    run: &WholeRun<'_>,
    templates: &Templates,
    prints: &[TwinPrint],
) -> Result<BTreeMap<UrlId, Twin>, StoreError> {
    let shingles = |index: usize| {
        let TwinPrint { id, host, .. } = prints[index];
        let document = run.view.documents.get(id)?;
        Ok(document.map_or(Vec::new(), |document| templates.own_shingles(host, &document)))
    };
    // Pairs come by their first document.
    let mut first: Option<(usize, Vec<u64>)> = None;
    let mut exact = |a: usize, b: usize| {
        if first.as_ref().is_none_or(|(index, _)| *index != a) {
            first = Some((a, shingles(a)?));
        }
        let second = shingles(b)?;
        Ok(first.as_ref().map_or(0.0, |(_, first)| jaccard(first, &second)))
    };
    let threshold = run.settings.near_duplicate;
    let name = |index: usize| {
        let named = run.cells.get(&NAMED, prints[index].id)?;
        Ok::<_, StoreError>(named.map_or_else(String::new, |named| named.title))
    };
    let mut named_apart = |a: usize, b: usize| {
        let [one, other] = [name(a)?, name(b)?];
        let path = |index: usize| Url::parse(&prints[index].url).ok();
        let (Some(first), Some(second)) = (path(a), path(b)) else { return Ok(false) };
        Ok(are_named_apart((&one, first.path()), (&other, second.path())))
    };
    let (exact, named_apart) = (&mut exact, &mut named_apart);
    let mut likeness = Likeness { documents: prints, threshold, exact, named_apart };
    let groups = likeness.groups()?;
    let copies = groups.iter().flatten().map(|index| prints[*index].id);
    let copies: Vec<UrlId> = copies.collect();
    likeness.represent(&groups, &standing(run.cells, &copies)?)
}

/// How often copies are named as canonical, and how many pages link to them.
fn standing(cells: &Cells, copies: &[UrlId]) -> Result<HashMap<UrlId, Standing>, StoreError> {
    let named = canonical::named(cells, copies.iter().copied())?;
    let named = named.into_iter().map(|(id, named)| (id, Standing { named, links: 0 }));
    let mut standing: HashMap<UrlId, Standing> = named.collect();
    for &id in copies {
        let links = anchors(cells, id)?.len();
        standing.entry(id).or_default().links = u32::try_from(links).unwrap_or(u32::MAX);
    }
    Ok(standing)
}

/// The document this one is a copy of.
///
/// # Errors
/// When the column cannot be read.
pub fn twin(collection: &View, id: UrlId) -> Result<Option<Twin>, StoreError> {
    collection.cells().get(&TWINS, id)
}

/// The copies that a document stands for, by id.
///
/// # Errors
/// When the column cannot be read.
pub fn copies(collection: &View, id: UrlId) -> Result<Vec<UrlId>, StoreError> {
    Ok(collection.cells().get(&COPIES, id)?.unwrap_or_default())
}

/// Documents that are not searched: copies and other languages.
///
/// # Errors
/// When the columns cannot be read.
pub fn left_out(cells: &Cells) -> Result<BTreeSet<UrlId>, StoreError> {
    let mut out = BTreeSet::new();
    for reason in cells.all(&super::reasons::REASONS) {
        let (id, reason) = reason?;
        if !super::reasons::is_searched(reason) {
            out.insert(id);
        }
    }
    Ok(out)
}
