//! The crawl as it stands: how fast it goes, what became of every URL seen, which hosts wait and why.
//! One snapshot is page, JSON and event alike.

use super::answer::{self, PageFrame, RequestTrouble};
use super::live::Phase;
use super::told::{CrawlReport, HOSTS, ShownHost, ShownRun, by_need};
use super::{Site, rates};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::Response;
use fyke_lab::harvest;
use fyke_stages::freshness::{Freshness, freshness};
use fyke_stages::moments::iso;
use fyke_stages::show;
use fyke_stages::{life, reasons};
use fyke_store::{HostRow, Reason};
use serde::Serialize;
use std::sync::Arc;

/// URLs of a focused crawl whose harvest the page shows at the most.
const MOST_HARVESTED: u64 = 300_000;
/// URLs of a crawl whose freshness the page shows at the most.
const MOST_LOOKED_THROUGH: u64 = 100_000;
/// Reasons that are the cause of an error.
const ERRORS: [Reason; 15] = [
    Reason::RobotsUnreachable,
    Reason::Http4xx,
    Reason::Http5xx,
    Reason::HttpOther,
    Reason::Timeout,
    Reason::Dns,
    Reason::Tls,
    Reason::Connect,
    Reason::Protocol,
    Reason::RedirectLoop,
    Reason::TooBig,
    Reason::PrivateAddress,
    Reason::Contact,
    Reason::Unfinished,
    Reason::Credentials,
];
/// What the live page may do beyond the others: run our own script, hear our own events, and say
/// where its orders come from.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
    img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
pub(crate) const LIVE: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// How a crawl stands.
#[derive(Debug, Serialize)]
pub(crate) struct CrawlSnapshot {
    /// running, paused, stopping, finishing, ended; or idle, when no crawl runs.
    pub state: String,
    /// The same as a sentence.
    pub words: String,
    /// URLs seen: the sum of the reasons.
    pub urls: u64,
    pub reasons: Vec<ReasonCount>,
    /// Those that need attention first; while no crawl runs of those with the most pages.
    pub hosts: Vec<ShownHost>,
    pub run: Option<ShownRun>,
}

/// One reason with its URLs.
#[derive(Debug, Serialize)]
pub(crate) struct ReasonCount {
    pub name: &'static str,
    pub count: u64,
    /// Of all, in per cent.
    pub share: String,
    /// It is the cause of an error, which somebody may look into.
    pub is_error: bool,
    pub explain: &'static str,
}

#[derive(Template)]
#[template(path = "crawl.html")]
struct CrawlPage {
    site: PageFrame,
    crawl: CrawlSnapshot,
    token: Option<String>,
    /// A row that the script copies.
    nobody: ShownHost,
    /// Width and height of the line's picture.
    line: (f64, f64),
    /// Of a focused crawl: what it found and what is left, and its curve in SVG of our own.
    harvest: Vec<(String, String)>,
    plot: String,
    /// How fresh the copies are, and what so many requests a day would keep up.
    freshness: Freshness,
}

impl CrawlPage {
    /// What went wrong, by cause, the most frequent first.
    fn errors(&self) -> Vec<&ReasonCount> {
        self.crawl.reasons.iter().filter(|row| row.is_error).collect()
    }
}

pub(crate) async fn page(State(site): State<Arc<Site>>) -> Response {
    if let Some(live) = &site.live {
        live.refresh().await;
    }
    let is_live = site.live.is_some() || site.told().is_some();
    let token = site.order_token().filter(|_| is_live).map(str::to_owned);
    let work = |site: &Site| {
        let crawl = snapshot(site)?;
        let (harvest, plot) = focused(site, &crawl)?;
        let freshness = fresh(site, &crawl)?;
        let nobody = ShownHost { queued: Some(0), ..ShownHost::default() };
        let (site, line) = (PageFrame::of(site, ""), (rates::WIDTH, rates::HEIGHT));
        Ok(CrawlPage { site, crawl, token, nobody, line, harvest, plot, freshness })
    };
    let mut response = answer::page(site, work).await;
    if is_live {
        answer::allow(&mut response, LIVE);
    }
    response
}

