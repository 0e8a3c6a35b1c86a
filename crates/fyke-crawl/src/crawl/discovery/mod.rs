//! URLs found. A finder judges a URL by its normal form, the scope, the rules for traps and the way it was
//! found; its owner knows whether it is news, and queues it.

mod finder;
mod register;

pub(super) use finder::{Finder, Found, priority};
pub(super) use register::{Entered, Register, SitemapState};

use super::post::Letter;
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::frontier::{HostId, Origin};
use crate::glance::LinkTarget;
use crate::options::SitemapChoice;
use fyke_store::{Known, Listed, Position, Reason, StoreError};
use fyke_web::Url;
use fyke_web::url::partition_of;

impl<F: Fetch> Shard<'_, F> {
    fn finder(&self) -> Finder<'_> {
        Finder { scope: &self.node.scope, now: self.node.now() }
    }

    /// Takes in the seeds of this thread, and `more`.
    pub(super) fn seed(&mut self, more: &[Url]) -> Result<(), StoreError> {
        let options = self.node.options;
        for url in options.seeds.iter().chain(more) {
            if self.mail.is_mine(url.partition()) {
                let target = LinkTarget { id: url.id(), url: url.clone(), nofollow: false };
                self.discover(&target, Found::SEED)?;
            }
        }
        let SitemapChoice::List(urls) = &options.sitemaps else { return Ok(()) };
        for url in urls {
            if self.mail.is_mine(url.partition()) {
                let host = self.host(url.authority(), url.scheme() == "https")?;
                self.discover_sitemap(url, host)?;
            }
        }
        Ok(())
    }

    /// Takes in a URL.
    pub(super) fn discover(&mut self, target: &LinkTarget, found: Found) -> Result<(), StoreError> {
        self.discover_listed(target, found, None).map(drop)
    }

    /// As [`Shard::discover`], with what a sitemap says of the URL; true when it is queued now.
    pub(super) fn discover_listed(
        &mut self,
        target: &LinkTarget,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<bool, StoreError> {
        let known = self.register.known(target.id)?;
        if known == Known::Yes {
            self.vouch(target, found.from)?;
            return self.register.note_listing(target.id, listed).map(|()| false);
        }
        let finder = self.finder();
        let Some(row) = finder.find(target, found, known, listed.as_ref()) else {
            return self.register.note_listing(target.id, listed).map(|()| false);
        };
        match self.register.enter(target.id, &row, finder.now)? {
            Entered::Queued(position, priority) => {
                self.route(&target.url, position, priority, found.from).map(|()| true)
            }
            Entered::Refused => Ok(false),
            Entered::Known => self.vouch(target, found.from).map(|()| false),
        }
    }

    /// Takes in a sitemap named by host `of`: on that host, or anywhere in scope.
    pub(super) fn discover_sitemap(&mut self, url: &Url, of: HostId) -> Result<(), StoreError> {
        let (id, state) = (url.id(), self.register.sitemap(url.id())?);
        if state == SitemapState::Settled {
            return Ok(());
        }
        let has_room = self.sitemaps.counts(self.hosts.number(of));
        let is_own = url.authority() == self.hosts.frontier.name(of);
        let finder = self.finder();
        let row = finder.find_sitemap(url, is_own, has_room);
        let entered = match state {
            SitemapState::Page if row.reason != Reason::Queued => return Ok(()),
            SitemapState::Page => self.register.change_to_sitemap(id, &row, finder.now)?,
            _ => self.register.enter(id, &row, finder.now)?,
        };
        match entered {
            Entered::Queued(position, priority) => self.route(url, position, priority, None),
            _ => Ok(()),
        }
    }

    /// Brings a queued URL to the thread that owns its host.
    pub(super) fn route(
        &mut self,
        url: &Url,
        position: Position,
        priority: u8,
        from: Option<u64>,
    ) -> Result<(), StoreError> {
        let domain = url.domain_hash();
        let from = from.filter(|from| *from != domain);
        let partition = partition_of(domain);
        if self.mail.is_mine(partition) {
            let host = self.host(url.authority(), url.scheme() == "https")?;
            return self.take_in(host, position, priority, from);
        }
        let of = Origin::of(url);
        self.mail.write(partition, Letter::Url { of, position, priority, from });
        Ok(())
    }

    /// Queues a URL of one of this thread's hosts.
    pub(super) fn take_in(
        &mut self,
        host: HostId,
        position: Position,
        priority: u8,
        from: Option<u64>,
    ) -> Result<(), StoreError> {
        if let Some(from) = from {
            self.count_inlink(host, from)?;
        }
        self.hosts.queue(host, priority, position)
    }

    /// A link to a URL that is known already: it vouches for the URL's domain like the first one did.
    pub(super) fn vouch(
        &mut self,
        target: &LinkTarget,
        from: Option<u64>,
    ) -> Result<(), StoreError> {
        let Some(from) = from.filter(|_| !target.nofollow) else { return Ok(()) };
        let (url, scope) = (&target.url, &self.node.scope);
        let is_meant = || url.domain_hash() == from || scope.check(url).is_ok();
        if !self.budgets.is_news(url.authority(), from, is_meant) {
            return Ok(());
        }
        match url.domain_hash() {
            domain if domain == from => Ok(()),
            domain if self.mail.is_mine(partition_of(domain)) => {
                self.vouched(url.authority(), from)
            }
            domain => {
                let authority = url.authority().to_owned();
                self.mail.write(partition_of(domain), Letter::Inlink { authority, from });
                Ok(())
            }
        }
    }

    /// Another domain links to a host of this thread.
    pub(super) fn vouched(&mut self, authority: &str, from: u64) -> Result<(), StoreError> {
        let host = self.any_side(authority)?;
        self.count_inlink(host, from)
    }

    /// Another domain links to this host: hosts of its domain that waited for that go on.
    fn count_inlink(&mut self, host: HostId, from: u64) -> Result<(), StoreError> {
        let Some(inlinked) = self.budgets.count_inlink(host, from) else { return Ok(()) };
        if inlinked.reopens {
            for neighbour in self.budgets.neighbours(host) {
                self.hosts.reopen(*neighbour);
            }
        }
        self.hosts.set_inlinks(host, inlinked.inlinks, self.node.now())
    }
}
