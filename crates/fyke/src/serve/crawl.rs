//! The crawl as the ledger tells it: URLs by reason, and the hosts.

use super::Site;
use super::answer::{self, Frame, Trouble};
use crate::show::{count, size};
use crate::stages::reasons;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fyke_store::HostRow;
use serde::Serialize;
use std::sync::Arc;

/// Hosts listed at the most, those with the most pages first.
const HOSTS: usize = 200;

/// One reason with its URLs.
#[derive(Debug, Serialize)]
pub struct ReasonCount {
    pub name: &'static str,
    pub count: u64,
    pub explain: &'static str,
}

/// One host, as the page shows it.
struct Host {
    name: String,
    pages: String,
    bytes: String,
    waits: String,
}

#[derive(Template)]
#[template(path = "crawl.html")]
struct CrawlPage {
    site: Frame,
    known: String,
    reasons: Vec<ReasonCount>,
    hosts: Vec<Host>,
}

pub async fn page(State(site): State<Arc<Site>>) -> Response {
    let work = |site: &Site| {
        let reasons = funnel(site)?;
        let known = count(reasons.iter().map(|row| row.count).sum());
        Ok(CrawlPage { site: Frame::of(site, ""), known, reasons, hosts: hosts(site)? })
    };
    answer::page(site, work).await
}

/// URLs by reason, the largest first.
pub fn funnel(site: &Site) -> Result<Vec<ReasonCount>, Trouble> {
    let counts = reasons::counts(&site.collection)?;
    let row = |(reason, count): (fyke_store::Reason, u64)| ReasonCount {
        name: reason.name(),
        count,
        explain: reason.explain(),
    };
    let mut rows: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    Ok(rows)
}

fn hosts(site: &Site) -> Result<Vec<Host>, Trouble> {
    let mut rows = site.collection.ledger.hosts().collect::<Result<Vec<_>, _>>()?;
    rows.sort_by(|(a, first), (b, second)| second.pages.cmp(&first.pages).then_with(|| a.cmp(b)));
    rows.truncate(HOSTS);
    let shown = |(name, row): (String, HostRow)| Host {
        name,
        pages: count(row.pages),
        bytes: size(row.bytes),
        waits: row.waits,
    };
    Ok(rows.into_iter().map(shown).collect())
}
