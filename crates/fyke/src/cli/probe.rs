//! `fyke probe`: what fyke makes of one URL, without storing anything.

use super::{Exit, Global, opened, output};
use crate::stages;
use fyke_crawl::{Probe, probe};
use fyke_store::Reason;
use serde_json::{Value, json};

/// Characters of the text that are shown.
const EXCERPT: usize = 400;
/// Links that are shown.
const LINKS: usize = 10;

/// Dry run of one URL: robots, redirects, charset, text, language, links
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke probe https://tides.example/ --set collection.contact=mailto:me@example.org
  fyke -C tides probe https://tides.example/about      with the collection's settings
  fyke probe --json tides.example | jq .links

Needs no collection and stores nothing. Exit code 4 when the page could not be had.")]
pub struct Args {
    /// The URL, as you would type it into a browser
    url: String,
}

pub fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let url = opened::url(&args.url)?;
    let root = opened::find_if_any(global)?;
    let config = opened::settings(global, root.as_deref())?.config;
    let options = stages::fetch_options(&config, std::slice::from_ref(&url))?;
    let mut found = tokio::runtime::Runtime::new()?.block_on(probe(&url, &options));
    if let (Reason::Kept, Some(document)) = (found.reason, &found.document) {
        found.reason = stages::alone(&config, document).unwrap_or(Reason::Kept);
    }
    if global.json {
        output::say_json(&as_json(&found))?;
    } else {
        output::say(&tell(&found));
    }
    let had = found.capture.as_ref().is_some_and(|capture| capture.status == 200);
    Ok(if had { Exit::Done } else { Exit::NothingFetched })
}

fn as_json(found: &Probe) -> Value {
    let hops: Vec<_> = found
        .hops
        .iter()
        .map(|(url, status)| json!({ "url": url.as_str(), "status": status }))
        .collect();
    let page = found.page.as_ref();
    let links: Vec<_> = page
        .into_iter()
        .flat_map(|page| &page.links)
        .map(|l| json!({ "url": l.url.as_str(), "anchor": l.anchor, "nofollow": l.nofollow }))
        .collect();
    json!({
        "reason": found.reason.name(),
        "detail": found.detail,
        "hops": hops,
        "robots": found.robots.as_ref().map(|verdict| {
            json!({ "allowed": verdict.allowed, "rule": verdict.rule, "line": verdict.line })
        }),
        "address": found.address.as_ref().map(|address| address.key.to_string()),
        "charset": page.map(|page| page.charset),
        "canonical": page.and_then(|page| page.canonical.as_ref()).map(fyke_web::Url::as_str),
        "noindex": page.map(|page| page.noindex),
        "nofollow": page.map(|page| page.nofollow),
        "title": page.map(|page| &page.title),
        "language": found.document.as_ref().map(|document| &document.language),
        "words": found.document.as_ref().map(|document| document.words),
        "text": found.document.as_ref().map(|document| &document.text),
        "links": links,
        "seconds": found.elapsed.as_secs_f64(),
    })
}

fn tell(found: &Probe) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), output::tame(&text)]);
    for (at, (url, status)) in found.hops.iter().enumerate() {
        row(if at == 0 { "asked for" } else { "leads to" }, format!("{} ({status})", url.as_str()));
    }
    let detail = if found.detail.is_empty() { found.reason.explain() } else { &found.detail };
    row("verdict", format!("{}: {detail}", found.reason.name()));
    row("robots.txt", robots(found));
    if let Some(address) = &found.address {
        row("address", address.key.to_string());
    }
    if let Some(page) = &found.page {
        row("charset", page.charset.to_string());
        row("title", page.title.clone());
        if let Some(canonical) = &page.canonical {
            row("canonical", canonical.as_str().to_string());
        }
        row("links", page.links.len().to_string());
        for link in page.links.iter().take(LINKS) {
            row("", format!("{}  {}", link.url.as_str(), link.anchor));
        }
    }
    if let Some(document) = &found.document {
        row("language", document.language.clone());
        row("text", format!("{} words", document.words));
        row("", document.text.chars().take(EXCERPT).collect());
    }
    row("time", format!("{:.2} s", found.elapsed.as_secs_f64()));
    output::table(&rows)
}

fn robots(found: &Probe) -> String {
    match &found.robots {
        None if found.reason == Reason::RobotsUnreachable => "could not be had".to_string(),
        None => "not asked for".to_string(),
        Some(verdict) => {
            let word = if verdict.allowed { "allowed" } else { "disallowed" };
            match (&verdict.rule, verdict.line) {
                (Some(rule), Some(line)) => format!("{word} by line {line}: {rule}"),
                _ => format!("{word}: no rule matches"),
            }
        }
    }
}
