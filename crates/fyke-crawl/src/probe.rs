//! A dry run of one URL for people who ask what fyke makes of it: robots.txt first, redirects
//! followed one by one with a pause between, nothing stored.

use crate::fetch::{Address, Blame, Captured, Failed, Fetch, Limits, Outcome, Request};
use crate::frontier::Origin;
use crate::options::{AGENT, CrawlOptions};
use fyke_derive::derive;
use fyke_store::Reason;
use fyke_web::robots::Verdict;
use fyke_web::{Capture, Document, Page, Robots, Url};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

const MOST_HOPS: usize = 10;
const MOST_ROBOTS_HOPS: usize = 5;

/// What a URL is like.
#[derive(Debug)]
pub struct Probe {
    /// Every URL asked for on the way, the last one included, with its status.
    pub hops: Vec<(Url, u16)>,
    /// Where the last one is served.
    pub address: Option<Address>,
    /// What its robots.txt says of it; none when no robots.txt could be had.
    pub robots: Option<Verdict>,
    /// What would stand in the ledger.
    pub reason: Reason,
    pub detail: String,
    pub capture: Option<Capture>,
    pub page: Option<Page>,
    pub document: Option<Document>,
    pub elapsed: Duration,
}

/// Probes a URL over HTTP.
pub async fn probe(url: &Url, options: &CrawlOptions) -> Probe {
    probe_with(&options.http(), url, options).await
}

/// Probes a URL.
pub async fn probe_with<F: Fetch>(fetch: &F, url: &Url, options: &CrawlOptions) -> Probe {
    let start = Instant::now();
    let mut probe = Probe {
        hops: Vec::new(),
        address: None,
        robots: None,
        reason: Reason::Queued,
        detail: String::new(),
        capture: None,
        page: None,
        document: None,
        elapsed: Duration::ZERO,
    };
    if let Err(failed) = run(&mut probe, fetch, url, options).await {
        (probe.reason, probe.detail) = (failed.reason, failed.detail);
    }
    probe.elapsed = start.elapsed();
    probe
}

async fn run<F: Fetch>(
    probe: &mut Probe,
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
) -> Result<(), Failed> {
    let mut url = url.clone();
    let mut checked: Option<(Origin, Robots)> = None;
    while probe.hops.len() <= MOST_HOPS {
        let robots = match checked.take() {
            Some((origin, robots)) if origin == Origin::of(&url) => robots,
            _ => robots(fetch, &url, options).await?,
        };
        let verdict = robots.check(url.path_and_query());
        let allowed = verdict.allowed;
        probe.robots = Some(verdict);
        if !allowed {
            return Err(Failed::of_page(Reason::Robots, "robots.txt forbids it"));
        }
        let pause = robots.crawl_delay.unwrap_or_default().max(options.floor);
        tokio::time::sleep(pause.min(Duration::from_secs(60))).await;
        let (address, answer) = ask(fetch, &url, options).await?;
        probe.address = Some(address);
        probe.hops.push((url.clone(), answer.capture.status));
        match target(&answer.capture) {
            Some(next) => {
                checked = Some((Origin::of(&url), robots));
                url = next;
            }
            None => {
                read(probe, answer.capture);
                return Ok(());
            }
        }
    }
    Err(Failed::of_page(Reason::RedirectLoop, format!("more than {MOST_HOPS} redirects")))
}

fn read(probe: &mut Probe, capture: Capture) {
    let derived = derive(&capture);
    (probe.reason, probe.detail) = match capture.status {
        200 => (derived.reason, derived.detail),
        400..=499 => (Reason::Http4xx, format!("status {}", capture.status)),
        500..=599 => (Reason::Http5xx, format!("status {}", capture.status)),
        status => (Reason::HttpOther, format!("status {status}")),
    };
    probe.document = derived.document;
    probe.page = derived.page.or_else(|| Some(fyke_web::parse(&capture)));
    probe.capture = Some(capture);
}

/// The rules of the URL's host.
async fn robots<F: Fetch>(fetch: &F, url: &Url, options: &CrawlOptions) -> Result<Robots, Failed> {
    let unreachable = |what: String| Failed::of_host(Reason::RobotsUnreachable, what);
    let mut at = url.at("/robots.txt").map_err(|e| unreachable(e.to_string()))?;
    for _ in 0..=MOST_ROBOTS_HOPS {
        let (_, answer) = ask(fetch, &at, options).await?;
        let capture = answer.capture;
        if let Some(next) = target(&capture) {
            tokio::time::sleep(options.floor).await;
            at = next;
            continue;
        }
        return match capture.status {
            301 | 302 | 303 | 307 | 308 => {
                Err(unreachable("robots.txt: a redirect that leads nowhere".to_owned()))
            }
            _ => match crate::crawl::robots::answered(&capture) {
                Ok((_, text)) => Ok(Robots::parse(&text, AGENT)),
                Err(what) => Err(unreachable(format!("robots.txt: {what}"))),
            },
        };
    }
    Ok(Robots::default())
}

fn target(capture: &Capture) -> Option<Url> {
    matches!(capture.status, 301 | 302 | 303 | 307 | 308)
        .then(|| capture.header("location").and_then(|location| capture.url.join(location).ok()))
        .flatten()
}

async fn ask<F: Fetch>(
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
) -> Result<(Address, Captured), Failed> {
    let mut address = fetch.resolve(url).await?;
    let mut silent = 0;
    loop {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let request = Request {
            url: url.clone(),
            sockets: address.sockets.clone(),
            limits: Limits { max_bytes: options.max_bytes, timeout: options.timeout },
            now: i64::try_from(now.as_millis()).unwrap_or(i64::MAX),
        };
        match fetch.fetch(request).await {
            Outcome::Captured(answer) => return Ok((address, answer)),
            Outcome::Failed(failed) if failed.blame == Blame::Connection => {
                tokio::time::sleep(options.floor).await;
            }
            Outcome::Failed(failed)
                if failed.blame == Blame::Address && silent + 1 < address.tried() =>
            {
                silent += 1;
                address.turn();
            }
            Outcome::Failed(failed) => return Err(failed),
        }
    }
}
