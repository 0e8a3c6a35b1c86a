//! `fyke search`: the engine in the terminal.

mod run;

use super::{Exit, Global, opened, output};
use fyke_index::{Fragment, Hit, Ranker, Results, SearchOptions};
use fyke_stages::search;
use fyke_stages::show;
use std::path::{Path, PathBuf};

/// Search the collection
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke search tidal turbine
  fyke search '\"tidal turbine\" +scotland -jobs'    a phrase, a required word, an excluded word
  fyke search -n 20 -- turbine site:tides.example -jobs     after -- words may begin with -
  fyke search turbine --explain                    the parts of each score
  fyke search turbine --json | jq '.hits[].url'
  fyke search --topics queries.tsv --run out.run --depth 1000      a run for trec_eval

A file of topics has TREC topics, JSON lines, or lines with an id, a tab and the query. Operators in
topics are ignored, unless you give --syntax. A run names a document by its id in the test
collection it was imported from, or by its URL. Copies follow their original.")]
pub(super) struct Args {
    /// Words, "a phrase", +required, -excluded, site:HOST and other operators
    #[arg(required_unless_present = "topics", conflicts_with = "topics")]
    query: Vec<String>,
    /// Search for every topic of this file and write a run (- is standard input)
    #[arg(long, value_name = "FILE", requires = "run")]
    topics: Option<PathBuf>,
    /// File to write the run to, in TREC's format (- is standard output)
    #[arg(long, value_name = "FILE", requires = "topics")]
    run: Option<PathBuf>,
    /// Maximum number of documents for each topic
    #[arg(long, default_value_t = 1_000, requires = "topics", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    depth: u32,
    /// Interpret operators in topics: phrases, +, -, fields
    #[arg(long, requires = "topics")]
    syntax: bool,
    /// Rank by other weights, for example no-nearness or 'title=5 k1=0.9'
    #[arg(long, value_name = "WEIGHTS", value_parser = search::ranker)]
    ranker: Option<Ranker>,
    /// Number of results to show
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=100))]
    limit: u8,
    /// Number of results to skip
    #[arg(long, default_value_t = 0)]
    offset: usize,
    /// Search only this host or domain
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// Show the parts of each score
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    // The index can be read while another process crawls or serves: no lock is taken.
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    let mut options = search::options(&config)?;
    if let Some(ranker) = &args.ranker {
        options.weights = ranker.weights;
    }
    let dir = fyke_store::index_dir(&root);
    if let (Some(topics), Some(target)) = (&args.topics, &args.run) {
        return run::run(global, args, (&dir, options.weights), (topics, target));
    }
    let results = results(args, &dir, options)?;
    if results.is_none() {
        output::note(global.quiet, "nothing is indexed yet; fetch some pages with: fyke crawl");
    }
    let results = results.unwrap_or_default();
    if global.json {
        output::say_json(&results)?;
    } else {
        output::say(&show(&results, args.offset));
    }
    Ok(Exit::Done)
}

/// Asks the index; none where there is nothing to ask. A missing one is not made: who searches
/// may have no right to write.
fn results(args: &Args, dir: &Path, options: SearchOptions) -> anyhow::Result<Option<Results>> {
    if !dir.is_dir() {
        return Ok(None);
    }
    let index = search::index(dir)?;
    if index.is_empty()? {
        return Ok(None);
    }
    let site = args.site.as_ref().map(|site| format!(" site:{site}")).unwrap_or_default();
    let words = format!("{}{site}", args.query.join(" "));
    let limit = usize::from(args.limit);
    let (offset, explain) = (args.offset, args.explain);
    let options = SearchOptions { offset, limit, explain, ..options };
    Ok(Some(search::search(&index, &words, &options)?))
}

fn show(results: &Results, offset: usize) -> String {
    let seconds = results.micros as f64 / 1e6;
    let cut = results.cut.as_ref().map(search::told_cut);
    let cut = cut.map_or_else(String::new, |told| format!("\n{told}"));
    let head = format!("{} found in {seconds:.3} s{cut}", show::count(results.total as u64));
    let hits = results.hits.iter().enumerate().map(|(at, hit)| show_hit(offset + at + 1, hit));
    std::iter::once(head).chain(hits).collect::<Vec<_>>().join("\n\n")
}

fn show_hit(rank: usize, hit: &Hit) -> String {
    let title = match hit.title.is_empty() {
        true => output::tame(&hit.url),
        false => marked(&hit.title_fragments),
    };
    let parts = hit.explain.iter().map(|(name, score)| format!("{name} {score:.3}"));
    let explain = parts.collect::<Vec<_>>().join(" + ");
    let page = hit.page.map(|page| format!("page {page}: ")).unwrap_or_default();
    let lines = [
        format!("{rank:>3}  {title}"),
        format!("     {}", output::tame(&hit.url)),
        format!("     {page}{}", marked(&hit.snippet)),
        format!("     {:.3} = {explain}", hit.score),
    ];
    let shown = if explain.is_empty() { 3 } else { 4 };
    lines[..shown].join("\n")
}

/// Fragments in a line, the query's words in bold.
fn marked(fragments: &[Fragment]) -> String {
    let show = |fragment: &Fragment| {
        let text = output::tame(&fragment.text);
        if fragment.marked { output::bold(&text) } else { text }
    };
    fragments.iter().map(show).collect()
}
