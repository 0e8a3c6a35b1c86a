//! The search box and the page of results: titles, dynamic summaries with the query's words marked,
//! honest count and time (000 "results summaries").

use super::Site;
use super::answer::{self, Asked, Frame, Trouble};
use super::go;
use super::listing::{self, PAGE, Wanted};
use crate::show::count;
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Redirect, Response};
use fyke_index::{Fragment, Hit};
use std::sync::Arc;

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
    /// The search in the log, for its further pages.
    search: Option<String>,
    /// Days a search is kept; none where it is not.
    kept: Option<u32>,
}

/// A hit as the page shows it.
struct ShownHit {
    key: String,
    url: String,
    /// Where the title leads: the URL, or through the log to it.
    link: String,
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

pub async fn results(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<Asked>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let words = asked.text("q");
    if words.trim().is_empty() {
        return Redirect::to("/").into_response();
    }
    let wanted = Wanted {
        words,
        start: asked.number("start").unwrap_or(0),
        from: answer::id(&asked.text("from")).ok().map(|id| id.0),
        counts: go::is_visit(&method, &headers),
    };
    answer::page(site, move |site| page_of(site, &wanted)).await
}

fn page_of(site: &Site, wanted: &Wanted) -> Result<ResultsPage, Trouble> {
    let found = listing::list(site, wanted)?;
    let (first, later) = (found.start + 1, found.next());
    let hits = (first..).zip(found.hits);
    Ok(ResultsPage {
        site: Frame::of(site, &wanted.words),
        total: found.total,
        found: count(found.total as u64),
        first,
        milliseconds: format!("{:.1}", found.micros as f64 / 1000.0),
        hits: hits.map(|(rank, hit)| shown_hit(hit, found.search, rank)).collect(),
        earlier: (found.start > 0).then(|| found.start.saturating_sub(PAGE)),
        later,
        search: found.search.map(answer::key),
        kept: site.searches.as_ref().map(|searches| searches.days),
    })
}

fn shown_hit(hit: Hit, search: Option<u64>, rank: usize) -> ShownHit {
    let explain = hit.explain.into_iter().map(|(name, amount)| (name, format!("{amount:.3}")));
    ShownHit {
        key: answer::key(hit.id),
        shown_url: hit.url.split_once("://").map_or(&*hit.url, |(_, rest)| rest).to_owned(),
        link: go::link(&hit.url, search, rank),
        url: hit.url,
        title: hit.title_fragments,
        snippet: hit.snippet,
        page: hit.page,
        language: hit.language,
        score: format!("{:.2}", hit.score),
        explain: explain.collect(),
    }
}
