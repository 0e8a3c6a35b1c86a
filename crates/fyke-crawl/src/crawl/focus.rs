//! The focused crawl: pages are judged by the subject, links weighed by the guide (002 §2; C12). Links of
//! pages off the subject are followed to a bounded distance, which is what bounds a crawl that may go
//! anywhere.
//!
//! The order is best first, over all threads: a URL that is worth less waits, even while its host is idle,
//! until nothing better is queued anywhere or nothing better could be asked for, for a while. So fetches
//! go where they bring most; what it costs is time, on few hosts.

use super::discovery::Found;
use super::fetches::Wanted;
use crate::frontier::PRIORITIES;
use crate::glance::Glance;
use crate::guide::{JudgedPage, REFUSED, Spider, WeighedLink};
use crate::verdict::UrlVerdict;
use fyke_derive::UrlFate;
use fyke_store::{Reason, Row};
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
pub(super) fn admit(found: Found) -> UrlFate {
    let (reason, detail) = match found.weighed {
        None => (Reason::Queued, String::new()),
        Some(WeighedLink { priority: Some(REFUSED), off, .. }) => {
            let is_listed = found.from.is_none();
            (Reason::ScopeSubject, if is_listed { LISTED.to_owned() } else { detail(off) })
        }
        Some(weighed) => (Reason::Queued, detail(weighed.off)),
    };
    UrlFate { reason, detail }
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
        if !spider.has_subject() {
            return Some(judged);
        }
        if !judged.is_on() {
            *reason = Reason::Offtopic;
        }
        if detail.is_empty() {
            *detail = format!("relevance {:.2}", judged.relevance);
        }
    }
    Some(judged)
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
