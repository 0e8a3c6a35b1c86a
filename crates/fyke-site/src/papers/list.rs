//! The list of papers: those cited most or the newest, or what a query finds among them.

use super::PaperHit;
use crate::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use crate::listing::{LAST, PAGE};
use crate::paging::{self, PageNumber};
use crate::{Site, turns};
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_derive::whole::citations::NameFigures;
use fyke_stages::papers::{self, PaperOrder, WantedPapers};
use fyke_stages::search::told_cut;
use fyke_stages::show::count;
use std::sync::Arc;

/// Authors and venues beside the list.
const NAMES: usize = 12;
/// Papers of others that are cited most.
const WANTED: usize = 8;
/// Papers with most rank.
const SEMINAL: usize = 8;

#[derive(Template)]
#[template(path = "papers.html")]
struct PapersPage {
    site: PageFrame,
    words: String,
    order: &'static str,
    /// Names of orders with what they are called.
    orders: Vec<(&'static str, &'static str)>,
    total: usize,
    found: String,
    first: usize,
    ordered: Option<usize>,
    cut: Option<String>,
    hits: Vec<PaperHit>,
    pages: Vec<PageNumber>,
    /// Of the whole collection.
    told: String,
    authors: Vec<NameFigures>,
    venues: Vec<NameFigures>,
    /// Papers that are cited and not held, those cited most first.
    wanted: Vec<PaperHit>,
    /// Papers with most rank by citations.
    seminal: Vec<PaperHit>,
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    let wanted = wanted(&asked, PAGE);
    match turns::search(&site, move |site| page_of(site, &wanted)).await {
        Ok(page) => answer::render(&page),
        Err(trouble) => trouble.page(&site),
    }
}

/// The papers that are asked for.
pub(super) fn wanted(asked: &SearchRequest, limit: usize) -> WantedPapers {
    let order = PaperOrder::named(&asked.text("sort")).unwrap_or_default();
    let start = asked.number("start").unwrap_or(0).min(LAST - PAGE);
    WantedPapers { words: asked.text("q").trim().to_owned(), order, start, limit }
}

fn page_of(site: &Site, wanted: &WantedPapers) -> Result<PapersPage, RequestTrouble> {
    let found = papers::list(site.view(), site.index(), &site.options, wanted)?;
    let figures = papers::figures(site.view())?.unwrap_or_default();
    let is_search = !wanted.words.is_empty();
    let is_first = !is_search && wanted.start == 0;
    let (mut others, mut seminal) = (Vec::new(), Vec::new());
    for id in figures.most_cited.iter().filter(|_| is_first) {
        let paper = papers::summary(site.view(), *id)?;
        others.extend(paper.filter(|paper| paper.documents.is_empty()).map(PaperHit::of));
        if others.len() == WANTED {
            break;
        }
    }
    for id in figures.seminal.iter().filter(|_| is_first).take(SEMINAL) {
        seminal.extend(papers::summary(site.view(), *id)?.map(PaperHit::of));
    }
    let orders: &[(&str, &str)] = match is_search {
        true => &[("best", "best first"), ("cited", "most cited"), ("newest", "newest")],
        false => &[("cited", "most cited"), ("newest", "newest")],
    };
    let order = match wanted.order {
        PaperOrder::Best if !is_search => PaperOrder::Cited,
        order => order,
    };
    let first = |mut names: Vec<NameFigures>| {
        names.truncate(NAMES);
        names
    };
    let (held, references) = (count(figures.held), count(figures.references));
    Ok(PapersPage {
        site: PageFrame::of(site, ""),
        words: wanted.words.clone(),
        order: order.name(),
        orders: orders.to_vec(),
        total: found.total,
        found: count(found.total as u64),
        first: wanted.start + 1,
        ordered: found.ordered,
        cut: found.cut.as_ref().map(told_cut),
        hits: found.papers.into_iter().map(PaperHit::of).collect(),
        pages: paging::pages(found.total, wanted.start),
        told: format!(
            "{held} papers with {references} references, which name {} other papers.",
            count(figures.cited)
        ),
        authors: first(figures.authors),
        venues: first(figures.venues),
        wanted: others,
        seminal,
    })
}
