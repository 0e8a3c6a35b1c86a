//! The query language.

use crate::text;
use fyke_index::{Fact, FactKind, Query, typed_url};

const FACTS: &[Fact] = &[
    Fact { name: "spam", what: "a number", filter: true, ..Fact::NUMBER },
    Fact { name: "genre", what: "a label", kind: FactKind::Label, filter: true, ..Fact::NUMBER },
];

/// Whatever somebody types.
pub fn query(bytes: &[u8]) {
    let typed = text(bytes);
    for languages in [&["en"][..], &["sl", "de"]] {
        let query = Query::parse_with(&typed, languages, FACTS);
        let again = Query::parse_with(&query.describe(), languages, FACTS);
        assert_eq!(again, query, "{typed:?} is described as {:?}", query.describe());
        assert!(query.clauses().len() <= 4_000 && query.words().len() <= 8_000);
        for clause in query.clauses() {
            assert!(!clause.describe().is_empty());
        }
    }
    let _ = typed_url(&typed);
}
