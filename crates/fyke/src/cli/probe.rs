//! `fyke probe`: what fyke makes of one URL, without storing anything.

use super::{Exit, Failure, Global, opened, output};
use anyhow::Context as _;
use fyke_crawl::{ProbeWay, probe};
use fyke_derive::{ReadLimits, derive_ruled, read_within};
use fyke_formats::parse;
use fyke_lab::plot;
use fyke_stages::config::Config;
use fyke_store::{Collection, Reason};
use fyke_web::extract::Extracted;
use fyke_web::page::Format;
use fyke_web::{
    Capture, Document, Genre, Page, REFINERS, Refiner, Url, blocks, genre, refine_ruled,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Characters of the text that are shown.
const EXCERPT: usize = 400;
/// Links that are shown.
const LINKS: usize = 10;

/// Fetch one URL without storing it: show robots.txt, redirects, text, language, links
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke probe https://tides.example/ --set collection.contact=mailto:me@example.org
  fyke -C tides probe https://tides.example/about      with the collection's settings
  fyke probe --json tides.example | jq .links
  fyke probe tides.example --refine slope              another method to find the main text
  fyke probe tides.example --plot slope.svg            draw the curve with the main text marked

Methods to find the main text: blocks (the default), slope, window, dom, whole.
Needs no collection. Exit code 4 if the page could not be fetched.")]
pub(super) struct Args {
    /// The URL, as you would type it into a browser
    url: String,
    /// Method to find the main text [default: blocks]
    #[arg(long, value_name = "NAME", value_parser = refiner)]
    refine: Option<&'static Refiner>,
    /// Draw the document slope curve into this file [default: slope.svg]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "slope.svg")]
    plot: Option<PathBuf>,
}

fn refiner(name: &str) -> Result<&'static Refiner, String> {
    let names = || REFINERS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let found = REFINERS.iter().find(|row| row.name == name);
    found.ok_or_else(|| format!("unknown method; known: {}", names()))
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let url = opened::url(&args.url)?;
    let root = opened::find_if_any(global)?;
    let config = opened::settings(global, root.as_deref())?.config;
    let options = fyke_stages::fetch_options(&config, std::slice::from_ref(&url))?;
    let scope = root.as_deref().and_then(|root| scope_rule(root, &config, &url));
    let probe = tokio::runtime::Runtime::new()?.block_on(probe(&url, &options));
    let had = probe.end.as_ref().is_ok_and(Capture::has_content);
    let seconds = probe.elapsed.as_secs_f64();
    let copy = probe.rendered.as_ref().and_then(|rendered| rendered.copy.clone());
    let end = copy.map_or(probe.end, Ok);
    let mut found = match &end {
        Ok(capture) => ProbedPage::of(probe.way, seconds, capture, &config),
        Err(failed) => {
            let (reason, detail) = (failed.reason, failed.detail.clone());
            let (page, document, scope, rule, scripts) = (None, None, None, None, None);
            let way = probe.way;
            ProbedPage { way, seconds, reason, detail, scope, rule, scripts, page, document }
        }
    };
    found.scope = scope;
    found.scripts = probe.rendered.as_ref().map(|rendered| match rendered.trouble.as_str() {
        "" => rendered.rendering.tell(),
        trouble => format!("{} ({trouble})", rendered.rendering.tell()),
    });
    let way = args.refine.unwrap_or(&REFINERS[0]);
    if let (Ok(capture), Some(page), true) = (&end, &found.page, args.refine.is_some()) {
        found.document = Some(refine_ruled(capture, page, way, &config.extract_rules()));
    }
    if let Some(path) = &args.plot {
        draw(&found, way, path)?;
    }
    if global.json {
        output::say_json(&as_json(&found))?;
    } else {
        output::say(&tell(&found));
    }
    Ok(if had { Exit::Done } else { Exit::NothingFetched })
}

/// What the scope of a collection says of a URL, if it has seeds.
fn scope_rule(root: &Path, config: &Config, url: &Url) -> Option<String> {
    let reader = Collection::reader(root).ok();
    let view = reader.map(|reader| reader.view());
    let ledger = view.as_ref().map(|view| &*view.ledger);
    let rule = fyke_stages::admits(config, ledger, url).ok()?;
    Some(rule.unwrap_or_else(|out| out))
}

/// What fyke makes of the URL.
struct ProbedPage {
    way: ProbeWay,
    seconds: f64,
    /// What would stand in the ledger.
    reason: Reason,
    detail: String,
    /// The rule of the collection's scope that decides on the URL.
    scope: Option<String>,
    /// The rule of `[extract]` for it, and what that did.
    rule: Option<AppliedRule>,
    /// Why its scripts were run, if they were to be, and what came of that.
    scripts: Option<String>,
    /// Where an answer came, of whatever kind.
    page: Option<Page>,
    document: Option<Document>,
}

