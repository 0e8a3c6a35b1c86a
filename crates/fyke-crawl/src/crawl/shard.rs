//! One thread of a crawl: the loop that starts what may start, waits for what comes first, writes what is due,
//! and passes values between the parts that own them.

use super::TICK;
use super::answers::Answers;
use super::budgets::Budgets;
use super::cell::CrawlCell;
use super::discovery::{Discovery, Found};
use super::dispatch::Dispatched;
use super::evidence::UrlEvidence;
use super::feeds::FeedTurns;
use super::fetches::{Event, Fetched, Fetches};
use super::form_asking::HostForms;
use super::hosts::{self, HostNumber, Hosts, Met};
use super::letter::{Letter, Way};
use super::node::{CrawlNode, ThreadState};
use super::parts::PageParts;
use super::post::{PostBox, ThreadIdle};
use super::read::ReadAnswer;
use super::retries::Retries;
use super::sitemaps::SitemapTurns;
use crate::feed::SeedFeed;
use crate::fetch::Fetch;
use crate::frontier::{HostId, Task};
use crate::glance::LinkTarget;
use crate::options::{SitemapChoice, Stopped};
use fyke_store::{Reason, StoreError};
use fyke_web::Url;
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::JoinError;
use tokio::time::Instant;

/// How long requests under way may go on after a stop.
const GRACE: Duration = Duration::from_secs(1);

/// Who is told how the crawl is doing.
type ProgressObserver<'o> = Option<&'o mut dyn FnMut()>;

/// Waits for seeds; for ever where none will come.
async fn given(feed: Option<&SeedFeed>) {
    match feed {
        Some(feed) => feed.given().await,
        None => std::future::pending().await,
    }
}

/// One thread's part of the crawl.
pub(super) struct Shard<'a, F> {
    pub(super) cell: &'a CrawlCell<'a>,
    pub(super) node: &'a CrawlNode<'a, F>,
    pub(super) mail: PostBox<'a>,
    pub(super) hosts: Hosts<'a>,
    pub(super) budgets: Budgets<'a>,
    pub(super) discovery: Discovery<'a>,
    pub(super) answers: Answers<'a>,
    pub(super) sitemaps: SitemapTurns<'a>,
    pub(super) feeds: FeedTurns,
    pub(super) retries: Retries,
    pub(super) evidence: UrlEvidence,
    /// Of the hosts whose forms may be sent, by number.
    pub(super) forms: HashMap<HostNumber, HostForms>,
    pub(super) fetches: Fetches<F>,
    /// What pages that are being rendered ask for.
    pub(super) parts: PageParts,
    /// Bans and looks of the control that were seen, and when the state was last told.
    bans: u64,
    looks: u64,
    told: u64,
}

