//! One document: its main text, what is known of it, its copies, and what links to it call it.

use super::answer::{self, PageFrame, RequestTrouble};
use super::{Site, cached};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use fyke_derive::asked::similar;
use fyke_derive::page::anchors::anchors;
use fyke_formats::parse;
use fyke_lab::plot;
use fyke_stages::show::{count, moment};
use fyke_store::View;
use fyke_text::difference::Side;
use fyke_web::page::Format;
use fyke_web::{Document, REFINERS, UrlId, blocks};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Anchor texts shown at the most.
const ANCHORS: usize = 50;
/// Copies shown at the most.
const COPIES: usize = 50;

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentPage {
    site: PageFrame,
    key: String,
    document: Document,
    captured: String,
    words: String,
    copy_of: Option<CopyOf>,
    /// Key and URL of each.
    copies: Vec<(String, String)>,
    anchors: Vec<(String, usize)>,
    /// The document slope curve, for a page of HTML whose capture is there.
    curve: Option<String>,
}

/// What a document is a copy of, and how it differs from that.
struct CopyOf {
    key: String,
    url: String,
    differences: Vec<(Side, String)>,
}

pub(crate) async fn page(State(site): State<Arc<Site>>, Path(key): Path<String>) -> Response {
    answer::page(site, move |site| page_of(site, key)).await
}

fn page_of(site: &Site, key: String) -> Result<DocumentPage, RequestTrouble> {
    let document = find(site, &key)?;
    let collection = site.view();
    let mut counts = BTreeMap::new();
    for (_, anchor) in anchors(&collection.cells(), document.id)? {
        let anchor = anchor.text;
        if !anchor.is_empty() {
            *counts.entry(anchor).or_insert(0) += 1;
        }
    }
    let mut anchors: Vec<(String, usize)> = counts.into_iter().collect();
    anchors.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    anchors.truncate(ANCHORS);
    let (captured, words) = (moment(document.time), count(document.words.into()));
    let curve = curve(site, document.id);
    let (copy_of, copies) = (copy_of(collection, &document)?, copies(collection, &document)?);
    let site = PageFrame::of(site, "");
    Ok(DocumentPage { site, key, document, captured, words, copy_of, copies, anchors, curve })
}

fn copy_of(collection: &View, document: &Document) -> Result<Option<CopyOf>, RequestTrouble> {
    let Some(twin) = fyke_stages::twin(collection, document.id)? else { return Ok(None) };
    let Some(of) = collection.documents.get(twin.of)? else { return Ok(None) };
    let differences = match twin.exact {
        true => Vec::new(),
        false => similar::differences(&of.text, &document.text),
    };
    Ok(Some(CopyOf { key: answer::key(of.id.0), url: of.url, differences }))
}

fn copies(collection: &View, document: &Document) -> Result<Vec<(String, String)>, RequestTrouble> {
    let ids = fyke_stages::copies(collection, document.id)?;
    let mut copies = Vec::new();
    for id in ids.into_iter().take(COPIES) {
        let copy = collection.documents.get(id)?;
        copies.extend(copy.map(|copy| (answer::key(id.0), copy.url)));
    }
    Ok(copies)
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
pub(crate) fn find(site: &Site, key: &str) -> Result<Document, RequestTrouble> {
    let id = answer::id(key)?;
    let missing = || RequestTrouble::Missing(format!("there is no document {key}"));
    site.view().documents.get(id)?.ok_or_else(missing)
}
