//! Searching and suggesting, as JSON.

use super::{MOST, respond};
use crate::answer::{self, RequestTrouble, SearchRequest};
use crate::{Site, facets, suggest as suggesting, turns};
use axum::Json;
use axum::extract::{Query as Behind, State};
use axum::response::{IntoResponse, Response};
use fyke_derive::page::private::PRIVATE;
use fyke_index::{Hit, SearchOptions, typed_url};
use fyke_stages::moments::iso;
use fyke_web::UrlId;
use serde_json::{Value, json};
use std::sync::Arc;

/// No hits begin later.
const LAST: usize = 10_000;
/// Suggestions given at the most.
const SUGGESTIONS: usize = 20;

pub(crate) async fn search(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    match turns::search(&site, move |site| found(site, &asked)).await {
        Ok(value) => Json(value).into_response(),
        Err(trouble) => trouble.answer(),
    }
}

fn found(site: &Site, asked: &SearchRequest) -> Result<Value, RequestTrouble> {
    let words = asked.text("q");
    let options = SearchOptions {
        offset: asked.number("start").unwrap_or(0).min(LAST),
        limit: asked.number("limit").unwrap_or(10).min(MOST),
        explain: asked.is_on("explain"),
        facets: asked.is_on("facets"),
        diversity: asked.share("diversity"),
        ..site.options
    };
    let query = site.index().query(&words);
    let results = site.search(&words, &options)?;
    let cells = site.view().cells();
    let mut hits = Vec::with_capacity(results.hits.len());
    for hit in &results.hits {
        let mut value = shown(hit, options.explain);
        if cells.get(&PRIVATE, UrlId(hit.id))?.is_some() {
            value["private"] = true.into();
        }
        hits.push(value);
    }
    let mut answer = json!({
        "query": words,
        "understood": query.describe(),
        "without": query.left_out(),
        "total": results.total,
        "start": options.offset,
        "micros": results.micros,
        "spelling": if site.hides_private() { None } else { site.index().spelling(&words)? },
        "goes_to": typed_url(&words),
        "hits": hits,
    });
    if !results.words.is_empty() {
        answer["words"] = json!(results.words);
    }
    if let Some(feedback) = &results.feedback {
        answer["feedback"] = json!(feedback);
    }
    if let Some(cut) = &results.cut {
        answer["cut"] = json!(cut);
    }
    if let Some(counts) = &results.facets {
        answer["facets"] = facets::told(counts, &words);
    }
    Ok(answer)
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
        "captured": iso(hit.time),
        "score": hit.score,
    });
    if let Some(section) = &hit.section {
        value["section"] = json!(section);
    }
    if explain {
        value["explain"] = hit.explain.iter().map(|(name, amount)| json!([name, amount])).collect();
    }
    value
}

pub(crate) async fn suggest(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    respond(&site, move |site| {
        let words = asked.text("q");
        let limit = asked.number("limit").unwrap_or(suggesting::SHOWN).min(SUGGESTIONS);
        let suggestions = suggesting::suggestions(site, &words, limit)?;
        Ok(json!({ "query": words, "suggestions": suggestions }))
    })
    .await
}
