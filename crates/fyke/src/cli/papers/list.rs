//! `fyke papers list` and `show`: the papers of a collection, and one of them with all around it.

use crate::cli::output::{bold, tame};
use crate::cli::{Exit, Failure, Global, Viewed, opened, output};
use clap::builder::{PossibleValue, PossibleValuesParser};
use fyke_stages::papers::{
    self, NamedKey, PaperBesideLine, PaperOrder, PaperSummary, WantedPapers, WholePaper,
};
use fyke_stages::search;
use fyke_stages::show::count;
use std::fmt::Write as _;

/// Citing papers that are shown of one.
const CITING: usize = 100;

/// List the papers of the collection, or search among them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers list                             those cited most first
  fyke papers list --sort newest -n 50
  fyke papers list 'tidal turbines'            search among papers
  fyke papers list 'author:fisher year:1994..1999 cited:>2'
  fyke papers list --json | jq -r '.papers[] | [.cited_by, .title] | @tsv'

A document is a paper if it has an abstract, references and what else papers have; fyke why URL
tells its evidence, or why it is none. The query language is that of fyke search. Fields of papers:
title: author: year: venue: (key of a venue) cited: (number of papers that cite it) cites: (key of a
cited paper). With a query, cited and newest order its 100 best matches.")]
pub(in crate::cli) struct Args {
    /// Query; all papers if left out
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: Vec<String>,
    /// Order of the list: best, cited or newest
    #[arg(long, value_name = "ORDER", value_parser = orders(), default_value = "best", hide_possible_values = true)]
    sort: String,
    /// Number of papers to show
    #[arg(long, short = 'n', default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=100))]
    limit: u8,
    /// Papers to pass over
    #[arg(long, default_value_t = 0)]
    start: usize,
}

fn orders() -> PossibleValuesParser {
    PossibleValuesParser::new(["best", "cited", "newest"].map(PossibleValue::new))
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let Viewed { config, collection, .. } = opened::show(global)?;
    let index = search::index(collection.root(), &config)?;
    let wanted = WantedPapers {
        words: args.query.join(" "),
        order: PaperOrder::named(&args.sort).unwrap_or_default(),
        start: args.start,
        limit: args.limit.into(),
    };
    let found = papers::list(&collection, &index, &search::options(&config)?, &wanted)?;
    if global.json {
        output::say_json(&found)?;
    } else {
        for paper in &found.papers {
            output::say(&lines(paper));
        }
        let what = if found.total == 1 { "paper" } else { "papers" };
        output::note(global.quiet, &format!("{} {what}", count(found.total as u64)));
    }
    Ok(if found.total > 0 { Exit::Done } else { Exit::Failed })
}

/// A paper in two or three lines.
fn lines(paper: &PaperSummary) -> String {
    let mut out = format!("{}\n", bold(&tame(&paper.title)));
    let _ = writeln!(out, "  {}", tame(&who(paper)));
    let place = paper.documents.first().map_or("only cited", |document| &document.url);
    let _ = write!(out, "  cited by {}, {}  {}", paper.cited_by, paper.key, tame(place));
    out
}

/// Authors, venue and year.
fn who(paper: &PaperSummary) -> String {
    let authors: Vec<&str> = paper.authors.iter().map(|author| author.name.as_str()).collect();
    let venue = paper.venue.iter().map(|NamedKey { name, .. }| name.clone());
    let year = paper.year.iter().map(u16::to_string);
    let mut parts = vec![authors.join(", ")];
    parts.extend(venue.chain(year));
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// Show a paper with its references, the papers that cite it and those beside it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke papers show 4b1d6c0e8f7a2953            by the key that fyke papers list shows
  fyke papers show --json 4b1d6c0e8f7a2953 | jq -r '.citing[].sentences[]'

A paper that is only cited has a key, too. Exit code 1 if there is no such paper.")]
pub(in crate::cli) struct ShowArgs {
    /// Key of the paper
    #[arg(value_name = "KEY")]
    key: String,
}

pub(super) fn show(global: &Global, args: &ShowArgs) -> anyhow::Result<Exit> {
    let Viewed { collection, .. } = opened::show(global)?;
    let Some(paper) = papers::whole(&collection, &args.key, (0, CITING))? else {
        let message = format!("there is no paper {}; fyke papers list shows the keys", args.key);
        return Err(Failure { exit: Exit::Failed, message }.into());
    };
    match global.json {
        true => output::say_json(&paper)?,
        false => output::say(text(&paper).trim_end()),
    }
    Ok(Exit::Done)
}

fn text(paper: &WholePaper) -> String {
    let mut out = lines(&paper.summary) + "\n";
    if !paper.evidence.is_empty() {
        let _ = writeln!(out, "  evidence: {}", tame(&paper.evidence.join(", ")));
    }
    if !paper.summary.abstract_text.is_empty() {
        let _ = writeln!(out, "\n{}\n{}", bold("Abstract"), tame(&paper.summary.abstract_text));
    }
    let beside = |out: &mut String, title: &str, papers: &[PaperBesideLine]| {
        if !papers.is_empty() {
            let _ = writeln!(out, "\n{}", bold(title));
        }
        for PaperBesideLine { paper, sentences, .. } in papers {
            let _ =
                writeln!(out, "  {}: {} ({})", tame(&paper.title), tame(&who(paper)), paper.key);
            for sentence in sentences {
                let _ = writeln!(out, "      “{}”", tame(sentence));
            }
        }
    };
    beside(&mut out, "Cited by", &paper.citing);
    if !paper.listed.is_empty() {
        let _ = writeln!(out, "\n{}", bold("References"));
    }
    for (at, reference) in paper.listed.iter().enumerate() {
        let mark =
            if reference.mark.is_empty() { (at + 1).to_string() } else { reference.mark.clone() };
        let key = reference.paper.as_ref().map(|paper| format!(" ({})", paper.key));
        let _ = writeln!(
            out,
            "  [{}] {}{}",
            tame(&mark),
            tame(&reference.text),
            key.unwrap_or_default()
        );
    }
    beside(&mut out, "Cited together with it", &paper.co_cited);
    beside(&mut out, "Cites the same", &paper.coupled);
    out
}
