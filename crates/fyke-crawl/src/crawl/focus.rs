//! The focused crawl: pages are judged by the subject, links weighed by the guide (002 §2; C12). Links of
//! pages off the subject are followed to a bounded distance, which is what bounds a crawl that may go
//! anywhere.
//!
//! The order is best first, over all threads: a URL that is worth less waits, even while its host is idle,
//! until nothing better is queued anywhere or nothing better could be asked for, for a while. So fetches
//! go where they bring most; what it costs is time, on few hosts.

use super::discover::{Found, priority};
use super::shard::{Shard, Wanted};
use super::shared::Shared;
use crate::derive::glance;
use crate::fetch::Fetch;
use crate::frontier::{HostId, PRIORITIES};
use crate::guide::{Judged, ON_SUBJECT, REFUSED, Spider, Weighed};
use crate::verdict::{Content, Verdict};
use crate::{Glance, Target};
use fyke_store::{Known, Reason, Row, StoreError};
use fyke_web::{Capture, Url, UrlId};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What stands behind the number in the detail of a queued URL.
const OFF: &str = "off the subject on the way";

/// How far a queued URL lies behind pages off the subject, in words; nothing where it does not.
pub(super) fn detail(off: u8) -> String {
    match off {
        0 => String::new(),
        1 => format!("1 page {OFF}"),
        pages => format!("{pages} pages {OFF}"),
    }
}

/// The number in such a detail.
fn off(detail: &str) -> u8 {
    let number = detail.strip_suffix(OFF).and_then(|rest| rest.split_once(' '));
    number.and_then(|(number, _)| number.parse().ok()).unwrap_or(0)
}

/// Who may go: the priority of what was taken last and when, and what each thread has queued.
#[derive(Debug)]
pub(super) struct Pace {
    /// Milliseconds without anything better before the next priority may go.
    patience: u64,
    /// Time and, in the lowest byte, priority.
    last: AtomicU64,
    queued: Vec<[AtomicU64; PRIORITIES]>,
}

impl Pace {
    pub(super) fn new(threads: usize, patience: u64) -> Pace {
        let queued = (0..threads.max(1)).map(|_| std::array::from_fn(|_| AtomicU64::new(0)));
        Pace { patience: patience.max(1), last: AtomicU64::new(1), queued: queued.collect() }
    }

    /// Says what a thread has queued; returns the worst priority that may go now.
    pub(super) fn worst(&self, thread: usize, queued: &[u64; PRIORITIES], now: u64) -> u8 {
        for (place, count) in self.queued[thread].iter().zip(queued) {
            place.store(*count, Relaxed);
        }
        let is_queued = |at: &usize| self.queued.iter().any(|thread| thread[*at].load(Relaxed) > 0);
        let best = (0..PRIORITIES).find(is_queued).unwrap_or(PRIORITIES - 1) as u8 + 1;
        let last = self.last.load(Relaxed);
        let steps = now.saturating_sub(last >> 8) / self.patience;
        let open = (last & 0xFF).saturating_add(steps).min(PRIORITIES as u64) as u8;
        best.max(open)
    }

    /// A URL of this priority was taken.
    pub(super) fn took(&self, priority: u8, now: u64) {
        self.last.store(now << 8 | u64::from(priority), Relaxed);
    }
}

/// Pages of earlier runs, on the subject and off it, from which a resumed crawl learns again.
const RECALLED: usize = 300;

