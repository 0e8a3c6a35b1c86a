//! robots.txt files on their way: an answer goes to the thread whose host it is about, and a redirect to
//! the thread that owns its target. What they mean for a host is in `hosts`.

use super::budgets::domain_hash;
use super::hosts::{RulesNext, Shelved};
use super::letter::Letter;
use super::shard::Shard;
use super::sitemaps::USUAL_SITEMAP;
use crate::fetch::{Fetch, Outcome};
use crate::frontier::{HostId, Origin, Task};
use crate::options::SitemapChoice;
use crate::robots::RobotsAnswer;
use crate::verdict::{HostStanding, asks_for_later};
use fyke_store::StoreError;
use fyke_web::Url;
use std::sync::atomic::Ordering::Relaxed;

/// Whose robots.txt is asked for, and the redirects so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RobotsFor {
    pub(super) of: Origin,
    pub(super) hops: u8,
}

impl RobotsFor {
    /// The same after one more redirect.
    fn redirected(self) -> RobotsFor {
        RobotsFor { hops: self.hops + 1, ..self }
    }
}

impl<F: Fetch> Shard<'_, F> {
    /// Takes the answer to a robots.txt request that a host gave.
    pub(super) fn robots_answer(
        &mut self,
        host: HostId,
        asked: RobotsFor,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let now = self.node.now();
        let capture = match outcome {
            Outcome::Captured(captured) => {
                self.hosts.standing(host).is_there();
                captured.capture
            }
            Outcome::Failed(failed) => {
                self.node.counters.count_error();
                let detail = format!("{}: {}", failed.reason.name(), failed.detail);
                return self.hand_over(asked, RobotsAnswer::Failed(detail));
            }
        };
        if let 429 | 500..=599 = capture.status {
            self.node.counters.count_error();
            if let held @ HostStanding::Held(_) = asks_for_later(&capture, now) {
                self.hosts.stand(host, held, now)?;
            }
        }
        let found = RobotsAnswer::of(&capture);
        if !matches!(found, RobotsAnswer::Failed(_)) {
            self.hosts.is_well(host, now)?;
        }
        self.hand_over(asked, found)
    }

    /// Gives what was found to the thread whose host it is about.
    pub(super) fn hand_over(
        &mut self,
        asked: RobotsFor,
        found: RobotsAnswer,
    ) -> Result<(), StoreError> {
        self.mail.write(domain_hash(&asked.of.authority), Letter::Rules { asked, found });
        self.deliver()
    }

    /// Takes what was found of a robots.txt of one of this thread's hosts.
    pub(super) fn found_rules(
        &mut self,
        asked: RobotsFor,
        found: RobotsAnswer,
    ) -> Result<(), StoreError> {
        let host = self.host(&asked.of.authority, asked.of.is_secure)?;
        match self.hosts.take_rules(host, &asked, found, self.node.now())? {
            RulesNext::Known(sitemaps) if sitemaps.is_empty() => self.guess_sitemap(host),
            RulesNext::Known(sitemaps) => self.queue_sitemaps(host, &sitemaps),
            RulesNext::Ask(url) => {
                let asked = asked.redirected();
                self.mail.write(url.domain_hash(), Letter::Robots { asked, url });
                Ok(())
            }
            RulesNext::Wait => Ok(()),
        }
    }

    /// Asks one of this thread's hosts for the robots.txt of another.
    pub(super) fn ask_elsewhere(&mut self, asked: RobotsFor, url: Url) -> Result<(), StoreError> {
        let host = self.host(url.authority(), url.scheme() == "https")?;
        if self.hosts.closed.has(host) {
            return self.shelved(Shelved { robots: vec![asked], ..Shelved::default() });
        }
        let RobotsFor { of, hops } = asked;
        self.hosts.frontier.push_urgent(host, Task::Robots { of, url, hops });
        Ok(())
    }

    /// Tells whose robots.txt was looked for at a host that is closed.
    pub(super) fn shelved(&mut self, shelved: Shelved) -> Result<(), StoreError> {
        self.node.counters.given_up.fetch_add(shelved.given_up, Relaxed);
        shelved.parts.into_iter().for_each(|number| self.parts.refuse(number));
        for asked in shelved.robots {
            let what = "its robots.txt leads to a host that is given up".to_owned();
            self.hand_over(asked, RobotsAnswer::Failed(what))?;
        }
        Ok(())
    }

    /// Queues the sitemaps that the host's robots.txt names.
    pub(super) fn queue_sitemaps(&mut self, of: HostId, urls: &[Url]) -> Result<(), StoreError> {
        if !matches!(self.node.options.sitemaps, SitemapChoice::Auto | SitemapChoice::Named) {
            return Ok(());
        }
        urls.iter().try_for_each(|url| self.discover_sitemap(url, of, true))
    }

    /// Looks for a sitemap at its usual place on the host of a seed, whose robots.txt names none. Once: what is known
    /// of that URL stays.
    fn guess_sitemap(&mut self, of: HostId) -> Result<(), StoreError> {
        let Some(url) = self.hosts.url(of, USUAL_SITEMAP) else { return Ok(()) };
        let is_wanted = self.node.options.sitemaps == SitemapChoice::Auto
            && self.node.scope.is_host_of_seed(&url)
            && !self.discovery.is_known(&url)?;
        if is_wanted { self.discover_sitemap(&url, of, true) } else { Ok(()) }
    }
}
