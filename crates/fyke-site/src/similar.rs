//! Documents like another: about the same, or with text in common; and what differs between two, as
//! `fyke similar` finds them.

use super::Site;
use super::answer::{self, PageFrame, RequestTrouble};
use super::document;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use fyke_derive::asked::similar::{self, DifferentPart, Similar, SimilarTo};
use fyke_index::{Fragment, Hit};
use fyke_text::difference::Side;
use std::sync::Arc;

/// Documents shown.
const SHOWN: usize = 20;
const ALIKE: usize = 10;
/// What resembles less is not shown.
const LEAST: f64 = 0.05;

#[derive(Template)]
#[template(path = "similar.html")]
struct SimilarPage {
    site: PageFrame,
    key: String,
    url: String,
    title: String,
    /// About the same, by the words that say most about it.
    alike: Vec<Alike>,
    similar: Vec<SimilarRow>,
}

struct Alike {
    key: String,
    url: String,
    title: String,
    snippet: Vec<Fragment>,
}

/// With text in common.
struct SimilarRow {
    key: String,
    url: String,
    title: String,
    resemblance: String,
}

/// Two documents; `of` is what the part of the page that shows differences reads.
#[derive(Template)]
#[template(path = "compared.html")]
struct ComparedPage {
    site: PageFrame,
    of: ComparedTexts,
}

struct ComparedTexts {
    first: String,
    first_title: String,
    second: String,
    second_title: String,
    differences: Vec<DifferentPart>,
}

pub(crate) async fn page(State(site): State<Arc<Site>>, Path(key): Path<String>) -> Response {
    answer::page(site, move |site| {
        let document = document::find(site, &key)?;
        let found = nearest(site, &document, SHOWN)?;
        let similar = found.into_iter().filter(|similar| similar.resemblance >= LEAST).map(row);
        let similar = similar.collect();
        let alike = site.index().alike(document.id.0, ALIKE)?.into_iter().map(alike).collect();
        let (site, url, title) = (PageFrame::of(site, ""), document.url, document.title);
        Ok(SimilarPage { site, key, url, title, alike, similar })
    })
    .await
}

fn alike(hit: Hit) -> Alike {
    let title = if hit.title.is_empty() { hit.url.clone() } else { hit.title };
    Alike { key: answer::key(hit.id), url: hit.url, title, snippet: hit.snippet }
}

fn row(Similar { id, url, title, resemblance }: Similar) -> SimilarRow {
    let title = if title.is_empty() { url.clone() } else { title };
    SimilarRow { key: answer::key(id.0), url, title, resemblance: format!("{resemblance:.2}") }
}

/// The documents most like one.
pub(crate) fn nearest(
    site: &Site,
    document: &fyke_web::Document,
    limit: usize,
) -> Result<Vec<Similar>, RequestTrouble> {
    Ok(similar::nearest(site.view(), SimilarTo::Document(document), limit)?)
}

pub(crate) async fn compared(
    State(site): State<Arc<Site>>,
    Path((key, other)): Path<(String, String)>,
) -> Response {
    answer::page(site, move |site| {
        let (second, first) = (document::find(site, &key)?, document::find(site, &other)?);
        let of = ComparedTexts {
            differences: similar::differences(&first.text, &second.text),
            first: other,
            first_title: first.title,
            second: key,
            second_title: second.title,
        };
        Ok(ComparedPage { site: PageFrame::of(site, ""), of })
    })
    .await
}