impl<'a, F: Fetch> Shard<'a, F> {
    pub(super) fn new(
        cell: &'a CrawlCell<'a>,
        node: &'a CrawlNode<'a, F>,
        mail: PostBox<'a>,
    ) -> Shard<'a, F> {
        Shard {
            hosts: Hosts::new(cell, node, mail.number),
            budgets: Budgets::new(&node.options.budget, &node.budget, &cell.domains),
            discovery: Discovery::new(cell, node),
            answers: Answers {
                cell,
                counters: &node.counters,
                spider: node.spider.as_deref(),
                due: &node.due,
                credentials: &node.options.credentials,
            },
            sitemaps: SitemapTurns::new(&node.slots),
            feeds: FeedTurns::default(),
            fetches: Fetches::new(node, mail.number, &cell.collection.underway),
            retries: Retries::default(),
            parts: PageParts::default(),
            evidence: UrlEvidence::default(),
            forms: HashMap::new(),
            bans: 0,
            looks: 0,
            told: 0,
            cell,
            node,
            mail,
        }
    }

    /// The loop.
    pub(super) async fn run(mut self, mut observe: ProgressObserver<'_>) -> Result<(), StoreError> {
        let done = self.work(&mut observe).await;
        // The others must not wait for a thread that is gone.
        self.mail.ring_all();
        done?;
        self.finish().await
    }

    async fn work(&mut self, observe: &mut ProgressObserver<'_>) -> Result<(), StoreError> {
        loop {
            self.read_letters()?;
            let now = self.node.now();
            if self.node.is_over(now) {
                return Ok(());
            }
            let wake = self.step(now)?;
            self.mail.send(1);
            self.fetches.read_answers();
            let Hosts { closed, frontier, .. } = &mut self.hosts;
            let wake = match closed.shelve_some(frontier, self.cell.ledger())? {
                Some(shelved) => {
                    self.cell.touch(now);
                    self.shelved(shelved)?;
                    // Requests under way go on between two parts.
                    tokio::task::yield_now().await;
                    now
                }
                None => wake,
            };
            let times = [self.cell.due(), self.node.time_up, Some(now + TICK)];
            let wake = times.into_iter().flatten().fold(wake, u64::min);
            tokio::select! {
                biased;
                () = self.node.control.asked() => {}
                Some(event) = self.fetches.next() => self.take(event)?,
                Some(asked) = self.parts.next() => self.send_part(asked)?,
                () = self.mail.bell() => {}
                () = given(self.node.options.feed.as_ref()) => {}
                () = tokio::time::sleep_until(self.node.clock.at(wake)) => {}
            }
            while let Some(event) = self.fetches.next_now() {
                self.take(event)?;
            }
            let now = self.node.now();
            self.cell.sync_if_due(now)?;
            if let Some(feed) = &self.node.options.feed {
                feed.turn();
            }
            if now >= self.told + TICK {
                self.tell(now);
                if let Some(observe) = observe {
                    observe();
                }
            }
        }
    }

    /// Starts what may start; returns until when nothing more can be done.
    fn step(&mut self, now: u64) -> Result<u64, StoreError> {
        for authority in self.node.control.banned_since(&mut self.bans) {
            for host in self.hosts.frontier.known(&authority).into_iter().flatten() {
                self.hosts.ban(host, now)?;
            }
        }
        if self.node.control.is_paused() {
            return Ok(now + TICK);
        }
        let is_fed = self.take_fed()?;
        for (host, position) in self.sitemaps.ready() {
            self.hosts.frontier.push_urgent(host, Task::Row(position));
        }
        while let Some((host, url)) = self.retries.take(now) {
            self.hosts.queue(host, url.priority, url.position)?;
        }
        let dispatched = self.dispatch()?;
        // What goes out now is no longer on this thread's hands when it says that it is idle.
        self.mail.send(1);
        match dispatched {
            Dispatched::Until(wake) => {
                self.mail.set_idle(ThreadIdle::No);
                Ok(wake)
            }
            Dispatched::Exhausted => {
                self.node.end(Stopped::Budget);
                self.mail.ring_all();
                Ok(now)
            }
            // The loop shelves what is left of closed hosts, and other threads give back slots.
            Dispatched::Nothing if self.hosts.closed.are_closing() || !self.sitemaps.is_empty() => {
                self.mail.set_idle(ThreadIdle::No);
                Ok(u64::MAX)
            }
            Dispatched::Nothing if is_fed => {
                self.mail.set_idle(ThreadIdle::No);
                Ok(now + TICK)
            }
            Dispatched::Nothing => self.rest(now),
        }
    }

    /// Takes in the seeds that came since; true when more may come.
    fn take_fed(&mut self) -> Result<bool, StoreError> {
        let Some(feed) = &self.node.options.feed else { return Ok(false) };
        // Asked first: what was given before the end is taken.
        let is_open = feed.is_open();
        for url in feed.take(|url| self.mail.is_mine(url.domain_hash())) {
            self.discovery.discover(&mut self.mail, &LinkTarget::new(url), Found::SEED)?;
            self.deliver()?;
        }
        Ok(is_open)
    }

    /// Nothing is left here. When that is so everywhere, no link can come any more: every thread closes
    /// its exhausted domains, and when all have the pass ends.
    fn rest(&mut self, now: u64) -> Result<u64, StoreError> {
        let mine = if self.budgets.has_exhausted() { ThreadIdle::Waiting } else { ThreadIdle::Yes };
        match (self.mail.set_idle(mine), mine) {
            (ThreadIdle::No, _) => return Ok(u64::MAX),
            (ThreadIdle::Waiting, ThreadIdle::Yes) => {
                self.mail.ring_others();
                return Ok(u64::MAX);
            }
            (ThreadIdle::Waiting, _) => self.end_waits(now)?,
            (ThreadIdle::Yes, _) => {
                self.node.end(Stopped::Finished);
                self.mail.ring_all();
            }
        }
        Ok(now)
    }

    /// Closes the hosts of exhausted domains.
    fn end_waits(&mut self, now: u64) -> Result<(), StoreError> {
        for end in self.budgets.end_waits() {
            for host in end.hosts {
                match end.closed {
                    None => self.hosts.reopen(host),
                    Some(_) if self.hosts.closed.has(host) => {}
                    Some(why) => self.hosts.close(host, Some(Reason::BudgetDomain), why, now)?,
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, event: Result<Event, JoinError>) -> Result<(), StoreError> {
        match event {
            Ok(Event::Resolved { host, errand, address }) => self.resolved(host, errand, address),
            Ok(Event::Fetched(fetched)) => {
                self.hosts.free(fetched.host, &fetched.outcome, self.node.now());
                let Some(fetched) = self.render(*fetched) else { return Ok(()) };
                self.read_fetched(fetched)
            }
            Ok(Event::Rendered(fetched)) => {
                self.fetches.was_rendered(&fetched);
                self.read_fetched(*fetched)
            }
            Ok(Event::Read(read)) => {
                self.fetches.was_read(&read);
                self.read(*read)
            }
            // A lost task's URL is still queued in the ledger.
            Err(error) => {
                self.fetches.end_one();
                tracing::warn!(%error, "a fetch ended without an answer");
                Ok(())
            }
        }
    }

    /// Has an answer read, now or beside what is under way.
    fn read_fetched(&mut self, fetched: Fetched) -> Result<(), StoreError> {
        // A guide wants to have read every page before it says what comes next.
        match self.fetches.read(fetched, self.node.spider.is_some()) {
            Some(read) => self.read(read),
            None => Ok(()),
        }
    }

    /// Writes what comes of an answer that was read.
    fn read(&mut self, read: ReadAnswer) -> Result<(), StoreError> {
        self.fetches.end_one();
        // A page, its links and its host go to disk together or not at all.
        let collection = self.cell.collection;
        collection.group(|| {
            self.fetched(read)?;
            self.deliver()
        })
    }

    /// Lets requests under way end, for a moment, and tells where things stand.
    async fn finish(&mut self) -> Result<(), StoreError> {
        let end = Instant::now() + GRACE;
        self.fetches.read_answers();
        while let Ok(Some(event)) = tokio::time::timeout_at(end, self.fetches.next()).await {
            self.take(event)?;
            self.fetches.read_answers();
        }
        self.fetches.abort();
        self.node.leave(hosts::left(&self.hosts, self.node.now()));
        self.tell(self.node.now());
        std::mem::take(&mut self.evidence).give_back(&self.cell.evidence);
        Ok(())
    }

    fn read_letters(&mut self) -> Result<(), StoreError> {
        while let Some(letters) = self.mail.receive() {
            letters.into_iter().try_for_each(|letter| self.read_letter(letter))?;
        }
        self.deliver()
    }

    /// Reads the letters of this thread to itself.
    pub(super) fn deliver(&mut self) -> Result<(), StoreError> {
        while let Some(letter) = self.mail.next_home() {
            self.read_letter(letter)?;
        }
        Ok(())
    }

    fn read_letter(&mut self, letter: Letter) -> Result<(), StoreError> {
        match letter {
            Letter::Url { of, position, priority, from } => {
                let host = self.host(&of.authority, of.is_secure)?;
                if let Some(from) = from {
                    self.count_inlink(host, from)?;
                }
                self.hosts.queue(host, priority, position)
            }
            Letter::Found(found) => self.discovery.discover_found(&mut self.mail, *found),
            Letter::Inlink { authority, from } => {
                let host = self.any_side(&authority)?;
                self.count_inlink(host, from)
            }
            Letter::Part(asked) => self.take_part(asked),
            Letter::Robots { asked, url } => self.ask_elsewhere(asked, url),
            Letter::Rules { asked, found } => self.found_rules(asked, found),
            Letter::Mirror { authority, of } => {
                let host = self.any_side(&authority)?;
                self.hosts.set_mirror(host, of, self.node.now())
            }
            Letter::Loop { id, count } => self.discovery.is_in_ring(id, count),
            Letter::Forward(better) => {
                let weighed = self.discovery.weighed(&mut self.mail);
                weighed.map_or(Ok(()), |mut weighed| weighed.bring_forward(better))
            }
        }
    }

    /// One side of the host of an authority, with TLS or without. One that is new in this run comes with what
    /// the ledger knows of it.
    pub(super) fn host(&mut self, authority: &str, is_secure: bool) -> Result<HostId, StoreError> {
        let sides = self.hosts.frontier.known(authority);
        if let Some(host) = sides[usize::from(is_secure)] {
            return Ok(host);
        }
        let scheme = if is_secure { "https" } else { "http" };
        if let Ok(home) = Url::parse(&format!("{scheme}://{authority}/")) {
            self.node.fetch.prefetch(&home);
        }
        let is_banned = self.node.control.is_banned(authority);
        let met = self.hosts.meet(authority, is_secure, is_banned, self.node.now())?;
        let is_waiting = self.budgets.join(&met, authority);
        let Met { host, sitemaps, .. } = met;
        if is_waiting {
            self.hosts.frontier.set_waits(host, true);
        }
        self.queue_sitemaps(host, &sitemaps)?;
        Ok(host)
    }

    /// Any side of the host of an authority, where that makes no difference.
    fn any_side(&mut self, authority: &str) -> Result<HostId, StoreError> {
        let known = self.hosts.frontier.known(authority).into_iter().flatten().next();
        known.map_or_else(|| self.host(authority, false), Ok)
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

    /// Takes in the seeds of this thread, and `more`.
    pub(super) fn seed(&mut self, more: &[Url]) -> Result<(), StoreError> {
        let options = self.node.options;
        for url in options.seeds.iter().chain(more) {
            if self.mail.is_mine(url.domain_hash()) {
                let target = LinkTarget::new(url.clone());
                self.discovery.discover(&mut self.mail, &target, Found::SEED)?;
                self.deliver()?;
            }
        }
        self.recall_forms()?;
        let SitemapChoice::List(urls) = &options.sitemaps else { return Ok(()) };
        for url in urls {
            if self.mail.is_mine(url.domain_hash()) {
                let host = self.host(url.authority(), url.scheme() == "https")?;
                self.discover_sitemap(url, host, true)?;
            }
        }
        Ok(())
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
        if !self.cell.is_elsewhere(url) && self.discovery.is_settled_sitemap(url)? {
            return Ok(());
        }
        let way = self.way_of_sitemap(url, of, vouched);
        self.discovery.discover_sitemap(&mut self.mail, url, way)
    }

    /// By which way a sitemap is found that a host names; it counts.
    pub(super) fn way_of_sitemap(&mut self, url: &Url, of: HostId, vouched: bool) -> Way {
        let has_room = self.sitemaps.counts(self.hosts.number(of));
        let is_own = vouched || url.authority() == self.hosts.frontier.name(of);
        Way::Sitemap { is_own, has_room }
    }

    /// Says how this thread's frontier stands, and its hosts if somebody looks.
    fn tell(&mut self, now: u64) {
        self.told = now;
        let frontier = &self.hosts.frontier;
        let state = ThreadState {
            priorities: frontier.queued(),
            in_flight: self.fetches.len() as u64,
            hosts_waiting: frontier.hosts_waiting() as u64,
        };
        self.node.tell(self.mail.number, state);
        if self.node.control.is_watched_since(&mut self.looks) {
            self.node.control.tell(self.mail.number, hosts::told(&self.hosts, now));
        }
    }
}
