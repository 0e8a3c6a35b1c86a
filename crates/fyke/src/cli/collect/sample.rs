//! A random sample of what was collected, for people to judge, and what they say of it.

use crate::cli::{Exit, Failure, Global, opened, output};
use anyhow::Context;
use fyke_derive::index;
use fyke_lab::collect::{self, CollectLog, JudgedSample, JudgedUrl};
use fyke_store::Collection;
use serde_json::json;
use std::path::Path;

/// Characters of a text that are shown.
const SHOWN: usize = 300;

/// Prints the sample: URL, a question mark, and the beginning of the text.
pub(super) fn print(global: &Global, documents: usize) -> anyhow::Result<Exit> {
    let opened = opened::open(global)?;
    let log = CollectLog::read(opened.collection.root())?;
    let urls = collect::sample(&log, documents);
    if urls.is_empty() {
        return Err(Failure::usage("there is no document that was not judged yet").into());
    }
    for url in urls {
        let text = collect::text(&opened.collection, &url)?;
        let text: String = text.chars().take(SHOWN).collect();
        let text: Vec<&str> = text.split_whitespace().collect();
        output::say(&format!("{url}\t?\t{}", output::tame(&text.join(" "))));
    }
    Ok(Exit::Done)
}

/// Takes the judgements in and makes the index anew where the corpus has changed.
pub(super) fn take(global: &Global, path: &Path) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let judgements = text.lines().filter_map(judgement).collect::<Vec<JudgedUrl>>();
    if judgements.is_empty() {
        let what = "no line has a URL and then yes or no, with a tab between them";
        return Err(Failure::usage(format!("{}: {what}", path.display())).into());
    }
    let opened = opened::open(global)?;
    let collection: &Collection = &opened.collection;
    let mut log = CollectLog::open(collection.root())?;
    let rejected = collect::judge(collection, &mut log, &judgements)?;
    if rejected > 0 {
        let mut quiet = |_| ();
        fyke_stages::rebuild_only(collection, &opened.config, &index::ROW, &mut quiet)?;
        collection.settle()?;
    }
    let sample = JudgedSample::of(&log.events);
    if global.json {
        output::say_json(&json!({
            "judged": sample.judged, "right": sample.right, "precision": sample.precision(),
            "rejected": rejected,
        }))?;
    } else {
        output::say(&format!(
            "{}\n{rejected} documents are no longer taken to be in the language",
            sample.words()
        ));
    }
    Ok(Exit::Done)
}

/// A line with a URL and a judgement.
fn judgement(line: &str) -> Option<JudgedUrl> {
    let mut cells = line.split('\t');
    let (url, said) = (cells.next()?.trim(), cells.next()?.trim().to_lowercase());
    let is_right = match said.as_str() {
        "yes" | "y" | "1" | "true" => true,
        "no" | "n" | "0" | "false" => false,
        _ => return None,
    };
    Some(JudgedUrl { url: url.to_owned(), is_right })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_is_a_url_and_yes_or_no() {
        let check = |line: &str, expected: Option<bool>| {
            assert_eq!(judgement(line).map(|one| one.is_right), expected, "{line}");
        };
        check("http://a.test/\tyes\ttext", Some(true));
        check("http://a.test/\tNo", Some(false));
        check("http://a.test/\t?\ttext", None);
        check("http://a.test/", None);
    }
}
