//! URLs found. A finder judges a URL by its normal form, the scope, the rules for traps and the way it was
//! found; its owner knows whether it is news, and writes its row. A URL of another cell is told to its owner, who
//! does both. What is to be queued, and who vouches for whom, goes by letter to the thread that owns the host, which
//! may be this one: nothing here knows a host, a queue or a budget.

mod finder;
mod redirects;
mod register;
mod vouchers;
mod weighed;
mod worth;

use finder::priority;
pub(super) use finder::{Finder, Found, next_depth};
pub(super) use register::Register;
pub(super) use weighed::{PageFound, WeighedDiscovery};
pub(super) use worth::LinkWorth;

use super::cell::CrawlCell;
use super::clock::Clock;
use super::due::DueRows;
use super::letter::{FoundUrl, Hop, Letter, Way};
use super::missing::made_up;
use super::node::CrawlNode;
use super::post::PostBox;
use crate::frontier::{Origin, PRIORITIES};
use crate::glance::LinkTarget;
use crate::guide::Spider;
use crate::scope::Scope;
use crate::verdict::MOST_REDIRECTS;
use fyke_derive::UrlFate;
use fyke_store::{FedText, Known, Listed, Position, PushPace, Reason, Row, RowKind, StoreError};
use fyke_web::{Url, UrlId};
use redirects::Walked;
use register::{Entered, SitemapState};
use vouchers::Vouchers;

/// What one thread does with the URLs that it finds, and with those of its cell that others find.
pub(super) struct Discovery<'a> {
    cell: &'a CrawlCell<'a>,
    scope: &'a Scope,
    clock: &'a Clock,
    spider: Option<&'a Spider>,
    worth: &'a LinkWorth,
    due: &'a DueRows,
    register: Register<'a>,
    /// Where domains have budgets that grow.
    vouchers: Option<Vouchers>,
}

