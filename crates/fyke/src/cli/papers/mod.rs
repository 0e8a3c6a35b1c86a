//! `fyke papers`: research papers taken apart (002 §4).

mod parse;
mod show;
mod train;

use super::{Exit, Global};
use clap::Subcommand;

/// Take research papers apart: header, abstract, sections, references, citations
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers parse paper.pdf                  title, authors, abstract, sections, references
  fyke papers parse --format bibtex *.pdf      the papers and their references as BibTeX
  fyke papers parse --json papers/ | jq -r '[.path, .header.title] | @tsv'
  fyke papers train tagged.txt -o my.model     learn from your own tagged file
  fyke papers parse --model my.model paper.pdf

A filter for scripts; needs no collection.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: PapersCommand,
}

#[derive(Debug, Subcommand)]
enum PapersCommand {
    Parse(parse::Args),
    Train(train::Args),
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        PapersCommand::Parse(args) => parse::run(global, args),
        PapersCommand::Train(args) => train::run(global, args),
    }
}
