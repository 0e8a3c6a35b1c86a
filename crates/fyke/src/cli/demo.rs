//! `fyke demo`: the tour.

use super::pond::PondShape;
use super::{Exit, Failure, Global, OpenedCollection, crawl, opened, output, pond, serve, stop};
use crate::demo::{self, PapersScorecard, Scorecard};
use anyhow::Context;
use fyke_crawl::{Control, Stopped, Summary};
use fyke_pond::Truth;
use fyke_pond::server::Running;
use fyke_site::Service;
use fyke_stages::Made;
use fyke_stages::config::Config;
use fyke_stages::memory;
use fyke_stages::search;
use fyke_stages::show;
use fyke_store::Collection;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio::net::TcpListener;

/// Take a tour offline: crawl a generated web, index it, score the result, serve it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke demo                            open the address that it prints
  fyke demo --no-serve --json          only the scorecard, as one JSON object
  fyke demo --papers                   departments with papers, which are looked for and read
  fyke demo --dir /tmp/tour            keep the collection; use it with -C /tmp/tour

Nothing leaves this machine. The same seed gives the same figures, except for times.")]
pub(super) struct Args {
    #[command(flatten)]
    shape: PondShape,
    /// Stop after the scorecard
    #[arg(long)]
    no_serve: bool,
    /// Create the collection in this folder and keep it [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Port of the search site on loopback; 0 takes a free one [default: that of serve.bind]
    #[arg(long)]
    port: Option<u16>,
    /// Maximum number of pages to fetch
    #[arg(long, value_name = "N", default_value_t = 4000)]
    budget: u64,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let dir = args.dir.clone().unwrap_or_else(|| temporary.path().join("pond"));
    let pond = Arc::new(args.shape.pond()?);
    tokio::runtime::Runtime::new()?.block_on(async {
        let started = Instant::now();
        let running = pond::start(&pond, 0, demo::JUDGED_GAP_MS).await?;
        let toml = demo::settings(&pond, &running, args.budget);
        let config = settings(global, args, &toml, temporary.path())?;
        let listener = match args.no_serve {
            true => None,
            false => Some(listen(config.serve.bind).await?),
        };
        let opened = OpenedCollection { config, collection: collection(&toml, &dir)? };
        let hosts = running.addresses.len();
        output::note(
            global.quiet,
            &format!("a pond of {hosts} hosts; its collection: {}", dir.display()),
        );
        let stop = Control::new();
        let listening = stop::on_interrupt(stop.clone());
        let done = catch(global, &opened, stop).await?;
        if done.stopped == Stopped::Stopped {
            return Ok(Exit::Stopped);
        }
        let OpenedCollection { config, collection } = &opened;
        let made = crawl::finish(global, config, collection, &mut |_| ())?;
        complaints(global, &running);
        let truth = pond.truth();
        if args.shape.papers {
            let card = score_papers(args, &opened, &truth, &running, (&done, &made))?;
            say_papers(
                global,
                &PapersScorecard { seconds: started.elapsed().as_secs_f64(), ..card },
            )?;
        } else {
            let card = score(args, &opened, &truth, &running, (&done, &made))?;
            demo::write_judgements(opened.collection.root(), &truth, show::now())?;
            say(global, &Scorecard { seconds: started.elapsed().as_secs_f64(), ..card })?;
        }
        listening.abort();
        if let Some(listener) = listener {
            let OpenedCollection { config, collection } = opened;
            let index = search::index(collection.root(), &config)?;
            let site = Service::of_writer(&config, &Arc::new(collection), index, None)?;
            serve::site(global, site, listener).await?;
        }
        Ok(Exit::Done)
    })
}

/// The settings in force, read from a spare folder: nothing is made before they are known good.
fn settings(global: &Global, args: &Args, toml: &str, spare: &Path) -> anyhow::Result<Config> {
    write(&spare.join("fyke.toml"), toml)?;
    let mut config = opened::settings(global, Some(spare))?.config;
    if let Some(port) = args.port {
        config.serve.bind = SocketAddr::from(([127, 0, 0, 1], port));
    }
    Ok(config)
}

/// Takes the site's address before the long work, not after it.
async fn listen(bind: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(bind).await.map_err(|error| pond::taken(bind, &error))
}

/// Makes the collection and opens it.
fn collection(toml: &str, dir: &Path) -> anyhow::Result<Collection> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let path = dir.join("fyke.toml");
    if path.exists() {
        let message = format!("{} exists already; the tour needs a new folder", path.display());
        return Err(Failure::usage(message).into());
    }
    write(&path, toml)?;
    Ok(Collection::open(dir)?)
}

