//! One URL asked for as the crawl would ask, for people who want to know what fyke makes of it: robots.txt
//! first, redirects followed one by one with a pause between, nothing stored.

use crate::fetch::{Address, Blame, BodyWanted, Captured, Failed, Fetch, Limits, Outcome, Request};
use crate::frontier::Origin;
use crate::options::{AGENT, CrawlOptions};
use crate::render::{PartAsked, RenderedPage, Renderer};
use crate::robots::RobotsAnswer;
use crate::verdict::MOST_REDIRECTS;
use fyke_store::Reason;
use fyke_web::robots::RobotsVerdict;
use fyke_web::{Capture, Robots, Url};
use std::pin::pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::Instant;

/// Longest pause, whatever a Crawl-delay says: somebody is waiting.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What came of asking for a URL.
#[derive(Debug)]
pub struct Probe {
    pub way: ProbeWay,
    /// The answer at its end, which is no redirect or one that leads nowhere.
    pub end: Result<Capture, Failed>,
    /// What a browser made of it, where it is one to be rendered.
    pub rendered: Option<RenderedPage>,
    pub elapsed: Duration,
}

/// What was met on the way.
#[derive(Debug, Default)]
pub struct ProbeWay {
    /// Every URL asked for, the last one included, with its status.
    pub hops: Vec<(Url, u16)>,
    /// Where the last one is served.
    pub address: Option<Address>,
    /// What its robots.txt says of it; none when no robots.txt could be had.
    pub robots: Option<RobotsVerdict>,
}

/// Probes a URL over HTTP.
pub async fn probe(url: &Url, options: &CrawlOptions) -> Probe {
    probe_with(&options.http(), url, options).await
}

/// Probes a URL.
pub async fn probe_with<F: Fetch>(fetch: &F, url: &Url, options: &CrawlOptions) -> Probe {
    let start = Instant::now();
    let mut way = ProbeWay::default();
    let end = follow(&mut way, fetch, url, options).await;
    let rendered = match &end {
        Ok(capture) => render(fetch, capture, options).await,
        Err(_) => None,
    };
    Probe { way, end, rendered, elapsed: start.elapsed() }
}

/// Has a page rendered, if it is one that is to be. What its scripts ask for is asked for one by one, with a pause between.
async fn render<F: Fetch>(
    fetch: &F,
    capture: &Capture,
    options: &CrawlOptions,
) -> Option<RenderedPage> {
    let renderer = Renderer::new(options.render.clone()?);
    let cause = renderer.cause(capture)?;
    let (asks, mut asked) = unbounded_channel();
    let mut rendering = pin!(renderer.render(capture, cause, asks));
    loop {
        let part: PartAsked = tokio::select! {
            rendered = &mut rendering => return Some(rendered),
            Some(part) = asked.recv() => part,
        };
        // The browser may say more while its last request is on its way.
        let answer = part_answer(fetch, &part.url, options);
        tokio::select! {
            rendered = &mut rendering => return Some(rendered),
            answer = answer => {
                if let Ok(capture) = answer {
                    let _ = part.reply.send(Ok(Box::new(capture)));
                }
            }
        }
    }
}

/// What comes of asking for a part, behind its host's rules and a pause.
async fn part_answer<F: Fetch>(
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
) -> Result<Capture, Failed> {
    let robots = robots(fetch, url, options).await?;
    if !robots.check(url.path_and_query()).allowed {
        return Err(Failed::of_page(Reason::Robots, "robots.txt forbids it"));
    }
    let pause = robots.crawl_delay.unwrap_or_default().max(options.floor);
    tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
    ask(fetch, url, options, BodyWanted::Any, None).await.map(|(_, answer)| answer.capture)
}

async fn follow<F: Fetch>(
    way: &mut ProbeWay,
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
) -> Result<Capture, Failed> {
    let mut url = url.clone();
    let mut checked: Option<(Origin, Robots)> = None;
    while way.hops.len() <= MOST_REDIRECTS {
        let robots = match checked.take() {
            Some((origin, robots)) if origin == Origin::of(&url) => robots,
            _ => robots(fetch, &url, options).await?,
        };
        let verdict = robots.check(url.path_and_query());
        let allowed = verdict.allowed;
        way.robots = Some(verdict);
        if !allowed {
            return Err(Failed::of_page(Reason::Robots, "robots.txt forbids it"));
        }
        let pause = robots.crawl_delay.unwrap_or_default().max(options.floor);
        tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
        let (address, answer) =
            ask(fetch, &url, options, BodyWanted::Page(options.max_bytes), None).await?;
        way.address = Some(address);
        way.hops.push((url.clone(), answer.capture.status));
        let Some(Ok(next)) = answer.capture.redirect() else { return Ok(answer.capture) };
        checked = Some((Origin::of(&url), robots));
        url = next;
    }
    let detail = format!("more than {MOST_REDIRECTS} redirects in a row");
    Err(Failed::of_page(Reason::RedirectLoop, detail))
}

/// The rules of the URL's host.
pub(crate) async fn robots<F: Fetch>(
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
) -> Result<Robots, Failed> {
    let unreachable = |what: String| Failed::of_host(Reason::RobotsUnreachable, what);
    let mut at = url.at("/robots.txt").map_err(|e| unreachable(e.to_string()))?;
    let (of, mut hops) = (Origin::of(url), 0);
    loop {
        let (_, answer) = ask(fetch, &at, options, BodyWanted::Any, None).await?;
        match RobotsAnswer::of(&answer.capture).after(hops, &of) {
            RobotsAnswer::Text(_, text) => return Ok(Robots::parse(&text, AGENT)),
            RobotsAnswer::Failed(what) => return Err(unreachable(format!("robots.txt: {what}"))),
            RobotsAnswer::Elsewhere(_, to) => (at, hops) = (to, hops + 1),
        }
        tokio::time::sleep(options.floor).await;
    }
}

/// Asks once, or posts these fields of a form.
pub(crate) async fn ask<F: Fetch>(
    fetch: &F,
    url: &Url,
    options: &CrawlOptions,
    body: BodyWanted,
    form: Option<&str>,
) -> Result<(Address, Captured), Failed> {
    let mut address = fetch.resolve(url).await?;
    let mut silent = 0;
    loop {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let request = Request {
            url: url.clone(),
            sockets: address.sockets.clone(),
            limits: Limits { max_bytes: options.max_bytes, timeout: options.timeout, body },
            known: None,
            form: form.map(str::to_owned),
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
