//! The end of a request: its host, the budgets, its row and the links are told in turn.

use super::answers::{FollowUp, LinkedPage, UrlAnswer};
use super::contents::Mirror;
use super::discovery::Found;
use super::fetches::{Errand, Fetched};
use super::post::Letter;
use super::read::ReadAnswer;
use super::shard::Shard;
use crate::budget::Reserved;
use crate::fetch::Fetch;
use crate::frontier::HostId;
use crate::glance::LinkTarget;
use crate::verdict::{HostStanding, UrlVerdict};
use fyke_store::{Listed, StoreError};
use fyke_web::sitemap::{Sitemap, SitemapUrl};
use fyke_web::{Fingerprint, Url, UrlId};
use std::sync::atomic::Ordering::Relaxed;

/// Bytes of a sitemap's `lastmod` that are kept; a time with its zone has 25.
const MOST_MODIFIED: usize = 40;

impl<F: Fetch> Shard<'_, F> {
    /// Takes in the end of a request, whose host is free by now.
    pub(super) fn fetched(&mut self, read: ReadAnswer) -> Result<(), StoreError> {
        let ReadAnswer { fetched: Fetched { host, errand, outcome, reserved }, content, packed } =
            read;
        let (now, bytes) = (self.node.now(), outcome.bytes());
        self.node.counters.bytes.fetch_add(bytes, Relaxed);
        if self.hosts.is_lost(host, &outcome) {
            self.count(host, reserved, false, bytes)?;
            self.hosts.frontier.push_urgent(host, errand.task());
            return Ok(());
        }
        let wanted = match errand {
            Errand::Row(wanted) => *wanted,
            Errand::Robots { of, hops, .. } => {
                self.count(host, reserved, false, bytes)?;
                return self.robots_answer(host, (of, hops), outcome);
            }
        };
        let is_rest = reserved.is_rest;
        let mut answer = UrlAnswer { wanted, outcome, content, packed, is_rest };
        let (verdict, standing) = self.answers.judge(&mut answer, now)?;
        // A URL counts when it is first asked for; one that turns out to be a redirect is given back.
        let is_redirect = matches!(verdict, UrlVerdict::Redirect(_));
        self.count(host, reserved, reserved.page && !is_redirect, bytes)?;
        if let UrlVerdict::Redirect(target) = &verdict {
            self.budgets.count_redirect(host);
            self.node.scope.follow(&answer.wanted.url, target);
        }
        let has_failed = self.retries.forget(answer.wanted.id);
        let follow_up = self.answers.write(answer, verdict, now)?;
        self.follow_up(host, follow_up)?;
        match standing {
            // Nothing new: the host is judged by different URLs.
            HostStanding::Doubtful(_) | HostStanding::Unanswered(..) if has_failed => Ok(()),
            standing => self.hosts.stand(host, standing, self.node.now()),
        }
    }

    /// Settles the budgets, and writes what the host has given so far.
    fn count(
        &mut self,
        host: HostId,
        reserved: Reserved,
        counts: bool,
        bytes: u64,
    ) -> Result<(), StoreError> {
        self.budgets.settle(host, reserved, counts, bytes);
        self.hosts.count(host, counts, bytes, self.node.now())
    }

    /// Does what a row that was written asks for.
    pub(super) fn follow_up(
        &mut self,
        host: HostId,
        follow_up: FollowUp,
    ) -> Result<(), StoreError> {
        match follow_up {
            FollowUp::Nothing => Ok(()),
            FollowUp::Queue(priority, position) => {
                self.hosts.frontier.push(host, priority, position)
            }
            FollowUp::QueueLater(url) => {
                let until = self.node.now() + self.hosts.retry_wait(url.tries);
                self.retries.put(host, url, until);
                Ok(())
            }
            FollowUp::Discover(target, found) => self.discover(&target, found),
            FollowUp::DiscoverSitemap(url) => self.discover_sitemap(&url, host),
            FollowUp::DiscoverLinks(linked) => self.discover_links(*linked),
            FollowUp::DiscoverListed(id, sitemap) => self.read_sitemap(id, host, sitemap),
        }
    }

    /// Takes in the links of a page. Those of a copy wait behind others.
    fn discover_links(&mut self, linked: LinkedPage) -> Result<(), StoreError> {
        let LinkedPage { id, url, page, judged, depth } = linked;
        let text = page.fingerprint.as_ref();
        let is_copy = text.map_or(Ok(false), |text| self.see((id, &url), text))?;
        let (parent, from) = (Some(id), Some(url.domain_hash()));
        let found = Found { parent, from, depth, is_copy, weighed: None };
        if let Some(judged) = judged {
            return self.discover_weighed((id, &url), page, (judged, found));
        }
        page.targets.iter().try_for_each(|target| self.discover(target, found))
    }

    /// Looks whether a page's text was seen before; true when it was.
    fn see(&mut self, page: (UrlId, &Url), text: &Fingerprint) -> Result<bool, StoreError> {
        let Some(seen) = self.cell.contents.look(page, text, self.cell.ledger())? else {
            return Ok(false);
        };
        self.node.counters.copies.fetch_add(1, Relaxed);
        if let Some(Mirror { url, of }) = seen.mirror {
            let (authority, of) = (url.authority().to_owned(), of.authority().to_owned());
            match self.mail.is_mine(url.partition()) {
                true => self.is_mirror(&authority, of)?,
                false => self.mail.write(url.partition(), Letter::Mirror { authority, of }),
            }
        }
        Ok(true)
    }

    /// A host of this thread is a mirror.
    pub(super) fn is_mirror(&mut self, authority: &str, of: String) -> Result<(), StoreError> {
        let host = self.any_side(authority)?;
        self.hosts.set_mirror(host, of, self.node.now())
    }

    /// Takes in what a sitemap lists, one link from the start.
    fn read_sitemap(
        &mut self,
        id: UrlId,
        host: HostId,
        sitemap: Sitemap,
    ) -> Result<(), StoreError> {
        let number = self.hosts.number(host);
        let room = self.sitemaps.room(number, sitemap.urls.len());
        let parent = Some(id);
        let found = Found { parent, from: None, depth: 1, is_copy: false, weighed: None };
        for entry in sitemap.urls.into_iter().take(room) {
            let listed = listed(&entry);
            let target = LinkTarget { id: entry.url.id(), url: entry.url, nofollow: false };
            self.discover_entry(&target, found, listed)?;
        }
        let room = self.sitemaps.room(number, sitemap.sitemaps.len());
        for url in sitemap.sitemaps.into_iter().take(room) {
            self.discover_sitemap(&url, host)?;
        }
        Ok(())
    }
}

/// What a sitemap says of a URL beside its name, if anything.
fn listed(entry: &SitemapUrl) -> Option<Listed> {
    let cut = |text: &String| text[..text.floor_char_boundary(MOST_MODIFIED)].to_owned();
    let listed = Listed {
        modified: entry.modified.as_ref().map(cut),
        change: entry.change.map(|change| change.word().to_owned()),
        priority: entry.priority.map(|priority| (priority * 100.0).round() as u8),
    };
    (listed != Listed::default()).then_some(listed)
}
