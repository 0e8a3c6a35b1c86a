//! `fyke lab size`: how large two engines are beside each other (001 "Size of the web").

use super::topics;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Global, opened, output, stop};
use anyhow::Context;
use fyke_crawl::Control;
use fyke_lab::engine::{AnswerStore, EngineAddress, EngineTrouble, KnownEngine};
use fyke_lab::searches;
use fyke_lab::size::{
    QueryLexicon, SizeEngines, SizeOptions, SizeReport, SizeRow, SizeStudy, WebOfSize, shown_share,
};
use fyke_learn::size::METHODS;
use fyke_stages::config::Config;
use fyke_stages::show;
use std::path::{Path, PathBuf};
use tokio::runtime::Runtime;

/// Words of a collection's lexicon come from so many documents.
const MOST_TEXTS: usize = 50_000;
/// Bytes of a list of words.
const MOST_LIST: u64 = 256 << 20;
/// Words of a search that counts.
const MOST_SEARCH_WORDS: usize = 8;

/// Estimate how large two search engines are, relative to each other and in pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab size shallow deep                          two collections
  fyke -C study lab size searxng:http://127.0.0.1:8888 'http://127.0.0.1:7700/search?q={query}' \\
      --lexicon words.txt --items hits --id url --quota 500
  fyke lab size shallow deep --walks 8 --searches log    random walks and logged searches as well
  fyke lab size shallow deep --addresses 100          servers of a pond, by their addresses
  fyke lab size --list                                the methods and how each of them errs

An engine is the folder of a collection, searxng:URL, a URL template with {query}, or the URL of an
OpenSearch description, as in fyke collect. Random pairs of words of the lexicon go to each engine;
of up to 100 results one is drawn, read, and looked for in the other engine by eight rare words of
it. Pages are weighted by the inverse of their chance to be drawn; figures without corrections are
shown beside the corrected ones. Another form of the address, a redirect and a near-copy (0.8) count
as present. The lexicon is made of the documents of the collections, or of --lexicon: a collection,
or a list of words, a line each. Engines and pages are asked one at a time, with gaps, as robots.txt
allows. Answers are kept in size/ of the collection that -C names (else of the first one), so the
same command continues; the latest report is at /lab/size of the site. Random addresses are drawn
from 127.0.0.1 to 127.0.0.254 only, for hosts that fetch.hosts names there.

