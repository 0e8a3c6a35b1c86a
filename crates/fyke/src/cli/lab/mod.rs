//! `fyke lab`: the evaluation workbench (000 "Evaluation"), a file per command. What works on files
//! alone needs no collection, so that anybody's engine can be measured.

mod convert;
mod eval;
pub(super) mod read;

use super::{Exit, Global};
use clap::Subcommand;

/// Measure any search engine, judge together, compare runs and hold a floor
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt                      figures of a run, with intervals
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m P@5 --queries
  fyke lab eval --trec-eval -m all_trec qrels.txt run.txt
  fyke lab convert run run.jsonl --to trec             from one format into another")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Eval(eval::Args),
    Convert(convert::Args),
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        What::Eval(args) => eval::run(global, args),
        What::Convert(args) => convert::run(global, args),
    }
}
