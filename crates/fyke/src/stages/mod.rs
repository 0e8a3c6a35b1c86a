//! The stages after the crawl: pages, derivations, index. They meet only in the collection's folder; what is
//! due is decided in one place (`fyke_derive`), so each can be run alone, killed and run again.

mod anchors;
pub mod corpus;
mod crawl;
pub mod export;
mod facts;
mod fresh;
pub mod graph;
pub mod harvest;
pub mod import;
mod index;
pub mod life;
pub mod phrases;
pub mod similar;

pub use crawl::{admits, crawl_options, fetch_options};
pub use fresh::{freshen, keep_fresh};
pub use fyke_derive::whole::twins::{copies, twin};
pub use fyke_derive::whole::{reasons, topics};
pub use fyke_derive::{Pace, Step};
pub use index::{index, index_anew, open_index};

use crate::config::{Config, ConfigError, load_outline};
use fyke_derive::whole::twins::FOUND;
use fyke_derive::{Derivation, DeriveSettings, INDEX, Orders};
use fyke_store::Collection;
use std::path::Path;

/// The beginning of a stage, of which nobody knows yet how long it is.
fn first(stage: &'static str) -> Step {
    Step { stage, done: 0, total: None }
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

/// The settings that derivations read.
///
/// # Errors
/// When `topics.toml` is wrong.
pub fn settings(root: &Path, config: &Config) -> Result<DeriveSettings, ConfigError> {
    Ok(DeriveSettings { outline: load_outline(root)?, ..corpus_settings(&config.corpus) })
}

/// The same without topics.
#[must_use]
pub fn corpus_settings(corpus: &crate::config::CorpusKeys) -> DeriveSettings {
    DeriveSettings {
        near_duplicate: corpus.near_duplicate,
        min_words: corpus.min_words,
        languages: corpus.languages.clone(),
        outline: None,
    }
}

/// Makes documents and cells of what was captured, and brings derivations and index up to date, but for
/// what can wait.
///
/// # Errors
/// Trouble with the disk.
pub fn run(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    run_at(collection, config, Pace::Usual, observe)
}

/// The same at a pace: an exact run puts nothing off.
///
/// # Errors
/// Trouble with the disk.
pub fn run_at(
    collection: &Collection,
    config: &Config,
    pace: Pace,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    let settings = settings(collection.root(), config)?;
    run_with(collection, &mut Orders { settings: &settings, pace, only: None, observe }, false)
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
    let settings = settings(collection.root(), config)?;
    let pace = Pace::Exact;
    let made =
        run_with(collection, &mut Orders { settings: &settings, pace, only: None, observe }, true)?;
    collection.finish_rebuild()?;
    Ok(made)
}

/// Makes one derivation anew, and what depends on it.
///
/// # Errors
/// Trouble with the disk.
pub fn rebuild_only(
    collection: &Collection,
    config: &Config,
    only: &'static Derivation,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    let settings = settings(collection.root(), config)?;
    let (pace, name) = (Pace::Exact, Some(only.name));
    let mut orders = Orders { settings: &settings, pace, only: name, observe };
    run_with(collection, &mut orders, only.name == INDEX.name)
}

fn run_with(collection: &Collection, orders: &mut Orders<'_>, anew: bool) -> anyhow::Result<Made> {
    (orders.observe)(first("derive"));
    let captures = fyke_derive::derive_pages(collection, |done| {
        (orders.observe)(Step { stage: "derive", done, total: None });
    })?;
    fyke_derive::run_before_index(collection, orders)?;
    (orders.observe)(first("index"));
    let indexed = match anew {
        true => index_anew(collection, orders)?,
        false => index(collection, orders)?,
    };
    fyke_derive::run_after_index(collection, orders)?;
    let cells = collection.cells();
    let twins = cells.value(&FOUND)?.unwrap_or(0);
    Ok(Made { captures, documents: fyke_derive::totals(&cells)?.documents, twins, indexed })
}
