//! `fyke lab pool`: what is to be judged, from the first documents of several runs.

use super::read;
use crate::cli::{Exit, Failure, Global, opened, output};
use fyke_eval::Run;
use fyke_lab::judging::{Judging, runs};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Add the first documents of two or more runs to the pool of documents to judge
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab pool                                  all runs in judgements/runs/, 20 documents each
  fyke lab pool --depth 50 old.run new.run.gz    these files

A pool only grows and does not record which run found a document. Documents that no run found are
not judged, so the true number of relevant documents may be higher.")]
pub(super) struct Args {
    /// Run files [default: all in judgements/runs/]
    runs: Vec<PathBuf>,
    /// Number of documents from each run and topic
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    depth: u16,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let mut judging = Judging::open(&opened::find(global)?)?;
    let found: Vec<Run> = match args.runs.is_empty() {
        true => {
            let files = runs::files(&judging.runs_dir())?;
            files.iter().map(|(_, path)| runs::read(path)).collect::<Result<_, _>>()?
        }
        false => args.runs.iter().map(|path| read::run(path)).collect::<Result<_, _>>()?,
    };
    if found.is_empty() {
        let what = "there are no runs to pool; make some with: fyke lab run";
        return Err(Failure::usage(what).into());
    }
    if found.len() == 1 {
        let what = "one run alone: its own documents are judged and nothing that it missed";
        output::note(global.quiet, what);
    }
    let mut lacking = judging.pools.account().lacking(&found, usize::from(args.depth));
    let known = judging.topics.account();
    let strangers: BTreeSet<String> = lacking
        .iter()
        .filter(|row| known.get(&row.query).is_none())
        .map(|row| row.query.clone())
        .collect();
    lacking.retain(|row| known.get(&row.query).is_some());
    if !strangers.is_empty() {
        let names: Vec<&str> = strangers.iter().take(5).map(String::as_str).collect();
        let what = format!(
            "{} topics of the runs are unknown here and skipped ({} …); add them with: fyke lab \
             topics import",
            strangers.len(),
            names.join(", ")
        );
        output::note(global.quiet, &what);
    }
    judging.pools.append(&lacking)?;
    tell(global, &judging, found.len(), lacking.len())
}

fn tell(global: &Global, judging: &Judging, runs: usize, added: usize) -> anyhow::Result<Exit> {
    let topics = judging.topics.account().list();
    let all: usize = topics.iter().map(|t| judging.pools.account().of(&t.id).count()).sum();
    if global.json {
        let json = serde_json::json!({ "runs": runs, "added": added, "documents": all });
        output::say_json(&json)?;
    } else {
        output::say(&format!("{added} documents of {runs} runs added, {all} in the pool"));
        output::note(global.quiet, "judge them with: fyke lab judge");
    }
    Ok(Exit::Done)
}
