//! What comes of an answer: rows, captures, links, redirects.

use super::Crawl;
use super::discover::Found;
use crate::budget::Reserved;
use crate::derive::SITEMAP;
use crate::fetch::{Blame, Captured, Failed, Fetch, Outcome};
use crate::frontier::{Entry, Task};
use crate::verdict::{Content, Verdict, judge};
use fyke_store::{Reason, Row, StoreError};
use fyke_web::sitemap::Sitemap;
use fyke_web::{Url, UrlId};

/// Redirects in a row that are followed.
const MOST_REDIRECTS: usize = 10;

/// Pause after a request that we broke off, at least.
const PAUSE: u64 = 3000;

/// Whether the answer went on after the bytes it was granted.
fn is_cut(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Captured(c) if c.capture.truncated.as_deref() == Some("length"))
}

/// Whether we closed the connection while the server was still sending, or about to.
fn is_broken_off(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(Failed { reason: Reason::Timeout, .. })) || is_cut(outcome)
}

impl<F: Fetch> Crawl<'_, F> {
    pub(super) fn fetched(
        &mut self,
        entry: Entry,
        outcome: Outcome,
        content: Content,
        reserved: Reserved,
    ) -> Result<(), StoreError> {
        let authority = entry.url.authority().to_owned();
        let (elapsed, bytes) = match &outcome {
            Outcome::Captured(c) => (c.elapsed, c.capture.payload.len() as u64),
            Outcome::Failed(failed) => (failed.elapsed, failed.bytes),
        };
        // The clock counts whole milliseconds: one more is never too early.
        let now = self.clock.now() + 1;
        self.frontier.done(&authority, super::millis(elapsed), now);
        if is_broken_off(&outcome) {
            // The server may take a while to notice: as long again as it had, or a few seconds.
            self.frontier.hold(&authority, now + super::millis(elapsed).max(PAUSE));
        }
        self.progress.bytes += bytes;
        self.host(&authority)?.row.bytes += bytes;
        self.changed.insert(authority.clone());
        if let Outcome::Failed(Failed { blame: Blame::Connection, .. }) = outcome {
            self.budget.settle(&authority, reserved, false, bytes);
            self.frontier.push_urgent(entry);
            return Ok(());
        }
        if let Task::Robots { of, hops } = entry.task {
            self.budget.settle(&authority, reserved, false, bytes);
            return self.robots_answer(&authority, &of, hops, outcome);
        }
        let Some(mut row) = self.journal.row(entry.id)? else {
            self.budget.settle(&authority, reserved, reserved.page, bytes);
            return Ok(());
        };
        row.tries = row.tries.saturating_add(1);
        row.fetched = Some(i64::try_from(now).unwrap_or(i64::MAX));
        let (mut verdict, standing) = judge(&outcome, &content, row.tries, now);
        if row.detail == SITEMAP && matches!(content, Content::Page(_)) {
            // It turned out to be a sitemap while it was fetched as a page.
            verdict = Verdict::Again;
        }
        if reserved.is_rest && is_cut(&outcome) && matches!(verdict, Verdict::Final(..)) {
            // The budget cut it short, now used up: nothing can be said of the page.
            verdict = Verdict::Again;
        }
        self.count_page(&authority, &verdict, reserved, bytes)?;
        match outcome {
            Outcome::Captured(captured) => {
                self.captured(entry, row, verdict, (captured, content))?;
            }
            Outcome::Failed(failed) => {
                row.status = failed.status;
                self.progress.errors += 1;
                self.settle(entry, row, verdict)?;
            }
        }
        self.stand(&authority, standing)
    }

    /// Settles the budget. A URL counts when it is first asked for; one that turns out to be a
    /// redirect is given back.
    fn count_page(
        &mut self,
        authority: &str,
        verdict: &Verdict,
        reserved: Reserved,
        bytes: u64,
    ) -> Result<(), StoreError> {
        let counts = reserved.page && !matches!(verdict, Verdict::Redirect(_));
        self.budget.settle(authority, reserved, counts, bytes);
        self.host(authority)?.row.pages += u64::from(counts);
        Ok(())
    }

    /// An answer came: it is stored unless its URL goes back to the queue.
    fn captured(
        &mut self,
        entry: Entry,
        mut row: Row,
        verdict: Verdict,
        (answer, content): (Captured, Content),
    ) -> Result<(), StoreError> {
        row.status = answer.capture.status;
        if verdict == Verdict::Again {
            self.progress.errors += 1;
            return self.settle(entry, row, verdict);
        }
        let is_page = row.detail != SITEMAP && !matches!(verdict, Verdict::Redirect(_));
        let (id, depth) = (entry.id, row.depth);
        self.settle(entry, row, verdict)?;
        let (document, links, targets) = match content {
            Content::Page(page) => (page.document, page.links, page.targets),
            Content::Sitemap(sitemap) => {
                self.read_sitemap(id, &answer.capture.url, sitemap)?;
                (None, Vec::new(), Vec::new())
            }
            Content::Nothing => (None, Vec::new(), Vec::new()),
        };
        self.journal.put_capture(answer.request, answer.capture, document, links);
        if is_page {
            self.journal.count_page();
        }
        for (url, nofollow) in targets {
            let depth = depth.saturating_add(1);
            self.discover(Found { url, parent: Some(id), depth, nofollow })?;
        }
        Ok(())
    }

    /// Writes the row as the verdict has it.
    pub(super) fn settle(
        &mut self,
        entry: Entry,
        mut row: Row,
        verdict: Verdict,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        match verdict {
            Verdict::Final(reason, detail) => {
                (row.reason, row.detail) = (reason, detail);
                self.journal.put(entry.id, row, false, now);
                Ok(())
            }
            Verdict::Again => {
                self.journal.put(entry.id, row, false, now);
                self.frontier.push(entry);
                Ok(())
            }
            Verdict::Redirect(target) => self.redirect(entry, row, target),
        }
    }

    /// Records the redirect and queues its target, at the same depth.
    fn redirect(&mut self, entry: Entry, mut row: Row, target: Url) -> Result<(), StoreError> {
        let now = self.clock.now();
        let is_sitemap = row.detail == SITEMAP;
        let is_same_key = target.id() == entry.id;
        row.redirect = Some(target.as_str().to_owned());
        if is_same_key && target != entry.url && usize::from(row.tries) <= MOST_REDIRECTS {
            // The server wants another spelling of the same key: ask once more, its way.
            row.url = target.as_str().to_owned();
            self.journal.put(entry.id, row, false, now);
            self.frontier.push(Entry { url: target, ..entry });
            return Ok(());
        }
        let parent = row.parent;
        let depth = row.depth;
        row.reason = Reason::Redirect;
        row.detail.clear();
        self.journal.put(entry.id, row, false, now);
        let ring = self.ring(entry.id, &target)?;
        if !ring.is_empty() || self.redirects_before(parent)? >= MOST_REDIRECTS {
            let (members, detail) = match ring.len() {
                0 => (vec![entry.id], format!("more than {MOST_REDIRECTS} redirects in a row")),
                count => (ring, format!("a ring of {count}")),
            };
            return self.mark_loop(&members, &detail);
        }
        if is_sitemap {
            return self.discover_sitemap(target, entry.url.authority());
        }
        self.discover(Found { url: target, parent: Some(entry.id), depth, nofollow: false })
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
            let row = self.journal.row(at)?.filter(|row| row.reason == Reason::Redirect);
            let target = row.and_then(|row| row.redirect);
            next = target.and_then(|url| Url::parse(&url).ok()).map(|url| url.id());
        }
        Ok(Vec::new())
    }

    fn mark_loop(&mut self, members: &[UrlId], detail: &str) -> Result<(), StoreError> {
        let now = self.clock.now();
        for id in members {
            if let Some(mut row) = self.journal.row(*id)? {
                row.reason = Reason::RedirectLoop;
                row.detail = detail.to_owned();
                self.journal.put(*id, row, false, now);
            }
        }
        Ok(())
    }

    /// How many redirects led here.
    fn redirects_before(&self, mut parent: Option<UrlId>) -> Result<usize, StoreError> {
        let mut count = 0;
        while let Some(id) = parent.filter(|_| count < MOST_REDIRECTS) {
            let Some(row) = self.journal.row(id)? else { break };
            if row.reason != Reason::Redirect {
                break;
            }
            count += 1;
            parent = row.parent;
        }
        Ok(count)
    }

    /// Takes in what a sitemap lists, one link from the start.
    fn read_sitemap(&mut self, id: UrlId, at: &Url, sitemap: Sitemap) -> Result<(), StoreError> {
        let room = self.sitemap_room(at.authority(), sitemap.urls.len())?;
        for listed in sitemap.urls.into_iter().take(room) {
            let url = listed.url;
            self.discover(Found { url, parent: Some(id), depth: 1, nofollow: false })?;
        }
        for url in sitemap.sitemaps {
            self.discover_sitemap(url, at.authority())?;
        }
        Ok(())
    }
}
