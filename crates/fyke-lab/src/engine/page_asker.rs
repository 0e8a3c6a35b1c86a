//! Asks a host for pages one at a time, with the manners of the crawl: robots.txt is read first and holds, also
//! on this machine; a gap lies between two requests; size and time are bounded; redirects are the caller's.

use super::asker::Asker;
use fyke_crawl::RobotsAnswer;
use fyke_crawl::options::AGENT;
use fyke_stages::config::Config;
use fyke_web::{Capture, Robots, Url};

/// One who asks a host for pages.
#[derive(Debug)]
pub struct PageAsker {
    asker: Asker,
    /// None before robots.txt was asked for; inside, none where it could not be had, so that nothing may be asked.
    rules: Option<Option<Robots>>,
}

impl PageAsker {
    /// Who asks the host of a URL.
    ///
    /// # Errors
    /// When the settings forbid it: no contact for a host outside this machine.
    pub fn new(config: &Config, url: &Url) -> anyhow::Result<PageAsker> {
        Ok(PageAsker { asker: Asker::new(config, url)?.for_pages(), rules: None })
    }

    /// Whether robots.txt allows a page; it is read once.
    pub async fn allows(&mut self, url: &Url) -> bool {
        if self.rules.is_none() {
            self.rules = Some(self.read_rules(url).await);
        }
        let rules = self.rules.as_ref().and_then(Option::as_ref);
        rules.is_some_and(|rules| rules.check(url.path_and_query()).allowed)
    }

    async fn read_rules(&mut self, url: &Url) -> Option<Robots> {
        let answer = self.asker.follow(&url.at("/robots.txt").ok()?).await.ok()?;
        match RobotsAnswer::of(&answer) {
            RobotsAnswer::Text(_, text) => {
                let rules = Robots::parse(&text, AGENT);
                self.asker.obey(rules.crawl_delay);
                Some(rules)
            }
            RobotsAnswer::Elsewhere(..) | RobotsAnswer::Failed(_) => None,
        }
    }

    /// A page, or where it leads; none when it may not be asked for, or nothing comes.
    pub async fn get(&mut self, url: &Url) -> Option<Capture> {
        if !self.allows(url).await {
            return None;
        }
        self.asker.ask(url).await.ok()
    }

    /// The host was asked for something else: the gap counts from now.
    pub fn hold(&mut self) {
        self.asker.hold();
    }
}
