//! The papers of a collection (002, figure 1): a list and a search of them, a page for each with what it refers to and
//! what cites it, and for each author and venue a page of their papers.

pub(crate) mod api;
mod correct;
mod list;
mod paper;

use super::answer::{self, PageFrame, RequestTrouble};
use super::{Service, Site};
use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use fyke_papers::graph::CITATION_FORMATS;
use fyke_stages::papers::{self, NameKind, PaperSummary};
use std::sync::Arc;

/// Bytes of a form.
const LONGEST: usize = 32 << 10;
/// Papers of a name at the most.
const MOST_NAMED: usize = 300;

pub(crate) fn routes() -> Router<Service> {
    let forms = post(correct::take).layer(DefaultBodyLimit::max(LONGEST));
    Router::new()
        .route("/papers", get(list::page))
        .route("/papers/{key}", get(paper::page))
        .route("/papers/{key}/{part}", get(part).merge(forms))
}

#[derive(Template)]
#[template(path = "papers_named.html")]
struct NamedPage {
    site: PageFrame,
    kind: &'static str,
    name: String,
    is_cut: bool,
    hits: Vec<PaperHit>,
}

/// A paper as lists show it.
struct PaperHit {
    of: PaperSummary,
    /// The abstract, as much of it as is shown.
    summary: String,
}

/// Bytes of an abstract in a list.
const SUMMARY: usize = 320;

impl PaperHit {
    fn of(of: PaperSummary) -> PaperHit {
        let text = &of.abstract_text;
        let summary = match text.len() > SUMMARY {
            true => {
                let cut = &text[..text.floor_char_boundary(SUMMARY)];
                let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
                format!("{words} …")
            }
            false => text.clone(),
        };
        PaperHit { of, summary }
    }
}

/// The papers of an author (`author`, and a key) or a venue, or a paper in the format of another program.
async fn part(
    State(site): State<Arc<Site>>,
    Path((key, part)): Path<(String, String)>,
) -> Response {
    let kind = [NameKind::Author, NameKind::Venue].into_iter().find(|kind| kind.name() == key);
    match kind {
        Some(kind) => answer::page(site, move |site| named(site, kind, &part)).await,
        None => written(site, key, part).await,
    }
}

fn named(site: &Site, kind: NameKind, key: &str) -> Result<NamedPage, RequestTrouble> {
    let missing = || RequestTrouble::Missing(format!("there is no {} {key}", kind.name()));
    let found = papers::named(site.view(), kind, key, MOST_NAMED)?.ok_or_else(missing)?;
    let papers::NamedPaperList { name, papers, is_cut } = found;
    let hits = papers.into_iter().map(PaperHit::of).collect();
    Ok(NamedPage { site: PageFrame::of(site, ""), kind: kind.name(), name, is_cut, hits })
}

/// A paper as a file.
async fn written(site: Arc<Site>, key: String, format: String) -> Response {
    let read = answer::read(&site, move |site| {
        let row = CITATION_FORMATS.iter().find(|row| row.name == format);
        let row = row.ok_or_else(|| {
            let names: Vec<&str> = CITATION_FORMATS.iter().map(|row| row.name).collect();
            RequestTrouble::Missing(format!("papers are written as {}", names.join(", ")))
        })?;
        let graph = papers::one_paper_graph(site.view(), &key)?;
        let graph = graph.ok_or_else(|| missing(&key))?;
        Ok((format!("inline; filename=\"{key}.{}\"", row.ending), (row.write)(&graph)))
    });
    match read.await {
        Ok((name, text)) => {
            let mut headers = HeaderMap::new();
            let plain = header::HeaderValue::from_static("text/plain; charset=utf-8");
            headers.insert(header::CONTENT_TYPE, plain);
            if let Ok(name) = name.parse() {
                headers.insert(header::CONTENT_DISPOSITION, name);
            }
            (headers, text).into_response()
        }
        Err(trouble) => trouble.page(&site),
    }
}

fn missing(key: &str) -> RequestTrouble {
    RequestTrouble::Missing(format!("there is no paper {key}"))
}