fn write(path: &Path, toml: &str) -> anyhow::Result<()> {
    std::fs::write(path, toml).with_context(|| format!("cannot write {}", path.display()))
}

async fn catch(
    global: &Global,
    opened: &OpenedCollection,
    stop: Control,
) -> anyhow::Result<Summary> {
    let options = demo::hurried(fyke_stages::crawl_options(&opened.config)?);
    crawl::with_progress(global, &opened.collection, &options, stop, &mut |_| ()).await
}

/// Says of which hosts the judge complains, and of what.
fn complaints(global: &Global, running: &Running) {
    for (host, seen) in running.judge.stats().hosts {
        if seen.politeness_violations > 0 {
            let (gap, wanted) = (seen.smallest_gap_ms.unwrap_or(0.0), seen.required_gap_ms);
            let complaint = format!(
                "impolite to {host}: {} gaps too short (smallest {gap:.1} of {wanted} ms), \
                 {} in flight together, {} within Retry-After, {} disallowed",
                seen.gap_violations,
                seen.in_flight_violations,
                seen.retry_after_violations,
                seen.disallowed_fetches
            );
            output::note(global.quiet, &complaint);
        }
    }
}

fn score(
    args: &Args,
    opened: &OpenedCollection,
    truth: &Truth,
    running: &Running,
    (done, made): (&Summary, &Made),
) -> anyhow::Result<Scorecard> {
    let near = opened.config.corpus.near_duplicate;
    let found = demo::compare(&opened.collection, truth, near)?;
    let judged = running.judge.stats();
    let sum = judged.sum;
    Ok(Scorecard {
        seed: args.shape.seed,
        hosts: running.addresses.len(),
        pages_fetched: done.budget_pages_used,
        pages_unique: sum.unique_pages,
        budget_pages: opened.config.budget.pages,
        politeness_violations: judged.politeness_violations,
        disallowed_fetches: sum.disallowed_fetches,
        retry_after_violations: sum.retry_after_violations,
        max_in_flight_per_host: sum.max_in_flight,
        trap_fetches: sum.trap_fetches,
        good_pages_refused: found.good_refused,
        requests_per_document: sum.requests as f64 / made.documents.max(1) as f64,
        nofollow_fetches: sum.nofollow_fetches,
        documents: made.documents,
        indexed: made.indexed,
        relevant_found: found.relevant.found,
        relevant_total: found.relevant.all,
        twins_found: found.twins.found,
        twins_total: found.twins.all,
        languages_right: found.languages.found,
        languages_total: found.languages.all,
        queries: found.queries,
        ndcg_at_10: found.ndcg_at_10,
        map: found.map,
        judges_kappa: found.judges_kappa,
        seconds: 0.0,
        peak_rss_bytes: memory::peak_rss(),
    })
}

/// The same of papers, each read by what reads papers in a collection.
fn score_papers(
    args: &Args,
    opened: &OpenedCollection,
    truth: &Truth,
    running: &Running,
    (done, made): (&Summary, &Made),
) -> anyhow::Result<PapersScorecard> {
    let found = demo::compare_papers(&opened.collection, &truth.papers)?;
    let cited = found.scores.citations();
    Ok(PapersScorecard {
        seed: args.shape.seed,
        hosts: running.addresses.len(),
        pages_fetched: done.budget_pages_used,
        budget_pages: opened.config.budget.pages,
        politeness_violations: running.judge.stats().politeness_violations,
        documents: made.documents,
        indexed: made.indexed,
        papers_found: found.papers.found,
        papers_total: found.papers.all,
        fetches_for_half: found.fetches_for_half,
        header_words_right: found.scores.header.recall(),
        references_split_f1: found.scores.split.f1(),
        citing_sentences_f1: found.scores.contexts.f1(),
        references_matched_f1: cited.matched.f1(),
        most_cited_agreement: cited.most_cited,
        citations_f1: found.citations.f1(),
        listed_most_cited: found.listed_most_cited,
        seconds: 0.0,
        peak_rss_bytes: memory::peak_rss(),
    })
}

fn say_papers(global: &Global, card: &PapersScorecard) -> anyhow::Result<()> {
    if global.json {
        return output::say_json(card);
    }
    output::say(&demo::show_papers(card));
    Ok(())
}

fn say(global: &Global, card: &Scorecard) -> anyhow::Result<()> {
    if global.json {
        return output::say_json(card);
    }
    output::say(&demo::show(card));
    Ok(())
}