Exit code 3: it can be continued; 4: an engine cannot be asked at all.")]
pub(super) struct Args {
    /// The first engine, A
    #[arg(required_unless_present = "list")]
    first: Option<String>,
    /// The second engine, B
    #[arg(required_unless_present = "list")]
    second: Option<String>,
    /// Pages to draw from each engine
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    pages: u32,
    /// A collection or a file with a word in each line [default: the collections that are compared]
    #[arg(long, value_name = "PATH")]
    lexicon: Option<PathBuf>,
    /// Take words that are N times rarer than usual (below 1: more frequent)
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    rarer: f64,
    /// Results of a query to draw from
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(10..=1_000))]
    results: u16,
    /// Rare words of the query that looks for a page
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(2..=20))]
    words: u8,
    /// Pages of each engine to look for with 4, 6, 8, 10 and 12 words; 0: none
    #[arg(long, value_name = "N", default_value_t = 20)]
    strengths: u16,
    /// Compare the hits of these searches: a file of topics, or log for the log of searches
    #[arg(long, value_name = "FILE")]
    searches: Option<PathBuf>,
    /// Walk at random over links, so many times
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    walks: u16,
    /// Steps of a walk; the first quarter does not count
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    steps: u32,
    /// Where walks start [default: pages of both engines]
    #[arg(long, value_name = "URL")]
    start: Vec<String>,
    /// Draw so many addresses of this machine's address space
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=254))]
    addresses: u16,
    /// Maximum number of queries to each engine in 24 hours, over all runs
    #[arg(long, value_name = "N")]
    quota: Option<u64>,
    /// Draw other queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// JSON pointer to the list of results
    #[arg(long, value_name = "POINTER")]
    items: Option<String>,
    /// JSON pointer to the URL in each result
    #[arg(long, value_name = "POINTER")]
    id: Option<String>,
    /// CSS selectors of the results in HTML
    #[arg(long, value_name = "SELECTORS", conflicts_with_all = ["items", "id"])]
    select: Option<String>,
    /// Ignore the engines' robots.txt: they are yours, or you have permission
    #[arg(long)]
    allowed: bool,
    /// Only list the methods, and how each of them errs
    #[arg(long)]
    list: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if args.list {
        return list(global);
    }
    if !(args.rarer > 0.0 && args.rarer.is_finite()) {
        return Err(Failure::usage("--rarer needs a number above 0").into());
    }
    let addresses = [&args.first, &args.second].map(|from| address(args, from));
    let root = root(global, &addresses)?;
    let config = opened::settings(global, Some(&root))?.config;
    let folder = SizeReport::folder(&root);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let runtime = Runtime::new()?;
    let stop = Control::new();
    runtime.block_on(async { drop(stop::on_interrupt(stop.clone())) });
    let [first, second] = &addresses;
    let open = |address| runtime.block_on(open(args, &config, address, &folder));
    let engines = [open(first)?, open(second)?];
    let lexicon = lexicon(args, &engines)?;
    lexicon.check().map_err(Failure::usage)?;
    let known = [engines[0].pages()?, engines[1].pages()?];
    let options = options(args, &root)?;
    let mut world = WebOfSize::new(engines, &folder, config, runtime)?;
    let (mut report, trouble) = {
        let mut progress: Option<(String, Progress)> = None;
        let mut observe = |what: &str, done: usize, of: usize| {
            if progress.as_ref().is_none_or(|(stage, _)| stage != what) {
                if let Some((_, ended)) = progress.take() {
                    ended.finish();
                }
                let begun = Progress::start(global.quiet, what, Some(of as u64));
                progress = Some((what.to_owned(), begun));
            }
            if let Some((_, under_way)) = &mut progress {
                under_way.at(done as u64, "");
            }
            !stop.is_stopped()
        };
        let study = SizeStudy {
            world: &mut world,
            lexicon: &lexicon,
            options: &options,
            observe: &mut observe,
        };
        let done = study.run(known);
        if let Some((_, ended)) = progress {
            ended.finish();
        }
        done
    };
    report.first = addresses[0].name();
    report.second = addresses[1].name();
    report.time = show::now();
    report.asked = [world.engines[0].asked, world.engines[1].asked];
    report.fetched = world.fetched;
    end(global, report, trouble, (&stop, &folder))
}

/// Keeps the report, shows it, and says how it ended.
fn end(
    global: &Global,
    mut report: SizeReport,
    trouble: Option<anyhow::Error>,
    (stop, folder): (&Control, &Path),
) -> anyhow::Result<Exit> {
    let is_begun = report.rows.iter().any(|row| row.value.is_some());
    let exit = match &trouble {
        None if stop.is_stopped() => {
            report.ended = Some("stopped; the same command continues".to_owned());
            Exit::Stopped
        }
        None => Exit::Done,
        Some(error) => match EngineTrouble::of(error) {
            Some(EngineTrouble::Quota(_) | EngineTrouble::Busy { .. }) => {
                report.ended = Some(format!("{error:#}; the same command continues later"));
                Exit::Stopped
            }
            Some(_) if !is_begun => {
                let message = format!("a search engine cannot be asked: {error:#}");
                return Err(Failure { exit: Exit::NothingFetched, message }.into());
            }
            Some(_) => {
                report.ended = Some(format!("{error:#}"));
                Exit::Failed
            }
            None => return Err(trouble.unwrap_or_else(|| anyhow::anyhow!("it ended"))),
        },
    };
    let kept = report.write(folder);
    kept.with_context(|| format!("cannot write the report into {}", folder.display()))?;
    match global.json {
        true => output::say_json(&report)?,
        false => output::say(&tell(&report)),
    }
    Ok(exit)
}

fn address(args: &Args, from: &Option<String>) -> EngineAddress {
    let from = from.clone().unwrap_or_default();
    let bare = EngineAddress { from, ..EngineAddress::default() };
    EngineAddress {
        from: bare.name(),
        items: args.items.clone(),
        id: args.id.clone(),
        select: args.select.clone(),
        allowed: args.allowed,
    }
}

