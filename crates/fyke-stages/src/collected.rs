//! How a corpus of a small language was made: written by who collected it, read by the card of an export.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectedHow {
    pub lang: String,
    /// The search engine that was asked.
    pub engine: String,
    /// What chose the queries.
    pub learner: String,
    /// Runs that knew nothing of each other; the figures are of the last one.
    pub runs: u64,
    /// The beginnings of the texts it began with.
    pub begun_with: Vec<String>,
    pub queries: u64,
    /// Hits that were looked at; those in the language, in others, those that could not be had, copies.
    pub documents: u64,
    pub found: u64,
    pub wrong: u64,
    pub dead: u64,
    pub copies: u64,
    /// Why it ended.
    pub end: String,
    pub notes: Vec<String>,
    /// What can be said of how much there is.
    pub how_much: String,
    /// The error of the filter by a judged sample; empty when none was judged.
    #[serde(default)]
    pub sample: String,
}

fn path(root: &Path) -> PathBuf {
    root.join("collect/how.json")
}

impl CollectedHow {
    /// What stands in a collection's folder, if it was made so.
    #[must_use]
    pub fn read(root: &Path) -> Option<CollectedHow> {
        serde_json::from_slice(&std::fs::read(path(root)).ok()?).ok()
    }

    /// Writes it into a collection's folder.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, root: &Path) -> anyhow::Result<()> {
        let (new, path) = (path(root).with_extension("new"), path(root));
        std::fs::write(&new, serde_json::to_vec_pretty(self)?)?;
        Ok(std::fs::rename(new, path)?)
    }
}
