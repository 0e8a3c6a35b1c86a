//! The corpus page: how many documents, in which languages, of which hosts; how often words occur.

use super::Site;
use super::answer::{self, PageFrame, RequestTrouble};
use super::live::Phase;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fyke_lab::plot::corpus::{self as plots, PLOTS};
use fyke_lab::plot::graph as links;
use fyke_stages::corpus::{self, Corpus, CorpusPart};
use fyke_stages::graph;
use fyke_stages::reasons;
use fyke_stages::show::{count, moment, size};
use fyke_store::Reason;
use serde_json::Value;
use std::sync::{Arc, PoisonError};

/// Rows of a table on the page.
const ROWS: usize = 20;
/// A plot that is looked at alone may bring its own colours and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

#[derive(Template)]
#[template(path = "corpus.html")]
struct CorpusPage {
    site: PageFrame,
    captured: String,
    figures: Vec<(&'static str, String)>,
    laws: Vec<(&'static str, String)>,
    /// Name and drawing, in SVG of our own.
    plots: Vec<(&'static str, String)>,
    tables: Vec<CorpusTable>,
    words: Vec<(String, String)>,
}

/// Documents by something they share.
struct CorpusTable {
    title: &'static str,
    head: &'static str,
    rows: Vec<PartRow>,
}

struct PartRow {
    name: String,
    documents: String,
    words: String,
    /// Of the documents, in per cent.
    share: String,
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    answer::page(site, page_of).await
}

/// One plot as a file.
pub(crate) async fn plot(State(site): State<Arc<Site>>, Path(file): Path<String>) -> Response {
    let draw = move |site: &Site| {
        let name = file.strip_suffix(".svg").unwrap_or_default();
        let drawn = match links::PLOTS.iter().any(|row| row.0 == name) {
            true => links::plot(&linked(site)?, name),
            false => plots::plot(&figures(site)?, name),
        };
        let drawn = drawn.map(|plot| plot.svg());
        drawn.ok_or_else(|| RequestTrouble::Missing(format!("there is no plot {file}")))
    };
    match answer::read(&site, draw).await {
        Ok(svg) => {
            let kind = (header::CONTENT_TYPE, "image/svg+xml");
            ([kind, (header::CONTENT_SECURITY_POLICY, POLICY)], svg).into_response()
        }
        Err(trouble) => trouble.page(&site),
    }
}

fn figures(site: &Site) -> Result<Corpus, RequestTrouble> {
    let collection = site.view();
    // While a crawl adds documents every few seconds, the figures are those of its start.
    let is_growing = site.live.as_ref().is_some_and(|live| live.phase() == Phase::Crawling);
    if is_growing && let Some(corpus) = corpus::last(collection)? {
        return Ok(corpus);
    }
    // One request at a time makes them, should they be out of date.
    let mut measured = site.measured.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = corpus::state(collection, &site.config.corpus)?;
    match &*measured {
        Some((of, corpus)) if *of == mark => Ok(corpus.clone()),
        _ => {
            let corpus = corpus::current(collection, &site.config.corpus, &mut |_| ())?;
            *measured = Some((mark, corpus.clone()));
            Ok(corpus)
        }
    }
}

/// What the last look at all links found.
fn linked(site: &Site) -> Result<graph::GraphFigures, RequestTrouble> {
    Ok(graph::last(site.view())?.unwrap_or_default())
}

/// All figures as JSON, or one part of them.
pub(crate) fn api(site: &Site, part: Option<&str>) -> Result<Value, RequestTrouble> {
    let counts = reasons::counts(site.view())?;
    let value = corpus::json(&figures(site)?, &counts)?;
    let Some(part) = part else { return Ok(value) };
    let names: Vec<&String> =
        value.as_object().into_iter().flat_map(|object| object.keys()).collect();
    let missing =
        || RequestTrouble::Missing(format!("the corpus has no {part:?}; it has {names:?}"));
    value.get(part).cloned().ok_or_else(missing)
}

fn page_of(site: &Site) -> Result<CorpusPage, RequestTrouble> {
    let (corpus, graph) = (figures(site)?, linked(site)?);
    let counts = reasons::counts(site.view())?;
    let of = |reason: Reason| count(counts.get(&reason).copied().unwrap_or(0));
    let words = &corpus.vocabulary;
    let about = if words.is_exact { "" } else { "about " };
    let facts = vec![
        ("documents", count(corpus.kept)),
        ("words", count(corpus.words)),
        ("text", size(corpus.text_bytes)),
        ("distinct words", format!("{about}{}", count(words.size))),
        ("occur once", format!("{about}{}", count(words.once))),
        ("hosts", count(corpus.hosts_total)),
        ("languages", count(corpus.languages.len() as u64)),
        ("links between them", count(graph.links)),
        ("exact copies left out", of(Reason::DupExact)),
        ("near copies left out", of(Reason::DupNear)),
        ("thin pages left out", of(Reason::Thin)),
    ];
    let captured = corpus
        .captured
        .map(|(first, last)| format!("captured from {} to {}", moment(first), moment(last)));
    let has_years = !corpus.years_published.is_empty();
    let has_some = |name: &str| corpus.kept > 0 && (name != "years" || has_years);
    let drawn = PLOTS.iter().filter(|(name, _)| has_some(name));
    let drawn = drawn.map(|(name, draw)| (*name, draw(&corpus).inline()));
    let links = links::PLOTS.iter().filter(|_| graph.links > 0);
    let links = links.map(|(name, draw)| (*name, draw(&graph).inline()));
    Ok(CorpusPage {
        site: PageFrame::of(site, ""),
        captured: captured.unwrap_or_default(),
        laws: corpus.laws(),
        plots: drawn.chain(links).collect(),
        tables: tables(&corpus),
        words: words.top.iter().take(ROWS).map(|(word, n)| (word.clone(), count(*n))).collect(),
        figures: facts,
    })
}

fn tables(corpus: &Corpus) -> Vec<CorpusTable> {
    let table = |title, head, parts: &[CorpusPart]| {
        let rows = parts.iter().take(ROWS).map(|part| row(part, corpus.kept)).collect();
        CorpusTable { title, head, rows }
    };
    let mut tables = vec![
        table("Languages", "language", &corpus.languages),
        table("Hosts", "host", &corpus.hosts),
        table("Formats", "media type", &corpus.media_types),
        table("Encodings", "encoding", &corpus.charsets),
        table("Licences that pages name", "licence", &corpus.licences),
        table("Opt-outs that pages declare", "opt-out", &corpus.opt_outs),
    ];
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn row(part: &CorpusPart, all: u64) -> PartRow {
    let share = 100.0 * part.documents as f64 / all.max(1) as f64;
    PartRow {
        name: part.name.clone(),
        documents: count(part.documents),
        words: count(part.words),
        share: format!("{share:.1}"),
    }
}
