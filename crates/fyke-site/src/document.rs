//! One document: its main text, what is known of it, its copies, and what links to it call it.

use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use super::changes::{PageChanges, changes};
use super::{Site, cached, private};
use askama::Template;
use axum::extract::{Path, Query as Behind, State};
use axum::response::Response;
use fyke_derive::asked::similar::{self, DifferentPart};
use fyke_derive::page::anchors::anchors;
use fyke_derive::page::papers::PAPERS;
use fyke_derive::page::private::PRIVATE;
use fyke_derive::{ReadLimits, read_within};
use fyke_formats::parse;
use fyke_lab::plot;
use fyke_stages::show::{count, moment};
use fyke_text::difference::Side;
use fyke_web::page::Format;
use fyke_web::{Document, WordShare, blocks, shape, word_shares};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Anchor texts shown at the most.
const ANCHORS: usize = 50;
/// The headings of the text stand below those of the page.
const HEADINGS_BELOW: u8 = 2;
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
    /// It was fetched with credentials.
    is_private: bool,
    /// Whether it has a page among the papers.
    is_paper: bool,
    copy_of: Option<CopyOf>,
    /// Key and URL of each.
    copies: Vec<(String, String)>,
    anchors: Vec<(String, usize)>,
    changes: Option<PageChanges>,
    /// The main text with its shape, escaped.
    body: String,
    /// What was kept of the page's words and the document slope curve, for a page of HTML whose capture is there.
    kept: Option<KeptWords>,
}

/// How much of a page the main text holds.
struct KeptWords {
    percent: u64,
    shares: Vec<WordShare>,
    curve: String,
}

/// What a document is a copy of, and how it differs from that.
struct CopyOf {
    key: String,
    url: String,
    differences: Vec<DifferentPart>,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(key): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    answer::page(site, move |site| page_of(site, key, asked.number("since"))).await
}

fn page_of(site: &Site, key: String, since: Option<usize>) -> Result<DocumentPage, RequestTrouble> {
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
    let kept = kept_words(site, &document);
    let body = shape::html((&document.text, &document.shape), &document.links, HEADINGS_BELOW);
    let (copy_of, copies) = (copy_of(site, &document)?, copies(site, &document)?);
    let judged = collection.cells().get(&PAPERS, document.id)?;
    let is_paper = judged.is_some_and(|judged| judged.verdict.is_paper);
    let is_private = collection.cells().get(&PRIVATE, document.id)?.is_some();
    let changes = changes(site, &document, since)?;
    let site = PageFrame::of(site, "");
    Ok(DocumentPage {
        site,
        key,
        changes,
        document,
        captured,
        words,
        is_private,
        is_paper,
        copy_of,
        copies,
        anchors,
        body,
        kept,
    })
}

fn copy_of(site: &Site, document: &Document) -> Result<Option<CopyOf>, RequestTrouble> {
    let collection = site.view();
    let Some(twin) = fyke_stages::twin(collection, document.id)? else { return Ok(None) };
    if private::is_kept_back(site, twin.of)? {
        return Ok(None);
    }
    let Some(of) = collection.documents.get(twin.of)? else { return Ok(None) };
    let differences = match twin.exact {
        true => Vec::new(),
        false => similar::differences(&of.text, &document.text),
    };
    Ok(Some(CopyOf { key: answer::key(of.id.0), url: of.url, differences }))
}

fn copies(site: &Site, document: &Document) -> Result<Vec<(String, String)>, RequestTrouble> {
    let collection = site.view();
    let ids = fyke_stages::copies(collection, document.id)?;
    let mut copies = Vec::new();
    for id in ids.into_iter().take(COPIES) {
        if private::is_kept_back(site, id)? {
            continue;
        }
        let copy = collection.documents.get(id)?;
        copies.extend(copy.map(|copy| (answer::key(id.0), copy.url)));
    }
    Ok(copies)
}

/// What of the page is the main text, with the document slope curve.
fn kept_words(site: &Site, document: &Document) -> Option<KeptWords> {
    let capture = cached::find(site, document.id).ok()?;
    let page = read_within(&capture, &ReadLimits::default(), parse).ok()?;
    if page.format != Format::Html {
        return None;
    }
    let blocks = blocks(&page.content);
    let kept = document.kept_of(&blocks);
    let shares = word_shares(&blocks, &kept);
    let sum = |part: fn(&WordShare) -> u64| shares.iter().map(part).sum::<u64>();
    let percent = 100 * sum(|share| share.kept) / sum(|share| share.kept + share.left_out).max(1);
    Some(KeptWords { percent, shares, curve: plot::slope(&blocks, &kept).inline() })
}

/// The document a key stands for.
pub(crate) fn find(site: &Site, key: &str) -> Result<Document, RequestTrouble> {
    let id = answer::id(key)?;
    private::check(site, id)?;
    let missing = || RequestTrouble::Missing(format!("there is no document {key}"));
    fyke_derive::document(site.view(), id)?.ok_or_else(missing)
}
