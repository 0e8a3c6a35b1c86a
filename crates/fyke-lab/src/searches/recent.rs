//! The latest searches, as many as fit: where their links lead.

use super::LoggedSearch;
use super::popular::Popular;
use std::collections::{HashMap, VecDeque};

/// Results remembered, at about two hundred bytes each, and a search counts as one more. A link of an
/// older search is dead.
pub(crate) const MOST: usize = 50_000;

/// Searches by id, the oldest forgotten first.
#[derive(Debug, Default)]
pub(crate) struct RecentSearches {
    searches: HashMap<u64, LoggedSearch>,
    order: VecDeque<u64>,
    size: usize,
    popular: Popular,
}

impl RecentSearches {
    /// Those of the log, the oldest first.
    pub(crate) fn of(searches: impl IntoIterator<Item = LoggedSearch>) -> RecentSearches {
        let mut recent = RecentSearches::default();
        for search in searches {
            recent.remember(&search);
        }
        recent
    }

    pub(crate) fn get(&self, id: u64) -> Option<&LoggedSearch> {
        self.searches.get(&id)
    }

    /// What is searched for most.
    pub(crate) fn popular(&self) -> &Popular {
        &self.popular
    }

    /// Takes up a page of a search: a new one, or what comes after the pages known. Says whether
    /// there was anything new in it.
    pub(crate) fn remember(&mut self, page: &LoggedSearch) -> bool {
        match self.searches.get_mut(&page.id) {
            Some(known) if page.start == known.shown.len() && !page.shown.is_empty() => {
                known.shown.extend(page.shown.iter().cloned());
                self.size += page.shown.len();
            }
            None if page.start == 0 => {
                self.order.push_back(page.id);
                self.popular.add(&page.query);
                self.searches.insert(page.id, page.clone());
                self.size += page.shown.len() + 1;
            }
            _ => return false,
        }
        while self.size > MOST {
            let oldest = self.order.pop_front().and_then(|oldest| self.searches.remove(&oldest));
            if let Some(oldest) = &oldest {
                self.popular.remove(&oldest.query);
            }
            self.size -= oldest.map_or(self.size, |oldest| oldest.shown.len() + 1);
        }
        true
    }

    /// Whether just these results stand at these ranks of the search. They may not when the index has
    /// changed since a page was first shown.
    pub(crate) fn has(&self, page: &LoggedSearch) -> bool {
        let end = page.start + page.shown.len();
        let known = self.get(page.id).and_then(|known| known.shown.get(page.start..end));
        let documents =
            |shown: &[super::ShownResult]| shown.iter().map(|s| s.document).collect::<Vec<_>>();
        known.is_some_and(|known| documents(known) == documents(&page.shown))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ShownResult;
    use super::*;

    fn page(id: u64, start: usize, documents: &[u64]) -> LoggedSearch {
        let shown = |&document: &u64| ShownResult {
            document,
            url: format!("http://a.test/{document}"),
            team: None,
            ranks: [None, None],
        };
        let (time, query) = (String::new(), String::new());
        let shown = documents.iter().map(shown).collect();
        LoggedSearch { id, time, query, start, total: 30, shown, setup: None }
    }

    #[test]
    fn pages_are_put_together_in_order_and_once() {
        let mut recent = RecentSearches::default();
        let check =
            |recent: &mut RecentSearches, page: LoggedSearch, news: bool, length: Option<usize>| {
                assert_eq!(recent.remember(&page), news, "{page:?}");
                assert_eq!(recent.get(page.id).map(|search| search.shown.len()), length);
            };
        check(&mut recent, page(7, 2, &[3]), false, None);
        check(&mut recent, page(7, 0, &[1, 2]), true, Some(2));
        check(&mut recent, page(7, 2, &[3]), true, Some(3));
        check(&mut recent, page(7, 2, &[4]), false, Some(3));
        check(&mut recent, page(7, 9, &[4]), false, Some(3));
        check(&mut recent, page(7, 3, &[]), false, Some(3));
    }

    #[test]
    fn only_so_many_are_remembered() {
        let each = 1 + 9;
        let mut recent =
            RecentSearches::of((0..(MOST / each) as u64 + 3).map(|id| page(id, 0, &[1; 9])));
        assert_eq!((recent.searches.len(), recent.size), (MOST / each, MOST));
        assert!(recent.get(2).is_none() && recent.get(3).is_some());
        assert!(recent.remember(&page(3, 9, &[1; 9])));
        assert!(recent.get(3).is_none(), "the oldest goes even when it grows");
        assert_eq!(recent.size, MOST - each);
    }

    #[test]
    fn a_page_that_came_out_otherwise_is_not_the_one_known() {
        let mut recent = RecentSearches::default();
        recent.remember(&page(7, 0, &[1, 2]));
        recent.remember(&page(7, 2, &[3, 4]));
        let check = |start, documents: &[u64], expected| {
            assert_eq!(recent.has(&page(7, start, documents)), expected, "{start} {documents:?}");
        };
        check(0, &[1, 2], true);
        check(2, &[3, 4], true);
        check(2, &[4, 3], false);
        check(2, &[3, 4, 5], false);
        check(9, &[3], false);
        check(usize::MAX - 1, &[], false);
    }
}
