//! Hosts with a high yield, crawled from what the queries found there (Suchomel and Pomikálek's SpiderLing, 2012): who
//! writes in the language tends to write on in it. Only links of pages in the language are followed, and none to other
//! hosts; a host whose pages turn out to be in others is left.

use super::log::{CollectEvent, CollectVerdict, DocumentDone};
use fyke_web::{Url, UrlId};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// A host is crawled when so many hits there were in the language, and this share of those that were read.
const FEWEST_FOUND: u64 = 3;
const LEAST_SHARE: f64 = 0.8;
/// It is left when after so many pages less than this share was in the language.
const TRIAL: u64 = 10;
const LEAST_YIELD: f64 = 0.5;
/// URLs that wait for one host at most.
const MOST_WAITING: usize = 10_000;

/// A host that is crawled.
#[derive(Debug)]
pub(super) struct RichHost {
    authority: String,
    /// Pages of it that the queries found: their links are the first that are followed.
    pub(super) found: Vec<Url>,
    waiting: VecDeque<Url>,
    known: HashSet<UrlId>,
    fetched: u64,
    /// Pages in the language and in others.
    right: u64,
    wrong: u64,
}

impl RichHost {
    /// Takes in the links of a page in the language.
    pub(super) fn follow(&mut self, links: impl Iterator<Item = Url>) {
        for url in links {
            let is_here = url.authority() == self.authority;
            if is_here && self.waiting.len() < MOST_WAITING && self.known.insert(url.id()) {
                self.waiting.push_back(url);
            }
        }
    }

    /// The next page to fetch, unless so many were fetched, or the yield is too low.
    pub(super) fn next(&mut self, most: u64) -> Option<Url> {
        let read = self.right + self.wrong;
        let is_poor = read >= TRIAL && (self.right as f64) < LEAST_YIELD * read as f64;
        if self.fetched >= most || is_poor {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.fetched += 1;
        Some(next)
    }

    /// Takes in what a page turned out to be.
    pub(super) fn count(&mut self, verdict: CollectVerdict) {
        match verdict {
            CollectVerdict::Found => self.right += 1,
            CollectVerdict::Wrong => self.wrong += 1,
            _ => {}
        }
    }
}

/// Whether the links of such a page are followed: thin pages and copies in a good place lead on, too.
pub(super) fn leads_on(verdict: CollectVerdict) -> bool {
    matches!(verdict, CollectVerdict::Found | CollectVerdict::Copy | CollectVerdict::Empty)
}

/// The hosts with a high yield in a run.
pub(super) fn rich_hosts(events: &[CollectEvent], run: u32) -> Vec<RichHost> {
    let mut hosts: BTreeMap<String, RichHost> = BTreeMap::new();
    for event in events {
        let CollectEvent::Document(DocumentDone { url, verdict, run: of, .. }) = event else {
            continue;
        };
        let Some(url) = Url::parse(url).ok().filter(|_| *of == run) else { continue };
        let authority = url.authority().to_owned();
        let host = hosts.entry(authority.clone()).or_insert_with(|| RichHost {
            authority,
            found: Vec::new(),
            waiting: VecDeque::new(),
            known: HashSet::new(),
            fetched: 0,
            right: 0,
            wrong: 0,
        });
        host.known.insert(url.id());
        host.wrong += u64::from(*verdict == CollectVerdict::Wrong);
        if *verdict == CollectVerdict::Found {
            host.right += 1;
            host.found.push(url);
        }
    }
    let is_rich = |host: &RichHost| {
        let share = host.right as f64 / (host.right + host.wrong).max(1) as f64;
        host.right >= FEWEST_FOUND && share >= LEAST_SHARE
    };
    hosts.into_values().filter(is_rich).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(url: &str, verdict: CollectVerdict) -> CollectEvent {
        let (language, reason) = (String::new(), String::new());
        let url = url.to_owned();
        let (run, confidence, words, time) = (1, 1.0, 50, 0);
        CollectEvent::Document(DocumentDone {
            run,
            url,
            verdict,
            language,
            confidence,
            words,
            reason,
            time,
        })
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn hosts_of_a_high_yield_are_crawled_while_it_lasts() {
        use CollectVerdict::{Found, Wrong};
        let mut events: Vec<CollectEvent> =
            (0..4).map(|n| hit(&format!("http://rich.test/{n}"), Found)).collect();
        events.extend(
            (0..4).map(|n| {
                hit(&format!("http://mixed.test/{n}"), if n == 0 { Wrong } else { Found })
            }),
        );
        events.extend((0..2).map(|n| hit(&format!("http://small.test/{n}"), Found)));
        let mut hosts = rich_hosts(&events, 1);
        assert_eq!(hosts.len(), 1);
        assert!(rich_hosts(&events, 2).is_empty());
        let mut host = hosts.remove(0);
        assert_eq!((host.authority.as_str(), host.found.len()), ("rich.test", 4));
        assert_eq!(host.next(2), None, "nothing waits yet, and nothing is counted");
        let links = (0..9).map(|n| url(&format!("http://rich.test/{n}")));
        host.follow(links.chain([url("http://elsewhere.test/")]));
        assert_eq!(
            host.next(2),
            Some(url("http://rich.test/4")),
            "what was a hit is not fetched again"
        );
        assert!(host.next(2).is_some() && host.next(2).is_none(), "two pages at most");
        (0..9).for_each(|_| host.count(Wrong));
        assert_eq!(host.next(100), None, "the yield is gone");
    }

    #[test]
    fn only_pages_that_are_not_in_another_language_lead_on() {
        use CollectVerdict::{Copy, Dead, Empty, Found, Offtopic, Wrong};
        assert!([Found, Copy, Empty].into_iter().all(leads_on));
        assert!(![Wrong, Dead, Offtopic].into_iter().any(leads_on));
    }
}
