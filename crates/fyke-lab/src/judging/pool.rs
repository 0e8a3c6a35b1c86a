//! Pools: the documents that two or more rankings have among their first k, judged as one set (000
//! "TREC": only the pool is judged, so recall by it is a lower bound). The pool does not say which
//! ranking brought a document: who judges is not to know.

use super::journal::Account;
use fyke_eval::Run;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// One line of `pool.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooled {
    pub query: String,
    pub document: String,
}

/// Documents to judge, by query.
#[derive(Debug, Default)]
pub struct Pools(BTreeMap<String, BTreeSet<String>>);

impl Account for Pools {
    type Row = Pooled;

    fn take(&mut self, row: Pooled) {
        self.0.entry(row.query).or_default().insert(row.document);
    }
}

impl Pools {
    /// The documents of a query.
    pub fn of(&self, query: &str) -> impl Iterator<Item = &str> {
        self.0.get(query).into_iter().flatten().map(String::as_str)
    }

    #[must_use]
    pub fn has(&self, query: &str, document: &str) -> bool {
        self.0.get(query).is_some_and(|documents| documents.contains(document))
    }

    /// The documents of a query in the order in which one judge sees them: shuffled, for each judge
    /// in another way, and the same each time. Documents that come later do not move the others.
    #[must_use]
    pub fn order(&self, judge: &str, query: &str) -> Vec<&str> {
        let place = |document: &&str| xxh3_64(format!("{judge}\n{query}\n{document}").as_bytes());
        let mut order: Vec<&str> = self.of(query).collect();
        order.sort_by_cached_key(place);
        order
    }

    /// What of the runs' first `depth` documents is not in the pool yet.
    #[must_use]
    pub fn lacking(&self, runs: &[Run], depth: usize) -> Vec<Pooled> {
        let mut lacking = BTreeSet::new();
        for run in runs {
            for query in run.queries() {
                let first = run.ranking(query).into_iter().take(depth);
                let new = first.filter(|(document, _)| !self.has(query, document));
                lacking.extend(new.map(|(document, _)| (query.to_owned(), document.to_owned())));
            }
        }
        lacking.into_iter().map(|(query, document)| Pooled { query, document }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pool(runs: &[&str], depth: usize) -> Pools {
        let runs: Vec<Run> = runs.iter().map(|text| Run::parse(text).unwrap()).collect();
        let mut pools = Pools::default();
        pools.lacking(&runs, depth).into_iter().for_each(|row| pools.take(row));
        assert!(pools.lacking(&runs, depth).is_empty());
        pools
    }

    #[test]
    fn a_pool_is_the_union_of_the_first_k_of_every_run() {
        let first = "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n1 Q0 c 3 7 t\n2 Q0 a 1 1 t";
        let second = "1 Q0 d 1 9 t\n1 Q0 a 2 8 t\n1 Q0 e 3 7 t";
        let check = |depth, query, expected: &[&str]| {
            let pools = pool(&[first, second], depth);
            assert_eq!(pools.of(query).collect::<Vec<_>>(), expected, "{depth} {query}");
        };
        check(1, "1", &["a", "d"]);
        check(2, "1", &["a", "b", "d"]);
        check(9, "1", &["a", "b", "c", "d", "e"]);
        check(9, "2", &["a"]);
        check(9, "3", &[]);
    }

    proptest! {
        #[test]
        fn each_judge_sees_all_documents_once_in_a_lasting_order(
            documents in proptest::collection::btree_set("[a-z]{1,6}", 2..40),
            late in "[A-Z]{3}",
        ) {
            let mut pools = Pools::default();
            let row = |document: &String| Pooled { query: "1".into(), document: document.clone() };
            documents.iter().for_each(|document| pools.take(row(document)));
            let order: Vec<String> = pools.order("ann", "1").into_iter().map(Into::into).collect();
            prop_assert_eq!(&order.iter().cloned().collect::<BTreeSet<_>>(), &documents);
            pools.take(row(&late));
            let later: Vec<&str> = pools.order("ann", "1");
            let kept: Vec<&str> = later.into_iter().filter(|document| *document != late).collect();
            prop_assert_eq!(kept, order.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }

    #[test]
    fn two_judges_see_different_orders() {
        let run: String = (0..20).map(|n| format!("1 Q0 d{n} 1 {n} t\n")).collect();
        let pools = pool(&[&run], 20);
        assert_ne!(pools.order("ann", "1"), pools.order("bob", "1"));
        let ranked: Vec<String> = (0..20).rev().map(|n| format!("d{n}")).collect();
        assert_ne!(pools.order("ann", "1"), ranked, "the order of the engine shows");
    }
}
