//! `fyke lab report`: the comparison as one HTML file.

use super::compare::CompareArgs;
use super::{judges, runs};
use crate::cli::{Exit, Failure, Global, output};
use anyhow::Context;
use askama::Template;
use fyke_eval::Ratings;
use fyke_eval::agreement::{agreement, judge_effect};
use fyke_lab::reports::report::Report;
use fyke_lab::reports::{agreed, compared};
use fyke_stages::show::{moment, now};
use serde_json::json;
use std::path::PathBuf;

/// Write a comparison of runs as one HTML file: curves, box plots, tables, tests
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab report qrels.txt old.run new.run --out report.html
  fyke lab report qrels.txt run.txt --judges ann.qrels bob.qrels --out report.html

The file has no scripts and no external images, and follows the reader's light or dark setting.")]
pub(super) struct Args {
    #[command(flatten)]
    what: CompareArgs,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Judgements of each judge, to add a section on agreement
    #[arg(long, num_args = 1.., value_name = "QRELS")]
    judges: Vec<PathBuf>,
    /// Title of the report
    #[arg(long, default_value = "Search compared")]
    title: String,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let comparison = args.what.compare()?;
    let agreement = (!args.judges.is_empty()).then(|| agreement_part(args)).transpose()?;
    let report = Report {
        title: args.title.clone(),
        made: moment(now()),
        qrels: args.what.qrels.display().to_string(),
        comparison: compared::ComparisonPart::new(&comparison),
        agreement,
        style: fyke_site::sheet(),
    };
    let text = report.render()?;
    std::fs::write(&args.out, &text).with_context(|| format!("writing {}", args.out.display()))?;
    if global.json {
        output::say_json(&json!({ "file": args.out, "bytes": text.len() }))?;
    } else {
        output::note(global.quiet, &format!("wrote {}", args.out.display()));
    }
    Ok(Exit::Done)
}

fn agreement_part(args: &Args) -> anyhow::Result<agreed::AgreementPart> {
    let (judges, runs) = (judges::read(&args.judges)?, runs::named(&args.what.runs)?);
    let ratings = Ratings::new(&judges).map_err(|error| Failure::usage(error.to_string()))?;
    let measure = args.what.measures.first().map_or("AP", String::as_str);
    let effect =
        judge_effect(&judges, &runs, measure).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(agreed::AgreementPart::new(&agreement(&ratings, args.what.seed), Some(&effect)))
}
