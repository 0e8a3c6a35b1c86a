//! `fyke lab`: the evaluation workbench (000 "Evaluation"), a file per command. What works on files
//! alone needs no collection, so that anybody's engine can be measured.

mod ab;
mod agree;
mod compare;
mod convert;
mod eval;
mod gate;
mod judge;
mod judges;
mod pool;
mod qrels;
mod queries;
pub mod read;
mod report;
mod run;
mod runs;
mod size;
pub mod topics;
mod tune;

use super::{Exit, Global};
use clap::Subcommand;

/// Evaluate search engines: judge results, compare runs, enforce thresholds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt                      figures of a run, with intervals
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m P@5 --queries
  fyke lab queries --at-least 3 --format jsonl         logged queries to be judged
  fyke lab ab                                          result of the experiment on the site
  fyke lab needs import queries.txt                    add what people ask and want
  fyke lab run                                         run their queries on the collection's index
  fyke lab run --name other --url 'http://127.0.0.1:8080/search?q={query}' --items hits --id url
  fyke lab pool --depth 20                             choose documents to judge
  fyke lab judge                                       serve the judging pages
  fyke lab qrels export > qrels.txt                    write the judgements
  fyke lab eval --trec-eval -m all_trec qrels.txt run.txt
  fyke lab compare qrels.txt old.run new.run           compare two runs, with significance tests
  fyke lab report qrels.txt old.run new.run --out report.html
  fyke lab agree ann.qrels bob.qrels                   agreement of two judges
  fyke lab gate qrels.txt new.run --min nDCG@10=0.45   exit code 5 below the threshold
  fyke lab tune                                        learn ranking weights from judgements
  fyke lab size shallow deep                           which of two engines is larger
  fyke lab convert run run.jsonl --to trec             convert a file")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: LabCommand,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    Eval(eval::Args),
    Queries(queries::Args),
    Ab(ab::Args),
    #[command(name = "needs", alias = "topics")]
    Topics(topics::Args),
    Run(run::Args),
    Pool(pool::Args),
    Judge(judge::Args),
    Qrels(qrels::Args),
    Compare(compare::Args),
    Report(report::Args),
    Agree(agree::Args),
    Gate(gate::Args),
    Tune(tune::Args),
    Size(size::Args),
    Convert(convert::Args),
}

pub(crate) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    match &args.what {
        LabCommand::Eval(args) => eval::run(global, args),
        LabCommand::Queries(args) => queries::run(global, args),
        LabCommand::Ab(args) => ab::run(global, args),
        LabCommand::Topics(args) => topics::run(global, args),
        LabCommand::Run(args) => run::run(global, args),
        LabCommand::Pool(args) => pool::run(global, args),
        LabCommand::Judge(args) => judge::run(global, args),
        LabCommand::Qrels(args) => qrels::run(global, args),
        LabCommand::Compare(args) => compare::run(global, args),
        LabCommand::Report(args) => report::run(global, args),
        LabCommand::Agree(args) => agree::run(global, args),
        LabCommand::Gate(args) => gate::run(global, args),
        LabCommand::Tune(args) => tune::run(global, args),
        LabCommand::Size(args) => size::run(global, args),
        LabCommand::Convert(args) => convert::run(global, args),
    }
}
