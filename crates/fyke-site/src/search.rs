//! The search box and the page of results: titles, dynamic summaries with the query's words marked,
//! honest count and time (000 "results summaries").

use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use super::bars::{Bar, bars};
use super::facets::{self, ShownFacet};
use super::filters::{self, Chip};
use super::listing::{self, PAGE, WantedPage};
use super::paging::{self, PageNumber};
use super::typed::{self, TypedUrl};
use super::{Site, go, turns};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Redirect, Response};
use fyke_derive::asked::quicklinks::{self, Quicklink};
use fyke_derive::page::private::PRIVATE;
use fyke_index::{Fragment, Hit, HitSection, LeftOut, Query, static_summary};
use fyke_stages::search::told_cut;
use fyke_stages::show::count;
use std::sync::Arc;

/// Sentences of a site's summary.
pub(crate) const SUMMARY: usize = 2;

/// Related searches shown.
const RELATED: usize = 6;

#[derive(Template)]
#[template(path = "results.html")]
struct ResultsPage {
    site: PageFrame,
    total: usize,
    found: String,
    first: usize,
    milliseconds: String,
    /// What was left out of the search, if anything was.
    cut: Option<String>,
    /// What was probably meant.
    spelling: Option<String>,
    /// The URL that was typed.
    typed: Option<TypedUrl>,
    chips: Vec<Chip>,
    /// What documents must not have, but for what is a chip.
    without: Vec<LeftOut>,
    hits: Vec<ShownHit>,
    facets: Vec<ShownFacet>,
    /// Matches that the facets count, where that is not all.
    sampled: Option<String>,
    related: Vec<String>,
    pages: Vec<PageNumber>,
    earlier: Option<usize>,
    later: Option<usize>,
    is_diverse: bool,
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
    section: Option<HitSection>,
    language: String,
    score: String,
    bars: Vec<Bar>,
    /// It was fetched with credentials.
    is_private: bool,
    /// Documents that it stands for.
    copies: usize,
    quicklinks: Vec<Quicklink>,
}

pub(crate) async fn results(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let words = filters::within(&asked.text("q"), &asked.text("also"));
    if words.trim().is_empty() {
        return Redirect::to("/").into_response();
    }
    let wanted = WantedPage {
        words,
        start: asked.number("start").unwrap_or(0),
        from: answer::id(&asked.text("from")).ok().map(|id| id.0),
        counts: go::is_visit(&method, &headers),
        is_diverse: asked.is_on("diverse"),
    };
    match turns::search(&site, move |site| page_of(site, &wanted)).await {
        Ok(page) => answer::render(&page),
        Err(trouble) => trouble.page(&site),
    }
}

fn page_of(site: &Site, wanted: &WantedPage) -> Result<ResultsPage, RequestTrouble> {
    let found = listing::list(site, wanted)?;
    let (first, later) = (found.start + 1, found.next());
    let (pages, earlier) = (paging::pages(found.total, found.start), found.start > 0);
    let query = site.index().query(&wanted.words);
    let chips = filters::chips(&wanted.words);
    // What is told of all documents is told on the first page, and not to others beside private ones.
    let tells = first == 1 && !site.hides_private();
    let mut hits = Vec::with_capacity(found.hits.len());
    for (rank, hit) in (first..).zip(found.hits) {
        let mut shown = shown_hit(hit, found.search, rank);
        add_to(&mut shown, site, &query, rank)?;
        hits.push(shown);
    }
    Ok(ResultsPage {
        site: PageFrame::of(site, &wanted.words),
        total: found.total,
        found: count(found.total as u64),
        first,
        cut: found.cut.as_ref().map(told_cut),
        milliseconds: format!("{:.1}", found.micros as f64 / 1000.0),
        spelling: if tells { site.index().spelling(&wanted.words)? } else { None },
        typed: if tells { typed::typed(site, &wanted.words)? } else { None },
        without: without(&query, &chips),
        chips,
        hits,
        facets: facets::shown(&found.facets, &wanted.words),
        sampled: found.facets.sampled.then(|| count(found.facets.counted as u64)),
        related: if tells { related(site, &wanted.words)? } else { Vec::new() },
        pages,
        earlier: earlier.then(|| found.start.saturating_sub(PAGE)),
        later,
        is_diverse: wanted.is_diverse,
        search: found.search.map(answer::key),
        kept: site.searches.as_ref().map(|searches| searches.days),
    })
}

/// What the query leaves out, but for what is a chip already.
fn without(query: &Query, chips: &[Chip]) -> Vec<LeftOut> {
    let mut without = query.left_out();
    without.retain(|out| chips.iter().all(|chip| chip.filter != format!("-{}", out.what)));
    without
}

/// What others often search for with some of these words, where a log is kept; else what the best
/// documents speak of.
fn related(site: &Site, words: &str) -> Result<Vec<String>, RequestTrouble> {
    let often = site.searches.as_ref().map(|searches| searches.related(words, RELATED));
    match often.filter(|often| !often.is_empty()) {
        Some(often) => Ok(often),
        None => Ok(site.index().related(words, RELATED)?),
    }
}

fn shown_hit(hit: Hit, search: Option<u64>, rank: usize) -> ShownHit {
    ShownHit {
        key: answer::key(hit.id),
        shown_url: hit.url.split_once("://").map_or(&*hit.url, |(_, rest)| rest).to_owned(),
        link: go::link(&hit.url, search, rank),
        bars: bars(&hit),
        url: hit.url,
        title: hit.title_fragments,
        snippet: hit.snippet,
        page: hit.page,
        section: hit.section,
        language: hit.language,
        score: format!("{:.2}", hit.score),
        is_private: false,
        copies: 0,
        quicklinks: Vec::new(),
    }
}

/// What the collection knows of a hit: its copies, and the inner pages of a site searched by name.
fn add_to(
    shown: &mut ShownHit,
    site: &Site,
    query: &Query,
    rank: usize,
) -> Result<(), RequestTrouble> {
    let (id, collection) = (answer::id(&shown.key)?, site.view());
    shown.is_private = collection.cells().get(&PRIVATE, id)?.is_some();
    shown.copies = fyke_stages::copies(collection, id)?.len();
    let title: String = shown.title.iter().map(|fragment| fragment.text.as_str()).collect();
    if rank == 1 && quicklinks::is_navigational(&query.words(), &shown.url, &title) {
        // Who looks for a site by its name wants to know what it is, not where its name stands.
        let document = collection.documents.get(id)?;
        let summary = document.map(|document| static_summary(&document.text, SUMMARY));
        if let Some(text) = summary.filter(|summary| !summary.is_empty()) {
            shown.snippet = vec![Fragment { text, marked: false }];
        }
        if !site.hides_private() {
            shown.quicklinks = quicklinks::quicklinks(collection, id)?;
        }
    }
    Ok(())
}
