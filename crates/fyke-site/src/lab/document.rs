//! A document as judges see it: what the collection holds of it, or its name alone.

use crate::Site;
use crate::answer::{self, RequestTrouble};
use fyke_index::{Fragment, mark};
use fyke_web::Url;

/// Characters of the text that are shown; the cached copy has the rest.
const SHOWN: usize = 8_000;

/// What is shown of a document.
pub(crate) struct ShownDocument {
    pub name: String,
    /// Where it can be opened: only what a browser fetches.
    pub href: Option<String>,
    pub key: Option<String>,
    pub title: String,
    pub language: String,
    /// The text with the query's words marked.
    pub text: Vec<Fragment>,
    pub is_cut: bool,
}

pub(crate) fn shown(site: &Site, name: &str, query: &str) -> Result<ShownDocument, RequestTrouble> {
    let url = Url::stored(name).ok();
    let held = match &url {
        Some(url) => fyke_derive::document(site.view(), url.id())?,
        None => None,
    };
    let is_fetched = |url: &&Url| !url.is_file();
    let mut shown = ShownDocument {
        name: name.to_owned(),
        href: url.as_ref().filter(is_fetched).map(|url| url.as_str().to_owned()),
        key: None,
        title: String::new(),
        language: String::new(),
        text: Vec::new(),
        is_cut: false,
    };
    if let Some(document) = held {
        let end = document.text.char_indices().nth(SHOWN).map(|(place, _)| place);
        let text = &document.text[..end.unwrap_or(document.text.len())];
        shown.key = Some(answer::key(document.id.0));
        shown.text = mark(text, &site.index().query(query));
        shown.is_cut = end.is_some();
        (shown.title, shown.language) = (document.title, document.language);
    }
    Ok(shown)
}
