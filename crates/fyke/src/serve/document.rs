//! One document: its main text, what is known of it, and what links to it call it.

use super::answer::{self, Frame, Trouble};
use super::{Site, cached};
use crate::plot;
use crate::show::{count, moment};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use fyke_web::page::Format;
use fyke_web::{Document, REFINERS, UrlId, blocks, parse};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Anchor texts shown at the most.
const ANCHORS: usize = 50;

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentPage {
    site: Frame,
    key: String,
    document: Document,
    captured: String,
    words: String,
    anchors: Vec<(String, usize)>,
    /// The document slope curve, for a page of HTML whose capture is there.
    curve: Option<String>,
}

pub async fn page(State(site): State<Arc<Site>>, Path(key): Path<String>) -> Response {
    answer::page(site, move |site| page_of(site, key)).await
}

fn page_of(site: &Site, key: String) -> Result<DocumentPage, Trouble> {
    let document = find(site, &key)?;
    let mut counts = BTreeMap::new();
    for (_, anchor) in site.collection()?.documents.anchors(document.id)? {
        if !anchor.is_empty() {
            *counts.entry(anchor).or_insert(0) += 1;
        }
    }
    let mut anchors: Vec<_> = counts.into_iter().collect();
    anchors.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    anchors.truncate(ANCHORS);
    let (captured, words) = (moment(document.time), count(document.words.into()));
    let curve = curve(site, document.id);
    Ok(DocumentPage { site: Frame::of(site, ""), key, document, captured, words, anchors, curve })
}

/// The document slope curve with the main text marked.
fn curve(site: &Site, id: UrlId) -> Option<String> {
    let page = parse(&cached::find(site, id).ok()?);
    if page.format != Format::Html {
        return None;
    }
    let blocks = blocks(&page.content);
    Some(plot::slope(&blocks, &(REFINERS[0].run)(&blocks)).inline())
}

/// The document a key stands for.
pub fn find(site: &Site, key: &str) -> Result<Document, Trouble> {
    let id = answer::id(key)?;
    let missing = || Trouble::Missing(format!("there is no document {key}"));
    site.collection()?.documents.get(id)?.ok_or_else(missing)
}
