//! Queries mined from the log: how often each was asked, whether it was answered and clicked, and
//! a guess of its kind (001 "user needs"). They become topics of a test collection.

use super::Searched;
use fyke_eval::kinds::{Evidence, GuessedNeed, NeedKind, guess};
use fyke_web::Url;
use serde::Serialize;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// A query as people used it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mined {
    /// Made from the query alone, so that it stays the same when the log grows.
    pub id: String,
    /// In lower case, with single blanks.
    pub query: String,
    pub searches: u64,
    pub clicks: u64,
    /// The part of the searches that found nothing.
    pub without_results: f64,
    /// The part of those that found something in which nothing was clicked.
    pub without_clicks: f64,
    pub kind: NeedKind,
    /// By what the kind is known.
    pub why: String,
}

/// What a query's searches add up to.
#[derive(Default)]
struct Uses {
    searches: u64,
    clicks: u64,
    empty: u64,
    unclicked: u64,
    evidence: Evidence,
}

/// The queries asked at least so often, the most frequent first.
#[must_use]
pub fn mine(searches: &[Searched], at_least: u64) -> Vec<Mined> {
    let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
    for searched in searches {
        uses.entry(normal(&searched.search.query)).or_default().take(searched);
    }
    let often = uses.into_iter().filter(|(_, uses)| uses.searches >= at_least);
    let mut mined: Vec<Mined> = often.map(|(query, uses)| uses.mined(query)).collect();
    mined.sort_by_key(|row| std::cmp::Reverse(row.searches));
    mined
}

fn normal(query: &str) -> String {
    query.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Uses {
    fn take(&mut self, searched: &Searched) {
        let Searched { search, clicks } = searched;
        self.searches += 1;
        self.empty += u64::from(search.total == 0);
        self.unclicked += u64::from(search.total > 0 && clicks.is_empty());
        for (rank, shown) in (1..).zip(&search.shown) {
            let Ok(url) = Url::parse(&shown.url) else { continue };
            let (host, domain) = (url.host().to_owned(), url.registrable_domain().to_owned());
            if clicks.contains(&rank) {
                self.clicks += 1;
                *self.evidence.pages.entry(shown.url.clone()).or_default() += 1;
                *self.evidence.hosts.entry(host.clone()).or_default() += 1;
            }
            self.evidence.sites.insert((host, domain));
        }
    }

    fn mined(self, query: String) -> Mined {
        let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        let GuessedNeed { kind, why } = guess(&query, &self.evidence);
        let digest = Sha1::digest(query.as_bytes());
        let digits: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        Mined {
            id: format!("log-{digits}"),
            searches: self.searches,
            clicks: self.clicks,
            without_results: share(self.empty, self.searches),
            without_clicks: share(self.unclicked, self.searches - self.empty),
            query,
            kind,
            why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LoggedSearch, ShownResult};
    use super::*;

    fn searched(query: &str, urls: &[&str], clicks: &[usize]) -> Searched {
        let shown = |url: &&str| ShownResult {
            document: 1,
            url: (*url).to_owned(),
            team: None,
            ranks: [None, None],
        };
        let shown: Vec<_> = urls.iter().map(shown).collect();
        let (time, query, total) = (String::new(), query.to_owned(), shown.len());
        let search = LoggedSearch { id: 1, time, query, start: 0, total, shown, setup: None };
        Searched { search, clicks: clicks.iter().copied().collect() }
    }

    #[test]
    fn queries_are_counted_without_regard_to_case_and_blanks() {
        let two = ["http://a.test/1", "http://b.test/2"];
        let searches = [
            searched("Eel  traps", &two, &[1, 2]),
            searched("eel traps", &two, &[]),
            searched("pike", &[], &[]),
            searched(" eel traps ", &[], &[7]),
        ];
        let mined = mine(&searches, 1);
        let [eels, pike] = &mined[..] else { panic!("{mined:?}") };
        assert_eq!((&*eels.query, eels.searches, eels.clicks), ("eel traps", 3, 2));
        assert_eq!((eels.without_results, eels.without_clicks), (1.0 / 3.0, 0.5));
        assert_eq!((&*pike.query, pike.without_results, pike.without_clicks), ("pike", 1.0, 0.0));
        assert_eq!(mine(&searches, 2).len(), 1);
        assert_ne!(eels.id, pike.id);
        assert_eq!(mine(&searches[..1], 1)[0].id, eels.id);
    }

    #[test]
    fn kinds_come_from_what_was_shown_and_clicked() {
        let two = ["http://www.united.test/", "http://hub.test/united"];
        let check = |query: &str, clicks: &[&[usize]], kind: NeedKind| {
            let searches: Vec<_> = clicks.iter().map(|c| searched(query, &two, c)).collect();
            assert_eq!(mine(&searches, 1)[0].kind, kind, "{query}");
        };
        check("United", &[&[]], NeedKind::Navigational);
        check("united airlines", &[&[1], &[1], &[1], &[]], NeedKind::Navigational);
        check("united airlines", &[&[1], &[1], &[2], &[2]], NeedKind::Informational);
        check("united tickets", &[&[1], &[2]], NeedKind::Transactional);
    }
}
