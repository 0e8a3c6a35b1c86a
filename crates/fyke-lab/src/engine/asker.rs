//! Asks other people's engines one thing at a time, with the fetcher and the manners of the crawl: a
//! gap between requests (none on this machine, whose owner is asking; Crawl-delay counts), bounds of time and size,
//! private addresses only as the settings allow, Retry-After obeyed.

use super::EngineTrouble;
use anyhow::{Context, bail};
use fyke_crawl::fetch::{Blame, BodyWanted, Limits, Outcome, Request};
use fyke_crawl::options::AGENT;
use fyke_crawl::politeness::retry_after;
use fyke_crawl::{CrawlOptions, Fetch, Http, RobotsAnswer};
use fyke_stages::config::{Config, names_loopback};
use fyke_stages::show;
use fyke_web::{Capture, Robots, Url};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// Redirects followed, on the same host.
const MOST_HOPS: usize = 5;
/// Times one thing is asked for.
const MOST_TRIES: u32 = 4;
/// Longest wait that a server may ask for.
const PATIENCE: Duration = Duration::from_secs(120);

/// What no gap means for a host elsewhere.
const FLOOR_ELSEWHERE: Duration = Duration::from_secs(1);

/// One who asks.
#[derive(Debug)]
pub(crate) struct Asker {
    http: Http,
    options: CrawlOptions,
    /// Whether the engine runs on this machine.
    is_here: bool,
    /// What its robots.txt asks for between two requests.
    crawl_delay: Duration,
    /// When the next request may go out.
    next: Instant,
    /// Pages are asked for, not an engine: then the settings' gap holds on this machine, too.
    wants_pages: bool,
}

impl Asker {
    /// Who asks a URL that was typed.
    ///
    /// # Errors
    /// When the settings forbid it: no contact for a host outside this machine.
    pub(crate) fn new(config: &Config, url: &Url) -> anyhow::Result<Asker> {
        let options = fyke_stages::fetch_options(config, std::slice::from_ref(url))?;
        let is_here = names_loopback(url);
        let (http, next) = (options.http(), Instant::now());
        Ok(Asker { http, options, is_here, crawl_delay: Duration::ZERO, next, wants_pages: false })
    }

    /// The same for the pages of a host.
    pub(super) fn for_pages(self) -> Asker {
        Asker { wants_pages: true, ..self }
    }

    /// What robots.txt asks for between two requests.
    pub(super) fn obey(&mut self, crawl_delay: Option<Duration>) {
        self.crawl_delay = crawl_delay.unwrap_or_default().min(PATIENCE);
    }

    /// Keeps the gap from now on.
    pub(super) fn hold(&mut self) {
        self.next = self.next.max(Instant::now() + self.gap(Duration::ZERO));
    }

    /// Refuses to go on where the host's robots.txt forbids the address. This machine is not asked.
    ///
    /// # Errors
    /// When it forbids it or cannot be had.
    pub(crate) async fn check_robots(&mut self, url: &Url) -> anyhow::Result<()> {
        if self.is_here {
            return Ok(());
        }
        let (host, file) = (url.authority().to_owned(), url.at("/robots.txt")?);
        let answer = self.follow(&file).await.context("robots.txt could not be fetched")?;
        let rules = match RobotsAnswer::of(&answer) {
            RobotsAnswer::Text(_, text) => Robots::parse(&text, AGENT),
            RobotsAnswer::Elsewhere(_, to) => bail!("robots.txt of {host} redirects to {to}"),
            RobotsAnswer::Failed(what) => {
                bail!("robots.txt of {host} could not be fetched: {what}")
            }
        };
        self.obey(rules.crawl_delay);
        if !rules.check(url.path_and_query()).allowed {
            bail!(EngineTrouble::Forbidden(format!(
                "robots.txt of {host} forbids programs to ask {}; if the engine is yours or you \
                 have leave, add --allowed",
                url.path()
            )));
        }
        Ok(())
    }