/// Where answers and the report are kept.
fn root(global: &Global, addresses: &[EngineAddress; 2]) -> anyhow::Result<PathBuf> {
    if let Some(root) = opened::find_if_any(global)? {
        return Ok(root);
    }
    let own = addresses.iter().find(|address| Path::new(&address.from).join("fyke.toml").is_file());
    match own {
        Some(address) => Ok(PathBuf::from(&address.from)),
        None => Err(Failure::usage(
            "there is no collection to keep the answers in; name one with -C (fyke new FOLDER makes one)",
        )
        .into()),
    }
}

async fn open(
    args: &Args,
    config: &Config,
    address: &EngineAddress,
    folder: &Path,
) -> anyhow::Result<SizeEngines> {
    address.url().map_err(|error| Failure::usage(format!("{error:#}")))?;
    let engine = address.open(config).await.map_err(|error| match EngineTrouble::of(&error) {
        Some(EngineTrouble::Dead(_) | EngineTrouble::Forbidden(_)) => {
            let message = format!("the search engine {} cannot be asked: {error:#}", address.from);
            Failure { exit: Exit::NothingFetched, message }.into()
        }
        _ => error,
    })?;
    let name = address.name();
    let answers = AnswerStore::of_engine(folder, &name)?;
    SizeEngines::new(address, KnownEngine { engine, name, answers, quota: args.quota })
}

fn lexicon(args: &Args, engines: &[SizeEngines; 2]) -> anyhow::Result<QueryLexicon> {
    let factor = 1.0 / args.rarer;
    let Some(path) = &args.lexicon else {
        let texts = engines.iter().flat_map(SizeEngines::texts).take(MOST_TEXTS);
        let texts = texts.collect::<Result<Vec<String>, _>>()?;
        if texts.is_empty() {
            let what = "neither engine is a collection with documents: name a collection or a list of words \
                        for the queries with --lexicon";
            return Err(Failure::usage(what).into());
        }
        return Ok(QueryLexicon::of(texts).banded(factor));
    };
    if path.join("fyke.toml").is_file() {
        let view = fyke_store::Collection::reader(path)?.view();
        let texts = view.documents.all().take(MOST_TEXTS);
        let texts: Result<Vec<String>, _> = texts.map(|one| one.map(|one| one.text)).collect();
        return Ok(QueryLexicon::of(texts?).banded(factor));
    }
    let failed = || format!("cannot read the words of {}", path.display());
    let size = std::fs::metadata(path).with_context(failed)?.len();
    if size > MOST_LIST {
        return Err(
            Failure::usage(format!("{} is too long for a list of words", path.display())).into()
        );
    }
    Ok(QueryLexicon::list(&String::from_utf8_lossy(&std::fs::read(path).with_context(failed)?)))
}

fn options(args: &Args, root: &Path) -> anyhow::Result<SizeOptions> {
    for start in &args.start {
        opened::url(start)?;
    }
    Ok(SizeOptions {
        pages: args.pages as usize,
        results: usize::from(args.results),
        words: usize::from(args.words),
        strengths: usize::from(args.strengths),
        searches: chosen_searches(args, root)?,
        hits: 600,
        starts: args.start.clone(),
        walks: usize::from(args.walks),
        steps: args.steps as usize,
        addresses: u64::from(args.addresses),
        seed: args.seed,
    })
}

