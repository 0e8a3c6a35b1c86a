//! `fyke lab qrels`: judgements out to TREC's format, and in from it.

use super::read;
use crate::cli::{Exit, Failure, Global, opened, output};
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use fyke_eval::{Qrels, QrelsLine};
use fyke_lab::engine;
use fyke_lab::judging::merge::{self, MERGES};
use fyke_lab::judging::{JudgeVerdict, Judgement, Judging, Pooled, judgement};
use fyke_stages::show;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Export judgements as TREC qrels, or import qrels
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab qrels export > qrels.txt                 all judges, merged by majority
  fyke lab qrels export --merge max                 the highest grade of all judges
  fyke lab qrels export --judge ada > ada.qrels
  fyke lab qrels import qrels.txt --judge trec      as judgements of one judge; adds to the pool

If judges differ, majority takes the most frequent grade (the lowest of equally frequent ones),
median the middle grade (the lower of two), max the highest. A grade that the judges settled
together takes precedence. Documents marked \"can't judge\" are left out.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: QrelsCommand,
}

#[derive(Debug, Subcommand)]
enum QrelsCommand {
    /// Write qrels to standard output
    #[command(after_help = "\
Examples:
  fyke lab qrels export > qrels.txt            all judges, merged by majority
  fyke lab qrels export --judge ada > ada.qrels")]
    Export {
        /// Only the judgements of this judge
        #[arg(long, conflicts_with = "merge")]
        judge: Option<String>,
        /// How to merge judges: majority, median or max
        #[arg(long, default_value = "majority", value_parser = names())]
        merge: String,
    },
    /// Import a file of qrels as the judgements of one judge
    #[command(after_help = "\
Examples:
  fyke lab qrels import qrels.txt --judge trec")]
    Import {
        /// The file of qrels
        file: PathBuf,
        /// Name of the judge
        #[arg(long)]
        judge: String,
    },
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(MERGES.iter().map(|row| row.name))
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let mut judging = Judging::open(&opened::find(global)?)?;
    match &args.what {
        QrelsCommand::Export { judge, merge } => {
            let qrels = exported(&judging, judge.as_deref(), merge)?;
            match global.json {
                true => output::say_json(&rows(&qrels))?,
                false => output::say(qrels.to_string().trim_end()),
            }
        }
        QrelsCommand::Import { file, judge } => {
            let judge = judgement::name(judge).map_err(Failure::usage)?;
            let lines = lines(&read::qrels(file)?, &judge);
            judging.pools.append(&pooled(&judging, &lines))?;
            judging.log.append(&lines)?;
            match global.json {
                true => output::say_json(&json!({ "judge": judge, "added": lines.len() }))?,
                false => output::say(&format!("{} judgements of {judge} added", lines.len())),
            }
        }
    }
    Ok(Exit::Done)
}

/// As JSON: query, document and grade.
fn rows(qrels: &Qrels) -> Value {
    qrels.iter().map(|line| json!([line.query, line.document, line.grade])).collect()
}

fn exported(judging: &Judging, judge: Option<&str>, merge: &str) -> anyhow::Result<Qrels> {
    let judgements = judging.log.account();
    let Some(judge) = judge else {
        let merge = merge::find(merge).expect("clap allows no other name");
        return Ok(merge::merged(judgements, merge));
    };
    let known = judgements.judges();
    if !known.contains(judge) && judge != judgement::SETTLED {
        let names: Vec<&str> = known.into_iter().collect();
        let what = format!("{judge} has judged nothing; there are: {}", names.join(", "));
        return Err(Failure::usage(what).into());
    }
    Ok(judgements.qrels(judge))
}

/// The documents that others may judge now as well.
fn pooled(judging: &Judging, lines: &[Judgement]) -> Vec<Pooled> {
    let (topics, pools) = (judging.topics.account(), judging.pools.account());
    let is_new = |line: &&Judgement| {
        topics.get(&line.query).is_some() && !pools.has(&line.query, &line.document)
    };
    let row =
        |line: &Judgement| Pooled { query: line.query.clone(), document: line.document.clone() };
    lines.iter().filter(is_new).map(row).collect()
}

/// Grades of a file as lines of the log.
fn lines(qrels: &Qrels, judge: &str) -> Vec<Judgement> {
    let time = show::now();
    let mut lines = Vec::new();
    for QrelsLine { query, document, grade } in qrels.iter() {
        lines.push(Judgement {
            time,
            judge: judge.to_owned(),
            query: query.to_owned(),
            document: engine::document(document).unwrap_or_else(|| document.to_owned()),
            verdict: JudgeVerdict::Grade(grade),
            note: String::new(),
        });
    }
    lines
}