impl<'a> Discovery<'a> {
    pub(super) fn new<F>(cell: &'a CrawlCell<'a>, node: &'a CrawlNode<'a, F>) -> Discovery<'a> {
        Discovery {
            cell,
            scope: &node.scope,
            clock: &node.clock,
            spider: node.spider.as_deref(),
            worth: &node.worth,
            due: &node.due,
            register: Register::new(cell),
            vouchers: node.options.budget.per_domain_pages.map(|_| Vouchers::new()),
        }
    }

    fn finder(&self) -> Finder<'a> {
        Finder { scope: self.scope, now: self.clock.now() }
    }

    /// With a guide, if the crawl has one.
    pub(super) fn weighed<'d>(
        &'d mut self,
        mail: &'d mut PostBox<'a>,
    ) -> Option<WeighedDiscovery<'d, 'a>> {
        let spider = self.spider?;
        Some(WeighedDiscovery { discovery: self, mail, spider })
    }

    /// Takes in a URL that a page or a redirect leads to, of whatever cell.
    pub(super) fn discover(
        &mut self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        found: Found,
    ) -> Result<(), StoreError> {
        if self.cell.is_elsewhere(&target.url) {
            tell_owner(mail, FoundUrl::new(&target.url, Way::of(target), found));
            return Ok(());
        }
        self.discover_listed(mail, target, found, None).map(drop)
    }

    /// Takes in a URL of this cell, with what a sitemap says of it; true when it is queued now.
    pub(super) fn discover_listed(
        &mut self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<bool, StoreError> {
        let known = self.register.known(target.id)?;
        let brought = self.worth.bring(target.id, found.share);
        if known == Known::Yes {
            self.vouch(mail, target, found.from);
            if brought.has_grown() {
                self.bring_forward(mail, target, self.worth.ahead(brought, None))?;
            }
            return self.note_listing(target.id, listed);
        }
        let finder = self.finder();
        // What pages lead to comes before a form is asked for more.
        let ahead = match found.kind {
            RowKind::Query => -(PRIORITIES as i8),
            _ => found.ahead + self.worth.ahead(brought, listed.as_ref()),
        };
        let found = Found { ahead, ..found };
        let Some(row) = finder.find(target, found, known, listed.as_ref()) else {
            return self.note_listing(target.id, listed);
        };
        match self.register.enter(target.id, &row, finder.now)? {
            Entered::Queued(position, priority) => {
                self.worth.note_queued();
                route(mail, &target.url, QueuedAt { position, priority }, found.from);
                return Ok(true);
            }
            Entered::Refused => {}
            Entered::Known => self.vouch(mail, target, found.from),
        }
        Ok(false)
    }

    /// What a sitemap says of a URL that is known may make it due; it is not queued here.
    fn note_listing(&self, id: UrlId, listed: Option<Listed>) -> Result<bool, StoreError> {
        if self.register.note_listing(id, listed)? {
            self.due.note_news();
        }
        Ok(false)
    }

    /// Takes in a URL that a sitemap lists; in a focused crawl it is queued if its own words speak for it.
    pub(super) fn discover_entry(
        &mut self,
        mail: &mut PostBox<'a>,
        target: &LinkTarget,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<(), StoreError> {
        if self.cell.is_elsewhere(&target.url) {
            tell_owner(mail, FoundUrl::new(&target.url, Way::Listed(listed), found));
            return Ok(());
        }
        match self.weighed(mail) {
            Some(mut weighed) => weighed.discover_entry(target, found, listed),
            None => self.discover_listed(mail, target, found, listed).map(drop),
        }
    }

    /// Takes in a URL that was found in another cell, one that redirects lead to, or a sitemap.
    pub(super) fn discover_found(
        &mut self,
        mail: &mut PostBox<'a>,
        letter: FoundUrl,
    ) -> Result<(), StoreError> {
        let is_redirect = !letter.hops.is_empty();
        let Some(letter) = self.follow(mail, letter)? else { return Ok(()) };
        let FoundUrl { url, way, found, words, .. } = letter;
        let nofollow = matches!(way, Way::Nofollow);
        let target = LinkTarget { nofollow, ..LinkTarget::new(url) };
        match way {
            Way::Sitemap { is_own, has_room } => {
                let finder = self.finder();
                let row = finder.find_sitemap(&target.url, is_own, has_room);
                self.enter_sitemap(mail, &target, &row, finder.now)
            }
            Way::Feed => self.enter_feed(mail, &target, found),
            Way::Hub => self.enter_hub(mail, &target, found),
            Way::Listed(listed) => self.discover_entry(mail, &target, found, listed),
            Way::Link | Way::Nofollow => match self.weighed(mail) {
                Some(mut weighed) if is_redirect => {
                    weighed.remember_lead(target.id, found, &words);
                    self.discover(mail, &target, found)
                }
                Some(mut weighed) => weighed.discover_with_words(&target, found, &words),
                None => self.discover(mail, &target, found),
            },
        }
    }

    /// Follows the redirects behind a URL that redirects lead to. They may close a ring, be too many, or lead to
    /// another cell: then nothing is left to take in here.
    fn follow(
        &mut self,
        mail: &mut PostBox<'_>,
        mut letter: FoundUrl,
    ) -> Result<Option<FoundUrl>, StoreError> {
        let Some(&first) = letter.hops.first() else { return Ok(Some(letter)) };
        let url = letter.url.clone();
        match redirects::walk(self.cell, &mut letter.hops, &mut letter.url)? {
            Walked::Ring => self.close_ring(mail, &letter.hops)?,
            _ if usize::from(letter.found.redirects) > MOST_REDIRECTS => {
                let detail = format!("more than {MOST_REDIRECTS} redirects in a row");
                redirects::mark_loop(self.cell, first.id, &detail, self.clock.now())?;
            }
            Walked::Open => return Ok(Some(FoundUrl { url, ..letter })),
            Walked::Elsewhere => {
                if letter.url != url {
                    self.vouch(mail, &LinkTarget::new(url), letter.found.from);
                }
                tell_owner(mail, letter);
            }
        }
        Ok(None)
    }

    /// Redirects lead to the next and the last to the first: their rows say so.
    fn close_ring(&self, mail: &mut PostBox<'_>, hops: &[Hop]) -> Result<(), StoreError> {
        for &Hop { id, domain } in hops {
            let count = hops.len();
            match self.cell.owns(domain) {
                true => self.is_in_ring(id, count)?,
                false => mail.write(domain, Letter::Loop { id, count }),
            }
        }
        Ok(())
    }

    /// A URL of this cell redirects in a ring of so many.
    pub(super) fn is_in_ring(&self, id: UrlId, count: usize) -> Result<(), StoreError> {
        redirects::mark_loop(self.cell, id, &format!("a ring of {count}"), self.clock.now())
    }

    /// Whether a URL of this cell is settled as a sitemap: naming it again changes nothing.
    pub(super) fn is_settled_sitemap(&self, url: &Url) -> Result<bool, StoreError> {
        Ok(self.register.sitemap(url.id())? == SitemapState::Settled)
    }

    /// Whether anything is known of a URL.
    pub(super) fn is_known(&self, url: &Url) -> Result<bool, StoreError> {
        Ok(self.register.known(url.id())? != Known::No)
    }

    /// Takes in a sitemap, of whatever cell.
    pub(super) fn discover_sitemap(
        &mut self,
        mail: &mut PostBox<'a>,
        url: &Url,
        way: Way,
    ) -> Result<(), StoreError> {
        let letter = FoundUrl::new(url, way, Found::SEED);
        if self.cell.is_elsewhere(url) {
            tell_owner(mail, letter);
            return Ok(());
        }
        self.discover_found(mail, letter)
    }

    /// Enters a sitemap of this cell with this row.
    fn enter_sitemap(
        &mut self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        row: &Row,
        now: u64,
    ) -> Result<(), StoreError> {
        let entered = match self.register.sitemap(target.id)? {
            SitemapState::Settled => return Ok(()),
            SitemapState::Page if row.reason != Reason::Queued => return Ok(()),
            SitemapState::Page => self.register.change_to_sitemap(target.id, row, now)?,
            SitemapState::Unknown => self.register.enter(target.id, row, now)?,
        };
        if let Entered::Queued(position, priority) = entered {
            route(mail, &target.url, QueuedAt { position, priority }, None);
        }
        Ok(())
    }

    /// Takes in a feed that a page names, of whatever cell.
    pub(super) fn discover_feed(
        &mut self,
        mail: &mut PostBox<'a>,
        url: &Url,
        found: Found,
    ) -> Result<(), StoreError> {
        let letter = FoundUrl::new(url, Way::Feed, found);
        if self.cell.is_elsewhere(url) {
            tell_owner(mail, letter);
            return Ok(());
        }
        self.discover_found(mail, letter)
    }

    /// Enters a feed of this cell, where it is news.
    fn enter_feed(
        &mut self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        found: Found,
    ) -> Result<(), StoreError> {
        let (finder, known) = (self.finder(), self.register.known(target.id)?);
        let Some(row) = finder.find(target, found, known, None) else { return Ok(()) };
        let row = Row { kind: RowKind::Feed, ..row };
        if let Entered::Queued(position, priority) =
            self.register.enter(target.id, &row, finder.now)?
        {
            route(mail, &target.url, QueuedAt { position, priority }, None);
        }
        Ok(())
    }

    /// Takes in a hub that a feed names, of whatever cell.
    pub(super) fn discover_hub(
        &mut self,
        mail: &mut PostBox<'a>,
        url: &Url,
        found: Found,
    ) -> Result<(), StoreError> {
        let letter = FoundUrl::new(url, Way::Hub, found);
        if self.cell.is_elsewhere(url) {
            tell_owner(mail, letter);
            return Ok(());
        }
        self.discover_found(mail, letter)
    }

    /// Enters a hub of this cell, wherever it is; one that is known is due at once.
    fn enter_hub(
        &mut self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        found: Found,
    ) -> Result<(), StoreError> {
        let finder = self.finder();
        let queued = UrlFate { reason: Reason::Queued, detail: String::new() };
        let row = Row { kind: RowKind::Hub, ..finder.row(&target.url, found, queued) };
        match self.register.enter(target.id, &row, finder.now)? {
            Entered::Queued(position, priority) => {
                route(mail, &target.url, QueuedAt { position, priority }, None);
            }
            Entered::Refused | Entered::Known => {
                if self.register.change_due(target.id, finder.now)? {
                    self.due.note_news();
                }
            }
        }
        Ok(())
    }

    /// Keeps how a hub slows down the visits of a feed of this cell.
    pub(super) fn note_pace(&self, id: UrlId, pace: Option<PushPace>) -> Result<(), StoreError> {
        self.register.note_pace(id, pace)
    }

    /// Enters a file that goes with an item of a feed and is not fetched, unless the filters refuse it.
    pub(super) fn enter_fed_file(
        &self,
        target: &LinkTarget,
        found: Found,
        why: String,
    ) -> Result<(), StoreError> {
        if self.cell.is_elsewhere(&target.url) {
            return Ok(());
        }
        let (finder, known) = (self.finder(), self.register.known(target.id)?);
        let Some(row) = finder.find(target, found, known, None) else { return Ok(()) };
        let row = match row.reason {
            Reason::Queued => Row { reason: Reason::Type, detail: why, ..row },
            _ => row,
        };
        self.register.enter(target.id, &row, finder.now).map(drop)
    }

    /// Keeps where a feed has a text of a URL of this cell, if it is another than before.
    pub(super) fn note_fed(&self, id: UrlId, fed: FedText) -> Result<(), StoreError> {
        self.register.note_fed(id, fed)
    }

    /// Writes why a form is not sent, as the URL that it would be sent as; one that is known stays what it is.
    pub(super) fn refuse_form(
        &mut self,
        url: &Url,
        found: Found,
        why: &str,
    ) -> Result<(), StoreError> {
        let finder = self.finder();
        let fate = UrlFate { reason: Reason::FormRefused, detail: why.to_owned() };
        let row = finder.row(url, found, fate);
        self.register.enter(url.id(), &row, finder.now).map(drop)
    }

    /// Queues the made-up paths of a host, where they are news.
    pub(super) fn discover_missing(
        &mut self,
        mail: &mut PostBox<'_>,
        home: &Url,
    ) -> Result<(), StoreError> {
        for url in made_up(home) {
            if self.register.known(url.id())? != Known::No {
                continue;
            }
            let finder = self.finder();
            let queued = UrlFate { reason: Reason::Queued, detail: String::new() };
            let row = finder.row(&url, Found { depth: 1, ..Found::SEED }, queued);
            let row = Row { kind: RowKind::Missing, ..row };
            if let Entered::Queued(position, priority) =
                self.register.enter(url.id(), &row, finder.now)?
            {
                route(mail, &url, QueuedAt { position, priority }, None);
            }
        }
        Ok(())
    }

    /// Gives a URL that waits a second place in the frontier, before its first, where it is worth that by now. The
    /// place that comes later finds it fetched.
    fn bring_forward(
        &self,
        mail: &mut PostBox<'_>,
        target: &LinkTarget,
        ahead: i8,
    ) -> Result<(), StoreError> {
        if ahead <= 0 {
            return Ok(());
        }
        let Some((position, row)) = self.register.queued(target.id)? else { return Ok(()) };
        let (depth, is_copy) = (row.depth, row.on_copy);
        let priority = priority(&Found { depth, is_copy, ahead, ..Found::SEED });
        if priority < row.priority {
            route(mail, &target.url, QueuedAt { position, priority }, None);
        }
        Ok(())
    }

    /// A link to a URL that is known already: it vouches for the URL's domain like the first one did.
    fn vouch(&mut self, mail: &mut PostBox<'_>, target: &LinkTarget, from: Option<u64>) {
        let (url, scope) = (&target.url, self.scope);
        let Some(from) = from.filter(|_| !target.nofollow) else { return };
        let Some(vouchers) = &mut self.vouchers else { return };
        let is_meant = || url.domain_hash() == from || scope.check(url).is_ok();
        let domain = url.domain_hash();
        if vouchers.is_news(url.authority(), from, is_meant) && domain != from {
            mail.write(domain, Letter::Inlink { authority: url.authority().to_owned(), from });
        }
    }
}

/// Writes to the cell that owns a URL which was found here.
fn tell_owner(mail: &mut PostBox<'_>, found: FoundUrl) {
    mail.write(found.url.domain_hash(), Letter::Found(Box::new(found)));
}

/// Where the record of a queued URL stands, and its priority.
#[derive(Clone, Copy, Debug)]
struct QueuedAt {
    position: Position,
    priority: u8,
}

/// Brings a queued URL to the thread that owns its host.
fn route(mail: &mut PostBox<'_>, url: &Url, at: QueuedAt, from: Option<u64>) {
    let domain = url.domain_hash();
    let QueuedAt { position, priority } = at;
    let from = from.filter(|from| *from != domain);
    mail.write(domain, Letter::Url { of: Origin::of(url), position, priority, from });
}
