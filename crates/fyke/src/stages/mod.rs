//! The stages after the crawl: each takes what came since its last mark, can be run alone, killed and
//! run again. They meet only in the collection's folder.

mod analyse;
mod anchors;
mod canonical;
mod compounds;
pub mod corpus;
mod crawl;
pub mod export;
mod facts;
mod fresh;
pub mod graph;
pub mod harvest;
pub mod import;
mod index;
mod kept;
pub mod life;
pub mod phrases;
pub mod reasons;
pub mod similar;
mod sites;
mod templates;
pub mod topics;
pub mod twins;

pub use analyse::{Analysed, alone, analyse, twin};
pub use crawl::{admits, crawl_options, fetch_options};
pub use fresh::{freshen, keep_fresh};
pub use index::{index, index_anew, open_index};

use crate::config::Config;
use fyke_store::Collection;

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub stage: &'static str,
    pub done: u64,
    /// Known for stages that go over all documents.
    pub total: Option<u64>,
}

impl Step {
    /// The beginning of a stage, of which nobody knows yet how long it is.
    fn first(stage: &'static str) -> Step {
        Step { stage, done: 0, total: None }
    }
}

/// What the stages made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Made {
    /// Captures looked at.
    pub captures: u64,
    /// Documents there are now.
    pub documents: u64,
    pub twins: u64,
    /// Documents in the index.
    pub indexed: u64,
}

/// Runs derive, analyse, graph, topics and index, and measures the corpus.
///
/// # Errors
/// Trouble with the disk.
pub fn run(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    run_with(collection, config, observe, index)
}

/// The same with everything made again from the captures; what stood before is shown until then.
///
/// # Errors
/// Trouble with the disk.
pub fn rebuild(
    collection: &mut Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    collection.begin_rebuild()?;
    let made = run_with(collection, config, observe, index_anew)?;
    collection.finish_rebuild()?;
    Ok(made)
}

/// How an index is made.
type Indexing = fn(&Collection, &Config, &mut dyn FnMut(Step)) -> anyhow::Result<u64>;

fn run_with(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
    index: Indexing,
) -> anyhow::Result<Made> {
    observe(Step::first("derive"));
    let captures = fyke_crawl::derive_documents(collection, |done| {
        observe(Step { stage: "derive", done, total: None });
    })?;
    observe(Step::first("analyse"));
    let Analysed { documents, twins } = analyse(collection, config)?;
    observe(Step::first("graph"));
    graph::graph(collection, config, observe)?;
    observe(Step::first("topics"));
    topics::topics(collection, config, observe)?;
    observe(Step::first("index"));
    let indexed = index(collection, config, observe)?;
    observe(Step::first("measure"));
    corpus::corpus(collection, &config.corpus, observe)?;
    Ok(Made { captures, documents, twins, indexed })
}
