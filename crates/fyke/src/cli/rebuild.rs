//! `fyke rebuild`: everything derived is made again from the captures, or one derivation alone.

use super::{Exit, Failure, Global, opened, output, summary};
use crate::stages;
use crate::stages::ADVICE;
use fyke_derive::{DERIVATIONS, Derivation};
use fyke_store::{Collection, LookClosely};

/// Derive documents, columns and index again from the captures
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke rebuild                            after a new version, or when a derived folder was lost
  fyke rebuild --only twins               one derivation, and what depends on it
  fyke rebuild --keep                     documents whose captures are lost stay as they are
  fyke -C tides rebuild --set corpus.near_duplicate=0.8

Nothing is fetched: captures and ledger stay as they are. `fyke search` goes on with the
index before until the new one is whole. `fyke stats derivations` lists what there is.
When captures are missing or damaged, their documents would be lost: exit code 1, and all
stays as it was, unless --keep says so. `fyke check` names them.")]
pub struct Args {
    /// Only this derivation, and what depends on it
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Make again what has a capture, and keep the documents whose captures are missing or damaged
    #[arg(long)]
    keep: bool,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let only = args.only.as_deref().map(named).transpose()?;
    let mut opened = opened::open(global)?;
    if !args.keep && only.is_none_or(Derivation::is_of_pages) {
        refuse_if_missing(&opened.collection)?;
    }
    let made = summary::with_progress(global, |observe| match only {
        Some(only) => stages::rebuild_only(&opened.collection, &opened.config, only, observe),
        None if args.keep => stages::rebuild_in_place(&opened.collection, &opened.config, observe),
        None => stages::rebuild(&mut opened.collection, &opened.config, observe),
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
    let missing = collection.missing_captures(LookClosely::Lengths)?;
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
