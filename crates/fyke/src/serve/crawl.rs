//! The crawl as it stands: how fast it goes, what became of every URL seen, which hosts wait and why.
//! One snapshot is page, JSON and event alike.

use super::answer::{self, Frame, Trouble};
use super::live::{Live, Phase};
use super::{Site, rates};
use crate::memory;
use crate::show::{self, count, size};
use crate::stages::{harvest, life, reasons};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::Response;
use fyke_crawl::{Harvest, HostNow};
use fyke_store::{HostRow, Reason};
use serde::Serialize;
use std::sync::Arc;

/// Hosts listed at the most.
const HOSTS: usize = 100;
/// URLs of a focused crawl whose harvest the page shows at the most.
const MOST_HARVESTED: u64 = 300_000;
/// What the live page may do beyond the others: run our own script, hear our own events, and say
/// where its orders come from.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
    img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
pub const LIVE: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// How a crawl stands.
#[derive(Debug, Serialize)]
pub struct Snapshot {
    /// running, paused, stopping, finishing, ended; or idle, when no crawl runs in this process.
    pub state: &'static str,
    /// The same as a sentence.
    pub words: String,
    /// URLs seen: the sum of the reasons.
    pub urls: u64,
    pub reasons: Vec<ReasonCount>,
    /// While a crawl runs those with the most queued URLs first, else those with the most pages.
    pub hosts: Vec<Host>,
    pub run: Option<Run>,
}

/// One reason with its URLs.
#[derive(Debug, Serialize)]
pub struct ReasonCount {
    pub name: &'static str,
    pub count: u64,
    /// Of all, in per cent.
    pub share: String,
    pub explain: &'static str,
}

/// One host. Only a running crawl knows how much is queued, only the ledger how many bytes came.
#[derive(Debug, Default, Serialize)]
pub struct Host {
    pub host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    pub pages: u64,
    pub failures: u32,
    /// Why it waits, and until when in milliseconds since 1970.
    pub waits: String,
    pub until: Option<i64>,
    /// Both in words.
    pub told: String,
}

/// What the run of this process did so far.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    pub pages: u64,
    pub pages_per_second: f64,
    pub pages_per_second_mean: f64,
    pub bytes: u64,
    pub errors: u64,
    pub queued: u64,
    pub in_flight: u64,
    pub hosts_waiting: u64,
    pub seconds: f64,
    pub memory_bytes: u64,
    pub memory_peak_bytes: u64,
    /// URLs waiting by priority.
    pub frontier: Vec<Queue>,
    /// Pages in each second of the last minutes, the highest of them, and a line through all.
    pub rates: Vec<f64>,
    pub highest: String,
    pub line: String,
    /// The figures as the page shows them.
    pub figures: Vec<Figure>,
    /// Words of links that lead to the subject and that do not; of a focused crawl alone.
    pub words: Vec<Figure>,
}

/// URLs of one priority.
#[derive(Debug, Serialize)]
pub struct Queue {
    pub priority: usize,
    pub count: u64,
    /// Of the longest queue, in per cent.
    pub share: u64,
}

/// One figure of the page.
#[derive(Debug, Serialize)]
pub struct Figure {
    pub name: &'static str,
    pub text: String,
}

#[derive(Template)]
#[template(path = "crawl.html")]
struct CrawlPage {
    site: Frame,
    crawl: Snapshot,
    token: Option<String>,
    /// A row that the script copies.
    nobody: Host,
    /// Width and height of the line's picture.
    line: (f64, f64),
    /// Of a focused crawl: what it found and what is left, and its curve in SVG of our own.
    harvest: Vec<(String, String)>,
    plot: String,
}

pub async fn page(State(site): State<Arc<Site>>) -> Response {
    let live = site.live.clone();
    if let Some(live) = &live {
        live.refresh().await;
    }
    let token = live.as_ref().and_then(|live| live.token.clone());
    let work = |site: &Site| {
        let crawl = snapshot(site)?;
        let (harvest, plot) = focused(site, &crawl)?;
        let nobody = Host { queued: Some(0), ..Host::default() };
        let (site, line) = (Frame::of(site, ""), (rates::WIDTH, rates::HEIGHT));
        Ok(CrawlPage { site, crawl, token, nobody, line, harvest, plot })
    };
    let mut response = answer::page(site, work).await;
    if live.is_some() {
        answer::allow(&mut response, LIVE);
    }
    response
}

/// What a focused crawl found and its curve; nothing of other crawls, and of one too large to be looked
/// through while a reader waits.
fn focused(site: &Site, crawl: &Snapshot) -> Result<(Vec<(String, String)>, String), Trouble> {
    let is_focused = crawl.reasons.iter().any(|row| row.name == Reason::Offtopic.name());
    if !is_focused || crawl.urls > MOST_HARVESTED {
        return Ok((Vec::new(), String::new()));
    }
    let found = harvest::harvest(site.view())?;
    // A curve of nothing tells nothing.
    let plot = if found.on > 0 { harvest::plot(&found).inline() } else { String::new() };
    Ok((harvest::rows(&found), plot))
}

/// How the crawl stands now.
pub fn snapshot(site: &Site) -> Result<Snapshot, Trouble> {
    let reasons = funnel(site)?;
    let urls = reasons.iter().map(|row| row.count).sum();
    let Some(live) = &site.live else {
        let words = "No crawl runs in this process: this is how the ledger stands.".to_owned();
        return Ok(Snapshot {
            state: "idle",
            words,
            urls,
            reasons,
            hosts: hosts(site)?,
            run: None,
        });
    };
    let (state, words) = state(live);
    let now = show::now();
    let hosts = live.hosts().into_iter().take(HOSTS).map(|host| host_now(host, now)).collect();
    Ok(Snapshot { state, words, urls, reasons, hosts, run: Some(run(live)) })
}

