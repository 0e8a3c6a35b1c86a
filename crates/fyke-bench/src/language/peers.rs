//! The peers in Python, on the same sentences in the same run (`benches/peers/language.py`). What they
//! say is scored here.

use super::TWENTY;
use super::sets::{self, SentenceSet};
use crate::script;
use anyhow::Context as _;
use serde::Deserialize;

const SCRIPT: &str = "benches/peers/language.py";

/// What a peer said of a set.
#[derive(Deserialize)]
pub(crate) struct LanguagePeer {
    pub name: String,
    pub set: String,
    pub cpu_seconds: f64,
    /// In the order of the sentences.
    pub codes: Vec<String>,
}

/// Asks the peers: with all languages they know, and with the twenty alone.
pub(crate) fn run(sets: &[SentenceSet]) -> anyhow::Result<Vec<LanguagePeer>> {
    let folder = tempfile::tempdir().context("cannot make a folder for the sentences")?;
    let cases = folder.path().join("cases.jsonl");
    sets::write(sets, &cases)?;
    script::lines(&script::run(SCRIPT, &[cases.as_os_str(), TWENTY.as_ref()])?)
}
