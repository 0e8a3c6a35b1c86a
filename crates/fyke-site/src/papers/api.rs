//! Papers for programs.

use super::{list, paper};
use crate::answer::SearchRequest;
use crate::api::respond;
use crate::{Site, turns};
use axum::Json;
use axum::extract::{Path, Query as Behind, State};
use axum::response::{IntoResponse, Response};
use fyke_stages::papers;
use std::sync::Arc;

/// Papers of an answer: at the most, and unless somebody asks otherwise.
const MOST: usize = 100;
const USUAL: usize = 10;

pub(crate) async fn all(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let limit = asked.number("limit").unwrap_or(USUAL).min(MOST);
    let wanted = list::wanted(&asked, limit);
    let found = turns::search(&site, move |site| {
        Ok(papers::list(site.view(), site.index(), &site.options, &wanted)?)
    });
    match found.await {
        Ok(list) => Json(list).into_response(),
        Err(trouble) => trouble.answer(),
    }
}

pub(crate) async fn one(
    State(site): State<Arc<Site>>,
    Path(key): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let start = asked.number("start").unwrap_or(0);
    respond(&site, move |site| paper::find(site, &key, start)).await
}
