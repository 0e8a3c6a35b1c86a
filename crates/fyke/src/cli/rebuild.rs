//! `fyke rebuild`: everything derived is made again from the captures.

use super::{Exit, Global, opened, output, summary};
use crate::stages;

/// Derive documents, columns and index again from the captures
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke rebuild                            after a new version, or when a derived folder was lost
  fyke -C tides rebuild --set corpus.near_duplicate=0.8

Nothing is fetched: captures and ledger stay as they are. `fyke search` goes on with the
index before until the new one is whole.")]
pub struct Args {}

pub fn run(global: &Global, _: &Args) -> anyhow::Result<Exit> {
    let mut opened = opened::open(global)?;
    let made = summary::with_progress(global, |observe| {
        stages::rebuild(&mut opened.collection, &opened.config, observe)
    })?;
    opened.collection.settle()?;
    if global.json {
        output::say_json(&made)?;
    } else {
        output::say(&summary::made(&made));
    }
    Ok(Exit::Done)
}
