//! Discovery in a focused crawl: the guide weighs what is found, and learns from it (002 §2). What waits already is
//! brought forward when a better way leads to it, or when the guide has learned that it is worth more.

use super::finder::{Found, priority};
use super::{Discovery, QueuedAt, route, tell_owner};
use crate::crawl::letter::{FoundUrl, Letter, Way};
use crate::crawl::post::PostBox;
use crate::glance::{Glance, LinkTarget};
use crate::guide::{JudgedPage, Leads, Referrer, Reweighed, Spider};
use fyke_learn::spider::Promise;
use fyke_store::{Known, Listed, StoreError};
use fyke_web::{Url, UrlId};

/// Discovery with a guide.
pub(in crate::crawl) struct WeighedDiscovery<'d, 'a> {
    pub(super) discovery: &'d mut Discovery<'a>,
    pub(super) mail: &'d mut PostBox<'a>,
    pub(super) spider: &'a Spider,
}

/// A page whose links are to be taken in.
pub(in crate::crawl) struct PageFound<'p> {
    pub(in crate::crawl) id: UrlId,
    pub(in crate::crawl) url: &'p Url,
    /// What it is to the subject.
    pub(in crate::crawl) judged: JudgedPage,
    /// How its links were found.
    pub(in crate::crawl) found: Found,
}

impl WeighedDiscovery<'_, '_> {
    /// Weighs the links of a page and takes them in, and learns from it.
    pub(in crate::crawl) fn discover_links(
        &mut self,
        from: PageFound<'_>,
        page: Glance,
    ) -> Result<(), StoreError> {
        let (spider, PageFound { id, url, judged, found }) = (self.spider, from);
        let Some(reading) = page.reading else { return Ok(()) };
        let referrer = Referrer { url, reading: &reading, judged };
        let links = spider.links(&referrer, page.targets.iter().map(|target| &target.url));
        let (mut leads, mut promise) = (Leads::default(), Promise::default());
        let cell = self.discovery.cell;
        for (at, target) in page.targets.iter().enumerate() {
            let is_elsewhere = cell.is_elsewhere(&target.url);
            if !is_elsewhere && self.has_no_gain(target, found.from, judged.off)? {
                continue;
            }
            let words = leads.write(&links, (at, &target.url));
            let weighed = spider.weigh(words, judged);
            let found = Found { weighed: Some(weighed), ..found.along(target) };
            if is_elsewhere {
                let letter = FoundUrl::new(&target.url, Way::of(target), found);
                tell_owner(self.mail, FoundUrl { words: words.to_vec(), ..letter });
                promise.add(weighed.value);
            } else if self.discover_lead(target, found)? {
                promise.add(weighed.value);
                leads.keep(target.id, weighed);
            }
        }
        spider.remember(&leads, cell.number);
        let is_time = spider.learn(id, &reading, judged, promise);
        spider.take_back(reading);
        if is_time {
            self.bring_forward(spider.weigh_again())?;
        }
        Ok(())
    }

    /// Whether a URL is known and a link gains nothing: only one of a page about the subject may bring forward
    /// what waits already.
    fn has_no_gain(
        &mut self,
        target: &LinkTarget,
        from: Option<u64>,
        off: u8,
    ) -> Result<bool, StoreError> {
        if self.discovery.register.known(target.id)? != Known::Yes {
            return Ok(false);
        }
        self.discovery.vouch(self.mail, target, from);
        let standing = if off == 0 { self.spider.standing(target.id) } else { None };
        Ok(standing.is_none_or(|priority| priority <= 2))
    }

    /// Takes in a URL that was found in another cell, with what a guide made of the link to it.
    pub(super) fn discover_with_words(
        &mut self,
        target: &LinkTarget,
        found: Found,
        words: &[u32],
    ) -> Result<(), StoreError> {
        let Some(weighed) = found.weighed else {
            return self.discovery.discover(self.mail, target, found);
        };
        if !self.has_no_gain(target, found.from, weighed.off)?
            && self.discover_lead(target, found)?
        {
            self.remember_lead(target.id, found, words);
        }
        Ok(())
    }

    /// Remembers a link to a URL of this cell.
    pub(super) fn remember_lead(&mut self, id: UrlId, found: Found, words: &[u32]) {
        if let Some(weighed) = found.weighed {
            self.spider.remember_link(id, weighed, words, self.discovery.cell.number);
        }
    }

    /// Gives queued URLs a second place in the frontier, before their first. Those of other cells are told there.
    pub(in crate::crawl) fn bring_forward(
        &mut self,
        better: Vec<Reweighed>,
    ) -> Result<(), StoreError> {
        let here = self.discovery.cell.number;
        let (mine, others): (Vec<_>, Vec<_>) =
            better.into_iter().partition(|url| usize::from(url.cell) == here);
        for others in others.chunk_by(|a, b| a.cell == b.cell) {
            self.mail.write_to_cell(others[0].cell.into(), Letter::Forward(others.to_vec()));
        }
        for Reweighed { id, priority, .. } in mine {
            let Some((position, row)) = self.discovery.register.queued(id)? else { continue };
            if let Ok(url) = Url::parse(&row.url) {
                route(self.mail, &url, QueuedAt { position, priority }, None);
            }
        }
        Ok(())
    }

    /// Takes in a URL of this cell that a sitemap lists, if its own words speak for it.
    pub(super) fn discover_entry(
        &mut self,
        target: &LinkTarget,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<(), StoreError> {
        let mut leads = Leads::default();
        let weighed = self.spider.weigh_listed(&target.url, &mut leads);
        let found = Found { weighed: Some(weighed), ..found };
        if self.discovery.discover_listed(self.mail, target, found, listed)? {
            leads.keep(target.id, weighed);
            self.spider.remember(&leads, self.discovery.cell.number);
        }
        Ok(())
    }

    /// Takes in a URL with its weight; true when it is queued now, or brought forward: it has a second
    /// place in the frontier then, and the one that comes later finds it fetched.
    fn discover_lead(&mut self, target: &LinkTarget, found: Found) -> Result<bool, StoreError> {
        let register = self.discovery.register;
        if register.known(target.id)? != Known::Yes {
            return self.discovery.discover_listed(self.mail, target, found, None);
        }
        let now = priority(&Found { is_copy: false, ..found });
        let is_better = |before: u8| now.saturating_add(1) < before;
        if !self.spider.standing(target.id).is_some_and(is_better) {
            return Ok(false);
        }
        let Some(position) = register.position(target.id)? else { return Ok(false) };
        route(self.mail, &target.url, QueuedAt { position, priority: now }, found.from);
        Ok(true)
    }
}
