//! `fyke lab eval`: the figures of a run by judgements.

use super::read;
use crate::cli::{Exit, Failure, Global, output};
use fyke_eval::evaluate;
use std::path::PathBuf;

/// The figures of a run by judgements
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab eval qrels.txt run.txt
  fyke lab eval qrels.txt run.txt.gz -m nDCG@10 -m P@5 --json")]
pub struct Args {
    /// Judgements: lines of query, 0, document, grade
    qrels: PathBuf,
    /// Answers: lines of query, Q0, document, rank, score, tag
    run: PathBuf,
    /// A measure, in the spelling of ir_measures or trec_eval (may be repeated)
    #[arg(short, long = "measure", value_name = "NAME", default_values = ["AP", "nDCG@10", "P@10"])]
    measures: Vec<String>,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let (qrels, run) = (read::qrels(&args.qrels)?, read::run(&args.run)?);
    let names: Vec<&str> = args.measures.iter().map(String::as_str).collect();
    let figures = evaluate(&qrels, &run, &names).map_err(|e| Failure::usage(e.to_string()))?;
    if global.json {
        output::say_json(&figures)?;
        return Ok(Exit::Done);
    }
    let row = |(name, mean): (&String, &f64)| vec![name.clone(), format!("{mean:.4}")];
    let rows: Vec<_> = figures.measures.iter().zip(&figures.means).map(row).collect();
    output::say(&output::table(&rows));
    Ok(Exit::Done)
}
