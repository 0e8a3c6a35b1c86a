//! The URL inspector: the life of one URL, as `fyke why` tells it.

use super::Site;
use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use super::live::Phase;
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_stages::config;
use fyke_stages::life::{self, Life, LifeOutlook};
use fyke_stages::show;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "why.html")]
struct WhyPage {
    site: PageFrame,
    url: String,
    trouble: String,
    facts: Vec<(&'static str, String)>,
}

pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Behind(asked): Behind<SearchRequest>,
) -> Response {
    answer::page(site, move |site| page_of(site, asked.text("url"))).await
}

fn page_of(site: &Site, url: String) -> Result<WhyPage, RequestTrouble> {
    let (facts, trouble) = match life(site, &url) {
        _ if url.trim().is_empty() => (Vec::new(), String::new()),
        Ok(life) => (life.facts(), String::new()),
        Err(RequestTrouble::Bad(detail) | RequestTrouble::Missing(detail)) => (Vec::new(), detail),
        Err(trouble) => return Err(trouble),
    };
    Ok(WhyPage { site: PageFrame::of(site, ""), url, trouble, facts })
}

/// The life of a URL as typed.
pub(crate) fn life(site: &Site, text: &str) -> Result<Life, RequestTrouble> {
    let url = config::seed_url(text).map_err(|error| RequestTrouble::Bad(error.to_string()))?;
    let outlook = LifeOutlook { now: show::now(), per_host_pages: site.per_host_pages };
    let found = life::typed(site.view(), &url, text, outlook)?;
    let mut life =
        found.ok_or_else(|| RequestTrouble::Missing(format!("{} was never seen", url.as_str())))?;
    let live = site.live.as_ref().filter(|live| live.phase() == Phase::Crawling);
    life.host.banned = live.is_some_and(|live| live.control.is_banned(&life.host.host));
    Ok(life)
}
