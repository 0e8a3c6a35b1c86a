//! The persons, places and organisations that documents in English name (003 §4.6), for those who ask for it by
//! `[corpus] names`: finding them costs more than all else that is done with a page.

use super::WholeRun;
use crate::facts::{DerivedFact, FoundFact};
use crate::table::{Derivation, Tier};
use fyke_index::{Fact, FactFacet};
use fyke_store::{Cells, Column, StoreError};
use fyke_text::entity::names_of_text;
use fyke_web::{Document, UrlId};
use serde::{Deserialize, Serialize};

pub const ROW: Derivation = Derivation {
    name: "names",
    what: "persons, places and organisations that documents in English name, where `corpus.names` is set",
    code: 24,
    version: 1,
    reads: &["print"],
    late: &[],
    writes: &[NAMES.declaration()],
    facts: &[
        DerivedFact { fact: PERSON, value: |cells, id| labels(cells, id, |names| names.persons) },
        DerivedFact { fact: PLACE, value: |cells, id| labels(cells, id, |names| names.places) },
        DerivedFact {
            fact: ORGANISATION,
            value: |cells, id| labels(cells, id, |names| names.organisations),
        },
    ],
    settings: |settings| settings.names.to_string(),
    tier: Tier::Whole { all: find_all, some: Some(find_some), is_exact: true },
};

pub const NAMES: Column<NamesTold> = Column::new("names", 1);

const PERSON: Fact = Fact {
    name: "person",
    what: "persons that the page names",
    filter: true,
    facet: Some(FactFacet { title: "Person", cuts: &[] }),
    ..Fact::LABEL
};
const PLACE: Fact = Fact {
    name: "place",
    what: "places that the page names",
    filter: true,
    facet: Some(FactFacet { title: "Place", cuts: &[] }),
    ..Fact::LABEL
};
const ORGANISATION: Fact = Fact {
    name: "org",
    what: "companies and other organisations that the page names",
    filter: true,
    facet: Some(FactFacet { title: "Organisation", cuts: &[] }),
    ..Fact::LABEL
};

/// Bytes of the main text that are read.
const MOST_BYTES: usize = 16 << 10;
/// The language that the models know.
const LANGUAGE: &str = "en";

/// The names of a document that has any, the most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamesTold {
    pub persons: Vec<String>,
    pub places: Vec<String>,
    pub organisations: Vec<String>,
}

impl NamesTold {
    fn of(document: &Document) -> Option<NamesTold> {
        if document.language != LANGUAGE {
            return None;
        }
        let found = names_of_text(&document.text, MOST_BYTES);
        let (persons, places, organisations) = (found.persons, found.places, found.organisations);
        let names = NamesTold { persons, places, organisations };
        (names != NamesTold::default()).then_some(names)
    }
}

/// Names of a kind as the index takes them.
fn labels(
    cells: &Cells,
    id: UrlId,
    of: fn(NamesTold) -> Vec<String>,
) -> Result<Option<FoundFact>, StoreError> {
    let names = cells.get(&NAMES, id)?.map(of).filter(|names| !names.is_empty());
    Ok(names.map(|names| FoundFact::Labels(names.join("\n"))))
}

fn find_all(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    if !run.settings.names {
        run.batch.clear(NAMES.declaration());
        return Ok(());
    }
    let (mut done, observe) = (0, &mut *run.observe);
    let found = run.view.documents.all().filter_map(|document| {
        done += 1;
        if u64::is_multiple_of(done, 64) {
            observe(done, None);
        }
        let told = |document: Document| NamesTold::of(&document).map(|names| (document.id, names));
        document.map(told).transpose()
    });
    run.batch.replace(&NAMES, found)
}

fn find_some(run: &mut WholeRun<'_>) -> Result<(), StoreError> {
    if !run.settings.names {
        return Ok(());
    }
    for &id in run.pages {
        let names = run.view.documents.get(id)?.and_then(|document| NamesTold::of(&document));
        if names == run.cells.get(&NAMES, id)? {
            continue;
        }
        match &names {
            Some(names) => run.batch.put(&NAMES, id, names),
            None => run.batch.delete(&NAMES, id),
        }
        run.touched.insert(id);
    }
    Ok(())
}
