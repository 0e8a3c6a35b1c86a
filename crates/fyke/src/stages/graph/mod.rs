//! Graph: the documents with the links between them, and what these say of their weight (003 §4.5). The
//! column "rank" holds PageRank times the number of documents, so that the mean is 1; the figures are a
//! column of their own, which stands until documents or settings change.

mod figures;
mod links;
pub mod plots;

pub use figures::{Around, Figures, Ranked};

use super::{Step, analyse};
use crate::config::Config;
use figures::BEST;
use fyke_learn::{Hits, InLinks, PageRank, base_set};
use fyke_store::{Collection, StoreError, View};
use fyke_web::UrlId;
use links::Links;
use serde::{Deserialize, Serialize};

/// The column of ranks.
const RANKS: &str = "rank";
/// The column of the figures, in the cell of no URL; written last.
const FIGURES: &str = "graph";
const CELL: UrlId = UrlId(0);
/// Raise it when ranks, figures or their meaning change.
const FORM: u32 = 1;

/// The best documents by rank, in whose base set the authorities and hubs of a collection are looked for.
const ROOT: usize = 20_000;
/// Pages that link to a page of the root set and are taken into its base set, for each.
const IN_LINKS: usize = 50;

/// Figures with what they depend on.
#[derive(Serialize, Deserialize)]
struct Stored {
    mark: String,
    figures: Figures,
}

fn stored(collection: &View) -> Result<Option<Stored>, StoreError> {
    let cell = collection.documents.cell(FIGURES, CELL)?;
    Ok(cell.and_then(|cell| serde_json::from_slice(&cell).ok()))
}

/// The figures as they were made last, whatever has come since.
///
/// # Errors
/// When the column cannot be read.
pub fn last(collection: &View) -> Result<Option<Figures>, StoreError> {
    Ok(stored(collection)?.map(|stored| stored.figures))
}

/// Brings the ranks up to date; returns the figures of the graph.
///
/// # Errors
/// When links cannot be read or columns cannot be written.
pub fn graph(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Figures> {
    let mark = mark(collection, config)?;
    if let Some(stored) = stored(collection)?.filter(|stored| stored.mark == mark) {
        return Ok(stored.figures);
    }
    let (figures, ranks) = measure(collection, observe)?;
    let cells = ranks.into_iter().map(|(id, rank)| (id, rank.to_le_bytes().to_vec()));
    collection.documents.put_cells(RANKS, cells)?;
    let stored = Stored { mark, figures };
    collection.documents.put_column(FIGURES, &[(CELL, serde_json::to_vec(&stored)?)])?;
    Ok(stored.figures)
}

/// The figures of the graph: those stored, or made now where documents or settings have changed.
///
/// # Errors
/// When links cannot be read.
pub fn current(
    collection: &View,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Figures> {
    let mark = mark(collection, config)?;
    match stored(collection)?.filter(|stored| stored.mark == mark) {
        Some(stored) => Ok(stored.figures),
        None => Ok(measure(collection, observe)?.0),
    }
}

fn mark(collection: &View, config: &Config) -> Result<String, StoreError> {
    Ok(format!("{FORM} {}", analyse::mark(collection, config)?))
}

/// Documents with their ranks, by id.
type Ranks = Vec<(UrlId, f64)>;

/// Ranks all documents.
fn measure(collection: &View, observe: &mut dyn FnMut(Step)) -> anyhow::Result<(Figures, Ranks)> {
    let links = Links::read(collection, observe)?;
    let turned = InLinks::of(&links.graph).damped(&links.domains);
    let ranks = PageRank { threads: threads(), ..PageRank::default() }.of(&turned);
    let documents = links.ids.len() as f64;
    let ranked = links.ids.iter().zip(&ranks.values);
    let ranked = ranked.map(|(id, rank)| (*id, rank * documents)).collect();
    let best = figures::order(ranks.values.iter().map(|rank| rank * documents).zip(0..), ROOT);
    let root: Vec<u32> = best.iter().map(|(_, page)| *page).collect();
    let base = base_set(&links.graph, &turned, &root, IN_LINKS);
    let figures = Figures { rounds: ranks.rounds, ..Figures::of(&links, &turned) };
    drop(turned);
    let hits = Hits { hosts: links.hosts(), ..Hits::default() }.of(&links.graph, &base);
    let named = |values: Vec<(f64, u32)>| figures::named(collection, &links.ids, &values);
    let pages =
        |values: Vec<f64>| figures::order(values.into_iter().zip(base.iter().copied()), BEST);
    let figures = Figures {
        ranks: named(best)?,
        authorities: named(pages(hits.authorities))?,
        hubs: named(pages(hits.hubs))?,
        ..figures
    };
    Ok((figures, ranked))
}

/// The ranks of all documents, by id.
///
/// # Errors
/// When the column cannot be read.
pub fn ranks(collection: &View) -> Result<Vec<(UrlId, f64)>, StoreError> {
    let cells = collection.documents.cells(RANKS)?;
    let rank = |(id, cell): (UrlId, Vec<u8>)| Some((id, read(&cell)?));
    cells.filter_map(|cell| cell.map(rank).transpose()).collect()
}

/// The rank of one document; none for a copy.
///
/// # Errors
/// When the column cannot be read.
pub fn rank(collection: &View, id: UrlId) -> Result<Option<f64>, StoreError> {
    Ok(collection.documents.cell(RANKS, id)?.as_deref().and_then(read))
}

fn read(cell: &[u8]) -> Option<f64> {
    Some(f64::from_le_bytes(*cell.first_chunk()?))
}

/// What links say around these documents: the rank of a surfer who always comes back to them, and the
/// authorities and hubs of their base set.
///
/// # Errors
/// When links cannot be read.
pub fn around(
    collection: &View,
    root: &[UrlId],
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Around> {
    let links = Links::read(collection, observe)?;
    let root: Vec<u32> = root.iter().filter_map(|id| links.place(*id)).collect();
    let turned = InLinks::of(&links.graph);
    let base = base_set(&links.graph, &turned, &root, IN_LINKS);
    let hits = Hits { hosts: links.hosts(), ..Hits::default() }.of(&links.graph, &base);
    let turned = turned.damped(&links.domains);
    let topic = PageRank { topic: Some(&root), threads: threads(), ..PageRank::default() };
    let topic = if root.is_empty() { Vec::new() } else { topic.of(&turned).values };
    let named = |values: Vec<(f64, u32)>| figures::named(collection, &links.ids, &values);
    let pages =
        |values: Vec<f64>| figures::order(values.into_iter().zip(base.iter().copied()), BEST);
    Ok(Around {
        root: root.len() as u64,
        base: base.len() as u64,
        ranks: named(figures::order(topic.into_iter().zip(0..), BEST))?,
        authorities: named(pages(hits.authorities))?,
        hubs: named(pages(hits.hubs))?,
    })
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
