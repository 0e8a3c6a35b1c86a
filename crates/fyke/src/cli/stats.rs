//! `fyke stats`: the funnel of reasons, the hosts, the corpus.

use super::{Exit, Global, Opened, opened, output, summary};
use crate::show;
use crate::stages::{life, reasons};
use fyke_store::Reason;
use serde_json::json;
use std::collections::BTreeMap;

/// Figures of the collection: crawl, hosts or corpus
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke stats                   every URL seen, by the reason for what became of it
  fyke stats hosts             pages, bytes of each host; why it waits and until when
  fyke stats corpus            documents, words, languages, copies
  fyke stats --json | jq .reasons.kept")]
pub struct Args {
    #[arg(value_enum, default_value_t = What::Crawl)]
    what: What,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    /// Every URL seen, by reason
    Crawl,
    /// Every host asked
    Hosts,
    /// Documents, words, languages, copies
    Corpus,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let opened = opened::open(global)?;
    match args.what {
        What::Crawl => crawl(global, &opened)?,
        What::Hosts => hosts(global, &opened)?,
        What::Corpus => corpus(global, &opened)?,
    }
    Ok(Exit::Done)
}

fn crawl(global: &Global, opened: &Opened) -> anyhow::Result<()> {
    let counts = reasons::counts(&opened.collection)?;
    if global.json {
        let urls: u64 = counts.values().sum();
        return output::say_json(
            &json!({ "urls": urls, "reasons": summary::funnel_json(&counts) }),
        );
    }
    output::say(&summary::funnel(&counts));
    Ok(())
}

fn hosts(global: &Global, opened: &Opened) -> anyhow::Result<()> {
    let mut hosts = opened.collection.ledger.hosts().collect::<Result<Vec<_>, _>>()?;
    hosts.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(&b.0)));
    let now = show::now();
    if global.json {
        let rows: Vec<_> = hosts
            .iter()
            .map(|(name, host)| {
                let (why, until) = life::wait(host, now).unzip();
                json!({ "host": name, "pages": host.pages, "bytes": host.bytes,
                        "failures": host.failures, "waits": why.unwrap_or_default(),
                        "until": until })
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

fn corpus(global: &Global, opened: &Opened) -> anyhow::Result<()> {
    let (mut documents, mut words, mut bytes) = (0u64, 0u64, 0u64);
    let mut languages: BTreeMap<String, u64> = BTreeMap::new();
    for document in opened.collection.documents.all() {
        let document = document?;
        documents += 1;
        words += u64::from(document.words);
        bytes += document.text.len() as u64;
        *languages.entry(document.language).or_default() += 1;
    }
    let counts = reasons::counts(&opened.collection)?;
    let of = |reason: Reason| counts.get(&reason).copied().unwrap_or(0);
    let (exact, near, thin) = (of(Reason::DupExact), of(Reason::DupNear), of(Reason::Thin));
    if global.json {
        return output::say_json(&json!({
            "documents": documents, "words": words, "text_bytes": bytes,
            "exact_copies": exact, "near_copies": near, "thin": thin, "languages": languages,
        }));
    }
    let row = |name: &str, value: String| vec![name.to_string(), value];
    let mut rows = vec![
        row("documents", show::count(documents)),
        row("words", show::count(words)),
        row("text", show::size(bytes)),
        row("exact copies", show::count(exact)),
        row("near copies", show::count(near)),
        row("thin", show::count(thin)),
    ];
    let mut languages: Vec<_> = languages.into_iter().collect();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let lines = languages.into_iter().map(|(code, n)| row(&format!("in {code}"), show::count(n)));
    rows.extend(lines);
    output::say(&output::table(&rows));
    Ok(())
}
