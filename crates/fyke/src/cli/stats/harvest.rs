//! `fyke stats harvest`: what a focused crawl brought in, against breadth-first, and how much is left.

use crate::cli::{Failure, Global, Viewed, output};
use fyke_lab::harvest;

pub(super) fn run(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let found = harvest::harvest(&opened.collection)?;
    if found.pages == found.on {
        let message = "this collection has no focused crawl; set mode = \"focused\" in [scope] and \
                       keywords in [focus]";
        return Err(Failure::usage(message).into());
    }
    if global.json {
        return output::say_json(&found);
    }
    let rows = harvest::rows(&found).into_iter().map(|(name, value)| vec![name, value]);
    output::say(&output::table(&rows.collect::<Vec<_>>()));
    Ok(())
}
