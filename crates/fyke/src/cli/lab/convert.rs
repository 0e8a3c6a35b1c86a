//! `fyke lab convert`: judgements, runs and topics from one format into another.

use super::read;
use crate::cli::{Exit, Failure, Global, output};
use anyhow::{Context as _, bail};
use fyke_eval::formats::{self, EvalFormat, FORMATS};
use fyke_eval::{Qrels, Run, Topic};
use std::path::{Path, PathBuf};

/// Convert judgements, runs and topics between formats
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab convert qrels qrels.txt.gz --to jsonl > qrels.jsonl
  fyke lab convert run run.jsonl --to trec --out run.txt
  fyke lab convert topics topics.301-350 --to tsv")]
pub(super) struct Args {
    /// Content of the file: qrels, run or topics
    what: String,
    /// The file, in any known format, with or without gzip
    file: PathBuf,
    /// Target format: trec, tsv or jsonl
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(_: &Global, args: &Args) -> anyhow::Result<Exit> {
    let format = FORMATS.iter().find(|format| format.name == args.to).ok_or_else(|| {
        let known = FORMATS.map(|format| format.name).join(", ");
        Failure::usage(format!("--to {}: expected one of {known}", args.to))
    })?;
    let text = converted(&args.what, &args.file, format)?;
    match &args.out {
        None => output::say(text.trim_end_matches('\n')),
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(Exit::Done)
}

fn converted(what: &str, file: &Path, format: &EvalFormat) -> anyhow::Result<String> {
    let (text, is_same) = match what {
        "qrels" => {
            let qrels = read::qrels(file)?;
            let text = (format.write_qrels)(&qrels);
            let again = Qrels::parse(&text);
            (text, again.is_ok_and(|again| again == qrels))
        }
        "run" => {
            let run = read::run(file)?;
            let text = (format.write_run)(&run);
            let is_same = Run::parse(&text).is_ok_and(|mut again| {
                // Not every format has a place for it.
                again.tag.clone_from(&run.tag);
                again == run
            });
            (text, is_same)
        }
        "topics" => {
            let topics = read::topics(file)?;
            let text = (format.write_topics)(&topics);
            let names = |topics: &[Topic]| -> Vec<(String, String)> {
                topics.iter().map(|topic| (topic.id.clone(), topic.title.clone())).collect()
            };
            let again = formats::topics(&text);
            (text, again.is_ok_and(|again| names(&again) == names(&topics)))
        }
        other => {
            let message = format!("{other}: expected qrels, run or topics");
            return Err(Failure::usage(message).into());
        }
    };
    if !is_same {
        bail!(
            "{}: the format {} cannot hold all of it: a name has blanks in it, which separate columns \
             there (--to jsonl holds them), or a score is infinite",
            file.display(),
            format.name
        );
    }
    Ok(text)
}
