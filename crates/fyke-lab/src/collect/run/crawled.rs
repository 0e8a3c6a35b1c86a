//! The end of a run that crawls hosts: those where the queries found much, beside each other, a page at a time each.

use super::Collector;
use crate::collect::end::CollectEnd;
use crate::collect::hits::HitPage;
use crate::collect::hosts::{RichHost, leads_on, rich_hosts};
use crate::collect::log::CollectVerdict;
use fyke_web::Url;

impl Collector<'_, '_> {
    /// Crawls the hosts with a high yield after queries that came to their end, if that is wanted.
    pub(super) fn crawl_hosts(&mut self, end: CollectEnd) -> anyhow::Result<CollectEnd> {
        let is_due = matches!(end, CollectEnd::Fallen | CollectEnd::Stuck | CollectEnd::Queries);
        let Some(most) = self.limits.host_pages.filter(|_| is_due) else { return Ok(end) };
        let mut hosts = rich_hosts(&self.log.events, self.start.run);
        for host in &mut hosts {
            for url in std::mem::take(&mut host.found) {
                if let HitPage::Text { id, .. } = self.pages.take(&url)? {
                    host.follow(self.pages.links(id)?.into_iter());
                }
            }
        }
        loop {
            let round: Vec<(usize, Url)> = hosts
                .iter_mut()
                .enumerate()
                .filter_map(|(at, host)| Some((at, host.next(most)?)))
                .collect();
            if round.is_empty() {
                return Ok(end);
            }
            self.pages.give(round.iter().map(|one| &one.1));
            for (at, url) in round {
                if let Some(end) = self.has_enough() {
                    return Ok(end);
                }
                if self.crawl_page(&mut hosts[at], &url)? {
                    return Ok(self.cut());
                }
            }
        }
    }

    /// What ends it before all is crawled.
    fn has_enough(&self) -> Option<CollectEnd> {
        let now = &self.teller.now;
        let is_enough = |wanted| now.found + now.host_found >= wanted;
        match () {
            () if self.stop.is_stopped() => Some(CollectEnd::Stopped),
            () if self.limits.wanted.is_some_and(is_enough) => Some(CollectEnd::Wanted),
            () => None,
        }
    }

    /// Takes in a page of a host and follows its links; whether the crawl is over.
    fn crawl_page(&mut self, host: &mut RichHost, url: &Url) -> anyhow::Result<bool> {
        let page = self.pages.take(url)?;
        let id = match &page {
            HitPage::Over => return Ok(true),
            HitPage::Text { id, .. } => Some(*id),
            HitPage::Dead(_) | HitPage::Late => None,
        };
        let verdict: CollectVerdict = self.take_host_page(url, page)?;
        host.count(verdict);
        if let Some(id) = id.filter(|_| leads_on(verdict)) {
            host.follow(self.pages.links(id)?.into_iter());
        }
        Ok(false)
    }
}
