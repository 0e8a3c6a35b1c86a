//! The search box and the page of results: titles, dynamic summaries with the query's words marked,
//! honest count and time (000 "results summaries").

use super::Site;
use super::answer::{self, Asked, Frame, Trouble};
use crate::show::count;
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::{IntoResponse, Redirect, Response};
use fyke_index::{Fragment, Hit, Query, Results, SearchOptions};
use std::sync::Arc;

const PAGE: usize = 10;
/// Results past this are not listed: nobody reads them, and each costs a full ranking.
const LAST: usize = 1_000;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    site: Frame,
    hosts: usize,
}

#[derive(Template)]
#[template(path = "results.html")]
struct ResultsPage {
    site: Frame,
    total: usize,
    found: String,
    first: usize,
    milliseconds: String,
    hits: Vec<ShownHit>,
    earlier: Option<usize>,
    later: Option<usize>,
}

/// A hit as the page shows it.
struct ShownHit {
    key: String,
    url: String,
    shown_url: String,
    title: Vec<Fragment>,
    snippet: Vec<Fragment>,
    page: Option<u32>,
    language: String,
    score: String,
    explain: Vec<(String, String)>,
}

pub async fn home(State(site): State<Arc<Site>>) -> Response {
    let work = |site: &Site| {
        let hosts = site.collection()?.ledger.hosts().filter(fetched_from).count();
        Ok(HomePage { site: Frame::of(site, ""), hosts })
    };
    answer::page(site, work).await
}

fn fetched_from(host: &Result<(String, fyke_store::HostRow), fyke_store::StoreError>) -> bool {
    host.as_ref().is_ok_and(|(_, row)| row.pages > 0)
}

pub async fn results(State(site): State<Arc<Site>>, Behind(asked): Behind<Asked>) -> Response {
    let words = asked.text("q");
    if words.trim().is_empty() {
        return Redirect::to("/").into_response();
    }
    let start = asked.number("start").unwrap_or(0);
    answer::page(site, move |site| page_of(site, &words, start)).await
}

fn page_of(site: &Site, words: &str, start: usize) -> Result<ResultsPage, Trouble> {
    let search = |start| -> Result<(usize, Results), Trouble> {
        let options = SearchOptions { offset: start, limit: PAGE, explain: true };
        Ok((start, site.index.search(&Query::parse(words), &options)?))
    };
    let (mut start, mut results) = search(start.min(LAST - PAGE))?;
    if results.hits.is_empty() && results.total > 0 {
        // Past the end: the last page there is.
        (start, results) = search((results.total - 1) / PAGE * PAGE)?;
    }
    let shown = start + results.hits.len();
    let more = shown < results.total && shown < LAST && !results.hits.is_empty();
    Ok(ResultsPage {
        site: Frame::of(site, words),
        total: results.total,
        found: count(results.total as u64),
        first: start + 1,
        milliseconds: format!("{:.1}", results.micros as f64 / 1000.0),
        hits: results.hits.into_iter().map(shown_hit).collect(),
        earlier: (start > 0).then(|| start.saturating_sub(PAGE)),
        later: more.then_some(shown),
    })
}

fn shown_hit(hit: Hit) -> ShownHit {
    let explain = hit.explain.into_iter().map(|(name, amount)| (name, format!("{amount:.3}")));
    ShownHit {
        key: answer::key(hit.id),
        shown_url: hit.url.split_once("://").map_or(&*hit.url, |(_, rest)| rest).to_owned(),
        url: hit.url,
        title: hit.title_fragments,
        snippet: hit.snippet,
        page: hit.page,
        language: hit.language,
        score: format!("{:.2}", hit.score),
        explain: explain.collect(),
    }
}
