//! Settings, and the stages that they steer: crawl options, pages, derivations, index, import, export. Stages
//! meet only in the collection's folder; what is due is decided in one place (`fyke_derive`), so each can be
//! run alone, killed and run again.
#![warn(unreachable_pub)]

pub mod collected;
pub mod config;
pub mod corpus;
mod crawl;
pub mod descriptors;
pub mod export;
pub mod files;
mod fresh;
pub mod freshness;
pub mod graph;
pub mod import;
pub mod life;
pub mod memory;
pub mod moments;
pub mod papers;
pub mod pushes;
pub mod search;
pub mod show;
pub mod spam;
pub mod subject;
pub mod targets;
pub mod urls;
pub mod versions;

pub use crawl::{admits, crawl_options, fetch_options, hit_options, revisit};
pub use fresh::{freshen, keep_fresh};
pub use fyke_derive::index::open_index;
pub use fyke_derive::whole::twins::{copies, twin};
pub use fyke_derive::whole::{reasons, topics};
pub use fyke_derive::{Eagerness, Made, Step};

use crate::config::{Config, ConfigError, CorpusKeys, ToldPapers, ToldSpam, load_outline};
use fyke_derive::whole::citations::KnownPapers;
use fyke_derive::whole::spam::KnownSpam;
use fyke_derive::{Derivation, DeriveSettings, Orders};
use fyke_store::{CheckDepth, Collection, StoreError};
use std::path::Path;

/// The settings that derivations read.
///
/// # Errors
/// When `topics.toml`, `subject.toml`, `papers.toml` or `spam.toml` is wrong, or an example of the subject cannot be read.
pub fn settings(root: &Path, config: &Config) -> Result<DeriveSettings, ConfigError> {
    let (outline, subject) = (load_outline(root)?, crawl::subject(root, config)?);
    let papers = ToldPapers::load(root)?.known()?;
    let spam = ToldSpam::load(root)?.known()?;
    Ok(DeriveSettings { outline, subject, papers, spam, ..corpus_settings(&config.corpus) })
}

/// The same without topics, subject and what people say of papers.
#[must_use]
pub fn corpus_settings(corpus: &CorpusKeys) -> DeriveSettings {
    DeriveSettings {
        near_duplicate: corpus.near_duplicate,
        min_words: corpus.min_words,
        languages: corpus.languages.clone(),
        names: corpus.names,
        outline: None,
        subject: None,
        papers: KnownPapers::default(),
        spam: KnownSpam::default(),
    }
}

/// Opens a collection to be written, with what its settings say of how pages are read.
///
/// # Errors
/// As [`Collection::open`].
pub fn open(root: &Path, config: &Config) -> Result<Collection, StoreError> {
    let collection = Collection::open(root)?;
    collection.set_extract_rules(config.extract_rules());
    Ok(collection)
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
    run_at(collection, config, Eagerness::Usual, observe)
}

/// The same at a pace: an exact run puts nothing off.
///
/// # Errors
/// Trouble with the disk.
pub fn run_at(
    collection: &Collection,
    config: &Config,
    pace: Eagerness,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    let settings = settings(collection.root(), config)?;
    collection.set_extract_rules(config.extract_rules());
    let mut orders = Orders { settings: &settings, pace, only: None, observe };
    Ok(fyke_derive::run(collection, &mut orders)?)
}

/// What to do when captures are missing.
pub const ADVICE: &str = "; put the files back from a copy, or fetch the pages again with fyke crawl --missing, or go \
                          on without them: fyke rebuild --keep (fyke check names each)";

/// The same with everything made again from the captures; what stood before is shown until then.
///
/// # Errors
/// Trouble with the disk; a capture that cannot be read: then all stays as it was.
pub fn rebuild(
    collection: &mut Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    collection.begin_rebuild()?;
    let before = collection.captures.passed_over();
    let made = run_at(collection, config, Eagerness::Exact, observe)?;
    if collection.captures.passed_over() > before {
        let missing = collection.missing_captures(CheckDepth::Contents)?;
        if let Some(words) = missing.words() {
            collection.give_up_rebuild()?;
            let (path, what) = (collection.root().join("captures"), format!("{words}{ADVICE}"));
            return Err(StoreError::Damaged { path, what }.into());
        }
    }
    collection.finish_rebuild()?;
    Ok(made)
}

/// Makes everything again that has a capture, in its place; documents whose captures are missing stay.
///
/// # Errors
/// Trouble with the disk.
pub fn rebuild_in_place(
    collection: &Collection,
    config: &Config,
    observe: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    collection.set_extract_rules(config.extract_rules());
    let captures = fyke_derive::derive_in_place(collection, |done| {
        observe(Step { stage: "derive", done, total: None });
    })?;
    Ok(Made { captures, ..run_at(collection, config, Eagerness::Exact, observe)? })
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
    let (pace, name) = (Eagerness::Exact, Some(only.name));
    let mut orders = Orders { settings: &settings, pace, only: name, observe };
    Ok(fyke_derive::run(collection, &mut orders)?)
}
