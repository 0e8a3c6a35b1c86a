//! `fyke collect`: a corpus of a small language from a few words, by queries that are learnt (004).

mod live;
mod sample;
mod seeds;

use super::dashboard::Dashboard;
use super::{Exit, Failure, Global, crawl, new, opened, output, stop, summary};
use fyke_crawl::Control;
use fyke_lab::collect::{
    self, CollectEnd, CollectJob, CollectLimits, CollectLog, CollectNow, CollectStart,
};
use fyke_lab::engine::{AnswerStore, EngineAddress, EngineTrouble, KnownEngine};
use fyke_site::Live;
use fyke_stages::config::{Config, names_loopback, parse_address};
use fyke_stages::{reasons, show};
use fyke_store::{Collection, Reason};
use live::LiveTable;
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Collect a corpus of a language by queries to a search engine; run it again to continue
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke -C slovene collect --lang sl --from searxng:http://127.0.0.1:8888 --wanted 2000 \\
      --words 'da pa in je bi si bo se ki kakor' --contact mailto:me@example.org
  fyke collect                                in its folder: continue; nothing is asked for twice
  fyke -C slovene collect --serve             continue, with the curves at /collect of a site
  fyke -C slovene collect --crawl-hosts 200   then crawl the hosts where most was found
  fyke -C slovene collect --again --words 'lahko tudi brez kjer'   a second run, to tell how much
                                              there is
  fyke -C frisian collect --lang fry --documents letter.txt --from ../crawled
                                              the index of another collection
  fyke -C x collect --lang sl --from 'https://search.example/?q={query}&p={page}' --select '.hit a'

--from is the folder of a collection, searxng:URL, a URL template with {query} (and {depth},
{start}, {page}), or the URL of an OpenSearch description or of a page that names one. Answers may
be JSON, Atom, RSS, or HTML with --select. The engine and the hosts of the hits are asked politely:
one request at a time, with a gap, as robots.txt allows. At the start a few queries find out whether
the engine obeys + and -. Words with a minus, as in --words 'in je -the -of', are words of other
languages. With --subject only pages about the subject count; its words are asked for, too.

How good is the filter? Judge a sample:
  fyke -C slovene collect --sample 100 > sample.tsv      put yes or no in place of each ?, then:
  fyke -C slovene collect --judged sample.tsv

With --json one line for each step. Exit code 3: it can be continued; 4: no hit ever came.")]
pub(super) struct Args {
    /// Code of the language, for example sl or fry; one that fyke language does not know is learnt
    #[arg(long, value_name = "CODE")]
    lang: Option<String>,
    /// The search engine
    #[arg(long, value_name = "ENGINE")]
    from: Option<String>,
    /// Words of the language to begin with [default: a stop list, if there is one]
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    words: Vec<String>,
    /// Files with texts of the language to begin with
    #[arg(long, value_name = "FILE", num_args = 1..)]
    documents: Vec<PathBuf>,
    /// Keywords of a subject, separated by commas, for a collection that is made
    #[arg(long, alias = "topic", value_name = "WORDS", value_delimiter = ',')]
    subject: Vec<String>,
    /// Files with texts of other languages, above all of similar ones [default: English words]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    others: Vec<PathBuf>,
    /// Stop at so many documents in the language
    #[arg(long, value_name = "N")]
    wanted: Option<u64>,
    /// Maximum number of queries to send in this run
    #[arg(long, value_name = "N")]
    queries: Option<u64>,
    /// Hits to ask for with each query [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    hits: Option<u16>,
    /// Hits of a query to fetch at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100))]
    ahead: u16,
    /// What chooses the queries: bandit, a learner of CorpusBuilder (LTMII, ...), or a fixed way (OR-3)
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,
    /// Leave a query after N wrong hits in a row; 0: look at one hit of a query at a time [default: 1]
    #[arg(long, value_name = "N")]
    batch: Option<u32>,
    /// When queries bring no more, crawl the hosts where they found most, up to N pages each
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    crawl_hosts: Option<u64>,
    /// Begin another run that knows nothing of the ones before
    #[arg(long)]
    again: bool,
    /// Maximum number of queries in 24 hours, over all runs
    #[arg(long, value_name = "N")]
    quota: Option<u64>,
    /// JSON pointer to the list of results
    #[arg(long, value_name = "POINTER")]
    items: Option<String>,
    /// JSON pointer to the URL in each result
    #[arg(long, value_name = "POINTER")]
    id: Option<String>,
    /// CSS selectors of the results in HTML
    #[arg(long, value_name = "SELECTORS", conflicts_with_all = ["items", "id"])]
    select: Option<String>,
    /// Ignore the engine's robots.txt: it is yours, or you have permission
    #[arg(long)]
    allowed: bool,
    /// Print a random sample of the documents found, to be judged, one line each
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100")]
    sample: Option<u16>,
    /// Read the sample back, with yes or no in each line; the filter learns from it
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    judged: Option<PathBuf>,
    /// Serve the site while collecting, with /collect [default address: serve.bind]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, value_parser = parse_address)]
    serve: Option<Option<SocketAddr>>,
    /// Where site owners can reach you, for a collection that is made
    #[arg(long, value_name = "URL", default_value = "")]
    contact: String,
}

