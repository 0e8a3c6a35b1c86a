//! `fyke rebuild`: everything derived is made again from the captures, or one derivation alone.

use super::{Exit, Failure, Global, opened, output, summary};
use fyke_derive::{DERIVATIONS, Derivation};
use fyke_stages::ADVICE;
use fyke_store::{CheckDepth, Collection};

/// Make documents, columns and index again from the captures
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke rebuild                            after an update of fyke, or if a derived folder is lost
  fyke rebuild --only twins               one derivation and those that depend on it
  fyke rebuild --keep                     documents whose captures are lost stay as they are
  fyke -C tides rebuild --set corpus.near_duplicate=0.8

Nothing is fetched, and captures and ledger do not change. Searches use the old index until the new
one is complete. `fyke stats derivations` lists the names. If captures are missing or damaged, their
documents would be lost: without --keep nothing is changed and the exit code is 1. `fyke check`
lists them.")]
pub(super) struct Args {
    /// Rebuild only this derivation and those that depend on it
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Make again what has a capture, and keep the documents whose captures are missing or damaged
    #[arg(long)]
    keep: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let only = args.only.as_deref().map(named).transpose()?;
    let mut opened = opened::open(global)?;
    if !args.keep && only.is_none_or(Derivation::is_of_pages) {
        refuse_if_missing(&opened.collection)?;
    }
    let made = summary::with_progress(global, |observe| match only {
        Some(only) => fyke_stages::rebuild_only(&opened.collection, &opened.config, only, observe),
        None if args.keep => {
            fyke_stages::rebuild_in_place(&opened.collection, &opened.config, observe)
        }
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

/// What is made again from captures is lost with them.
fn refuse_if_missing(collection: &Collection) -> anyhow::Result<()> {
    let missing = collection.missing_captures(CheckDepth::Lengths)?;
    let Some(words) = missing.words() else { return Ok(()) };
    let message =
        format!("{words}, and their documents would be lost; nothing was changed{ADVICE}");
    Err(Failure { exit: Exit::Failed, message }.into())
}

fn named(name: &str) -> anyhow::Result<&'static Derivation> {
    let known = || DERIVATIONS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let none = || Failure::usage(format!("there is no derivation {name:?}; known: {}", known()));
    Ok(Derivation::named(name).ok_or_else(none)?)
}
