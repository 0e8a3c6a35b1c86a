//! What comes of an answer: rows, captures, links, redirects.

use super::discover::Found;
use super::hosts::longest_delay;
use super::read::Read;
use super::shard::{Errand, Fetched, Shard, Wanted};
use crate::budget::Reserved;
use crate::fetch::{Blame, Captured, Failed, Fetch, Outcome};
use crate::frontier::HostId;
use crate::glance::Target;
use crate::politeness::is_loopback;
use crate::verdict::{Content, MOST_REDIRECTS, Verdict, judge};
use fyke_store::{Listed, Packed, Reason, RowKind, StoreError};
use fyke_web::sitemap::{Sitemap, SitemapUrl};
use fyke_web::{Url, UrlId};
use std::sync::atomic::Ordering::Relaxed;

/// Bytes of a sitemap's `lastmod` that are kept; a time with its zone has 25.
const MOST_MODIFIED: usize = 40;

/// Pause after a request that we broke off, at least.
const PAUSE: u64 = 3000;

/// Whether the answer went on after the bytes it was granted.
fn is_cut(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Captured(c) if c.capture.truncated.as_deref() == Some("length"))
}

/// Whether a page came of which a guide learns more.
fn is_page(reason: Reason) -> bool {
    matches!(reason, Reason::Kept | Reason::Offtopic | Reason::Noindex)
}

/// Whether we closed the connection while the server was still sending, or about to.
fn is_broken_off(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(Failed { reason: Reason::Timeout, .. })) || is_cut(outcome)
}

