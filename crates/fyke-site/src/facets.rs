//! Facets of a search: what its matches are like, each value with the query that is narrowed to it
//! ("faceted classification"). The same for the page and the API.

use super::filters::narrowed;
use fyke_derive::FACTS;
use fyke_index::{Facet, Facets};
use fyke_stages::show::count;
use serde_json::{Value, json};

/// Values of a facet on the page.
const SHOWN: usize = 8;

/// A facet: its name in the API, its title on the page, the filter that chooses a value of it.
struct FacetRow {
    name: &'static str,
    title: &'static str,
    scope: &'static str,
    of: fn(&Facets) -> &[Facet],
}

/// Those that every document has; facts that are declared as facets come after them.
const FACETS: &[FacetRow] = &[
    FacetRow { name: "host", title: "Host", scope: "site", of: |facets| &facets.hosts },
    FacetRow { name: "language", title: "Language", scope: "lang", of: |facets| &facets.languages },
    FacetRow { name: "type", title: "Type", scope: "type", of: |facets| &facets.formats },
    FacetRow { name: "year", title: "Year", scope: "date", of: |facets| &facets.years },
];

/// A facet with what was counted.
struct CountedFacet<'a> {
    name: &'static str,
    title: &'static str,
    scope: &'static str,
    values: &'a [Facet],
}

fn all(facets: &Facets) -> impl Iterator<Item = CountedFacet<'_>> {
    let ours = FACETS.iter().map(|row| {
        let FacetRow { name, title, scope, of } = *row;
        CountedFacet { name, title, scope, values: of(facets) }
    });
    let facts = FACTS.iter().filter_map(|fact| {
        let (name, title) = (fact.name, fact.facet?.title);
        let values = facets.facts.get(name).map_or(&[][..], Vec::as_slice);
        Some(CountedFacet { name, title, scope: name, values })
    });
    ours.chain(facts)
}

/// A facet as the page shows it.
#[derive(Debug)]
pub(crate) struct ShownFacet {
    pub title: &'static str,
    pub values: Vec<ShownValue>,
}

#[derive(Debug)]
pub(crate) struct ShownValue {
    pub value: String,
    pub count: String,
    /// The query narrowed to it.
    pub query: String,
}

/// The facets by which a search can be narrowed: those with several values.
pub(crate) fn shown(facets: &Facets, query: &str) -> Vec<ShownFacet> {
    let facet = |facet: CountedFacet| {
        let value = |Facet { value, count: matches }: &Facet| ShownValue {
            value: value.clone(),
            count: count(*matches as u64),
            query: narrowed(query, facet.scope, value),
        };
        let values = facet.values.iter().take(SHOWN).map(value).collect();
        ShownFacet { title: facet.title, values }
    };
    all(facets).filter(|facet| facet.values.len() > 1).map(facet).collect()
}

/// All facets, for programs.
pub(crate) fn told(facets: &Facets, query: &str) -> Value {
    let mut answer = json!({ "counted": facets.counted, "sampled": facets.sampled });
    for facet in all(facets) {
        let value = |Facet { value, count }: &Facet| json!({ "value": value, "count": count, "query": narrowed(query, facet.scope, value) });
        answer[facet.name] = facet.values.iter().map(value).collect();
    }
    answer
}