/// Learns from the pages that earlier runs fetched last what those runs had learned, and remembers their
/// links that still wait.
pub(super) fn recall<F: Fetch>(shared: &Shared<'_, F>) -> Result<(), StoreError> {
    let Some(spider) = shared.spider.as_deref().filter(|_| shared.is_resumed) else {
        return Ok(());
    };
    let mut last = [VecDeque::new(), VecDeque::new()];
    for row in shared.collection.ledger.rows() {
        let (id, row) = row?;
        let kind = match row.reason {
            Reason::Kept => 0,
            Reason::Offtopic => 1,
            _ => continue,
        };
        last[kind].extend(row.capture.map(|place| (id, place, off(&row.detail))));
        if last[kind].len() > RECALLED {
            last[kind].pop_front();
        }
    }
    for (id, place, off) in last.into_iter().flatten() {
        match shared.collection.captures.read(place) {
            Ok(capture) => recall_page(shared, spider, &capture, (id, off))?,
            Err(StoreError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn recall_page<F: Fetch>(
    shared: &Shared<'_, F>,
    spider: &Spider,
    capture: &Capture,
    (id, off): (UrlId, u8),
) -> Result<(), StoreError> {
    let page = glance(capture, false, Some(spider));
    let Some(reading) = &page.reading else { return Ok(()) };
    let judged = spider.judge(id, reading, off);
    let mut leads = Vec::new();
    for (at, target) in page.targets.iter().enumerate() {
        let is_same_host = target.url.authority() == capture.url.authority();
        let words = Spider::words(reading.link(at), judged.relevance, is_same_host);
        let Some(row) = shared.collection.ledger.get(target.id)? else { continue };
        match row.reason {
            Reason::Kept => spider.recall_link(&words, 1.),
            Reason::Offtopic => spider.recall_link(&words, 0.),
            Reason::Queued => {
                let weighed = Weighed { value: 0., priority: Some(row.priority), off: judged.off };
                leads.push((target.id, weighed, words));
            }
            _ => {}
        }
    }
    spider.remember(leads);
    spider.recall_text(reading);
    Ok(())
}

impl<F: Fetch> Shard<'_, F> {
    /// What a page is to the subject; its verdict says so.
    pub(super) fn judge_subject(
        &self,
        wanted: &Wanted,
        content: &Content,
        verdict: &mut Verdict,
    ) -> Option<Judged> {
        let spider = self.shared.spider.as_deref()?;
        let Content::Page(page) = content else { return None };
        let judged = spider.judge(wanted.id, page.reading.as_ref()?, off(&wanted.row.detail));
        if let Verdict::Final(reason @ Reason::Kept, detail) = verdict {
            if judged.relevance < ON_SUBJECT {
                *reason = Reason::Offtopic;
            }
            if detail.is_empty() {
                *detail = format!("relevance {:.2}", judged.relevance);
            }
        }
        Some(judged)
    }

    /// Weighs the links of a page and queues them, and learns from it.
    pub(super) fn discover_weighed(
        &mut self,
        (id, url): (UrlId, &Url),
        page: Glance,
        (judged, found): (Judged, Found),
    ) -> Result<(), StoreError> {
        let (Some(spider), Some(reading)) = (self.shared.spider.clone(), page.reading) else {
            return Ok(());
        };
        let (mut leads, mut best) = (Vec::new(), 0_f32);
        for (at, target) in page.targets.iter().enumerate() {
            if self.ledger().known(target.id)? == Known::Yes && !self.may_gain(target.id, judged) {
                continue;
            }
            let is_same_host = target.url.authority() == url.authority();
            let words = Spider::words(reading.link(at), judged.relevance, is_same_host);
            let weighed = spider.weigh(&words, judged);
            if self.discover_lead(&spider, target, Found { weighed: Some(weighed), ..found })? {
                best = best.max(weighed.value);
                leads.push((target.id, weighed, words));
            }
        }
        spider.remember(leads);
        if spider.learn(id, &reading, judged, best) {
            self.bring_forward(spider.weigh_again())?;
        }
        Ok(())
    }

    /// Whether a link of this page may bring forward what is known already: what was refused by any nearer
    /// way, what waits only by a page about the subject.
    fn may_gain(&self, id: UrlId, judged: Judged) -> bool {
        let spider = self.shared.spider.as_deref();
        match spider.and_then(|spider| spider.standing(id)) {
            None => false,
            Some(REFUSED) => true,
            Some(priority) => judged.off == 0 && priority > 2,
        }
    }

    /// Gives queued URLs a second place in the frontier, before their first.
    fn bring_forward(&mut self, better: Vec<(UrlId, u8)>) -> Result<(), StoreError> {
        for (id, priority) in better {
            let Some(position) = self.ledger().position(id)? else { continue };
            let row = self.ledger().at(position)?.1;
            if let (Reason::Queued, Ok(url)) = (row.reason, Url::parse(&row.url)) {
                self.route(&url, position, priority, None)?;
            }
        }
        Ok(())
    }

    /// Whether a URL that comes up is worth less by now than when it was queued: then it goes back.
    pub(super) fn falls_back(&mut self, host: HostId, wanted: &Wanted) -> Result<bool, StoreError> {
        let Some(spider) = self.shared.spider.as_deref() else { return Ok(false) };
        let Some(taken) = self.frontier.taken() else { return Ok(false) };
        match spider.standing(wanted.id) {
            Some(now) if now > taken && now != REFUSED => {
                self.frontier.push(host, now, wanted.position)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// What a URL of a sitemap is worth, where that matters; false when nothing speaks for it. Such a URL
    /// is passed over: should a link lead there, it is found then.
    pub(super) fn weigh_listed(&self, target: &Target) -> (bool, Option<Weighed>) {
        let Some(spider) = self.shared.spider.as_deref() else { return (true, None) };
        let (weighed, words) = spider.weigh_listed(&target.url);
        if weighed.priority == Some(REFUSED) {
            return (false, None);
        }
        if spider.standing(target.id).is_none() {
            spider.remember(vec![(target.id, weighed, words)]);
        }
        (true, Some(weighed))
    }

    /// Takes in a URL with its weight; true when it is new, or better than it was.
    pub(super) fn discover_lead(
        &mut self,
        spider: &Spider,
        target: &Target,
        found: Found,
    ) -> Result<bool, StoreError> {
        let before = match self.ledger().known(target.id)? {
            Known::No | Known::Nofollow => {
                return self.discover(target, found).map(|()| !target.nofollow);
            }
            Known::Yes => spider.standing(target.id),
        };
        let weight = found.weighed.and_then(|weighed| weighed.priority);
        let now = weight.unwrap_or_else(|| priority(found.depth));
        match before {
            Some(before) if now.saturating_add(1) < before => {
                self.raise(target, found, (before, now)).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Brings a queued URL forward by a second place in the frontier; the one that comes later finds it
    /// fetched. One that was refused is queued after all.
    fn raise(
        &mut self,
        target: &Target,
        found: Found,
        (before, priority): (u8, u8),
    ) -> Result<(), StoreError> {
        let Some(mut position) = self.ledger().position(target.id)? else { return Ok(()) };
        if before == REFUSED {
            let row = self.ledger().at(position)?.1;
            if row.reason != Reason::ScopeSubject {
                return Ok(());
            }
            let detail = detail(found.weighed.map_or(0, |weighed| weighed.off));
            let row = Row { reason: Reason::Queued, detail, priority, ..row };
            position =
                self.ledger().put(target.id, Some((position, Reason::ScopeSubject)), &row)?;
            self.shared.touch(self.shared.now());
        }
        self.route(&target.url, position, priority, found.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_off_the_subject_is_read_as_it_was_written() {
        for pages in [0, 1, 2, 17, 255] {
            assert_eq!(off(&detail(pages)), pages);
        }
        for other in ["", "sitemap", "3 pages", "relevance 0.12"] {
            assert_eq!(off(other), 0, "{other}");
        }
    }

    #[test]
    fn a_lesser_priority_waits_until_nothing_better_is_queued_or_came_for_a_while() {
        let pace = Pace::new(2, 100);
        let queued = |at: usize| std::array::from_fn(|place| u64::from(place + 1 == at));
        pace.took(2, 1000);
        assert_eq!(pace.worst(0, &queued(2), 1000), 2);
        assert_eq!(pace.worst(1, &queued(6), 1050), 2, "the other thread has better ones");
        assert_eq!(pace.worst(1, &queued(6), 1250), 4, "two steps without one");
        assert_eq!(pace.worst(0, &queued(5), 1050), 5, "none better anywhere");
        pace.took(2, 1300);
        assert_eq!(pace.worst(0, &[0; PRIORITIES], 1300), 6);
    }
}