/// The words of each search, each once.
fn chosen_searches(args: &Args, root: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    let queries: Vec<String> = match &args.searches {
        None => return Ok(Vec::new()),
        Some(path) if path == Path::new("log") => {
            let logged = searches::read(root)?.searches;
            logged.into_iter().map(|searched| searched.search.query).collect()
        }
        Some(path) => topics::from_file(path)?.into_iter().map(|topic| topic.query).collect(),
    };
    let mut seen = std::collections::BTreeSet::new();
    for query in &queries {
        let mut words: Vec<String> = Vec::new();
        fyke_text::each_form(query, |word| {
            if words.len() < MOST_SEARCH_WORDS && !words.iter().any(|own| own == word) {
                words.push(word.to_owned());
            }
        });
        if !words.is_empty() {
            seen.insert(words);
        }
    }
    if seen.is_empty() {
        return Err(Failure::usage("--searches: there are no searches to compare").into());
    }
    Ok(seen.into_iter().collect())
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    let rows = METHODS.iter().map(|method| {
        let biases = method.biases.iter().map(|bias| bias.name()).collect::<Vec<_>>().join(", ");
        (method, biases)
    });
    if global.json {
        let json = rows.map(|(method, biases)| {
            serde_json::json!({
                "method": method.name, "what": method.what, "of": method.quantity.name(), "biases": biases,
            })
        });
        output::say_json(&json.collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let head = ["method", "of", "what", "errs by"].map(str::to_owned).to_vec();
    let rows = rows.map(|(method, biases)| {
        vec![
            method.name.to_owned(),
            method.quantity.name().to_owned(),
            method.what.to_owned(),
            biases,
        ]
    });
    output::say(&output::table_with_head(&std::iter::once(head).chain(rows).collect::<Vec<_>>()));
    Ok(Exit::Done)
}

fn tell(report: &SizeReport) -> String {
    let name = |name: &str, known: Option<u64>| {
        let known = known.map_or(String::new(), |pages| format!(" ({} pages)", show::count(pages)));
        format!("{}{known}", output::tame(name))
    };
    let mut parts = vec![format!(
        "A: {}\nB: {}",
        name(&report.first, report.known[0]),
        name(&report.second, report.known[1])
    )];
    let head = ["method", "of", "figure", "95 %", "bootstrap", "from"].map(str::to_owned).to_vec();
    let rows = std::iter::once(head).chain(report.rows.iter().map(row));
    parts.push(output::table_with_head(&rows.collect::<Vec<_>>()));
    parts.extend(without_figure(report));
    parts.extend(shares(report));
    parts.extend(strengths(report));
    parts.extend(addresses(report));
    if !report.warnings.is_empty() {
        parts.push(format!("warnings:\n  {}", report.warnings.join("\n  ")));
    }
    parts.push(format!(
        "queries sent: {} to A, {} to B; pages fetched: {}\nhow each method errs: fyke lab size --list",
        report.asked[0], report.asked[1], report.fetched
    ));
    parts.extend(report.ended.iter().map(|why| format!("ended early: {}", output::tame(why))));
    parts.join("\n\n")
}

fn row(row: &SizeRow) -> Vec<String> {
    let value = row.value.map_or("–".to_owned(), |value| row.shown(value));
    let number = if row.value.is_some() { row.number.to_string() } else { String::new() };
    vec![
        row.method.clone(),
        row.quantity.clone(),
        value,
        row.shown_ends(row.interval),
        row.shown_ends(row.bootstrap),
        number,
    ]
}

/// Which methods have no figure, by the reason.
fn without_figure(report: &SizeReport) -> Option<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in report.rows.iter().filter(|row| row.value.is_none()) {
        let why = row.reason.as_deref().unwrap_or("no figure");
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, methods)) => methods.push(&row.method),
            None => reasons.push((why, vec![&row.method])),
        }
    }
    let lines: Vec<String> =
        reasons.iter().map(|(why, methods)| format!("{}: {why}", methods.join(", "))).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn shares(report: &SizeReport) -> Option<String> {
    let [first, second] = report.shares;
    (first.is_some() || second.is_some()).then(|| {
        let [first, second] = [first, second].map(shown_share);
        format!("of A's pages B has {first}; of B's pages A has {second}")
    })
}

fn strengths(report: &SizeReport) -> Option<String> {
    if report.strengths.is_empty() {
        return None;
    }
    let head = ["engine", "words", "own pages found again", "hits of a query"];
    let head = head.map(str::to_owned).to_vec();
    let rows = report.strengths.iter().map(|row| {
        vec![
            row.engine.clone(),
            row.words.to_string(),
            format!("{} of {}", row.there, row.of),
            format!("{:.1}", row.hits as f64 / row.of.max(1) as f64),
        ]
    });
    Some(output::table_with_head(&std::iter::once(head).chain(rows).collect::<Vec<_>>()))
}

fn addresses(report: &SizeReport) -> Option<String> {
    let found = report.addresses.as_ref()?;
    let all = found.servers_in_all.map_or(String::new(), |[all, low, high]| {
        format!("; servers in all: {all:.0} ({low:.0} to {high:.0})")
    });
    Some(format!(
        "addresses: {} drawn, {} empty, {} closed, {} excluded, {} with servers of {} pages{all}\n\
         keywords or description in {} of the home pages, Dublin Core in {}",
        found.drawn,
        found.empty,
        found.closed,
        found.excluded,
        found.servers,
        found.pages,
        shown_share(found.meta),
        shown_share(found.dublin_core)
    ))
}
