//! `fyke stats`: the funnel of reasons, the hosts, the corpus, the derivations, its phrases, the graph of links, sizes estimated, Zipf's law.

mod derivations;
mod freshness;
mod graph;
mod harvest;
mod phrases;
mod size;
mod zipf;

use super::{Exit, Failure, Global, Viewed, opened, output, summary};
use fyke_stages::corpus::{self as corpora, CorpusPart};
use fyke_stages::{life, pushes, reasons};
use fyke_stages::{moments, show};
use serde_json::json;

/// Show figures of the collection: URLs, hosts, corpus, derivations, links and others
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke stats                   every URL seen, by reason
  fyke stats hosts             pages and bytes of each host; why it waits and how long
  fyke stats corpus            documents, words, languages, copies, licences; Zipf and Heaps
  fyke stats corpus --json | jq .laws.heaps
  fyke stats derivations       state, rows, bytes and CPU time of each derivation
  fyke stats freshness         how old the copies are, what is due, what more requests would bring
  fyke stats harvest           yield of a focused crawl, and an estimate of what is left
  fyke stats phrases           the most frequent phrases (nouns in English, else n-grams)
  fyke stats graph             links between documents, best ranks, authorities and hubs
  fyke stats graph tidal power the same for the results of a query and their neighbours
  fyke stats size tidal power  documents with both words: three estimates and the count
  fyke stats zipf              Zipf's law for words, for bigrams, and for both in one list
  fyke stats --json | jq .reasons.kept")]
pub(super) struct Args {
    /// Which figures
    #[arg(value_enum, default_value_t = StatsCommand::Crawl)]
    what: StatsCommand,
    /// A query (with graph) or words (with size)
    words: Vec<String>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum StatsCommand {
    /// Every URL seen, by reason
    Crawl,
    /// Hosts: pages, bytes, failures, waiting time
    Hosts,
    /// Documents, words, languages, copies, licences; Zipf's and Heaps' laws
    Corpus,
    /// Derivations: state, rows, bytes, CPU time
    Derivations,
    /// Age of the copies, rates of change, what is due, and what more requests would bring
    Freshness,
    /// Yield of a focused crawl, compared with breadth-first, and an estimate of what is left
    Harvest,
    /// The most frequent phrases
    Phrases,
    /// Links between documents; with a query, only around its results
    Graph,
    /// Number of documents with all given words, estimated and counted
    Size,
    /// Zipf's law for words, for bigrams, and for both in one list
    Zipf,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let takes_words = matches!(args.what, StatsCommand::Graph | StatsCommand::Size);
    if let Some(word) = args.words.first().filter(|_| !takes_words) {
        let message = format!("{word:?} means nothing here; only graph and size take words");
        return Err(Failure::usage(message).into());
    }
    let opened = opened::show(global)?;
    match args.what {
        StatsCommand::Crawl => crawl(global, &opened)?,
        StatsCommand::Hosts => hosts(global, &opened)?,
        StatsCommand::Corpus => corpus(global, &opened)?,
        StatsCommand::Derivations => derivations::run(global, &opened)?,
        StatsCommand::Freshness => freshness::run(global, &opened)?,
        StatsCommand::Harvest => harvest::run(global, &opened)?,
        StatsCommand::Phrases => phrases::run(global, &opened)?,
        StatsCommand::Graph => graph::graph(global, &opened, &args.words)?,
        StatsCommand::Size => size::size(global, &opened, &args.words)?,
        StatsCommand::Zipf => zipf::run(global, &opened)?,
    }
    Ok(Exit::Done)
}

fn crawl(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let counts = reasons::counts(&opened.collection)?;
    let hubs = pushes::tally(opened.collection.root(), show::now())?;
    if global.json {
        let urls: u64 = counts.values().sum();
        let reasons = summary::funnel_json(&counts);
        return output::say_json(&json!({ "urls": urls, "reasons": reasons, "hubs": hubs }));
    }
    output::say(&summary::funnel(&counts));
    if let Some(hubs) = hubs {
        output::say(&hubs.tell());
    }
    Ok(())
}

fn hosts(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let mut hosts = opened.collection.ledger.hosts().collect::<Result<Vec<_>, _>>()?;
    hosts.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(&b.0)));
    for (host, row) in &mut hosts {
        *row = opened.collection.ledger.with_sides(host, std::mem::take(row))?;
    }
    let now = show::now();
    if global.json {
        let rows: Vec<_> = hosts
            .iter()
            .map(|(name, host)| {
                let (why, until) = life::wait(host, now).unzip();
                json!({ "host": name, "pages": host.pages, "bytes": host.bytes,
                        "failures": host.failures, "waits": why.unwrap_or_default(),
                        "until": until.and_then(moments::iso) })
            })
            .collect();
        return output::say_json(&rows);
    }
    let head = ["host", "pages", "bytes", "failures", "waits", "until"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(hosts.into_iter().map(|(name, host)| {
        let (pages, bytes) = (show::count(host.pages), show::size(host.bytes));
        let (why, until) = life::wait(&host, now).unzip();
        let until = until.map_or_else(String::new, |until| {
            format!("{} (in {})", show::moment(until), show::span(until - now))
        });
        let why = output::tame(why.unwrap_or_default());
        vec![name, pages, bytes, host.failures.to_string(), why, until]
    }));
    output::say(&output::table_with_head(&rows));
    Ok(())
}

fn corpus(global: &Global, opened: &Viewed) -> anyhow::Result<()> {
    let Viewed { collection, config, .. } = opened;
    let measured = summary::with_progress(global, |observe| {
        corpora::current(collection, &config.corpus, observe)
    })?;
    let counts = reasons::counts(collection)?;
    if global.json {
        return output::say_json(&corpora::json(&measured, &counts)?);
    }
    let row = |name: &str, value: String| vec![name.to_string(), value];
    let about = if measured.vocabulary.is_exact { "" } else { "about " };
    let mut rows = vec![
        row("documents", show::count(measured.documents)),
        row("kept", show::count(measured.kept)),
        row("words", show::count(measured.words)),
        row("text", show::size(measured.text_bytes)),
        row("distinct words", format!("{about}{}", show::count(measured.vocabulary.size))),
        row("words that occur once", format!("{about}{}", show::count(measured.vocabulary.once))),
        row("hosts", show::count(measured.hosts_total)),
    ];
    for (name, reason) in corpora::LEFT_OUT {
        let count = counts.get(reason).copied().unwrap_or(0);
        rows.push(row(&name.replace('_', " "), show::count(count)));
    }
    rows.extend(parts("in", &measured.languages));
    rows.extend(parts("sent as", &measured.media_types));
    rows.extend(parts("licence", &measured.licences));
    rows.extend(parts("opt-out", &measured.opt_outs));
    output::say(&output::table(&rows));
    let laws = measured.laws().into_iter().map(|(name, law)| format!("{name}: {law}"));
    laws.for_each(|line| output::say(&line));
    Ok(())
}

fn parts<'a>(what: &'a str, parts: &'a [CorpusPart]) -> impl Iterator<Item = Vec<String>> + 'a {
    let row = move |part: &CorpusPart| {
        vec![format!("{what} {}", output::tame(&part.name)), show::count(part.documents)]
    };
    parts.iter().map(row)
}
