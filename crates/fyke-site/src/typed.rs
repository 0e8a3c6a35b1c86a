//! A URL typed into the box: the page itself, if it is here, or the way to it.

use super::Site;
use super::answer::{self, RequestTrouble};
use fyke_derive::asked::similar;
use fyke_index::typed_url;
use fyke_stages::config;

/// What is known of a URL that was typed.
#[derive(Debug)]
pub(crate) struct TypedUrl {
    pub url: String,
    /// The document, if there is one.
    pub key: Option<String>,
    pub title: String,
    /// Whether it was ever seen.
    pub is_known: bool,
}

/// The URL that the words are, if they are one.
pub(crate) fn typed(site: &Site, words: &str) -> Result<Option<TypedUrl>, RequestTrouble> {
    let Some(url) = typed_url(words) else { return Ok(None) };
    let Ok(url) = config::seed_url(&url) else { return Ok(None) };
    let document = similar::document(site.view(), &url, words.trim())?;
    let is_known = document.is_some() || site.view().ledger.get(url.id())?.is_some();
    let url = document.as_ref().map_or(url.as_str(), |document| &document.url).to_owned();
    let key = document.as_ref().map(|document| answer::key(document.id.0));
    let title = document.map(|document| document.title).unwrap_or_default();
    let title = if title.is_empty() { url.clone() } else { title };
    Ok(Some(TypedUrl { url, key, title, is_known }))
}
