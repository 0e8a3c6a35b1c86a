//! The latest searches, as many as fit: where their links lead.

use super::Search;
use std::collections::{HashMap, VecDeque};

/// Searches remembered, at about two kilobytes each. A link of an older one is dead.
pub const MOST: usize = 4_096;

/// Searches by id, the oldest forgotten first.
#[derive(Debug, Default)]
pub struct Recent {
    searches: HashMap<u64, Search>,
    order: VecDeque<u64>,
}

impl Recent {
    /// Those of the log, the oldest first.
    pub fn of(searches: impl IntoIterator<Item = Search>) -> Recent {
        let mut recent = Recent::default();
        for search in searches {
            recent.remember(&search);
        }
        recent
    }

    pub fn get(&self, id: u64) -> Option<&Search> {
        self.searches.get(&id)
    }

    /// Takes up a page of a search: a new one, or what comes after the pages known. Says whether
    /// there was anything new in it.
    pub fn remember(&mut self, page: &Search) -> bool {
        if let Some(known) = self.searches.get_mut(&page.id) {
            let goes_on = page.start == known.shown.len() && !page.shown.is_empty();
            if goes_on {
                known.shown.extend(page.shown.iter().cloned());
            }
            return goes_on;
        }
        if page.start > 0 {
            return false;
        }
        if self.order.len() == MOST {
            self.order.pop_front().and_then(|oldest| self.searches.remove(&oldest));
        }
        self.order.push_back(page.id);
        self.searches.insert(page.id, page.clone());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shown;
    use super::*;

    fn page(id: u64, start: usize, documents: &[u64]) -> Search {
        let shown = |&document: &u64| Shown {
            document,
            url: format!("http://a.test/{document}"),
            team: None,
            ranks: [None, None],
        };
        let (time, query) = (String::new(), String::new());
        let shown = documents.iter().map(shown).collect();
        Search { id, time, query, start, total: 30, shown, setup: None }
    }

    #[test]
    fn pages_are_put_together_in_order_and_once() {
        let mut recent = Recent::default();
        let check = |recent: &mut Recent, page: Search, news: bool, length: Option<usize>| {
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
        let recent = Recent::of((0..MOST as u64 + 3).map(|id| page(id, 0, &[])));
        assert_eq!(recent.searches.len(), MOST);
        assert!(recent.get(2).is_none() && recent.get(3).is_some());
    }
}