    /// The answer at a URL, once it is one.
    ///
    /// # Errors
    /// When there is no answer, or none with status 200.
    pub(crate) async fn get(&mut self, url: &Url) -> anyhow::Result<Capture> {
        for tries in 1..=MOST_TRIES {
            let is_last = tries == MOST_TRIES;
            let answer = match self.follow(url).await {
                // It may have been a moment's trouble.
                Err(error) if !is_last && is_dead(&error) => {
                    sleep(self.pause(tries)).await;
                    continue;
                }
                answer => answer?,
            };
            match answer.status {
                200 => return Ok(answer),
                500 | 502 | 504 if !is_last => sleep(self.pause(tries)).await,
                429 | 503 => {
                    let wait = wait(&answer, tries);
                    if wait > PATIENCE || is_last {
                        bail!(EngineTrouble::Busy { status: answer.status, wait });
                    }
                    sleep(wait).await;
                }
                status => bail!(EngineTrouble::Dead(format!("{url} gives status {status}"))),
            }
        }
        bail!(EngineTrouble::Dead(format!("{url} gives no answer")))
    }

    /// Longer each time; who asks this machine can wait for it by themselves.
    fn pause(&self, tries: u32) -> Duration {
        let first = if self.is_here { Duration::from_millis(20) } else { Duration::from_secs(2) };
        first * (1 << tries)
    }

    /// Follows redirects, as long as they stay on the host that was typed.
    pub(super) async fn follow(&mut self, url: &Url) -> anyhow::Result<Capture> {
        let mut url = url.clone();
        for _ in 0..=MOST_HOPS {
            let answer = self.ask(&url).await?;
            let target = match answer.status {
                301 | 302 | 303 | 307 | 308 => answer.header("location"),
                _ => return Ok(answer),
            };
            let next = target.and_then(|target| url.join(target).ok());
            let next = next.with_context(|| format!("{url} leads nowhere"))?;
            if next.authority() != url.authority() {
                bail!("{url} leads to another host; ask {next} itself");
            }
            url = next;
        }
        bail!("{url}: more than {MOST_HOPS} redirects")
    }

    pub(super) async fn ask(&mut self, url: &Url) -> anyhow::Result<Capture> {
        let trouble = |failed: fyke_crawl::fetch::Failed| {
            let what = format!("{url}: {}: {}", failed.reason.name(), failed.detail);
            anyhow::Error::new(EngineTrouble::Dead(what))
        };
        let mut address = self.http.resolve(url).await.map_err(trouble)?;
        let limits = Limits {
            max_bytes: self.options.max_bytes,
            timeout: self.options.timeout,
            body: BodyWanted::Any,
        };
        for _ in 0..MOST_TRIES {
            sleep_until(self.next).await;
            let begun = Instant::now();
            let (url, sockets) = (url.clone(), address.sockets.clone());
            let request =
                Request { url, sockets, limits, known: None, form: None, now: show::now() };
            let outcome = self.http.fetch(request).await;
            self.next = Instant::now() + self.gap(begun.elapsed());
            match outcome {
                Outcome::Captured(answer) => return Ok(answer.capture),
                Outcome::Failed(failed) if failed.blame == Blame::Connection => {}
                Outcome::Failed(failed) if failed.blame == Blame::Address => address.turn(),
                Outcome::Failed(failed) => return Err(trouble(failed)),
            }
        }
        bail!(EngineTrouble::Dead(format!("{url}: the connection is lost again and again")))
    }

    /// As between two pages of a crawl.
    fn gap(&self, last: Duration) -> Duration {
        if self.is_here && !self.wants_pages {
            return Duration::ZERO;
        }
        // Settings without a gap are for this machine alone.
        let floor = match self.options.floor {
            Duration::ZERO if !self.is_here => FLOOR_ELSEWHERE,
            floor => floor,
        };
        let floor = floor.max(self.crawl_delay);
        floor.max(last.mul_f64(self.options.factor)).min(PATIENCE)
    }
}

fn is_dead(error: &anyhow::Error) -> bool {
    matches!(EngineTrouble::of(error), Some(EngineTrouble::Dead(_)))
}

/// As long as the server asks for, in seconds or until a date, else longer each time.
fn wait(answer: &Capture, tries: u32) -> Duration {
    let now = u64::try_from(show::now()).unwrap_or(0);
    let until = answer.header("retry-after").and_then(|text| retry_after(text, now));
    let asked = until.map(|until| Duration::from_millis(until.saturating_sub(now)));
    asked.unwrap_or(Duration::from_secs(5 << tries))
}