/// What a focused crawl found and its curve; nothing of other crawls, and of one too large to be looked
/// through while a reader waits.
fn focused(
    site: &Site,
    crawl: &CrawlSnapshot,
) -> Result<(Vec<(String, String)>, String), RequestTrouble> {
    let is_focused = crawl.reasons.iter().any(|row| row.name == Reason::Offtopic.name());
    if !is_focused || crawl.urls > MOST_HARVESTED {
        return Ok((Vec::new(), String::new()));
    }
    let found = harvest::harvest(site.view())?;
    // A curve of nothing tells nothing.
    let plot = if found.on > 0 { harvest::plot(&found).inline() } else { String::new() };
    Ok((harvest::rows(&found), plot))
}

/// How fresh the copies are; nothing of a collection too large to be looked through while a reader waits.
fn fresh(site: &Site, crawl: &CrawlSnapshot) -> Result<Freshness, RequestTrouble> {
    let options = site.config.revisit.options();
    match options.ok().filter(|_| crawl.urls <= MOST_LOOKED_THROUGH) {
        Some(options) => Ok(freshness(site.view(), &options, show::now())?),
        None => Ok(Freshness::default()),
    }
}

/// How the crawl stands now, in this process or in another.
pub(crate) fn snapshot(site: &Site) -> Result<CrawlSnapshot, RequestTrouble> {
    let reasons = funnel(site)?;
    let urls = reasons.iter().map(|row| row.count).sum();
    let Some(CrawlReport { state, words, hosts, run }) = site.told() else {
        let (state, words) =
            ("idle".to_owned(), "No crawl runs: this is how the ledger stands.".to_owned());
        return Ok(CrawlSnapshot { state, words, urls, reasons, hosts: hosts(site)?, run: None });
    };
    Ok(CrawlSnapshot { state, words, urls, reasons, hosts, run: Some(run) })
}

/// URLs by reason, the largest first.
fn funnel(site: &Site) -> Result<Vec<ReasonCount>, RequestTrouble> {
    let counts = counts(site)?;
    let sum: u64 = counts.values().sum();
    let row = |(reason, count): (Reason, u64)| ReasonCount {
        name: reason.name(),
        count,
        share: format!("{:.1}%", 100.0 * count as f64 / sum.max(1) as f64),
        explain: reason.explain(),
        is_error: ERRORS.contains(&reason),
    };
    let mut rows: Vec<_> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    Ok(rows)
}

/// What the ledger counts, with what analysis found out, which only the stages change.
fn counts(site: &Site) -> Result<super::live::ReasonCounts, RequestTrouble> {
    let view = site.view();
    if site.live.as_ref().is_some_and(|live| live.phase() == Phase::Over) {
        return Ok(reasons::counts(view)?);
    }
    let found = match site.edition.found_out.get() {
        Some(found) => found,
        None => {
            let found = reasons::found_out(view)?;
            site.edition.found_out.get_or_init(|| found)
        }
    };
    Ok(reasons::overlaid(view.ledger.counts()?, found))
}

/// The hosts as the ledger knows them.
fn hosts(site: &Site) -> Result<Vec<ShownHost>, RequestTrouble> {
    let mut rows = site.view().ledger.hosts().collect::<Result<Vec<_>, _>>()?;
    rows.sort_by(|(a, first), (b, second)| second.pages.cmp(&first.pages).then_with(|| a.cmp(b)));
    rows.truncate(HOSTS);
    for (host, row) in &mut rows {
        *row = site.view().ledger.with_sides(host, std::mem::take(row))?;
    }
    let now = show::now();
    let shown = |(host, row): (String, HostRow)| {
        let (why, until) = life::wait(&row, now).unzip();
        let waits = why.unwrap_or_default().to_owned();
        let told = show::wait(&waits, until, now);
        let (pages, failures) = (row.pages, row.failures);
        ShownHost {
            host,
            bytes: Some(row.bytes),
            pages,
            share: 100,
            failures,
            waits,
            until: until.and_then(iso),
            told,
            queued: None,
        }
    };
    let mut shown: Vec<_> = rows.into_iter().map(shown).collect();
    by_need(&mut shown);
    Ok(shown)
}
