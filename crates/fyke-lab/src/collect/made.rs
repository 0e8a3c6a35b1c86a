//! How a corpus was made, for its card.

use super::log::{CollectEvent, CollectStart};
use super::told::CollectNow;
use fyke_stages::collected::CollectedHow;
use std::path::Path;

/// Characters that are shown of a text it began with.
const SHOWN: usize = 200;

/// Writes it beside the steps.
pub(super) fn write(root: &Path, events: &[CollectEvent], now: &CollectNow) -> anyhow::Result<()> {
    let starts = events.iter().filter_map(|event| match event {
        CollectEvent::Start(start) => Some(start),
        _ => None,
    });
    let starts: Vec<&CollectStart> = starts.collect();
    let begun = starts.iter().flat_map(|start| &start.texts).map(|text| shown(text));
    CollectedHow {
        lang: now.lang.clone(),
        engine: now.engine.clone(),
        learner: now.learner.clone(),
        runs: starts.len() as u64,
        begun_with: begun.collect(),
        queries: now.queries,
        documents: now.documents,
        found: now.found,
        wrong: now.wrong,
        dead: now.dead,
        copies: now.copies,
        end: now.end.clone(),
        notes: now.notes.clone(),
        how_much: now.how_much.clone(),
        sample: now.sample.clone(),
    }
    .write(root)
}

fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
