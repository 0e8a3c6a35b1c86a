//! The end of a request: its host, the budgets, its row and the links are told in turn.

use super::again::{AgainFound, judge_again};
use super::answers::{FollowUp, LinkedPage, RedirectedUrl, UrlAnswer};
use super::contents::{Copy, Mirror};
use super::discovery::{Found, PageFound};
use super::evidence::{HostEvidence, LinkYield, PageYield};
use super::fetches::{Errand, Fetched, Wanted};
use super::form_asking::SeenForms;
use super::hosts::TriedUrl;
use super::letter::{FoundUrl, Letter, Way};
use super::missing::LEAST_PAGES;
use super::read::ReadAnswer;
use super::shard::Shard;
use crate::budget::Reserved;
use crate::fetch::Fetch;
use crate::frontier::HostId;
use crate::glance::LinkTarget;
use crate::verdict::{HostStanding, UrlVerdict, Verdict};
use fyke_store::{Listed, Reason, RowKind, StoreError};
use fyke_web::sitemap::{Sitemap, SitemapUrl};
use fyke_web::{Fingerprint, Url, UrlId};
use std::sync::atomic::Ordering::Relaxed;

/// Bytes of a sitemap's `lastmod` that are kept; a time with its zone has 25.
const MOST_MODIFIED: usize = 40;

