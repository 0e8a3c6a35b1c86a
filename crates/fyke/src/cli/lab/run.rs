//! `fyke lab run`: asks an engine every topic and writes what it answers as a run file.

use super::topics;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Global, opened, output};
use fyke_eval::Run;
use fyke_lab::engine::{self, AddressTemplate, AnswerReading, Engine, Remote};
use fyke_lab::judging::{Judging, LabTopic, Topics, runs};
use fyke_stages::config::Config;
use std::path::{Path, PathBuf};

/// Send every query to a search engine and store the results as a run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke lab run                                   the collection's index: judgements/runs/own.run
  fyke lab run --name near --site tides.example  the same for one host
  fyke lab run --name flat --ranker no-nearness  the same with other weights
  fyke lab run --name other --url 'http://127.0.0.1:8080/search?q={query}&n={depth}' \\
      --items results --id url                   any engine with JSON results
  fyke lab run --name neighbour --opensearch http://127.0.0.1:7700/opensearch.xml
  fyke lab run --queries asked.tsv --url '…{query}…' --items hits --id id -o out.run   no collection

The URL template may have {query}, {depth}, {start} (number of results so far) and {page}. Items and
id are JSON pointers, for example results or /response/docs. OpenSearch results may be Atom, RSS or
JSON. Other engines get one request at a time, with the gap of a crawl between requests; robots.txt
applies unless you give --allowed. Scores in the run are made from the ranks.")]
pub(super) struct Args {
    /// Name of the run [default: own, or the host of the engine]
    #[arg(long)]
    name: Option<String>,
    /// Maximum number of documents for each query
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    depth: u16,
    /// File of queries [default: those of the collection's information needs]
    #[arg(long = "queries", alias = "topics", value_name = "FILE")]
    topics: Option<PathBuf>,
    /// File to write; - is standard output [default: judgements/runs/NAME.run]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Search only this host or domain (own index)
    #[arg(long, value_name = "HOST", conflicts_with_all = ["url", "opensearch"])]
    site: Option<String>,
    /// Rank by other weights, for example no-nearness or 'title=5 k1=0.9' (own index)
    #[arg(long, value_name = "WEIGHTS", conflicts_with_all = ["url", "opensearch"])]
    ranker: Option<String>,
    /// URL template of another search engine
    #[arg(long, value_name = "TEMPLATE", requires = "id")]
    url: Option<String>,
    /// JSON pointer to the list of results
    #[arg(long, value_name = "POINTER", default_value = "")]
    items: String,
    /// JSON pointer to the URL or id in each result
    #[arg(long, value_name = "POINTER")]
    id: Option<String>,
    /// URL of the OpenSearch description of another search engine
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    opensearch: Option<String>,
    /// Ignore robots.txt: the engine is yours, or you have permission
    #[arg(long)]
    allowed: bool,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let root = opened::find_if_any(global)?;
    let mut config = opened::settings(global, root.as_deref())?.config;
    if let Some(weights) = &args.ranker {
        fyke_stages::search::ranker(weights).map_err(Failure::usage)?;
        config.search.ranker.clone_from(weights);
    }
    let topics = topics(args, root.as_deref())?;
    let target = target(args, root.as_deref())?;
    let depth = usize::from(args.depth);
    let mut run = Run::new(&name(args)?);
    tokio::runtime::Runtime::new()?.block_on(async {
        let mut engine = open(args, &config, root.as_deref()).await?;
        ask(global, &mut engine, (&topics, depth), &mut run).await
    })?;
    match &target {
        RunTarget::Standard => output::say(run.to_string().trim_end()),
        RunTarget::File(path) => {
            runs::write(path, &run)?;
            tell(global, path, &topics, &run)?;
        }
    }
    Ok(Exit::Done)
}

/// Where the run goes.
enum RunTarget {
    Standard,
    File(PathBuf),
}

