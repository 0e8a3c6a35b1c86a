//! The peers in Python, on the same pages in the same run (`benches/peers/extract.py`). They get the
//! pages decoded; their texts are scored here, by the same measure.

use super::sets::{self, ExtractSet};
use crate::script;
use anyhow::Context as _;
use serde::Deserialize;

const SCRIPT: &str = "benches/peers/extract.py";

/// What a peer found in a set.
#[derive(Deserialize)]
pub(crate) struct ExtractPeer {
    pub name: String,
    pub set: String,
    pub cpu_seconds: f64,
    /// In the order of the pages.
    pub texts: Vec<String>,
}

/// Runs the peers on all sets.
pub(crate) fn run(sets: &[ExtractSet]) -> anyhow::Result<Vec<ExtractPeer>> {
    let folder = tempfile::tempdir().context("cannot make a folder for the pages")?;
    let cases = folder.path().join("cases.jsonl");
    sets::write(sets, &cases)?;
    script::lines(&script::run(SCRIPT, &[cases.as_os_str()])?)
}
