//! Finding, reading and opening the collection a command works on.

use super::{Failure, Global};
use fyke_stages::config::{self, Config, LoadedSettings};
use fyke_store::{Collection, Reader, StoreError, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A collection opened to be written, with its settings.
#[derive(Debug)]
pub(crate) struct OpenedCollection {
    pub config: Config,
    pub collection: Collection,
}

/// A collection opened to be read, whoever writes it meanwhile, with its settings.
#[derive(Debug)]
pub(crate) struct Viewed {
    pub config: Config,
    pub reader: Reader,
    /// The state it was opened at.
    pub collection: Arc<View>,
}

/// The collection's folder: `-C`, else the current folder or the nearest parent with a fyke.toml.
///
/// # Errors
/// When there is none.
pub(super) fn find(global: &Global) -> anyhow::Result<PathBuf> {
    if let Some(dir) = &global.dir {
        return match dir.join("fyke.toml").is_file() {
            true => Ok(dir.clone()),
            false => Err(StoreError::Missing(dir.clone()).into()),
        };
    }
    let here = std::env::current_dir()?;
    let found = here.ancestors().find(|dir| dir.join("fyke.toml").is_file());
    let Some(root) = found else {
        return Err(Failure::usage(
            "no fyke.toml in this folder or above it; make a collection with: fyke new DIR, or \
             name one with -C DIR",
        )
        .into());
    };
    Ok(root.to_path_buf())
}

/// As [`find`], for commands that can do without a collection: one that is named must be there.
///
/// # Errors
/// When `-C` names no collection.
pub(super) fn find_if_any(global: &Global) -> anyhow::Result<Option<PathBuf>> {
    match &global.dir {
        Some(_) => find(global).map(Some),
        None => Ok(find(global).ok()),
    }
}

/// The settings in force: defaults, file, environment, `--set`.
///
/// # Errors
/// The first thing wrong with them (exit 2).
pub(super) fn settings(global: &Global, root: Option<&Path>) -> anyhow::Result<LoadedSettings> {
    let text = |s: std::ffi::OsString| s.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    Ok(config::load(root, variables, &global.set)?)
}

/// Finds, reads and opens the collection.
///
/// # Errors
/// As [`find`], [`settings`] and [`Collection::open`].
pub(super) fn open(global: &Global) -> anyhow::Result<OpenedCollection> {
    let root = find(global)?;
    let config = settings(global, Some(&root))?.config;
    let collection = fyke_stages::open(&root, &config)?;
    Ok(OpenedCollection { config, collection })
}

/// Finds and reads the settings of the collection, and opens it to be read.
///
/// # Errors
/// As [`find`], [`settings`] and [`Collection::reader`].
pub(super) fn show(global: &Global) -> anyhow::Result<Viewed> {
    let root = find(global)?;
    let config = settings(global, Some(&root))?.config;
    let reader = Collection::reader(&root)?;
    let collection = reader.view();
    Ok(Viewed { config, reader, collection })
}

/// Reads a URL argument as people type it.
///
/// # Errors
/// When it is none (exit 2).
pub(super) fn url(text: &str) -> anyhow::Result<fyke_web::Url> {
    Ok(config::seed_url(text)?)
}