fn target(args: &Args, root: Option<&Path>) -> anyhow::Result<RunTarget> {
    match (&args.output, root) {
        (Some(path), _) if path == Path::new("-") => Ok(RunTarget::Standard),
        (Some(path), _) => Ok(RunTarget::File(path.clone())),
        (None, Some(root)) => {
            let path = runs::path(&Judging::open(root)?.runs_dir(), &name(args)?);
            Ok(RunTarget::File(path.map_err(|error| Failure::usage(error.to_string()))?))
        }
        (None, None) => {
            Err(Failure::usage("there is no collection to keep the run in; name a file with -o")
                .into())
        }
    }
}

fn name(args: &Args) -> anyhow::Result<String> {
    if let Some(name) = &args.name {
        return Ok(name.clone());
    }
    let Some(address) = args.url.as_ref().or(args.opensearch.as_ref()) else {
        return Ok("own".to_owned());
    };
    // Where words are filled in, a URL may be none; its host stands before them.
    let plain = address.split('{').next().unwrap_or_default();
    Ok(opened::url(plain)?.host().replace(|c: char| !c.is_ascii_alphanumeric(), "-"))
}

fn topics(args: &Args, root: Option<&Path>) -> anyhow::Result<Vec<LabTopic>> {
    let topics = match (&args.topics, root) {
        (Some(path), _) => Topics::default().numbered(topics::from_file(path)?),
        (None, Some(root)) => Judging::open(root)?.topics.account().list().to_vec(),
        (None, None) => Vec::new(),
    };
    for topic in &topics {
        topic.check().map_err(Failure::usage)?;
    }
    match topics.is_empty() {
        true => Err(Failure::usage(
            "there are no information needs; add them with: fyke lab needs import FILE, or name a file with \
             --queries",
        )
        .into()),
        false => Ok(topics),
    }
}

async fn open(args: &Args, config: &Config, root: Option<&Path>) -> anyhow::Result<Engine> {
    let reading = args.id.as_ref().map(|id| AnswerReading::json(&args.items, id));
    if let (Some(address), Some(reading)) = (&args.url, &reading) {
        let template = AddressTemplate::parse(address).map_err(Failure::usage)?;
        let remote = Remote::by_template(config, template, reading.clone(), args.allowed).await?;
        return Ok(Engine::Remote(Box::new(remote)));
    }
    if let Some(address) = &args.opensearch {
        let url = opened::url(address)?;
        let remote = Remote::by_description(config, &url, reading, args.allowed).await?;
        return Ok(Engine::Remote(Box::new(remote)));
    }
    let Some(root) = root.filter(|root| fyke_store::index_dir(root).is_dir()) else {
        let what = "nothing is indexed here; fetch some pages with: fyke crawl, or name an engine \
                    with --url or --opensearch";
        return Err(Failure::usage(what).into());
    };
    let more = args.site.as_ref().map(|site| format!("site:{site}")).unwrap_or_default();
    Engine::own(root, config, more)
}

async fn ask(
    global: &Global,
    engine: &mut Engine,
    (topics, depth): (&[LabTopic], usize),
    run: &mut Run,
) -> anyhow::Result<()> {
    let mut progress = Progress::start(global.quiet, "asked", Some(topics.len() as u64));
    for (done, topic) in (1..).zip(topics) {
        let found = engine.ask(&topic.query, depth).await;
        let found = found.map_err(|error| error.context(format!("topic {}", topic.id)))?;
        engine::record(run, topic, &found);
        progress.at(done, "");
    }
    progress.finish();
    Ok(())
}

fn tell(global: &Global, path: &Path, topics: &[LabTopic], run: &Run) -> anyhow::Result<()> {
    let documents: usize = run.queries().map(|query| run.answers(query).len()).sum();
    let silent = topics.len() - run.queries().len();
    if global.json {
        return output::say_json(&serde_json::json!({
            "run": path, "name": run.tag, "topics": topics.len(), "documents": documents,
            "without_answer": silent,
        }));
    }
    let silent = match silent {
        0 => String::new(),
        silent => format!(", {silent} without an answer"),
    };
    let what = format!("{}: {documents} documents for {} topics", path.display(), topics.len());
    output::say(&format!("{what}{silent}"));
    Ok(())
}
