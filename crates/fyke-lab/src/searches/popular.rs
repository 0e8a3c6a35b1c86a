//! What is searched for again and again (000 "query logs"): for suggestions and related searches. What was
//! asked only once or twice stays with whoever asked it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Searches by which a query becomes known to others.
const LEAST: usize = 3;

/// Queries with the number of times they were asked.
#[derive(Debug, Default)]
pub(crate) struct Popular {
    queries: BTreeMap<String, usize>,
}

impl Popular {
    pub(crate) fn add(&mut self, query: &str) {
        *self.queries.entry(normal(query)).or_default() += 1;
    }

    pub(crate) fn remove(&mut self, query: &str) {
        let query = normal(query);
        match self.queries.get_mut(&query) {
            Some(times) if *times > 1 => *times -= 1,
            _ => drop(self.queries.remove(&query)),
        }
    }

    /// Queries that begin like this, the most frequent first.
    pub(crate) fn beginning(&self, text: &str, limit: usize) -> Vec<String> {
        let text = normal(text);
        let from = self.queries.range(text.clone()..);
        let alike = from.take_while(|(query, _)| query.starts_with(&text));
        best(alike.filter(|(query, _)| **query != text).map(|(query, n)| (query, *n)), limit)
    }

    /// Other queries that share words with this one: most words first, then the most frequent.
    pub(crate) fn related(&self, text: &str, limit: usize) -> Vec<String> {
        let text = normal(text);
        let words: Vec<&str> = text.split(' ').filter(|word| word.chars().count() > 2).collect();
        let weighed = self.queries.iter().filter(|(query, n)| **n >= LEAST && **query != text);
        let shared = weighed.filter_map(|(query, times)| {
            let shared = query.split(' ').filter(|word| words.contains(word)).count();
            (shared > 0).then_some((query, shared.saturating_mul(1 << 20).saturating_add(*times)))
        });
        best(shared, limit)
    }
}

fn best<'a>(queries: impl Iterator<Item = (&'a String, usize)>, limit: usize) -> Vec<String> {
    let mut found: Vec<_> = queries.filter(|(_, weight)| *weight >= LEAST).collect();
    found.sort_by_key(|(query, weight)| (Reverse(*weight), *query));
    found.into_iter().take(limit).map(|(query, _)| query.clone()).collect()
}

/// As queries are compared: in small letters, with single spaces.
fn normal(query: &str) -> String {
    query.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(queries: &[(&str, usize)]) -> Popular {
        let mut popular = Popular::default();
        for (query, times) in queries {
            (0..*times).for_each(|_| popular.add(query));
        }
        popular
    }

    #[test]
    fn only_what_is_asked_often_is_told() {
        let mut popular =
            asked(&[("Tidal  turbine", 3), ("tidal power", 5), ("tidal secret", 2), ("wind", 9)]);
        assert_eq!(popular.beginning("TIDAL ", 9), ["tidal power", "tidal turbine"]);
        assert_eq!(popular.beginning("tidal", 1), ["tidal power"]);
        assert_eq!(popular.related("turbine news", 9), ["tidal turbine"]);
        assert_eq!(popular.related("tidal power", 9), ["tidal turbine"]);
        popular.remove("tidal turbine");
        assert_eq!(popular.related("turbine", 9), [""; 0]);
        popular.remove("never asked");
        assert_eq!(popular.queries.len(), 4);
    }
}
