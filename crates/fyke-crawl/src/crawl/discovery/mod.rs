//! URLs found. A finder judges a URL by its normal form, the scope, the rules for traps and the way it was
//! found; its owner knows whether it is news, and queues it. A URL of another cell is told to its owner, who
//! does both.

mod finder;
mod register;

pub(super) use finder::{Finder, Found, next_depth, priority};
pub(super) use register::{Entered, Register, SitemapState};

use super::answers::Walked;
use super::letter::{FoundUrl, Letter, Way};
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::frontier::{HostId, Origin};
use crate::glance::LinkTarget;
use crate::options::SitemapChoice;
use crate::verdict::MOST_REDIRECTS;
use fyke_store::{Known, Listed, Position, Reason, StoreError};
use fyke_web::Url;

impl<F: Fetch> Shard<'_, F> {
    pub(super) fn finder(&self) -> Finder<'_> {
        Finder { scope: &self.node.scope, now: self.node.now() }
    }

    /// Takes in the seeds of this thread, and `more`.
    pub(super) fn seed(&mut self, more: &[Url]) -> Result<(), StoreError> {
        let options = self.node.options;
        for url in options.seeds.iter().chain(more) {
            if self.mail.is_mine(url.domain_hash()) {
                self.discover(&LinkTarget::new(url.clone()), Found::SEED)?;
            }
        }
        let SitemapChoice::List(urls) = &options.sitemaps else { return Ok(()) };
        for url in urls {
            if self.mail.is_mine(url.domain_hash()) {
                let host = self.host(url.authority(), url.scheme() == "https")?;
                self.discover_sitemap(url, host, true)?;
            }
        }
        Ok(())
    }

    /// Takes in a URL that a page or a redirect leads to, of whatever cell.
    pub(super) fn discover(&mut self, target: &LinkTarget, found: Found) -> Result<(), StoreError> {
        if self.cell.is_elsewhere(&target.url) {
            self.tell_owner(FoundUrl::new(&target.url, Way::of(target), found));
            return Ok(());
        }
        self.discover_listed(target, found, None).map(drop)
    }

    /// Writes to the cell that owns a URL which was found here.
    pub(super) fn tell_owner(&mut self, found: FoundUrl) {
        self.mail.write(found.url.domain_hash(), Letter::Found(Box::new(found)));
    }

    /// Takes in a URL that was found in another cell, or one that redirects lead to.
    pub(super) fn discover_found(&mut self, letter: FoundUrl) -> Result<(), StoreError> {
        let is_redirect = !letter.hops.is_empty();
        let Some(letter) = self.follow(letter)? else { return Ok(()) };
        let FoundUrl { url, way, found, words, .. } = letter;
        let nofollow = matches!(way, Way::Nofollow);
        let target = LinkTarget { nofollow, ..LinkTarget::new(url) };
        match way {
            Way::Sitemap { is_own, has_room } => self.enter_sitemap(&target.url, is_own, has_room),
            Way::Listed(listed) => self.discover_entry(&target, found, listed),
            Way::Link | Way::Nofollow if is_redirect => {
                self.remember_lead(target.id, found, &words);
                self.discover(&target, found)
            }
            Way::Link | Way::Nofollow => self.discover_with_words(&target, found, &words),
        }
    }

    /// Follows the redirects behind a URL that redirects lead to. They may close a ring, be too many, or lead to
    /// another cell: then nothing is left to take in here.
    fn follow(&mut self, mut letter: FoundUrl) -> Result<Option<FoundUrl>, StoreError> {
        let Some(&first) = letter.hops.first() else { return Ok(Some(letter)) };
        let url = letter.url.clone();
        match self.answers.walk(&mut letter.hops, &mut letter.url)? {
            Walked::Ring => self.close_ring(&letter.hops)?,
            _ if usize::from(letter.found.redirects) > MOST_REDIRECTS => {
                let detail = format!("more than {MOST_REDIRECTS} redirects in a row");
                self.answers.mark_loop(first.id, &detail, self.node.now())?;
            }
            Walked::Open => return Ok(Some(FoundUrl { url, ..letter })),
            Walked::Elsewhere => {
                if letter.url != url {
                    self.vouch(&LinkTarget::new(url), letter.found.from)?;
                }
                self.tell_owner(letter);
            }
        }
        Ok(None)
    }

    /// Takes in a URL of this cell, with what a sitemap says of it; true when it is queued now.
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

    /// Takes in a sitemap named by host `of`: on that host, or anywhere in scope. One that is `vouched` for by a
    /// robots.txt or by the user may lie anywhere: a host's robots.txt says which sitemaps speak of it
    /// (sitemaps.org, "Sitemaps & Cross Submits"). What it lists has to be in scope all the same.
    pub(super) fn discover_sitemap(
        &mut self,
        url: &Url,
        of: HostId,
        vouched: bool,
    ) -> Result<(), StoreError> {
        let is_elsewhere = self.cell.is_elsewhere(url);
        if !is_elsewhere && self.register.sitemap(url.id())? == SitemapState::Settled {
            return Ok(());
        }
        let way = self.way_of_sitemap(url, of, vouched);
        let letter = FoundUrl::new(url, way, Found::SEED);
        match is_elsewhere {
            true => self.tell_owner(letter),
            false => self.discover_found(letter)?,
        }
        Ok(())
    }

    /// By which way a sitemap is found that a host names; it counts.
    pub(super) fn way_of_sitemap(&mut self, url: &Url, of: HostId, vouched: bool) -> Way {
        let has_room = self.sitemaps.counts(self.hosts.number(of));
        let is_own = vouched || url.authority() == self.hosts.frontier.name(of);
        Way::Sitemap { is_own, has_room }
    }

    /// Enters a sitemap of this cell: one that lies on the host that names it or is vouched for, if `is_own`.
    fn enter_sitemap(&mut self, url: &Url, is_own: bool, has_room: bool) -> Result<(), StoreError> {
        let (id, state) = (url.id(), self.register.sitemap(url.id())?);
        let finder = self.finder();
        let row = finder.find_sitemap(url, is_own, has_room);
        let entered = match state {
            SitemapState::Settled => return Ok(()),
            SitemapState::Page if row.reason != Reason::Queued => return Ok(()),
            SitemapState::Page => self.register.change_to_sitemap(id, &row, finder.now)?,
            SitemapState::Unknown => self.register.enter(id, &row, finder.now)?,
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
        if self.mail.is_mine(domain) {
            let host = self.host(url.authority(), url.scheme() == "https")?;
            return self.take_in(host, position, priority, from);
        }
        let of = Origin::of(url);
        self.mail.write(domain, Letter::Url { of, position, priority, from });
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
            domain if self.mail.is_mine(domain) => self.vouched(url.authority(), from),
            domain => {
                let authority = url.authority().to_owned();
                self.mail.write(domain, Letter::Inlink { authority, from });
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
