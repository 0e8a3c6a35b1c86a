//! Graph: the documents with the links between them, and what these say of their weight (003 §4.5). A rank
//! is PageRank times the number of documents, so that the mean is 1.

mod figures;
mod links;

use figures::ValuedPage;
pub use figures::{Around, GraphFigures, RankedDocument};

use super::WholeRun;
use crate::table::{Derivation, Tier};
use figures::BEST;
use fyke_learn::{Hits, InLinks, PageRank, base_set};
use fyke_store::{Column, Single, StoreError, View};
use fyke_web::UrlId;
pub(crate) use links::LinkGraph;

pub const ROW: Derivation = Derivation {
    name: "ranks",
    what: "PageRank of each document, and the graph of links in figures",
    code: 7,
    version: 2,
    reads: &[],
    late: &["print", "twins"],
    writes: &[RANKS.declaration(), GRAPH.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Whole { all: run, some: None, is_exact: true },
};

/// Of documents that are no copies.
pub const RANKS: Column<f64> = Column::new("rank", 1);
pub const GRAPH: Single<GraphFigures> = Single::new("graph", 2);

/// The best documents by rank, in whose base set the authorities and hubs of a collection are looked for.
const ROOT: usize = 20_000;
/// Pages that link to a page of the root set and are taken into its base set, for each.
const IN_LINKS: usize = 50;

fn run(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    let MeasuredGraph { figures, ranks } = measure(run.view, run.observe)?;
    run.batch.replace(&RANKS, ranks.into_iter().map(Ok))?;
    run.batch.set(&GRAPH, &figures)
}

/// The figures as they were made last, whatever has come since.
///
/// # Errors
/// When they cannot be read.
pub fn last(collection: &View) -> Result<Option<GraphFigures>, StoreError> {
    collection.cells().value(&GRAPH)
}

/// Told how much is done, and of how much.
pub type Observe<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// A graph that was measured.
#[derive(Debug)]
pub struct MeasuredGraph {
    pub figures: GraphFigures,
    /// The ranks of documents, by id.
    pub ranks: Vec<(UrlId, f64)>,
}

/// Ranks all documents; writes nothing.
///
/// # Errors
/// When links cannot be read.
pub fn measure(collection: &View, observe: Observe<'_>) -> Result<MeasuredGraph, StoreError> {
    let links = LinkGraph::read(collection, observe)?;
    let turned = InLinks::of(&links.graph).damped(&links.domains);
    let ranks = PageRank { threads: threads(), ..PageRank::default() }.of(&turned);
    let documents = links.ids.len() as f64;
    let ranked = links.ids.iter().zip(&ranks.values);
    let ranked = ranked.map(|(id, rank)| (*id, rank * documents)).collect();
    let best = figures::order(ranks.values.iter().map(|rank| rank * documents).zip(0..), ROOT);
    let root: Vec<u32> = best.iter().map(|best| best.page).collect();
    let base = base_set(&links.graph, &turned, &root, IN_LINKS);
    let figures = GraphFigures { rounds: ranks.rounds, ..GraphFigures::of(&links, &turned) };
    drop(turned);
    let hits = Hits { hosts: links.hosts(), ..Hits::default() }.of(&links.graph, &base);
    let named = |values: Vec<ValuedPage>| figures::named(collection, &links.ids, &values);
    let pages =
        |values: Vec<f64>| figures::order(values.into_iter().zip(base.iter().copied()), BEST);
    let figures = GraphFigures {
        ranks: named(best)?,
        authorities: named(pages(hits.authorities))?,
        hubs: named(pages(hits.hubs))?,
        ..figures
    };
    Ok(MeasuredGraph { figures, ranks: ranked })
}

/// The rank of one document; none for a copy.
///
/// # Errors
/// When the column cannot be read.
pub fn rank(collection: &View, id: UrlId) -> Result<Option<f64>, StoreError> {
    collection.cells().get(&RANKS, id)
}

/// What links say around these documents: the rank of a surfer who always comes back to them, and the
/// authorities and hubs of their base set.
///
/// # Errors
/// When links cannot be read.
pub fn around(
    collection: &View,
    root: &[UrlId],
    observe: Observe<'_>,
) -> Result<Around, StoreError> {
    let links = LinkGraph::read(collection, observe)?;
    let root: Vec<u32> = root.iter().filter_map(|id| links.place(*id)).collect();
    let turned = InLinks::of(&links.graph);
    let base = base_set(&links.graph, &turned, &root, IN_LINKS);
    let hits = Hits { hosts: links.hosts(), ..Hits::default() }.of(&links.graph, &base);
    let turned = turned.damped(&links.domains);
    let topic = PageRank { topic: Some(&root), threads: threads(), ..PageRank::default() };
    let topic = if root.is_empty() { Vec::new() } else { topic.of(&turned).values };
    let named = |values: Vec<ValuedPage>| figures::named(collection, &links.ids, &values);
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