impl ProbedPage {
    /// What a crawl with these settings would make of an answer.
    fn of(way: ProbeWay, seconds: f64, capture: &Capture, config: &Config) -> ProbedPage {
        let rules = config.extract_rules();
        let rule = rules.of(&capture.url).cloned();
        let derived = derive_ruled(capture, Arc::new(rules));
        let settings = fyke_stages::corpus_settings(&config.corpus);
        let left_out = derived
            .document
            .as_ref()
            .and_then(|document| fyke_derive::alone(&settings, &document.language, document.words));
        let page =
            derived.page.or_else(|| read_within(capture, &ReadLimits::default(), parse).ok());
        let html = page.as_ref().filter(|page| page.format == Format::Html);
        let applied = rule.zip(html).map(|(rule, page)| {
            let Extracted { kept, dropped, .. } = rule.apply(&page.content);
            AppliedRule { pattern: rule.pattern, kept, dropped }
        });
        ProbedPage {
            way,
            seconds,
            rule: applied,
            reason: left_out.unwrap_or(derived.reason),
            detail: derived.detail,
            scope: None,
            scripts: None,
            page,
            document: derived.document,
        }
    }
}

/// What a rule of `[extract]` did.
struct AppliedRule {
    pattern: String,
    kept: usize,
    dropped: usize,
}

/// Writes the document slope curve of the page.
fn draw(found: &ProbedPage, way: &Refiner, path: &Path) -> anyhow::Result<()> {
    let Some(page) = &found.page else {
        return Err(Failure::usage("there is no page to plot: it could not be fetched").into());
    };
    let blocks = blocks(&page.content);
    let svg = plot::slope(&blocks, &(way.run)(&blocks)).svg();
    std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))
}

/// What the page is for; none when there is no page of HTML.
fn genre_of(found: &ProbedPage) -> Option<Genre> {
    let page = found.page.as_ref()?;
    (page.format == Format::Html).then(|| genre(&blocks(&page.content)))
}

fn as_json(found: &ProbedPage) -> Value {
    let hops: Vec<_> = found
        .way
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
        "scope": found.scope,
        "extract": found.rule.as_ref().map(|rule| {
            json!({ "rule": rule.pattern, "kept": rule.kept, "dropped": rule.dropped })
        }),
        "scripts": found.scripts,
        "hops": hops,
        "robots": found.way.robots.as_ref().map(|verdict| {
            json!({ "allowed": verdict.allowed, "rule": verdict.rule, "line": verdict.line })
        }),
        "address": found.way.address.as_ref().map(|address| address.key.to_string()),
        "charset": page.map(|page| page.charset),
        "canonical": page.and_then(|page| page.canonical.as_ref()).map(Url::as_str),
        "noindex": page.map(|page| page.noindex),
        "nofollow": page.map(|page| page.nofollow),
        "title": found.document.as_ref().map(|document| &document.title),
        "author": found.document.as_ref().map(|document| &document.author),
        "date": found.document.as_ref().map(|document| &document.date),
        "site": found.document.as_ref().map(|document| &document.site),
        "genre": genre_of(found).map(Genre::name),
        "language": found.document.as_ref().map(|document| &document.language),
        "words": found.document.as_ref().map(|document| document.words),
        "text": found.document.as_ref().map(|document| &document.text),
        "links": links,
        "seconds": found.seconds,
    })
}

fn tell(found: &ProbedPage) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), output::tame(&text)]);
    for (at, (url, status)) in found.way.hops.iter().enumerate() {
        row(if at == 0 { "asked for" } else { "leads to" }, format!("{} ({status})", url.as_str()));
    }
    let detail = if found.detail.is_empty() { found.reason.explain() } else { &found.detail };
    row("verdict", format!("{}: {detail}", found.reason.name()));
    row("robots.txt", robots(found));
    if let Some(scope) = &found.scope {
        row("scope", scope.clone());
    }
    if let Some(scripts) = &found.scripts {
        row("scripts", scripts.clone());
    }
    if let Some(address) = &found.way.address {
        row("address", address.key.to_string());
    }
    if let Some(page) = &found.page {
        row("charset", page.charset.to_string());
        if let Some(canonical) = &page.canonical {
            row("canonical", canonical.as_str().to_string());
        }
        row("links", page.links.len().to_string());
        for link in page.links.iter().take(LINKS) {
            row("", format!("{}  {}", link.url.as_str(), link.anchor));
        }
    }
    if let Some(AppliedRule { pattern, kept, dropped }) = &found.rule {
        let what = format!("{kept} elements kept, {dropped} dropped");
        row("extract", format!("by the rule for {pattern}: {what}"));
    }
    if let Some(document) = &found.document {
        row("title", document.title.clone());
        for (name, value) in
            [("author", &document.author), ("date", &document.date), ("site", &document.site)]
        {
            if !value.is_empty() {
                row(name, value.clone());
            }
        }
        if let Some(genre) = genre_of(found) {
            row("genre", genre.name().to_string());
        }
        row("language", document.language.clone());
        row("text", format!("{} words", document.words));
        row("", document.text.chars().take(EXCERPT).collect());
    }
    row("time", format!("{:.2} s", found.seconds));
    output::table(&rows)
}

fn robots(found: &ProbedPage) -> String {
    match &found.way.robots {
        // Every fetch begins with it, but for hosts that are left alone.
        None if matches!(found.reason, Reason::PrivateAddress | Reason::Contact) => {
            "not asked for".to_string()
        }
        None => "could not be fetched".to_string(),
        Some(verdict) => {
            let word = if verdict.allowed { "allowed" } else { "disallowed" };
            match (&verdict.rule, verdict.line) {
                (Some(rule), Some(line)) => format!("{word} by line {line}: {rule}"),
                _ => format!("{word}: no rule matches"),
            }
        }
    }
}
