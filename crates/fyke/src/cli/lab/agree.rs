//! `fyke lab agree`: how far judges agree, what they should settle, and whether it matters.

use super::{judges, runs};
use crate::cli::{Exit, Failure, Global, output};
use fyke_eval::agreement::{JudgeEffect, agreement, judge_effect};
use fyke_eval::{Agreement, Qrels, QrelsLine, Ratings};
use fyke_lab::reports::{Table, agreed};
use serde::Serialize;
use std::path::PathBuf;

/// Measure the agreement of judges beyond chance
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab agree ann.qrels bob.qrels                     each file has one judge
  fyke lab agree judgements/judgements.jsonl             a log with the judges' names
  fyke lab agree ann.qrels bob.qrels --relevant 1        relevant or not, without grades
  fyke lab agree ann.qrels bob.qrels --runs old.run new.run -m nDCG@10
                                                         the effect of the judge on figures

A log has lines such as {\"judge\":\"ann\",\"query\":\"1\",\"document\":\"d7\",\"grade\":2}; the last line of a
judge about a document counts. Kappa, Fleiss' kappa and Krippendorff's alpha are 1 for total
agreement and 0 for chance: above 0.8 good, 0.67 to 0.8 tentative, below doubtful. Weighted
kappa and the ordinal and interval alpha give credit for near agreement.")]
pub(super) struct Args {
    /// Judgements: one file per judge, or a log of all judges
    #[arg(required = true, value_name = "QRELS")]
    judges: Vec<PathBuf>,
    /// Runs to evaluate by the judgements of each judge
    #[arg(long, num_args = 1.., value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Measure for --runs
    #[arg(short, long, value_name = "NAME", default_value = "AP", requires = "runs")]
    measure: String,
    /// Compare only relevant and not relevant; documents from this grade on are relevant
    #[arg(long, value_name = "GRADE")]
    relevant: Option<i32>,
    /// Number of disagreements to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    /// Seed of the bootstrap intervals: the same seed gives the same figures
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct AgreementFound {
    #[serde(flatten)]
    agreement: Agreement,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<JudgeEffect>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let judges = judges::read(&args.judges)?;
    let ratings = Ratings::new(&asked(&judges, args.relevant))
        .map_err(|error| Failure::usage(error.to_string()))?;
    let runs = runs::named(&args.runs)?;
    let effect =
        (!runs.is_empty()).then(|| judge_effect(&judges, &runs, &args.measure)).transpose();
    let effect = effect.map_err(|error| Failure::usage(error.to_string()))?;
    let found = AgreementFound { agreement: agreement(&ratings, args.seed), effect };
    if global.json {
        output::say_json(&found)?;
        return Ok(Exit::Done);
    }
    show(&found.agreement, args.show);
    if let Some(effect) = &found.effect {
        output::say(&format!("\nWhat the judge does to {}", output::tame(&effect.measure)));
        table(&agreed::means(effect));
        output::say("");
        table(&agreed::orders(effect));
        output::say(&agreed::conclusion(effect));
    }
    Ok(Exit::Done)
}

/// What the judges said, or whether they said relevant; below 0 nothing was said.
fn asked(judges: &[(String, Qrels)], relevant: Option<i32>) -> Vec<(String, Qrels)> {
    let Some(least) = relevant else { return judges.to_vec() };
    let asked = |qrels: &Qrels| {
        let judged = qrels.iter().filter(|line| line.grade >= 0);
        judged.map(|line| QrelsLine { grade: i32::from(line.grade >= least), ..line }).collect()
    };
    judges.iter().map(|(name, qrels)| (name.clone(), asked(qrels))).collect()
}

fn show(agreement: &Agreement, shown: usize) {
    let [any, two, all] = agreement.documents;
    let judges = agreement.judges.len();
    output::say(&format!(
        "{judges} judges, {any} documents, {two} judged by two or more, {all} by all"
    ));
    if agreement.pairs.is_empty() {
        output::say("no document was judged by two of them: there is nothing to compare");
        return;
    }
    table(&agreed::table(agreement));
    if let Some(mean) = agreement.mean_kappa.filter(|_| agreement.pairs.len() > 1) {
        output::say(&format!("mean of the pairs' kappas {mean:.3}"));
    }
    let apart = agreement.disagreements.len();
    if apart > 0 && shown > 0 {
        output::say(&format!("\n{apart} to settle together, the widest gap first"));
        table(&agreed::disagreements(agreement, shown));
    }
}

/// Prints a table; names come from files and must not steer the terminal.
pub(super) fn table(table: &Table) {
    let tamed = |row: Vec<String>| row.iter().map(|cell| output::tame(cell)).collect();
    let rows: Vec<Vec<String>> = table.all().into_iter().map(tamed).collect();
    output::say(&output::table_with_head(&rows));
}
