//! The focused crawl: pages are judged by the subject, links weighed by the guide (002 §2; C12). Links of
//! pages off the subject are followed to a bounded distance, which is what bounds a crawl that may go
//! anywhere.
//!
//! The order is best first, over all threads: a URL that is worth less waits, even while its host is idle,
//! until nothing better is queued anywhere or nothing better could be asked for, for a while. So fetches
//! go where they bring most; what it costs is time, on few hosts.

use super::discovery::{Found, priority};
use super::fetches::Wanted;
use super::letter::{FoundUrl, Letter, Way};
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::frontier::{HostId, PRIORITIES};
use crate::glance::{Glance, LinkTarget};
use crate::guide::{JudgedPage, Leads, REFUSED, Referrer, Reweighed, Spider, WeighedLink};
use crate::verdict::UrlVerdict;
use fyke_learn::spider::Promise;
use fyke_store::{Known, Listed, Reason, Row, StoreError};
use fyke_web::{Url, UrlId};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How far a queued URL lies behind pages off the subject, in words; nothing where it does not.
fn detail(off: u8) -> String {
    match off {
        0 => String::new(),
        1 => "1 page off the subject on the way".to_owned(),
        pages => format!("{pages} pages off the subject on the way"),
    }
}

/// Pages off the subject on the way to a URL.
pub(super) fn off(row: &Row) -> u8 {
    row.off_subject.map_or(0, |pages| u8::try_from(pages).unwrap_or(u8::MAX))
}

/// What stands at a URL that only a sitemap names, where its words are not worth a fetch.
const LISTED: &str = "a sitemap names it, no page does, and its address promises little";

