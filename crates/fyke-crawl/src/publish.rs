//! A publisher of feeds tells its hub that something is new (WebSub, 6; `hub.mode=publish`, as hubs take it). It asks as
//! the crawl asks: by robots.txt, with a gap, and never in private networks. A hub that does not take the news is asked
//! less and less often, and not before it says.

use crate::fetch::{BodyWanted, Failed};
use crate::forms::urlencoded;
use crate::http::Http;
use crate::options::CrawlOptions;
use crate::politeness::{Backoff, retry_after};
use crate::probe::{ask, robots};
use fyke_store::Reason;
use fyke_web::{Capture, Robots, Url};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long rules of the hub are believed.
const RULES: Duration = Duration::from_hours(1);
/// The longest gap, whatever a Crawl-delay says.
const LONGEST_GAP: Duration = Duration::from_hours(24);
/// What is waited after failures in a row, in milliseconds.
const BACKOFF: Backoff = Backoff { base: 60_000, most: 3_600_000 };

/// One hub, and the way to it.
#[derive(Debug)]
pub struct HubPublisher {
    hub: Url,
    options: CrawlOptions,
    http: Http,
    rules: Option<(Instant, Robots)>,
    /// Before then it is not asked again.
    ready: Instant,
    /// How often in a row it did not take the news.
    failures: u32,
}

impl HubPublisher {
    #[must_use]
    pub fn new(hub: Url, options: CrawlOptions) -> HubPublisher {
        let http = options.http();
        HubPublisher { hub, options, http, rules: None, ready: Instant::now(), failures: 0 }
    }

    /// Tells the hub that a feed has something new, once it may be asked; gives the status of its answer.
    ///
    /// # Errors
    /// When it forbids that, or gives no answer.
    pub async fn publish(&mut self, feed: &Url) -> Result<u16, Failed> {
        let told = self.tell(feed).await;
        let is_taken = told.as_ref().is_ok_and(|answer| (200..300).contains(&answer.status));
        self.failures = if is_taken { 0 } else { self.failures.saturating_add(1) };
        let wished = told.as_ref().ok().filter(|_| !is_taken).and_then(wished_wait);
        let wait = Duration::from_millis(BACKOFF.wait(self.failures).max(wished.unwrap_or(0)));
        self.ready = Instant::now() + wait.max(self.gap());
        told.map(|answer| answer.status)
    }

    /// Asks for the rules, where none are believed, and posts.
    async fn tell(&mut self, feed: &Url) -> Result<Capture, Failed> {
        let is_old = |(read, _): &(Instant, Robots)| read.elapsed() > RULES;
        if self.rules.as_ref().is_none_or(is_old) {
            self.take_turn().await;
            let rules = robots(&self.http, &self.hub, &self.options).await?;
            self.rules = Some((Instant::now(), rules));
            self.ready = Instant::now() + self.gap();
        }
        let path = self.hub.path_and_query();
        if !self.rules.as_ref().is_some_and(|(_, rules)| rules.check(path).allowed) {
            return Err(Failed::of_page(Reason::Robots, "robots.txt of the hub forbids it"));
        }
        let fields =
            [("hub.mode", "publish"), ("hub.url", feed.as_str()), ("hub.topic", feed.as_str())];
        let form = urlencoded(fields.into_iter());
        self.take_turn().await;
        let HubPublisher { hub, options, http, .. } = self;
        let answer = ask(http, hub, options, BodyWanted::Any, Some(&form)).await;
        answer.map(|(_, answer)| answer.capture)
    }

    /// Waits until the hub may be asked; whatever becomes of that request, the next one comes after a gap.
    async fn take_turn(&mut self) {
        sleep_until(self.ready).await;
        self.ready = Instant::now() + self.gap();
    }

    /// The gap after each request.
    fn gap(&self) -> Duration {
        let asked = self.rules.as_ref().and_then(|(_, rules)| rules.crawl_delay);
        asked.unwrap_or_default().min(LONGEST_GAP).max(self.options.floor)
    }
}

/// How long an answer asks to stay away, in milliseconds.
fn wished_wait(answer: &Capture) -> Option<u64> {
    let now = u64::try_from(answer.time).ok()?;
    let until = answer.header("retry-after").and_then(|value| retry_after(value, now))?;
    Some(until.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_says_how_long_it_is_left_alone() {
        let answer = |value: &str| Capture {
            url: Url::parse("http://hub.test/").expect("a URL"),
            time: 1_000,
            status: 503,
            headers: vec![("Retry-After".to_owned(), value.to_owned())],
            payload: Vec::new(),
            truncated: None,
        };
        assert_eq!(wished_wait(&answer("7200")), Some(7_200_000));
        assert_eq!(wished_wait(&answer("soon")), None);
    }
}