fn state(live: &Live) -> (&'static str, String) {
    let control = &live.control;
    let (state, words) = match live.phase() {
        Phase::Making(Some(step)) => {
            let of = step.total.map_or_else(String::new, |total| format!(" of {}", count(total)));
            return (
                "finishing",
                format!("Fetching has ended; {}: {}{of} done.", step.stage, count(step.done)),
            );
        }
        Phase::Making(None) => ("finishing", "Fetching has ended; documents are being made."),
        Phase::Over => ("ended", "The crawl has ended; what was fetched is kept and indexed."),
        Phase::Crawling if control.is_stopped() => ("stopping", "Stopping; nothing new is asked."),
        Phase::Crawling if control.is_paused() => ("paused", "Paused; no new requests."),
        Phase::Crawling => ("running", "Running."),
    };
    (state, words.to_owned())
}

/// URLs by reason, the largest first.
fn funnel(site: &Site) -> Result<Vec<ReasonCount>, Trouble> {
    let counts = counts(site)?;
    let sum: u64 = counts.values().sum();
    let row = |(reason, count): (Reason, u64)| ReasonCount {
        name: reason.name(),
        count,
        share: format!("{:.1}%", 100.0 * count as f64 / sum.max(1) as f64),
        explain: reason.explain(),
    };
    let mut rows: Vec<_> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    Ok(rows)
}

/// What the ledger counts, with what analysis found out, which only the stages change.
fn counts(site: &Site) -> Result<super::live::Counts, Trouble> {
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
fn hosts(site: &Site) -> Result<Vec<Host>, Trouble> {
    let mut rows = site.view().ledger.hosts().collect::<Result<Vec<_>, _>>()?;
    rows.sort_by(|(a, first), (b, second)| second.pages.cmp(&first.pages).then_with(|| a.cmp(b)));
    rows.truncate(HOSTS);
    let now = show::now();
    let shown = |(host, row): (String, HostRow)| {
        let (why, until) = life::wait(&row, now).unzip();
        let waits = why.unwrap_or_default().to_owned();
        let told = show::wait(&waits, until, now);
        let (pages, failures) = (row.pages, row.failures);
        Host { host, bytes: Some(row.bytes), pages, failures, waits, until, told, queued: None }
    };
    Ok(rows.into_iter().map(shown).collect())
}

fn host_now(host: HostNow, now: i64) -> Host {
    let HostNow { authority, queued, pages, failures, until, why } = host;
    let until = until.and_then(|until| i64::try_from(until).ok()).filter(|until| *until > now);
    let told = show::wait(&why, until, now);
    let (host, queued) = (authority, Some(queued));
    Host { host, queued, bytes: None, pages, failures, waits: why, until, told }
}

fn run(live: &Live) -> Run {
    let seen = live.seen();
    let progress = &seen.progress;
    let rates = seen.rates.all();
    let mut run = Run {
        pages: progress.fetched,
        pages_per_second: seen.rates.now(progress.elapsed, progress.fetched),
        pages_per_second_mean: progress.rate,
        bytes: progress.bytes,
        errors: progress.errors,
        queued: progress.queued,
        in_flight: progress.in_flight,
        hosts_waiting: progress.hosts_waiting,
        seconds: progress.elapsed.as_secs_f64(),
        memory_bytes: memory::rss(),
        memory_peak_bytes: memory::peak_rss(),
        frontier: queues(&progress.priorities),
        highest: format!("{:.0}", rates.iter().copied().fold(0.0, f64::max)),
        line: rates::sparkline(&rates),
        rates,
        figures: Vec::new(),
        words: progress.harvest.iter().flat_map(words).collect(),
    };
    run.figures = figures(&run);
    run.figures.extend(progress.harvest.iter().flat_map(harvested));
    run
}

fn queues(priorities: &[u64]) -> Vec<Queue> {
    let most = priorities.iter().copied().max().unwrap_or(0).max(1);
    let row = |(n, &count): (usize, &u64)| {
        let share = (100 * count).div_ceil(most);
        Queue { priority: n + 1, count, share }
    };
    priorities.iter().enumerate().map(row).collect()
}

/// What a focused crawl has to tell.
fn harvested(harvest: &Harvest) -> [Figure; 3] {
    let percent = |rate: f64| format!("{:.0} %", 100.0 * rate);
    let figure = |name, text| Figure { name, text };
    [
        figure("on the subject", count(harvest.on)),
        figure("harvest rate", percent(harvest.rate())),
        figure("of the last 500", percent(harvest.late_rate())),
    ]
}

/// The words it has learned; both rows from the start, so that the page has a place for them.
fn words(harvest: &Harvest) -> [Figure; 2] {
    let figure = |name, words: &[String]| {
        let text = if words.is_empty() { "none yet".to_owned() } else { words.join(", ") };
        Figure { name, text }
    };
    [figure("words that lead there", &harvest.best), figure("words that do not", &harvest.worst)]
}

fn figures(run: &Run) -> Vec<Figure> {
    let rate = |rate: f64| format!("{rate:.1}");
    let figure = |name, text| Figure { name, text };
    vec![
        figure("pages a second", rate(run.pages_per_second)),
        figure("a second, mean", rate(run.pages_per_second_mean)),
        figure("pages", count(run.pages)),
        figure("received", size(run.bytes)),
        figure("errors", count(run.errors)),
        figure("queued", count(run.queued)),
        figure("in flight", count(run.in_flight)),
        figure("hosts waiting", count(run.hosts_waiting)),
        figure("memory", size(run.memory_bytes)),
        figure("memory at most", size(run.memory_peak_bytes)),
        figure("running for", show::span((run.seconds * 1000.0) as i64)),
    ]
}
