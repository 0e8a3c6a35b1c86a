//! Suggestions while somebody types: what others often searched for, where a log is kept, then what
//! the index suggests. Answered as OpenSearch wants it, for browsers and for our own script.

use super::Site;
use super::answer::{self, RequestTrouble, SearchRequest};
use axum::extract::{Query as Behind, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::sync::Arc;

/// Suggestions under the box.
pub(crate) const SHOWN: usize = 8;

/// How a query may go on, the likeliest first.
pub(crate) fn suggestions(
    site: &Site,
    words: &str,
    limit: usize,
) -> Result<Vec<String>, RequestTrouble> {
    if words.trim().is_empty() {
        return Ok(Vec::new());
    }
    let often = site.searches.as_ref().map(|searches| searches.beginning(words, limit));
    let mut found = often.unwrap_or_default();
    for text in site.index().suggest(words, limit)? {
        if !found.iter().any(|known| known.eq_ignore_ascii_case(&text)) {
            found.push(text);
        }
    }
    found.truncate(limit);
    Ok(found)
}

pub(crate) async fn suggest(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let words = asked.text("q");
    let answer = answer::read(&site, move |site| {
        let found = suggestions(site, &words, SHOWN)?;
        Ok(json!([words, found]).to_string())
    });
    match answer.await {
        Ok(text) => {
            ([(header::CONTENT_TYPE, "application/x-suggestions+json")], text).into_response()
        }
        Err(trouble) => trouble.answer(),
    }
}