/// Hits of a query.
const DEPTH: usize = 10;

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    if let Some(documents) = args.sample {
        return sample::print(global, usize::from(documents));
    }
    if let Some(path) = &args.judged {
        return sample::take(global, path);
    }
    let root = root(global, args)?;
    let config = opened::settings(global, Some(&root))?.config;
    let collection = Arc::new(fyke_stages::open(&root, &config)?);
    collection.captures.set_operator(&config.collection.contact);
    let mut log = CollectLog::open(&root)?;
    let start = start(args, &config, &log)?;
    let stop = Control::new();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async { drop(stop::on_interrupt(stop.clone())) });
    let job = runtime.block_on(job(args, &config, (&collection, start), stop.clone()))?;
    let live = Arc::new(Live::new(stop.clone()));
    let dashboard = match args.serve {
        None => None,
        Some(bind) => {
            let bind = bind.unwrap_or(config.serve.bind);
            let start = Dashboard::start(global, &config, bind, &collection, &live);
            let dashboard = runtime.block_on(start)?;
            let address = dashboard.address;
            output::note(global.quiet, &format!("the run is shown at http://{address}/collect"));
            Some(dashboard)
        }
    };
    let mut table = LiveTable::start(global, args.wanted);
    let (under_way, over) = mpsc::channel();
    let done = std::thread::scope(|scope| {
        scope.spawn(|| fyke_stages::keep_fresh(&collection, &config, &{ over }));
        let done = collect::collect(job, &mut log, &mut |event, now| table.step(event, now));
        drop(under_way);
        done
    });
    // The stages that follow may be cut anywhere, so a signal there ends the process.
    stop.stop();
    table.finish();
    let (end, now) = done?;
    let made = crawl::finish(global, &config, &collection, &mut |step| live.making(step));
    if let Some(dashboard) = dashboard {
        runtime.block_on(dashboard.end());
    }
    let made = made?;
    if global.json {
        let line = json!({ "event": "end", "end": end.words(), "now": now, "made": made });
        output::say(&line.to_string());
    } else {
        output::say(&live::report(&now));
        let kept = reasons::counts(&collection)?.get(&Reason::Kept).copied().unwrap_or(0);
        let kept = show::count(kept);
        output::say(&format!(
            "{}; {kept} in the corpus: the others are copies, short, off the subject, or in other \
                              languages",
            summary::made(&made)
        ));
    }
    exit(global, &end, &now)
}

/// The collection's folder; one that is named and is none yet becomes one.
fn root(global: &Global, args: &Args) -> anyhow::Result<PathBuf> {
    if let Some(dir) = global.dir.as_ref().filter(|dir| !dir.join("fyke.toml").is_file()) {
        if args.lang.is_none() || args.from.is_none() {
            let what = "a new collection needs --lang and --from; fyke collect --help has examples";
            return Err(Failure::usage(what).into());
        }
        new::make_bare(dir, &args.contact, &args.subject)?;
        output::note(global.quiet, &format!("made {}", dir.join("fyke.toml").display()));
    } else if !args.subject.is_empty() {
        let what = "--subject is for a collection that is made; of this one set scope.mode = \"focused\" and \
                    [focus] keywords in fyke.toml";
        return Err(Failure::usage(what).into());
    }
    opened::find(global)
}

