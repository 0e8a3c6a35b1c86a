//! What commands say at the end of long work: the funnel of reasons and what the stages made.

use super::progress::Progress;
use super::{Global, output};
use fyke_stages::show;
use fyke_stages::{Made, Step};
use fyke_store::Reason;
use std::collections::BTreeMap;

/// Runs stages with a bar (or lines) for each.
///
/// # Errors
/// What the work gives.
pub(super) fn with_progress<T>(
    global: &Global,
    work: impl FnOnce(&mut dyn FnMut(Step)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut current: Option<(&'static str, Progress)> = None;
    let result = work(&mut |step: Step| {
        if current.as_ref().is_none_or(|(stage, _)| *stage != step.stage) {
            let next = Progress::start(global.quiet, step.stage, step.total);
            if let Some((_, last)) = current.replace((step.stage, next)) {
                last.finish();
            }
        }
        if let Some((_, progress)) = &mut current {
            progress.of(step.total);
            progress.at(step.done, "");
        }
    });
    if let Some((_, last)) = current {
        last.finish();
    }
    result
}

/// What the stages made, in a line.
#[must_use]
pub(super) fn made(made: &Made) -> String {
    let Made { documents, twins, indexed, .. } = *made;
    let [documents, twins, indexed] = [documents, twins, indexed].map(show::count);
    format!("{documents} documents, {twins} of them copies; {indexed} indexed")
}

/// Every reason with its count, its share and what it means; the last row is the sum.
#[must_use]
pub(super) fn funnel(counts: &BTreeMap<Reason, u64>) -> String {
    let total: u64 = counts.values().sum();
    let mut rows: Vec<(&Reason, &u64)> = counts.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let share = |count: u64| format!("{:.1}%", 100.0 * count as f64 / total.max(1) as f64);
    let row = |name: &str, count: u64, what: &str| {
        vec![show::count(count), share(count), name.to_string(), what.to_string()]
    };
    let mut lines: Vec<Vec<String>> =
        rows.iter().map(|(reason, count)| row(reason.name(), **count, reason.explain())).collect();
    lines.push(row("all", total, "every URL seen"));
    output::table(&lines)
}

/// The funnel as JSON: reason → count.
#[must_use]
pub(super) fn funnel_json(counts: &BTreeMap<Reason, u64>) -> serde_json::Value {
    counts.iter().map(|(reason, count)| (reason.name().to_string(), *count)).collect()
}
