//! `fyke papers export`: the papers of a collection, and who cites whom, in the formats of other programs.

use crate::cli::{Exit, Failure, Global, Viewed, opened, output};
use anyhow::Context as _;
use clap::builder::{PossibleValue, PossibleValuesParser};
use fyke_derive::asked::papers::public_graph;
use fyke_papers::graph::CITATION_FORMATS;
use fyke_stages::papers;
use fyke_stages::show::count;
use serde_json::json;
use std::path::PathBuf;

/// Export papers and citations as BibTeX, CSL-JSON, RIS or GraphML
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers export --format bibtex > papers.bib
  fyke papers export --format graphml --all -o citations.graphml
  fyke papers export --format csl-json | jq length

The papers whose text is in the collection are exported; with --all also those that are only cited.
GraphML holds the citations, too. Papers are ordered by id: the same collection gives the same
bytes. Exit code 1 if the collection has no papers.")]
pub(in crate::cli) struct Args {
    /// Format of the export
    #[arg(long, value_name = "FORMAT", value_parser = names())]
    format: String,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Also export papers that are only cited
    #[arg(long)]
    all: bool,
    /// Also export papers that were fetched with credentials
    #[arg(long)]
    private: bool,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(CITATION_FORMATS.iter().map(|row| PossibleValue::new(row.name)))
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let row = CITATION_FORMATS.iter().find(|row| row.name == args.format);
    let row = row.expect("clap allows no other name");
    let Viewed { collection, .. } = opened::show(global)?;
    let (graph, left_out) = match args.private {
        true => (papers::graph(&collection, !args.all)?, 0),
        false => public_graph(&collection.cells(), !args.all)?,
    };
    if left_out > 0 {
        let left_out = count(left_out as u64);
        let what = format!("{left_out} private papers are left out; --private exports them, too");
        output::note(global.quiet, &what);
    }
    let held = graph.entries().len();
    if held == 0 {
        let message = match left_out {
            0 => "the collection has no papers; fyke why URL tells what a document lacks",
            _ => "all papers of the collection are private; --private exports them",
        };
        return Err(Failure { exit: Exit::Failed, message: message.to_owned() }.into());
    }
    let text = (row.write)(&graph);
    match &args.out {
        None => output::say(text.trim_end()),
        Some(path) => {
            let name = path.display().to_string();
            std::fs::write(path, &text).with_context(|| format!("cannot write {name}"))?;
            if global.json {
                output::say_json(&json!({ "file": name, "papers": held, "bytes": text.len() }))?;
            } else {
                let (held, bytes) = (count(held as u64), count(text.len() as u64));
                output::say(&format!("{}: {held} papers, {bytes} bytes", output::tame(&name)));
            }
        }
    }
    Ok(Exit::Done)
}
