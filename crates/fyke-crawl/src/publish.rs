//! A publisher of feeds tells its hub that something is new (WebSub, 6; `hub.mode=publish`, as hubs take it). It asks as
//! the crawl asks: by robots.txt, with a gap, and never in private networks.

use crate::fetch::{BodyWanted, Failed};
use crate::forms::urlencoded;
use crate::http::Http;
use crate::options::CrawlOptions;
use crate::probe::{ask, robots};
use fyke_store::Reason;
use fyke_web::{Robots, Url};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long rules of the hub are believed.
const RULES: Duration = Duration::from_hours(1);

/// One hub, and the way to it.
#[derive(Debug)]
pub struct HubPublisher {
    hub: Url,
    options: CrawlOptions,
    http: Http,
    rules: Option<(Instant, Robots)>,
    /// Before then it is not asked again.
    ready: Instant,
}

impl HubPublisher {
    #[must_use]
    pub fn new(hub: Url, options: CrawlOptions) -> HubPublisher {
        let http = options.http();
        HubPublisher { hub, options, http, rules: None, ready: Instant::now() }
    }

    /// Tells the hub that a feed has something new; gives the status of its answer.
    ///
    /// # Errors
    /// When it forbids that, or gives no answer.
    pub async fn publish(&mut self, feed: &Url) -> Result<u16, Failed> {
        sleep_until(self.ready).await;
        let HubPublisher { hub, options, http, .. } = self;
        let is_old = |(read, _): &(Instant, Robots)| read.elapsed() > RULES;
        if self.rules.as_ref().is_none_or(is_old) {
            self.rules = Some((Instant::now(), robots(http, hub, options).await?));
            tokio::time::sleep(options.floor).await;
        }
        let Some((_, rules)) = &self.rules else {
            return Err(Failed::of_host(Reason::RobotsUnreachable, "no rules"));
        };
        let gap = rules.crawl_delay.unwrap_or_default().max(options.floor);
        if !rules.check(hub.path_and_query()).allowed {
            return Err(Failed::of_page(Reason::Robots, "robots.txt of the hub forbids it"));
        }
        let fields =
            [("hub.mode", "publish"), ("hub.url", feed.as_str()), ("hub.topic", feed.as_str())];
        let form = urlencoded(fields.into_iter());
        let answer = ask(http, hub, options, BodyWanted::Any, Some(&form)).await;
        self.ready = Instant::now() + gap;
        answer.map(|(_, answer)| answer.capture.status)
    }
}