/// The filter of a focused crawl: what the guide makes of the way a URL was found.
pub(super) fn admit(found: Found) -> (Reason, String) {
    match found.weighed {
        None => (Reason::Queued, String::new()),
        Some(WeighedLink { priority: Some(REFUSED), off, .. }) => {
            let is_listed = found.from.is_none();
            (Reason::ScopeSubject, if is_listed { LISTED.to_owned() } else { detail(off) })
        }
        Some(weighed) => (Reason::Queued, detail(weighed.off)),
    }
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

/// What a page is to the subject; its verdict says so.
pub(super) fn judge_subject(
    spider: &Spider,
    wanted: &Wanted,
    page: &Glance,
    verdict: &mut UrlVerdict,
) -> Option<JudgedPage> {
    let judged = spider.judge(wanted.id, page.reading.as_ref()?, off(&wanted.row));
    if let UrlVerdict::Final(reason @ Reason::Kept, detail) = verdict {
        if !judged.is_on() {
            *reason = Reason::Offtopic;
        }
        if detail.is_empty() {
            *detail = format!("relevance {:.2}", judged.relevance);
        }
    }
    Some(judged)
}

impl<F: Fetch> Shard<'_, F> {
    /// Weighs the links of a page and queues them, and learns from it.
    pub(super) fn discover_weighed(
        &mut self,
        (id, url): (UrlId, &Url),
        page: Glance,
        (judged, found): (JudgedPage, Found),
    ) -> Result<(), StoreError> {
        let (Some(spider), Some(reading)) = (self.node.spider.clone(), page.reading) else {
            return Ok(());
        };
        let referrer = Referrer { url, reading: &reading, judged };
        let links = spider.links(&referrer, page.targets.iter().map(|target| &target.url));
        let (mut leads, mut promise) = (Leads::default(), Promise::default());
        for (at, target) in page.targets.iter().enumerate() {
            let is_elsewhere = self.cell.is_elsewhere(&target.url);
            if !is_elsewhere && self.has_no_gain(target, found.from, judged.off)? {
                continue;
            }
            let words = leads.write(&links, (at, &target.url));
            let weighed = spider.weigh(words, judged);
            let found = Found { weighed: Some(weighed), ..found.along(target) };
            if is_elsewhere {
                let letter = FoundUrl::new(&target.url, Way::of(target), found);
                self.tell_owner(FoundUrl { words: words.to_vec(), ..letter });
                promise.add(weighed.value);
            } else if self.discover_lead(&spider, target, found)? {
                promise.add(weighed.value);
                leads.keep(target.id, weighed);
            }
        }
        spider.remember(&leads, self.cell.number);
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
        if self.register.known(target.id)? != Known::Yes {
            return Ok(false);
        }
        self.vouch(target, from)?;
        let spider = self.node.spider.as_deref().filter(|_| off == 0);
        let standing = spider.and_then(|spider| spider.standing(target.id));
        Ok(standing.is_none_or(|priority| priority <= 2))
    }

    /// Takes in a URL that was found in another cell, with what a guide made of the link to it.
    pub(super) fn discover_with_words(
        &mut self,
        target: &LinkTarget,
        found: Found,
        words: &[u32],
    ) -> Result<(), StoreError> {
        let (Some(spider), Some(weighed)) = (self.node.spider.clone(), found.weighed) else {
            return self.discover(target, found);
        };
        if !self.has_no_gain(target, found.from, weighed.off)?
            && self.discover_lead(&spider, target, found)?
        {
            self.remember_lead(target.id, found, words);
        }
        Ok(())
    }

    /// Remembers a link to a URL of this cell.
    pub(super) fn remember_lead(&self, id: UrlId, found: Found, words: &[u32]) {
        if let (Some(spider), Some(weighed)) = (self.node.spider.as_deref(), found.weighed) {
            spider.remember_link(id, weighed, words, self.cell.number);
        }
    }

    /// Gives queued URLs a second place in the frontier, before their first. Those of other cells are told there.
    pub(super) fn bring_forward(&mut self, better: Vec<Reweighed>) -> Result<(), StoreError> {
        let (mine, others): (Vec<_>, Vec<_>) =
            better.into_iter().partition(|url| usize::from(url.cell) == self.cell.number);
        for others in others.chunk_by(|a, b| a.cell == b.cell) {
            self.mail.write_to_cell(others[0].cell.into(), Letter::Forward(others.to_vec()));
        }
        for Reweighed { id, priority, .. } in mine {
            let Some((position, row)) = self.register.queued(id)? else { continue };
            if let Ok(url) = Url::parse(&row.url) {
                self.route(&url, position, priority, None)?;
            }
        }
        Ok(())
    }

    /// Whether a URL that comes up is worth less by now than when it was queued: then it goes back.
    pub(super) fn falls_back(&mut self, host: HostId, wanted: &Wanted) -> Result<bool, StoreError> {
        let Some(spider) = self.node.spider.as_deref() else { return Ok(false) };
        let Some(taken) = self.hosts.frontier.taken() else { return Ok(false) };
        match spider.standing(wanted.id) {
            Some(now) if now > taken => {
                self.hosts.frontier.push(host, now, wanted.position)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Takes in a URL that a sitemap lists; in a focused crawl it is queued if its own words speak for it.
    pub(super) fn discover_entry(
        &mut self,
        target: &LinkTarget,
        found: Found,
        listed: Option<Listed>,
    ) -> Result<(), StoreError> {
        if self.cell.is_elsewhere(&target.url) {
            self.tell_owner(FoundUrl::new(&target.url, Way::Listed(listed), found));
            return Ok(());
        }
        let Some(spider) = self.node.spider.clone() else {
            return self.discover_listed(target, found, listed).map(drop);
        };
        let mut leads = Leads::default();
        let weighed = spider.weigh_listed(&target.url, &mut leads);
        if self.discover_listed(target, Found { weighed: Some(weighed), ..found }, listed)? {
            leads.keep(target.id, weighed);
            spider.remember(&leads, self.cell.number);
        }
        Ok(())
    }

    /// Takes in a URL with its weight; true when it is queued now, or brought forward: it has a second
    /// place in the frontier then, and the one that comes later finds it fetched.
    fn discover_lead(
        &mut self,
        spider: &Spider,
        target: &LinkTarget,
        found: Found,
    ) -> Result<bool, StoreError> {
        if self.register.known(target.id)? != Known::Yes {
            return self.discover_listed(target, found, None);
        }
        let weight = found.weighed.and_then(|weighed| weighed.priority);
        let now = weight.unwrap_or_else(|| priority(found.depth));
        let is_better = |before: u8| now.saturating_add(1) < before;
        if !spider.standing(target.id).is_some_and(is_better) {
            return Ok(false);
        }
        let Some(position) = self.register.position(target.id)? else { return Ok(false) };
        self.route(&target.url, position, now, found.from).map(|()| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_off_the_subject_is_told_in_words_that_nobody_reads_back() {
        assert_eq!(detail(0), "");
        assert_eq!(detail(1), "1 page off the subject on the way");
        assert_eq!(detail(3), "3 pages off the subject on the way");
        let row = |pages| Row {
            off_subject: pages,
            detail: detail(9),
            ..Row::new("http://a.test/", Reason::Queued, 0)
        };
        assert_eq!([None, Some(3), Some(999)].map(|pages| off(&row(pages))), [0, 3, 255]);
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
