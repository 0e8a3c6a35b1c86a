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
    let mut prober = Prober { fetch, options, rules: Vec::new() };
    let end = prober.follow(&mut way, url).await;
    let rendered = match &end {
        Ok(capture) => prober.render(capture).await,
        Err(_) => None,
    };
    Probe { way, end, rendered, elapsed: start.elapsed() }
}

/// Who asks for all of a probe.
struct Prober<'a, F> {
    fetch: &'a F,
    options: &'a CrawlOptions,
    /// The rules that were met, or why there are none: each robots.txt is asked for once.
    rules: Vec<(Origin, Result<Robots, Failed>)>,
}

impl<F: Fetch> Prober<'_, F> {
    /// Has a page rendered, if it is one that is to be. What its scripts ask for is asked for one by one, with a pause
    /// between.
    async fn render(&mut self, capture: &Capture) -> Option<RenderedPage> {
        let options = self.options;
        let renderer = Renderer::new(options.render.clone()?, &options.credentials);
        let cause = renderer.cause(capture)?;
        let (asks, mut asked) = unbounded_channel();
        let mut rendering = pin!(renderer.render(capture, cause, asks));
        loop {
            let part: PartAsked = tokio::select! {
                rendered = &mut rendering => return Some(rendered),
                Some(part) = asked.recv() => part,
            };
            // The browser may say more while its last request is on its way.
            tokio::select! {
                rendered = &mut rendering => return Some(rendered),
                answer = self.part_answer(&part.url) => {
                    if let Ok(capture) = answer {
                        let _ = part.reply.send(Ok(Box::new(capture)));
                    }
                }
            }
        }
    }

    /// What comes of asking for a part, behind its host's rules and a pause.
    async fn part_answer(&mut self, url: &Url) -> Result<Capture, Failed> {
        let robots = self.rules(url).await?;
        if !robots.check(url.path_and_query()).allowed {
            return Err(Failed::of_page(Reason::Robots, "robots.txt forbids it"));
        }
        self.pause(url).await;
        let answer = ask(self.fetch, url, self.options, BodyWanted::Any, None).await;
        answer.map(|(_, answer)| answer.capture)
    }

    async fn follow(&mut self, way: &mut ProbeWay, url: &Url) -> Result<Capture, Failed> {
        let mut url = url.clone();
        while way.hops.len() <= MOST_REDIRECTS {
            let robots = self.rules(&url).await?;
            let verdict = robots.check(url.path_and_query());
            let allowed = verdict.allowed;
            way.robots = Some(verdict);
            if !allowed {
                return Err(Failed::of_page(Reason::Robots, "robots.txt forbids it"));
            }
            self.pause(&url).await;
            let body = BodyWanted::Page(self.options.max_bytes);
            let (address, answer) = ask(self.fetch, &url, self.options, body, None).await?;
            way.address = Some(address);
            way.hops.push((url.clone(), answer.capture.status));
            let Some(Ok(next)) = answer.capture.redirect() else { return Ok(answer.capture) };
            url = next;
        }
        let detail = format!("more than {MOST_REDIRECTS} redirects in a row");
        Err(Failed::of_page(Reason::RedirectLoop, detail))
    }

    /// The rules of the URL's host. Where they are to be asked for, a pause comes first, unless nothing was asked for yet.
    async fn rules(&mut self, url: &Url) -> Result<Robots, Failed> {
        let origin = Origin::of(url);
        if let Some((_, known)) = self.rules.iter().find(|(of, _)| *of == origin) {
            return known.clone();
        }
        if !self.rules.is_empty() {
            self.pause(url).await;
        }
        let rules = robots(self.fetch, url, self.options).await;
        self.rules.push((origin, rules.clone()));
        rules
    }

    /// Pauses as the URL's host wants it, as far as its rules are known.
    async fn pause(&self, url: &Url) {
        let of_host = self.rules.iter().filter(|(of, _)| of.authority == url.authority());
        let delay = of_host.filter_map(|(_, rules)| rules.as_ref().ok()?.crawl_delay).max();
        let pause = delay.unwrap_or_default().max(self.options.floor);
        tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
    }
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
