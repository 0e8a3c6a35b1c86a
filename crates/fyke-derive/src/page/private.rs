//! Documents that are not for everybody: their captures were asked for with credentials (003 §3.2.5 "private sites"). Others
//! have no cell, so that a collection without credentials pays nothing.

use super::PageRun;
use crate::facts::{DerivedFact, FoundFact};
use crate::table::{Derivation, Tier};
use fyke_index::{Fact, FactFacet};
use fyke_store::{CellBatch, Column};

pub const ROW: Derivation = Derivation {
    name: "private",
    what: "which documents were fetched with credentials",
    code: 34,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[PRIVATE.declaration()],
    facts: &[DerivedFact {
        fact: Fact {
            name: PRIVATE_FACT,
            what: "yes where the page was fetched with credentials",
            filter: true,
            facet: Some(FactFacet { title: "Private", cuts: &[] }),
            ..Fact::LABEL
        },
        value: |cells, id| {
            let is_private = cells.get(&PRIVATE, id)?.unwrap_or(false);
            Ok(is_private.then(|| FoundFact::Labels("yes".to_owned())))
        },
    }],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

/// Its name in the query language: `private:yes`.
pub const PRIVATE_FACT: &str = "private";

pub const PRIVATE: Column<bool> = Column::new("private", 1);

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match run.document {
        Some(_) if run.is_private => batch.put(&PRIVATE, run.id, &true),
        _ if run.is_known => batch.delete(&PRIVATE, run.id),
        _ => {}
    }
}
