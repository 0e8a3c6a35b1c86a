//! `fyke search`: the engine in the terminal.

mod run;

use super::{Exit, Global, opened, output};
use fyke_index::{Fragment, Hit, Index, LeftOut, Ranker, Results, SearchOptions};
use fyke_stages::config::Config;
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
  fyke search -- git commit --amend                --amend is searched for as a word
  fyke search turbine --explain                    the parts of each score
  fyke search turbine --json | jq '.hits[].url'
  fyke search --queries asked.tsv --run out.run --depth 1000      a run for trec_eval

A file of queries has TREC topics, JSON lines, or lines with an id, a tab and the query. Operators
in it are ignored, unless you give --syntax. A run names a document by its id in the test
collection it was imported from, or by its URL. Copies follow their original.")]
pub(super) struct Args {
    /// Words, "a phrase", +required, -excluded, site:HOST and other operators
    #[arg(required_unless_present = "topics", conflicts_with = "topics")]
    query: Vec<String>,
    /// Search for every query of this file and write a run (- is standard input)
    #[arg(long = "queries", alias = "topics", value_name = "FILE", requires = "run")]
    topics: Option<PathBuf>,
    /// File to write the run to, in TREC's format (- is standard output)
    #[arg(long, value_name = "FILE", requires = "topics")]
    run: Option<PathBuf>,
    /// Maximum number of documents for each query
    #[arg(long, default_value_t = 1_000, requires = "topics", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    depth: u32,
    /// Interpret operators in the file: phrases, +, -, fields
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
    if let (Some(topics), Some(target)) = (&args.topics, &args.run) {
        let index = nonempty(&root, &config)?;
        return run::run(global, args, (index, options.weights), (topics, target));
    }
    let index = nonempty(&root, &config)?;
    let answer = index.map(|index| answer(args, &index, options)).transpose()?;
    if answer.is_none() {
        output::note(global.quiet, "nothing is indexed yet; fetch some pages with: fyke crawl");
    }
    let answer = answer.unwrap_or_default();
    if global.json {
        output::say_json(&answer)?;
    } else {
        output::say(&show(&answer, args.offset));
    }
    Ok(Exit::Done)
}

/// What was found, and what was left out of the search.
#[derive(Default, serde::Serialize)]
struct SearchAnswer {
    #[serde(flatten)]
    results: Results,
    without: Vec<LeftOut>,
}

/// The index; none where there is nothing to ask. A missing one is not made: who searches
/// may have no right to write.
fn nonempty(root: &Path, config: &Config) -> anyhow::Result<Option<Index>> {
    if !fyke_store::index_dir(root).is_dir() {
        return Ok(None);
    }
    let index = search::index(root, config)?;
    Ok(if index.is_empty()? { None } else { Some(index) })
}

fn answer(args: &Args, index: &Index, options: SearchOptions) -> anyhow::Result<SearchAnswer> {
    let site = args.site.as_ref().map(|site| format!(" site:{site}")).unwrap_or_default();
    let words = format!("{}{site}", args.query.join(" "));
    let limit = usize::from(args.limit);
    let (offset, explain) = (args.offset, args.explain);
    let options = SearchOptions { offset, limit, explain, ..options };
    let without = index.query(&words).left_out();
    let results = search::search(index, &words, &options)?;
    Ok(SearchAnswer { results, without })
}

fn show(SearchAnswer { results, without }: &SearchAnswer, offset: usize) -> String {
    let seconds = results.micros as f64 / 1e6;
    let cut = results.cut.as_ref().map(search::told_cut);
    let cut = cut.map_or_else(String::new, |told| format!("\n{told}"));
    let without = without.iter().map(show_without).collect::<String>();
    let feedback = results.feedback.iter().map(|told| format!("\n{told}")).collect::<String>();
    let head = format!("{} found in {seconds:.3} s", show::count(results.total as u64));
    let words = match results.words.is_empty() {
        true => String::new(),
        false => format!("\nwords: {}", results.words.join("; ")),
    };
    let head = format!("{head}{cut}{without}{feedback}{words}");
    let hits = results.hits.iter().enumerate().map(|(at, hit)| show_hit(offset + at + 1, hit));
    std::iter::once(head).chain(hits).collect::<Vec<_>>().join("\n\n")
}

/// What was left out, and how to search with it.
fn show_without(LeftOut { what, undo }: &LeftOut) -> String {
    let [what, undo] = [what, undo].map(|text| output::tame(text));
    format!("\nwithout: {what} (not to leave it out: fyke search -- '{undo}')")
}

fn show_hit(rank: usize, hit: &Hit) -> String {
    let title = match hit.title.is_empty() {
        true => output::tame(&hit.url),
        false => marked(&hit.title_fragments),
    };
    let parts = hit.explain.iter().map(|(name, score)| format!("{name} {score:.3}"));
    let explain = parts.collect::<Vec<_>>().join(" + ");
    let page = hit.page.map(|page| format!("page {page}: ")).unwrap_or_default();
    let place = match &hit.section {
        Some(section) => output::tame(&format!("{}  § {}", section.url, section.heading)),
        None => output::tame(&hit.url),
    };
    let lines = [
        format!("{rank:>3}  {title}"),
        format!("     {place}"),
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
