//! The peers in Python, on the same texts in the same run (`benches/peers/twins.py`).

use super::{BenchReport, figure};
use crate::script;
use serde_json::{Map, Value};
use std::path::Path;

const SCRIPT: &str = "benches/peers/twins.py";

/// Runs the peers and adds their figures.
pub(crate) fn measure(report: &mut BenchReport, data: &Path) -> anyhow::Result<()> {
    let arguments = ["--json".as_ref(), "--data".as_ref(), data.as_os_str()];
    let printed = script::run(SCRIPT, &arguments)?;
    let figures: Map<String, Value> = serde_json::from_slice(&printed)?;
    for (name, value) in &figures {
        report.figures.extend(value.as_f64().map(|value| figure(&[name], value)));
    }
    Ok(())
}
