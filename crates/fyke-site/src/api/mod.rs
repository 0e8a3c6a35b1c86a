//! The same answers as JSON, for programs, described by `/api/openapi.json`. Trouble is problem JSON
//! (RFC 9457).

pub(crate) mod openapi;
mod search;

use super::answer::{self, RequestTrouble, SearchRequest};
use super::{
    Service, Site, corpus as corpora, crawl as crawling, document as documents, events, lab,
    papers, similar as likes, topics, why as lives,
};
use crate::search::SUMMARY;
use axum::Json;
use axum::extract::{Path, Query as Behind, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use fyke_index::static_summary;
use fyke_stages::config;
use fyke_stages::moments::iso;
use fyke_web::Document;
use serde_json::json;
use std::sync::Arc;

const MOST: usize = 100;

/// A path and who answers there.
type Route = (&'static str, fn() -> MethodRouter<Service>);

/// Every route of the API; the description has the same ones.
pub(crate) const ROUTES: &[Route] = &[
    ("/api/v1/search", || get(search::search)),
    ("/api/v1/suggest", || get(search::suggest)),
    ("/api/v1/similar", || get(similar)),
    ("/api/v1/doc/{key}", || get(document)),
    ("/api/v1/why", || get(why)),
    ("/api/v1/corpus", || get(corpus)),
    ("/api/v1/corpus/{part}", || get(corpus_part)),
    ("/api/v1/papers", || get(papers::api::all)),
    ("/api/v1/papers/{key}", || get(papers::api::one)),
    ("/api/v1/topics", || get(topics::all)),
    ("/api/v1/crawl", || get(crawl)),
    ("/api/v1/events", || get(events::listen)),
    ("/api/v1/lab", || get(lab::api::all)),
    ("/api/v1/lab/{part}", || get(lab::api::part)),
];

async fn document(State(site): State<Arc<Site>>, Path(key): Path<String>) -> Response {
    respond(&site, move |site| {
        let document = documents::find(site, &key)?;
        Ok(json!({
            "key": key,
            "url": document.url,
            "title": document.title,
            "summary": static_summary(&document.text, SUMMARY),
            "text": document.text,
            "headings": document.headings.lines().collect::<Vec<_>>(),
            "language": document.language,
            "charset": document.charset,
            "words": document.words,
            "captured": iso(document.time),
        }))
    })
    .await
}

/// By `url`, or by `key` as in the other answers.
async fn similar(State(site): State<Arc<Site>>, Behind(asked): Behind<SearchRequest>) -> Response {
    respond(&site, move |site| {
        let document = asked_for(site, &asked)?;
        let limit = asked.number("limit").unwrap_or(10).min(MOST);
        let similar = likes::nearest(site, &document, limit)?;
        let alike = site.index().alike(document.id.0, limit)?;
        let alike = alike.iter().map(|hit| {
            let key = answer::key(hit.id);
            json!({ "key": key, "url": hit.url, "title": hit.title, "score": hit.score })
        });
        let of = fyke_stages::twin(site.view(), document.id)?;
        let similar = similar.iter().map(|similar| {
            json!({
                "key": answer::key(similar.id.0),
                "url": similar.url,
                "title": similar.title,
                "resemblance": similar.resemblance,
            })
        });
        Ok(json!({
            "key": answer::key(document.id.0),
            "url": document.url,
            "copy_of": of.map(|twin| answer::key(twin.of.0)),
            "exact": of.map(|twin| twin.exact),
            "similar": similar.collect::<Vec<_>>(),
            "alike": alike.collect::<Vec<_>>(),
        }))
    })
    .await
}

fn asked_for(site: &Site, asked: &SearchRequest) -> Result<Document, RequestTrouble> {
    let (typed, key) = (asked.text("url"), asked.text("key"));
    if typed.is_empty() {
        return documents::find(site, &key);
    }
    let url = config::seed_url(&typed).map_err(|error| RequestTrouble::Bad(error.to_string()))?;
    let found = fyke_derive::asked::similar::document(site.view(), &url, &typed)?;
    found.ok_or_else(|| RequestTrouble::Missing(format!("there is no document {}", url.as_str())))
}

async fn why(State(site): State<Arc<Site>>, Behind(asked): Behind<SearchRequest>) -> Response {
    respond(&site, move |site| lives::life(site, &asked.text("url"))).await
}

async fn corpus(State(site): State<Arc<Site>>) -> Response {
    respond(&site, |site| corpora::api(site, None)).await
}

async fn corpus_part(State(site): State<Arc<Site>>, Path(part): Path<String>) -> Response {
    respond(&site, move |site| corpora::api(site, Some(&part))).await
}

async fn crawl(State(site): State<Arc<Site>>) -> Response {
    if let Some(live) = &site.live {
        live.refresh().await;
    }
    respond(&site, crawling::snapshot).await
}

/// A value or its trouble, as JSON.
pub(crate) async fn respond<T: serde::Serialize + Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, RequestTrouble> + Send + 'static,
) -> Response {
    match answer::read(site, work).await {
        Ok(value) => Json(value).into_response(),
        Err(trouble) => trouble.answer(),
    }
}