impl<F: Fetch> Shard<'_, F> {
    /// The request has ended: its host may be asked again after its gap.
    pub(super) fn free(&mut self, Fetched { host, outcome, .. }: &Fetched) {
        // The clock counts whole milliseconds: one more is never too early for a host with a gap.
        let now = self.shared.now() + u64::from(self.has_gap(*host));
        if let Outcome::Failed(Failed { blame: Blame::Address, .. }) = outcome {
            // Nobody was asked anything.
            return self.frontier.release(*host, now);
        }
        let elapsed = super::millis(outcome.elapsed());
        self.frontier.done(*host, elapsed, now);
        let row = &mut self.hosts[host.index()].row;
        let ready = i64::try_from(self.frontier.ready(*host)).unwrap_or(i64::MAX);
        row.not_before = row.not_before.max(ready);
        if is_broken_off(outcome) {
            // The server may take a while to notice: as long again as it had, or a few seconds.
            self.frontier.hold(*host, now + elapsed.max(PAUSE));
        }
    }

    /// Turns to the host's next address; false when all have been silent.
    fn turn(&mut self, host: HostId) -> bool {
        let Some(known) = &mut self.hosts[host.index()].address else { return false };
        known.address.turn();
        known.silent = (known.silent + 1) % known.address.tried();
        self.frontier.resolved(host, known.address.key);
        known.silent > 0
    }

    /// Takes in the end of a request, whose host is free by now.
    pub(super) fn fetched(&mut self, read: Read) -> Result<(), StoreError> {
        let Read { fetched: Fetched { host, errand, outcome, reserved }, content, packed } = read;
        let bytes = match &outcome {
            Outcome::Captured(c) => c.capture.payload.len() as u64,
            Outcome::Failed(failed) => failed.bytes,
        };
        let now = self.shared.now();
        self.shared.bytes.fetch_add(bytes, Relaxed);
        self.hosts[host.index()].row.bytes += bytes;
        let is_lost = match &outcome {
            Outcome::Failed(failed) if failed.blame == Blame::Address => self.turn(host),
            Outcome::Failed(failed) => failed.blame == Blame::Connection,
            Outcome::Captured(_) => {
                if let Some(known) = &mut self.hosts[host.index()].address {
                    known.silent = 0;
                }
                false
            }
        };
        if is_lost {
            self.count_page(host, reserved, false, bytes)?;
            self.frontier.push_urgent(host, errand.task());
            return Ok(());
        }
        let mut wanted = match errand {
            Errand::Row(wanted) => wanted,
            Errand::Robots { of, hops, .. } => {
                self.count_page(host, reserved, false, bytes)?;
                return self.robots_answer(host, (of, hops), outcome);
            }
        };
        wanted.row.tries = wanted.row.tries.saturating_add(1);
        wanted.row.fetched = Some(i64::try_from(now).unwrap_or(i64::MAX));
        let (mut verdict, standing) = judge(&outcome, &content, wanted.row.tries, now);
        if reserved.is_rest && is_cut(&outcome) && matches!(verdict, Verdict::Final(..)) {
            // The budget cut it short, now used up: nothing can be said of the page.
            verdict = Verdict::Again;
        }
        if wanted.slot.is_some() && wanted.row.tries == 1 && is_cut(&outcome) {
            // It is longer than most: it is asked for once more, whole.
            verdict = Verdict::Again;
        }
        if self.became_sitemap(&mut wanted)? && matches!(content, Content::Page(_)) {
            verdict = Verdict::Again;
        }
        // A URL counts when it is first asked for; one that turns out to be a redirect is given back.
        let counts = reserved.page && !matches!(verdict, Verdict::Redirect(_));
        self.count_page(host, reserved, counts, bytes)?;
        match outcome {
            Outcome::Captured(captured) => {
                self.captured(host, *wanted, verdict, (captured, content, packed))?;
            }
            Outcome::Failed(failed) => {
                wanted.row.status = failed.status;
                self.shared.errors.fetch_add(1, Relaxed);
                self.settle(host, *wanted, verdict)?;
            }
        }
        self.stand(host, standing)
    }

    /// Whether this host wants a pause between two requests; none does only on loopback.
    fn has_gap(&self, host: HostId) -> bool {
        let options = self.shared.options;
        let host = &self.hosts[host.index()];
        let is_here = host.address.as_ref().is_some_and(|known| is_loopback(known.address.key));
        !is_here
            || !options.floor.is_zero()
            || options.factor > 0.0
            || longest_delay(&host.robots) > 0
    }

    /// Whether the URL turned out to be a sitemap while it was fetched as a page: then its row was
    /// written meanwhile.
    fn became_sitemap(&self, wanted: &mut Wanted) -> Result<bool, StoreError> {
        let Some(latest) = self.ledger().position(wanted.id)?.filter(|p| *p != wanted.position)
        else {
            return Ok(false);
        };
        wanted.position = latest;
        if let Some((_, row)) = self.ledger().at(latest)? {
            (wanted.row.kind, wanted.row.detail) = (row.kind, row.detail);
        }
        Ok(wanted.row.kind == RowKind::Sitemap)
    }

    /// Settles the budgets, and writes what the host has given so far.
    fn count_page(
        &mut self,
        host: HostId,
        reserved: Reserved,
        counts: bool,
        bytes: u64,
    ) -> Result<(), StoreError> {
        self.shared.settle(reserved, counts, bytes);
        let known = &mut self.hosts[host.index()];
        known.row.pages += u64::from(counts);
        if reserved.page {
            known.share.settle(counts);
            if let Some(domain) = self.domains.get_mut(&known.domain) {
                domain.share.settle(counts);
            }
        }
        self.put_host(host)
    }

    /// An answer came: it is stored unless its URL goes back to the queue.
    fn captured(
        &mut self,
        host: HostId,
        mut wanted: Wanted,
        mut verdict: Verdict,
        (answer, content, packed): (Captured, Content, Option<Packed>),
    ) -> Result<(), StoreError> {
        wanted.row.status = answer.capture.status;
        if verdict == Verdict::Again {
            self.shared.errors.fetch_add(1, Relaxed);
            return self.settle(host, wanted, verdict);
        }
        let is_page =
            wanted.row.kind != RowKind::Sitemap && !matches!(verdict, Verdict::Redirect(_));
        let size = packed.as_ref().map_or(0, Packed::size);
        if let Some(packed) = packed {
            wanted.row.take_answer(&answer.capture, packed.digest);
            wanted.row.capture = Some(self.shared.collection.captures.append(&packed)?);
        }
        self.shared.count_capture(size, is_page);
        let judged = self.judge_subject(&wanted, &content, &mut verdict);
        let (id, depth) = (wanted.id, wanted.row.depth.saturating_add(1));
        let from = wanted.url.domain_hash();
        let url = wanted.url.clone();
        self.settle(host, wanted, verdict)?;
        match content {
            Content::Page(page) => {
                let text = page.fingerprint.as_ref();
                let is_copy = text.map_or(Ok(false), |text| self.see((id, &url), text))?;
                let (parent, from) = (Some(id), Some(from));
                let found = Found { parent, from, depth, is_copy, weighed: None };
                if let Some(judged) = judged {
                    return self.discover_weighed((id, &url), *page, (judged, found));
                }
                page.targets.iter().try_for_each(|target| self.discover(target, found))
            }
            Content::Sitemap(sitemap) => self.read_sitemap(id, host, sitemap),
            Content::Nothing => Ok(()),
        }
    }

    /// Writes the row as it is now; returns where.
    pub(super) fn put(&self, wanted: &Wanted) -> Result<fyke_store::Position, StoreError> {
        self.shared.touch(self.shared.now());
        let before = Some((wanted.position, Reason::Queued));
        self.ledger().put(wanted.id, before, &wanted.row)
    }

    /// Writes the row as the verdict has it.
    pub(super) fn settle(
        &mut self,
        host: HostId,
        mut wanted: Wanted,
        verdict: Verdict,
    ) -> Result<(), StoreError> {
        match verdict {
            Verdict::Final(reason, detail) => {
                (wanted.row.reason, wanted.row.detail) = (reason, detail);
                if let Some(spider) = self.shared.spider.as_ref().filter(|_| !is_page(reason)) {
                    spider.learn_nothing(wanted.id);
                }
                self.put(&wanted).map(drop)
            }
            Verdict::Again => {
                let position = self.put(&wanted)?;
                self.frontier.push(host, wanted.row.priority, position)
            }
            Verdict::Redirect(target) => self.redirect(host, wanted, target),
        }
    }

    /// Records the redirect and queues its target, at the same depth.
    fn redirect(
        &mut self,
        host: HostId,
        mut wanted: Wanted,
        target: Url,
    ) -> Result<(), StoreError> {
        self.count_redirect(host);
        let is_sitemap = wanted.row.kind == RowKind::Sitemap;
        let is_same_key = target.id() == wanted.id;
        let row = &mut wanted.row;
        row.redirect = Some(target.as_str().to_owned());
        if is_same_key && target != wanted.url && usize::from(row.tries) <= MOST_REDIRECTS {
            // The server wants another spelling of the same key: ask once more, its way.
            row.url = target.as_str().to_owned();
            let position = self.ledger().put(wanted.id, None, row)?;
            return self.frontier.push(host, wanted.row.priority, position);
        }
        row.reason = Reason::Redirect;
        row.detail.clear();
        let (parent, depth) = (row.parent, row.depth);
        self.put(&wanted)?;
        let ring = self.ring(wanted.id, &target)?;
        if !ring.is_empty() || self.redirects_before(parent)? >= MOST_REDIRECTS {
            let (members, detail) = match ring.len() {
                0 => (vec![wanted.id], format!("more than {MOST_REDIRECTS} redirects in a row")),
                count => (ring, format!("a ring of {count}")),
            };
            return self.mark_loop(&members, &detail);
        }
        if is_sitemap {
            return self.discover_sitemap(&target, host);
        }
        let from = Some(wanted.url.domain_hash());
        let spider = self.shared.spider.as_ref();
        let weighed = spider.and_then(|spider| spider.redirect(wanted.id, target.id()));
        let target = Target { id: target.id(), url: target, nofollow: false };
        let parent = Some(wanted.id);
        self.discover(&target, Found { parent, from, depth, is_copy: false, weighed })
    }

    /// The URLs of the ring that this redirect closes, none when it closes none. Whichever of them is
    /// fetched last finds it, so the outcome does not depend on the order.
    fn ring(&self, id: UrlId, target: &Url) -> Result<Vec<UrlId>, StoreError> {
        let mut members = vec![id];
        let mut next = Some(target.id());
        while let Some(at) = next.filter(|_| members.len() <= 2 * MOST_REDIRECTS) {
            if at == id {
                return Ok(members);
            }
            members.push(at);
            let row = self.ledger().get(at)?.filter(|row| row.reason == Reason::Redirect);
            let target = row.and_then(|row| row.redirect);
            next = target.and_then(|url| Url::parse(&url).ok()).map(|url| url.id());
        }
        Ok(Vec::new())
    }

    fn mark_loop(&mut self, members: &[UrlId], detail: &str) -> Result<(), StoreError> {
        for id in members {
            self.ledger().update(*id, |row| {
                let is_redirect = row.reason == Reason::Redirect;
                (row.reason, row.detail) = (Reason::RedirectLoop, detail.to_owned());
                is_redirect
            })?;
        }
        Ok(())
    }

    /// How many redirects led here.
    fn redirects_before(&self, mut parent: Option<UrlId>) -> Result<usize, StoreError> {
        let mut count = 0;
        while let Some(id) = parent.filter(|_| count < MOST_REDIRECTS) {
            let Some(row) = self.ledger().get(id)? else { break };
            if row.reason != Reason::Redirect {
                break;
            }
            count += 1;
            parent = row.parent;
        }
        Ok(count)
    }

    /// Takes in what a sitemap lists, one link from the start.
    fn read_sitemap(
        &mut self,
        id: UrlId,
        host: HostId,
        sitemap: Sitemap,
    ) -> Result<(), StoreError> {
        let room = self.sitemap_room(host, sitemap.urls.len());
        let parent = Some(id);
        let found = Found { parent, from: None, depth: 1, is_copy: false, weighed: None };
        for entry in sitemap.urls.into_iter().take(room) {
            let listed = listed(&entry);
            let target = Target { id: entry.url.id(), url: entry.url, nofollow: false };
            self.discover_entry(&target, found, listed)?;
        }
        let room = self.sitemap_room(host, sitemap.sitemaps.len());
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