/// How the run begins: as it began, when it goes on.
fn start(args: &Args, config: &Config, log: &CollectLog) -> anyhow::Result<CollectStart> {
    let last = log.last_start().filter(|_| !args.again);
    let is_begun_anew = !args.words.is_empty() || !args.documents.is_empty();
    if let Some(last) = last {
        let is_same = |given: &Option<String>, was: &str| given.as_ref().is_none_or(|g| g == was);
        let from = args
            .from
            .as_ref()
            .map(|from| EngineAddress { from: from.clone(), ..EngineAddress::default() });
        let from = from.map(|address| address.name());
        if is_same(&args.lang, &last.lang)
            && is_same(&args.learner, &last.learner)
            && is_same(&from, &last.engine)
            && (args.batch.is_none() || args.batch == last.batch)
            && args.hits.is_none_or(|hits| usize::from(hits) == last.depth)
            && (!is_begun_anew || seeds::texts(args, config, &last.lang)? == last.texts)
        {
            // What is asked of the engine otherwise holds for the rest of the run, too.
            return Ok(CollectStart { address: address(args, &last.address), ..last.clone() });
        }
        return Err(Failure::usage(
            "the run in this folder began in another way (language, engine, learner, words or \
             documents); without options it continues, with --again another run begins",
        )
        .into());
    }
    let before = log.last_start();
    let lang = args.lang.clone().or_else(|| before.map(|start| start.lang.clone()));
    let lang = lang.ok_or_else(|| Failure::usage("which language? give its code with --lang"))?;
    let texts = seeds::texts(args, config, &lang)?;
    let run = before.map_or(1, |start| start.run + 1);
    let before_address = before.map(|start| start.address.clone()).unwrap_or_default();
    let address = address(args, &before_address);
    if address.from.is_empty() {
        return Err(Failure::usage("which search engine? name it with --from").into());
    }
    Ok(CollectStart {
        run,
        others: seeds::others(args, &lang)?,
        lang,
        engine: address.name(),
        address,
        depth: args.hits.map_or(DEPTH, usize::from),
        learner: args.learner.clone().unwrap_or_else(|| "bandit".to_owned()),
        batch: args.batch,
        seed: u64::from(run),
        texts,
        time: show::now(),
    })
}

/// The engine as it is named now; what is not said holds as it was said before of the same one.
fn address(args: &Args, before: &EngineAddress) -> EngineAddress {
    let from = args.from.clone().unwrap_or_else(|| before.from.clone());
    // The whole path of a folder, wherever the next run is started.
    let from = EngineAddress { from, ..EngineAddress::default() }.name();
    let before = if from == before.from { before.clone() } else { EngineAddress::default() };
    EngineAddress {
        from,
        items: args.items.clone().or(before.items),
        id: args.id.clone().or(before.id),
        select: args.select.clone().or(before.select),
        allowed: args.allowed || before.allowed,
    }
}

async fn job<'a>(
    args: &Args,
    config: &Config,
    (collection, start): (&'a Collection, CollectStart),
    stop: Control,
) -> anyhow::Result<CollectJob<'a>> {
    let address = start.address.clone();
    let url = address.url().map_err(|error| Failure::usage(format!("--from {error:#}")))?;
    let crawl = fyke_stages::hit_options(config, url.as_ref())?;
    let engine = address.open(config).await.map_err(unreachable_engine)?;
    let answers = AnswerStore::open(&collect::folder(collection.root()).join("answers.jsonl"))?;
    let name = start.engine.clone();
    let limits = CollectLimits {
        wanted: args.wanted,
        queries: args.queries,
        depth: start.depth,
        ahead: usize::from(args.ahead),
        host_pages: args.crawl_hosts,
        patience: Duration::from_secs(60),
    };
    let engine = KnownEngine { engine, name, answers, quota: args.quota };
    let engine_host = url.filter(|url| !names_loopback(url)).map(|url| url.authority().to_owned());
    Ok(CollectJob { collection, engine, engine_host, crawl, start, limits, stop })
}

/// An engine that cannot be asked at all gives nothing.
fn unreachable_engine(error: anyhow::Error) -> anyhow::Error {
    match EngineTrouble::of(&error) {
        Some(EngineTrouble::Dead(_) | EngineTrouble::Forbidden(_)) => {
            let message = format!("the search engine cannot be asked: {error:#}");
            Failure { exit: Exit::NothingFetched, message }.into()
        }
        _ => error,
    }
}

fn exit(global: &Global, end: &CollectEnd, now: &CollectNow) -> anyhow::Result<Exit> {
    let nothing = |what: String| {
        let advice = "; try other words (common ones of the language), look at what the engine answers \
                      in a browser, and name its results with --items and --id or --select";
        let message = format!("{what}{advice}");
        Err(Failure { exit: Exit::NothingFetched, message }.into())
    };
    match end {
        CollectEnd::NoHits => nothing("no hit ever came".to_owned()),
        CollectEnd::Engine(trouble) if now.documents == 0 && !trouble.passes() => {
            nothing(trouble.to_string())
        }
        CollectEnd::Wanted | CollectEnd::Fallen | CollectEnd::Stuck => Ok(Exit::Done),
        CollectEnd::Engine(_) | CollectEnd::Queries | CollectEnd::Stopped | CollectEnd::Budget => {
            let note = format!("{}; run the same command again to continue", end.words());
            output::note(global.quiet, &note);
            Ok(Exit::Stopped)
        }
    }
}
