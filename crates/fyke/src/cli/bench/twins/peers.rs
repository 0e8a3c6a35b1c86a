//! The peers in Python, on the same texts in the same run (`benches/peers/twins.py`).

use super::{Report, figure};
use anyhow::{Context as _, bail};
use serde_json::{Map, Value};
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "benches/peers/twins.py";

/// Runs the peers and adds their figures.
pub fn measure(report: &mut Report, data: &Path) -> anyhow::Result<()> {
    if !Path::new(SCRIPT).exists() {
        bail!("{SCRIPT} is not here: run --peers from the folder of the sources");
    }
    let done = Command::new("python3").arg(SCRIPT).arg("--json").arg("--data").arg(data).output();
    let done = done.context("cannot run python3: install it, or leave out --peers")?;
    if !done.status.success() {
        bail!("{SCRIPT}: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    let figures: Map<String, Value> = serde_json::from_slice(&done.stdout)?;
    for (name, value) in &figures {
        report.figures.extend(value.as_f64().map(|value| figure(&[name], value)));
    }
    Ok(())
}
