//! The URL inspector: the life of one URL, as `fyke why` tells it.

use super::Site;
use super::answer::{self, Asked, Frame, Trouble};
use super::live::Phase;
use askama::Template;
use axum::extract::{Query as Behind, State};
use axum::response::Response;
use fyke_stages::config;
use fyke_stages::life::{self, Life, Outlook};
use fyke_stages::show;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "why.html")]
struct WhyPage {
    site: Frame,
    url: String,
    trouble: String,
    facts: Vec<(&'static str, String)>,
}

pub(crate) async fn page(State(site): State<Arc<Site>>, Behind(asked): Behind<Asked>) -> Response {
    answer::page(site, move |site| page_of(site, asked.text("url"))).await
}

fn page_of(site: &Site, url: String) -> Result<WhyPage, Trouble> {
    let (facts, trouble) = match life(site, &url) {
        _ if url.trim().is_empty() => (Vec::new(), String::new()),
        Ok(life) => (life.facts(), String::new()),
        Err(Trouble::Bad(detail) | Trouble::Missing(detail)) => (Vec::new(), detail),
        Err(trouble) => return Err(trouble),
    };
    Ok(WhyPage { site: Frame::of(site, ""), url, trouble, facts })
}

/// The life of a URL as typed.
pub(crate) fn life(site: &Site, text: &str) -> Result<Life, Trouble> {
    let url = config::seed_url(text).map_err(|error| Trouble::Bad(error.to_string()))?;
    let outlook = Outlook { now: show::now(), per_host_pages: site.per_host_pages };
    let found = life::typed(site.view(), &url, text, outlook)?;
    let mut life =
        found.ok_or_else(|| Trouble::Missing(format!("{} was never seen", url.as_str())))?;
    let live = site.live.as_ref().filter(|live| live.phase() == Phase::Crawling);
    life.host.banned = live.is_some_and(|live| live.control.is_banned(&life.host.host));
    Ok(life)
}
