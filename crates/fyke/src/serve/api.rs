//! The same answers as JSON, for programs: `/api/v1/search`, `doc`, `similar`, `why`, `corpus`,
//! `crawl`. Trouble is problem JSON (RFC 9457).

use super::answer::{self, Asked, Trouble};
use super::{
    Site, corpus as corpora, crawl as crawling, document as documents, similar as likes,
    why as lives,
};
use crate::config;
use crate::show::moment;
use crate::stages;
use axum::Json;
use axum::extract::{Path, Query as Behind, State};
use axum::response::{IntoResponse, Response};
use fyke_index::{Hit, Query, SearchOptions};
use fyke_web::Document;
use serde_json::{Value, json};
use std::sync::Arc;

const MOST: usize = 100;

pub async fn search(State(site): State<Arc<Site>>, Behind(asked): Behind<Asked>) -> Response {
    respond(&site, move |site| {
        let (words, explain) = (asked.text("q"), asked.is_on("explain"));
        let limit = asked.number("limit").unwrap_or(10).min(MOST);
        let offset = asked.number("start").unwrap_or(0);
        let query = Query::parse(&words);
        let results = site.index.search(&query, &SearchOptions { offset, limit, explain })?;
        Ok(json!({
            "query": words,
            "understood": query.describe(),
            "total": results.total,
            "start": offset,
            "micros": results.micros,
            "hits": results.hits.iter().map(|hit| shown(hit, explain)).collect::<Vec<_>>(),
        }))
    })
    .await
}

fn shown(hit: &Hit, explain: bool) -> Value {
    let snippet: String = hit.snippet.iter().map(|fragment| fragment.text.as_str()).collect();
    let marked: Vec<_> = hit
        .snippet
        .iter()
        .filter(|fragment| fragment.marked)
        .map(|fragment| &fragment.text)
        .collect();
    let mut value = json!({
        "key": answer::key(hit.id),
        "url": hit.url,
        "title": hit.title,
        "snippet": snippet,
        "marked": marked,
        "page": hit.page,
        "language": hit.language,
        "captured": moment(hit.time),
        "score": hit.score,
    });
    if explain {
        value["explain"] = hit.explain.iter().map(|(name, amount)| json!([name, amount])).collect();
    }
    value
}

pub async fn document(State(site): State<Arc<Site>>, Path(key): Path<String>) -> Response {
    respond(&site, move |site| {
        let document = documents::find(site, &key)?;
        Ok(json!({
            "key": key,
            "url": document.url,
            "title": document.title,
            "text": document.text,
            "headings": document.headings.lines().collect::<Vec<_>>(),
            "language": document.language,
            "charset": document.charset,
            "words": document.words,
            "captured": moment(document.time),
        }))
    })
    .await
}

/// By `url`, or by `key` as in the other answers.
pub async fn similar(State(site): State<Arc<Site>>, Behind(asked): Behind<Asked>) -> Response {
    respond(&site, move |site| {
        let document = asked_for(site, &asked)?;
        let limit = asked.number("limit").unwrap_or(10).min(MOST);
        let similar = likes::nearest(site, &document, limit)?;
        let of = stages::twin(&*site.collection()?, document.id)?;
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
        }))
    })
    .await
}

fn asked_for(site: &Site, asked: &Asked) -> Result<Document, Trouble> {
    let (typed, key) = (asked.text("url"), asked.text("key"));
    if typed.is_empty() {
        return documents::find(site, &key);
    }
    let url = config::seed_url(&typed).map_err(|error| Trouble::Bad(error.to_string()))?;
    let found = stages::similar::document(&*site.collection()?, &url, &typed)?;
    found.ok_or_else(|| Trouble::Missing(format!("there is no document {}", url.as_str())))
}

pub async fn why(State(site): State<Arc<Site>>, Behind(asked): Behind<Asked>) -> Response {
    respond(&site, move |site| lives::life(site, &asked.text("url"))).await
}

pub async fn corpus(State(site): State<Arc<Site>>) -> Response {
    respond(&site, |site| corpora::api(site, None)).await
}

pub async fn corpus_part(State(site): State<Arc<Site>>, Path(part): Path<String>) -> Response {
    respond(&site, move |site| corpora::api(site, Some(&part))).await
}

pub async fn crawl(State(site): State<Arc<Site>>) -> Response {
    if let Some(live) = &site.live {
        live.refresh().await;
    }
    respond(&site, crawling::snapshot).await
}

/// A value or its trouble, as JSON.
pub async fn respond<T: serde::Serialize + Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, Trouble> + Send + 'static,
) -> Response {
    match answer::read(site, work).await {
        Ok(value) => Json(value).into_response(),
        Err(trouble) => trouble.answer(),
    }
}
