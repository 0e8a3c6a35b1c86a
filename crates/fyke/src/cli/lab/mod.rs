//! `fyke lab`: the evaluation workbench (000 "Evaluation"), a file per command. What works on files
//! alone needs no collection, so that anybody's engine can be measured.

mod ab;
mod eval;
mod queries;
mod read;

use super::{Exit, Global};
use clap::Subcommand;

/// Measure any search engine, judge together, compare runs and hold a floor
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt                      figures of a run, with intervals
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m P@5 --queries
  fyke lab queries --at-least 3 --format jsonl         queries people asked, as topics
  fyke lab ab                                          who wins the experiment on the site")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Eval(eval::Args),
    Queries(queries::Args),
    Ab(ab::Args),
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        What::Eval(args) => eval::run(global, args),
        What::Queries(args) => queries::run(global, args),
        What::Ab(args) => ab::run(global, args),
    }
}
