//! `fyke check`: reads a whole collection and says what is wrong with it, and what to do.

use super::{Exit, Global, opened, output, summary};
use fyke_derive::CollectionCheck;
use fyke_stages::show;

/// Verify captures, ledger, documents, columns and index
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke check                       every capture is read and compared with its digest
  fyke -C tides check --json       what was read, each problem, and what to do about it
  fyke -q check && rsync -a . copy:tides/

Nothing is changed, and a crawl may run meanwhile. Exit code 1 when something is wrong. What is
derived (documents, columns, index) can always be made again: fyke rebuild.")]
pub(super) struct Args {}

pub(super) fn run(global: &Global, _: &Args) -> anyhow::Result<Exit> {
    let root = opened::find(global)?;
    let found = summary::with_progress(global, |observe| Ok(fyke_derive::check(&root, observe)?))?;
    let is_well = found.store.troubles.is_empty();
    match global.json {
        true => output::say_json(&found)?,
        false => output::say(&told(&found)),
    }
    Ok(if is_well { Exit::Done } else { Exit::Failed })
}

fn told(CollectionCheck { store, indexed }: &CollectionCheck) -> String {
    let [captures, urls, documents, cells, indexed] =
        [store.captures, store.urls, store.documents, store.cells, *indexed].map(show::count);
    let mut text = format!(
        "{captures} captures, {urls} URLs, {documents} documents, {cells} cells, {indexed} indexed: "
    );
    text += match store.troubles.len() {
        0 => "all is well",
        1 => "one thing is wrong",
        _ => "these are wrong",
    };
    if store.unneeded > 0 {
        text +=
            &format!("; {} damaged captures are of no use any more", show::count(store.unneeded));
    }
    for flaw in &store.troubles {
        let what = output::tame(&flaw.what);
        text += &format!("\n\n{}: {what}\n  what to do: {}", flaw.part, flaw.advice);
    }
    text
}
