//! `fyke lab`: the evaluation workbench (000 "Evaluation"), a file per command. What works on files
//! alone needs no collection, so that anybody's engine can be measured.

mod eval;
mod judge;
mod pool;
mod qrels;
mod read;
mod run;
mod topics;

use super::{Exit, Global};
use clap::Subcommand;

/// Measure any search engine, judge together, compare runs and hold a floor
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt                      figures of a run, with intervals
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m P@5 --queries
  fyke lab topics import queries.txt                   what is to be asked
  fyke lab run                                         what the collection's index answers
  fyke lab run --name other --url 'http://127.0.0.1:8080/search?q={query}' --items hits --id url
  fyke lab pool --depth 20                             what is to be judged
  fyke lab judge                                       the pages on which people judge
  fyke lab qrels export > qrels.txt                    what they said")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Eval(eval::Args),
    Topics(topics::Args),
    Run(run::Args),
    Pool(pool::Args),
    Judge(judge::Args),
    Qrels(qrels::Args),
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        What::Eval(args) => eval::run(global, args),
        What::Topics(args) => topics::run(global, args),
        What::Run(args) => run::run(global, args),
        What::Pool(args) => pool::run(global, args),
        What::Judge(args) => judge::run(global, args),
        What::Qrels(args) => qrels::run(global, args),
    }
}
