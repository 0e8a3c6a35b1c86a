//! `fyke papers`: research papers taken apart (002 §4), and those of a collection listed, shown and exported.

mod correct;
mod export;
mod list;
mod parse;
mod show;
mod train;

use super::{Exit, Global};
use clap::Subcommand;

/// List and export the research papers of a collection; take papers apart
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers list                             the papers of the collection, those cited most first
  fyke papers list 'tides author:fisher'       search among them
  fyke papers show KEY                         a paper with its references and who cites it
  fyke papers export --format bibtex           all papers as BibTeX; also csl-json, ris, graphml
  fyke papers correct KEY --title TEXT --year 1994
  fyke papers parse paper.pdf                  title, authors, abstract, sections, references
  fyke papers parse --format bibtex *.pdf      the papers and their references as BibTeX
  fyke papers parse --json papers/ | jq -r '[.path, .header.title] | @tsv'
  fyke papers train tagged.txt -o my.model     learn from your own tagged file
  fyke papers parse --model my.model paper.pdf

parse and train are filters for scripts and need no collection.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: PapersCommand,
}

#[derive(Debug, Subcommand)]
enum PapersCommand {
    List(list::Args),
    Show(list::ShowArgs),
    Export(export::Args),
    Merge(correct::MergeArgs),
    Split(correct::SplitArgs),
    Correct(correct::CorrectArgs),
    Refuse(correct::RefuseArgs),
    Parse(parse::Args),
    Train(train::Args),
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        PapersCommand::List(args) => list::run(global, args),
        PapersCommand::Show(args) => list::show(global, args),
        PapersCommand::Export(args) => export::run(global, args),
        PapersCommand::Merge(args) => correct::merge(global, args),
        PapersCommand::Split(args) => correct::split(global, args),
        PapersCommand::Correct(args) => correct::correct(global, args),
        PapersCommand::Refuse(args) => correct::refuse(global, args),
        PapersCommand::Parse(args) => parse::run(global, args),
        PapersCommand::Train(args) => train::run(global, args),
    }
}
