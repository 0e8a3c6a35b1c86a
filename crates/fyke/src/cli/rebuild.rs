//! `fyke rebuild`: everything derived is made again from the captures, or one derivation alone.

use super::{Exit, Failure, Global, opened, output, summary};
use fyke_derive::{DERIVATIONS, Derivation};

/// Derive documents, columns and index again from the captures
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke rebuild                            after a new version, or when a derived folder was lost
  fyke rebuild --only twins               one derivation, and what depends on it
  fyke -C tides rebuild --set corpus.near_duplicate=0.8

Nothing is fetched: captures and ledger stay as they are. `fyke search` goes on with the
index before until the new one is whole. `fyke stats derivations` lists what there is.")]
pub(super) struct Args {
    /// Only this derivation, and what depends on it
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let only = args.only.as_deref().map(named).transpose()?;
    let mut opened = opened::open(global)?;
    let made = summary::with_progress(global, |observe| match only {
        Some(only) => fyke_stages::rebuild_only(&opened.collection, &opened.config, only, observe),
        None => fyke_stages::rebuild(&mut opened.collection, &opened.config, observe),
    })?;
    opened.collection.settle()?;
    if global.json {
        output::say_json(&made)?;
    } else {
        output::say(&summary::made(&made));
    }
    Ok(Exit::Done)
}

fn named(name: &str) -> anyhow::Result<&'static Derivation> {
    let known = || DERIVATIONS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let none = || Failure::usage(format!("there is no derivation {name:?}; known: {}", known()));
    Ok(Derivation::named(name).ok_or_else(none)?)
}