impl<F: Fetch> Shard<'_, F> {
    /// Takes in the end of a request, whose host is free by now.
    pub(super) fn fetched(&mut self, read: ReadAnswer) -> Result<(), StoreError> {
        let ReadAnswer { fetched, content, packed } = read;
        let Fetched { host, errand, outcome, reserved, rendered } = fetched;
        let bytes = outcome.bytes();
        self.node.counters.bytes.fetch_add(bytes, Relaxed);
        if self.hosts.is_lost(host, &outcome) {
            self.count(host, reserved, false, bytes)?;
            self.hosts.frontier.push_urgent(host, errand.task());
            return Ok(());
        }
        match errand {
            Errand::Row(wanted) => {
                let (wanted, is_rest) = (*wanted, reserved.is_rest);
                let rendering = rendered.map(|rendered| rendered.rendering);
                let answer = UrlAnswer { wanted, outcome, content, packed, is_rest, rendering };
                self.url_answer(host, reserved, answer)
            }
            Errand::Part { number, .. } => {
                self.count(host, reserved, false, bytes)?;
                self.part_answer(host, number, outcome)
            }
            Errand::Robots { asked, .. } => {
                self.count(host, reserved, false, bytes)?;
                self.robots_answer(host, asked, outcome)
            }
        }
    }

    /// Takes in the answer of a URL: it is judged, the budgets are settled, its row is written and followed up,
    /// and the host is judged by it.
    fn url_answer(
        &mut self,
        host: HostId,
        reserved: Reserved,
        mut answer: UrlAnswer,
    ) -> Result<(), StoreError> {
        let now = self.node.now();
        if answer.wanted.is_again {
            return self.answer_again(host, reserved, answer);
        }
        let judged = self.answers.judge(&mut answer, now)?;
        let (Wanted { url, row, .. }, outcome) = (&answer.wanted, &answer.outcome);
        let tried = TriedUrl { url, kind: row.kind, tries: row.tries, outcome };
        let Verdict { url: verdict, host: standing } =
            self.hosts.standing(host).mind_refusal(tried, judged);
        self.settle_answer(host, reserved, (&answer, &verdict))?;
        if let UrlVerdict::Redirect(target) = &verdict {
            self.node.scope.follow(&answer.wanted.url, target);
        }
        let has_failed = self.retries.forget(answer.wanted.id);
        let is_query = answer.wanted.row.kind == RowKind::Query;
        let is_over = is_query && !matches!(verdict, UrlVerdict::Again | UrlVerdict::Later);
        let query = is_over.then_some(answer.wanted.id);
        let follow_up = self.answers.write(answer, verdict, now)?;
        self.follow_up(host, follow_up)?;
        query.map_or(Ok(()), |id| self.end_query(host, id))?;
        match standing {
            // Nothing new: the host is judged by different URLs.
            HostStanding::Doubtful(_)
            | HostStanding::Unanswered(..)
            | HostStanding::Refusing(_)
                if has_failed =>
            {
                Ok(())
            }
            standing => self.hosts.stand(host, standing, self.node.now()),
        }
    }

    /// Takes in the answer of a URL that was fetched before. It is not tried again in this run, whatever came.
    fn answer_again(
        &mut self,
        host: HostId,
        reserved: Reserved,
        mut answer: UrlAnswer,
    ) -> Result<(), StoreError> {
        let now = self.node.now();
        let judged = self.answers.judge(&mut answer, now)?;
        let UrlAnswer { wanted, outcome, content, .. } = &answer;
        let tried =
            TriedUrl { url: &wanted.url, kind: wanted.row.kind, tries: wanted.row.tries, outcome };
        let Verdict { url, host: standing } = self.hosts.standing(host).mind_refusal(tried, judged);
        let found = match judge_again(wanted, outcome, content, &url) {
            AgainFound::Respelled if !self.node.due.respell(wanted.id) => AgainFound::Failure,
            // Its rendered copy stands until there is another.
            AgainFound::News if answer.lost_its_copy() => AgainFound::Failure,
            found => found,
        };
        self.count(host, reserved, false, outcome.bytes())?;
        if matches!(url, UrlVerdict::Redirect(_)) || found == AgainFound::Respelled {
            self.budgets.count_redirect(host);
        }
        if found == AgainFound::Respelled {
            let (priority, position) = (wanted.row.priority, self.answers.put(wanted, now)?);
            return self.hosts.frontier.push(host, priority, position);
        }
        self.node.due.take(answer.wanted.id);
        let follow_up = self.answers.write_again(answer, found, url, now)?;
        self.follow_up(host, follow_up)?;
        self.hosts.stand(host, standing, self.node.now())
    }

    /// Settles the budgets. A URL counts when it is first asked for; one that turns out to be a redirect, or is not
    /// read, is given back.
    fn settle_answer(
        &mut self,
        host: HostId,
        reserved: Reserved,
        (answer, verdict): (&UrlAnswer, &UrlVerdict),
    ) -> Result<(), StoreError> {
        let is_redirect = matches!(verdict, UrlVerdict::Redirect(_));
        let is_unread = answer.outcome.is_unread();
        let is_page = matches!(answer.wanted.row.kind, RowKind::Page | RowKind::Query);
        let is_page = is_page && !is_redirect && !is_unread;
        self.count(host, reserved, reserved.page && is_page, answer.outcome.bytes())?;
        if is_unread {
            self.budgets.count_unread(host);
        }
        // What turns out to be a feed gives its page back, too, and so has the same limit.
        let is_feed = reserved.page && answer.wanted.row.kind == RowKind::Feed;
        if is_redirect || is_feed {
            self.budgets.count_redirect(host);
        }
        Ok(())
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
            FollowUp::DiscoverTarget(redirected) => {
                let RedirectedUrl { hop, target: url, kind, found, words } = *redirected;
                let way = match kind {
                    RowKind::Sitemap => self.way_of_sitemap(&url, host, true),
                    RowKind::Feed => Way::Feed,
                    _ => Way::Link,
                };
                // What came to the one goes on to the other.
                let found = Found { share: self.node.worth.of(hop.id), ..found };
                let letter = FoundUrl { url, way, hops: vec![hop], found, words };
                self.discovery.discover_found(&mut self.mail, letter)
            }
            FollowUp::DiscoverLinks(mut linked) => {
                let seen = linked.page.forms.take().map(|page| SeenForms::of(&linked, *page));
                match linked.kind {
                    RowKind::Query => self.discover_results(host, &linked)?,
                    _ => self.discover_links(host, *linked)?,
                }
                seen.map_or(Ok(()), |seen| self.take_forms(host, seen))?;
                self.ask_for_missing(host)
            }
            FollowUp::DiscoverFed(fetched) => self.read_feed(host, *fetched),
            FollowUp::DiscoverListed(id, sitemap) => self.read_sitemap(id, host, sitemap),
        }
    }

    /// Takes in the links of a page. Those of a copy wait behind others.
    fn discover_links(&mut self, host: HostId, linked: LinkedPage) -> Result<(), StoreError> {
        let LinkedPage { id, url, page, judged, depth, is_first, on_copy, .. } = linked;
        self.discover_feeds(host, (&url, depth), &page.feeds)?;
        let text = page.fingerprint.as_ref();
        let seen = text.map_or(Ok(None), |text| self.see((id, &url), text))?;
        let (is_copy, is_exact) = (seen.is_some(), seen.is_some_and(|seen| seen.exact));
        let (parent, from) = (Some(id), Some(url.domain_hash()));
        let found = Found { parent, from, depth, is_copy, ..Found::SEED };
        // Where texts are not looked at, nothing is known of what a page brings.
        let is_evidence = is_first && (text.is_some() || page.reason == Reason::Noindex);
        let is_news = is_evidence && self.evidence_of(host).take_text(&page);
        let mut brought = PageYield { is_news, ..PageYield::default() };
        if let Some(judged) = judged {
            if is_evidence {
                self.evidence_of(host).note(&url, &page, on_copy, brought);
            }
            let from = PageFound { id, url: &url, judged, found };
            let weighed = self.discovery.weighed(&mut self.mail);
            return weighed.map_or(Ok(()), |mut weighed| weighed.discover_links(from, page));
        }
        let mut shape = None;
        let share = if is_copy { 0 } else { self.node.worth.share(id, page.targets.len()) };
        for target in &page.targets {
            let share = if target.nofollow { 0 } else { share };
            let found = Found { share, ..found.along(target) };
            if target.url.authority() != url.authority() {
                self.discovery.discover(&mut self.mail, target, found)?;
                continue;
            }
            let is_new = self.discovery.discover_listed(&mut self.mail, target, found, None)?;
            if is_new && is_evidence && !brought.is_news && !is_exact {
                let shape = *shape.get_or_insert_with(|| url.shape_key());
                match self.evidence_of(host).link_yield(shape, target) {
                    LinkYield::News => brought.is_news = true,
                    LinkYield::Successor => brought.successors += 1,
                    LinkYield::Nothing => {}
                }
            }
        }
        if is_evidence {
            self.evidence_of(host).note(&url, &page, on_copy, brought);
        }
        Ok(())
    }

    /// What is known of a host's URLs.
    pub(super) fn evidence_of(&mut self, host: HostId) -> &mut HostEvidence {
        let (number, name) = (self.hosts.number(host), self.hosts.frontier.name(host));
        self.evidence.host(number, name, &self.cell.evidence)
    }

    /// Looks whether a page's text was seen before.
    fn see(&mut self, page: (UrlId, &Url), text: &Fingerprint) -> Result<Option<Copy>, StoreError> {
        let Some(seen) = self.cell.contents.look(page, text, self.cell)? else {
            return Ok(None);
        };
        self.node.counters.copies.fetch_add(1, Relaxed);
        if let Some(Mirror { url, of }) = seen.mirror {
            let (authority, of) = (url.authority().to_owned(), of.authority().to_owned());
            self.mail.write(url.domain_hash(), Letter::Mirror { authority, of });
        }
        Ok(Some(seen.copy))
    }

    /// Queues the made-up paths of a host that has given enough pages, once.
    fn ask_for_missing(&mut self, host: HostId) -> Result<(), StoreError> {
        if !self.node.options.asks_for_missing || !self.hosts.has_now_given(host, LEAST_PAGES) {
            return Ok(());
        }
        let home = self.hosts.url(host, "/");
        home.map_or(Ok(()), |home| self.discovery.discover_missing(&mut self.mail, &home))
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
        let found = Found { parent: Some(id), depth: 1, ..Found::SEED };
        for entry in sitemap.urls.into_iter().take(room) {
            let listed = listed(&entry);
            let target = LinkTarget::new(entry.url);
            self.discovery.discover_entry(&mut self.mail, &target, found, listed)?;
            // Tens of thousands of letters need not wait.
            self.deliver()?;
        }
        let room = self.sitemaps.room(number, sitemap.sitemaps.len());
        for url in sitemap.sitemaps.into_iter().take(room) {
            self.discover_sitemap(&url, host, false)?;
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
