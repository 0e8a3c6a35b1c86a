//! One paper: what its header says and by which evidence it is one, its references, and what cites it in which words.

use super::missing;
use crate::Site;
use crate::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use askama::Template;
use axum::extract::{Path, Query as Behind, State};
use axum::response::Response;
use fyke_papers::graph::CITATION_FORMATS;
use fyke_stages::papers::{self, PaperBesideLine, WholePaper};
use std::sync::Arc;

/// Citing papers of a page.
const CITING: usize = 30;

#[derive(Template)]
#[template(path = "paper.html")]
struct PaperPage {
    site: PageFrame,
    of: WholePaper,
    /// What else its header says, and why it is taken for a paper.
    fields: Vec<(&'static str, String)>,
    /// Papers that have to do with it, by how.
    beside: Vec<(&'static str, Vec<PaperBesideLine>)>,
    /// Its references have marks.
    is_marked: bool,
    rank: String,
    /// For corrections; empty on a site that is open to others.
    token: String,
    authors: String,
    is_saved: bool,
    /// Names of formats.
    formats: Vec<&'static str>,
    first: usize,
    earlier: Option<usize>,
    later: Option<usize>,
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    Path(key): Path<String>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let start = asked.number("start").unwrap_or(0);
    let is_saved = asked.number("saved").is_some();
    answer::page(site, move |site| page_of(site, &key, start, is_saved)).await
}

/// The paper of a key with the papers that cite it from one on.
pub(super) fn find(site: &Site, key: &str, start: usize) -> Result<WholePaper, RequestTrouble> {
    papers::whole(site.view(), key, (start, CITING))?.ok_or_else(|| missing(key))
}

fn page_of(
    site: &Site,
    key: &str,
    start: usize,
    is_saved: bool,
) -> Result<PaperPage, RequestTrouble> {
    let mut of = find(site, key, start)?;
    let beside = [
        ("Cited together with it", std::mem::take(&mut of.co_cited)),
        ("Cites the same", std::mem::take(&mut of.coupled)),
    ];
    // A graph of one paper tells nothing.
    let formats = CITATION_FORMATS.iter().map(|row| row.name).filter(|name| *name != "graphml");
    let shown = start + of.citing.len();
    Ok(PaperPage {
        site: PageFrame::of(site, ""),
        fields: fields(&of),
        beside: beside.into_iter().filter(|(_, papers)| !papers.is_empty()).collect(),
        is_marked: of.listed.iter().all(|reference| !reference.mark.is_empty()),
        rank: format!("{:.2}", of.rank),
        token: site.lab.own_token().unwrap_or_default().to_owned(),
        authors: of
            .summary
            .authors
            .iter()
            .map(|author| &*author.name)
            .collect::<Vec<_>>()
            .join(" and "),
        is_saved,
        formats: formats.collect(),
        first: start + 1,
        earlier: (start > 0).then(|| start.saturating_sub(CITING)),
        later: (shown < of.summary.cited_by && !of.citing.is_empty()).then_some(shown),
        of,
    })
}

fn fields(of: &WholePaper) -> Vec<(&'static str, String)> {
    let evidence = match of.score {
        Some(score) => format!("{} ({:.0} of 100)", of.evidence.join(", "), score * 100.0),
        None => String::new(),
    };
    let mut fields = vec![
        ("institution", of.affiliations.join("; ")),
        ("mail", of.emails.join(", ")),
        ("keywords", of.keywords.join(", ")),
        ("taken for a paper", evidence),
        ("notes", of.notes.join(", ")),
    ];
    fields.retain(|(_, text)| !text.is_empty());
    fields
}
