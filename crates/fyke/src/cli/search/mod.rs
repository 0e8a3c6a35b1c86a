//! `fyke search`: the engine in the terminal.

pub(super) mod run;

use super::{Exit, Global, opened, output};
use crate::facts;
use crate::show;
use fyke_derive::FACTS;
use fyke_index::{Fragment, Hit, Index, QueryBudget, Ranker, Results, SearchOptions, Weights};
use std::path::{Path, PathBuf};

/// Search the collection
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke search tidal turbine
  fyke search '\"tidal turbine\" +scotland -jobs'    a phrase, a must, a must-not
  fyke search -n 20 -- turbine site:tides.example -jobs    after -- words may begin with -
  fyke search turbine --explain                    what each score is made of
  fyke search turbine --json | jq '.hits[].url'
  fyke search --topics queries.tsv --run out.run --depth 1000      a run for trec_eval

Topics are read as files of TREC, lines of JSON, or lines with an id, a tab and the query; their
words are taken as words, unless you say --syntax. A run lists documents by their number in the
collection they were imported from, else by URL; copies follow what they are copies of.")]
pub struct Args {
    /// Words; "a phrase", +must, -must-not, site:host
    #[arg(required_unless_present = "topics", conflicts_with = "topics")]
    query: Vec<String>,
    /// Ask every query of this file (- is standard input) and write a run
    #[arg(long, value_name = "FILE", requires = "run")]
    topics: Option<PathBuf>,
    /// Where the run goes, in TREC's format (- is standard output)
    #[arg(long, value_name = "FILE", requires = "topics")]
    run: Option<PathBuf>,
    /// Documents for each topic at the most
    #[arg(long, default_value_t = 1_000, requires = "topics", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    depth: u32,
    /// Topics are typed queries, with phrases, signs and fields
    #[arg(long, requires = "topics")]
    syntax: bool,
    /// Rank by other weights, as no-nearness or 'title=5 k1=0.9'
    #[arg(long, value_name = "WEIGHTS", value_parser = facts::ranker)]
    ranker: Option<Ranker>,
    /// Results to show
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=100))]
    limit: u8,
    /// Results to pass over first
    #[arg(long, default_value_t = 0)]
    offset: usize,
    /// Only this host or domain
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// Show what each score is made of
    #[arg(long)]
    explain: bool,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    // The index can be read while another process crawls or serves: no lock is taken.
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    let set = || facts::ranker(&config.search.ranker).map_err(anyhow::Error::msg);
    let weights = args.ranker.clone().map_or_else(set, Ok)?.weights;
    let dir = fyke_store::index_dir(&root);
    if let (Some(topics), Some(target)) = (&args.topics, &args.run) {
        return run::run(global, args, (&dir, weights), (topics, target));
    }
    let budget = QueryBudget { steps: config.search.steps };
    let results = results(args, &dir, (weights, budget))?;
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
fn results(
    args: &Args,
    dir: &Path,
    (weights, budget): (Weights, QueryBudget),
) -> anyhow::Result<Option<Results>> {
    if !dir.is_dir() {
        return Ok(None);
    }
    let index = Index::open_to_read(dir, &FACTS)?;
    if index.is_empty()? {
        return Ok(None);
    }
    let site = args.site.as_ref().map(|site| format!(" site:{site}")).unwrap_or_default();
    let query = index.query(&format!("{}{site}", args.query.join(" ")));
    let limit = usize::from(args.limit);
    let (offset, explain) = (args.offset, args.explain);
    let usual = SearchOptions { weights, budget, ..SearchOptions::default() };
    let options = SearchOptions { offset, limit, explain, ..usual };
    Ok(Some(index.search(&query, &options)?))
}

fn show(results: &Results, offset: usize) -> String {
    let seconds = results.micros as f64 / 1e6;
    let cut = results.cut.map_or_else(String::new, |cut| {
        let [looked_at, documents] = [cut.looked_at, cut.documents].map(show::count);
        format!(
            "\nthis query asks for too much: only {looked_at} of {documents} documents were looked at; \
             ask with fewer words, or rarer ones"
        )
    });
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
