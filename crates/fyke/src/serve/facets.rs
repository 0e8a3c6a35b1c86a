//! Facets of a search: what its matches are like, each value with the query that is narrowed to it
//! ("faceted classification"). The same for the page and the API.

use super::filters::narrowed;
use crate::show::count;
use fyke_index::{Facet, Facets};
use serde_json::{Value, json};

/// Values of a facet on the page.
const SHOWN: usize = 8;

/// A facet: its name in the API, its title on the page, the filter that chooses a value of it.
struct Row {
    name: &'static str,
    title: &'static str,
    scope: &'static str,
    of: fn(&Facets) -> &[Facet],
}

const FACETS: &[Row] = &[
    Row { name: "host", title: "Host", scope: "site", of: |facets| &facets.hosts },
    Row { name: "language", title: "Language", scope: "lang", of: |facets| &facets.languages },
    Row { name: "type", title: "Type", scope: "type", of: |facets| &facets.formats },
    Row { name: "topic", title: "Topic", scope: "topic", of: |facets| &facets.topics },
    Row { name: "year", title: "Year", scope: "date", of: |facets| &facets.years },
];

/// A facet as the page shows it.
#[derive(Debug)]
pub struct ShownFacet {
    pub title: &'static str,
    pub values: Vec<ShownValue>,
}

#[derive(Debug)]
pub struct ShownValue {
    pub value: String,
    pub count: String,
    /// The query narrowed to it.
    pub query: String,
}

/// The facets by which a search can be narrowed: those with several values.
pub fn shown(facets: &Facets, query: &str) -> Vec<ShownFacet> {
    let several = FACETS.iter().filter(|row| (row.of)(facets).len() > 1);
    let facet = |row: &Row| {
        let value = |facet: &Facet| ShownValue {
            value: facet.value.clone(),
            count: count(facet.count as u64),
            query: narrowed(query, row.scope, &facet.value),
        };
        let values = (row.of)(facets).iter().take(SHOWN).map(value).collect();
        ShownFacet { title: row.title, values }
    };
    several.map(facet).collect()
}

/// All facets, for programs.
pub fn told(facets: &Facets, query: &str) -> Value {
    let mut all = json!({ "counted": facets.counted, "sampled": facets.sampled });
    for row in FACETS {
        let value = |Facet { value, count }: &Facet| json!({ "value": value, "count": count, "query": narrowed(query, row.scope, value) });
        all[row.name] = (row.of)(facets).iter().map(value).collect();
    }
    all
}
