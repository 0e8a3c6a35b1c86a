//! The peers in Python, on the same pages in the same run (`benches/peers/extract.py`). They get the
//! pages decoded; their texts are scored here, by the same measure.

use super::sets::{self, Set};
use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "benches/peers/extract.py";

/// What a peer found in a set.
#[derive(Deserialize)]
pub struct Peer {
    pub name: String,
    pub set: String,
    pub cpu_seconds: f64,
    /// In the order of the pages.
    pub texts: Vec<String>,
}

/// Runs the peers on all sets.
pub fn run(sets: &[Set]) -> anyhow::Result<Vec<Peer>> {
    if !Path::new(SCRIPT).exists() {
        bail!("{SCRIPT} is not here: run --peers from the folder of the sources");
    }
    let folder = tempfile::tempdir().context("cannot make a folder for the pages")?;
    let cases = folder.path().join("cases.jsonl");
    sets::write(sets, &cases)?;
    let done = Command::new("python3").arg(SCRIPT).arg(&cases).output();
    let done = done.context("cannot run python3: install it, or leave out --peers")?;
    if !done.status.success() {
        bail!("{SCRIPT}: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    let lines = done.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Ok(serde_json::from_slice(line)?)).collect()
}
