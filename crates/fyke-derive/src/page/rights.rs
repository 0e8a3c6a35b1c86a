//! What a page says of its use: licences and opt-outs.

use super::PageRun;
use crate::table::{Derivation, Tier};
use fyke_store::{CellBatch, Column};
use fyke_web::Rights;

pub const ROW: Derivation = Derivation {
    name: "rights",
    what: "licences and opt-outs that each page names",
    code: 1,
    version: 1,
    reads: &[],
    late: &[],
    writes: &[RIGHTS.declaration()],
    facts: &[],
    settings: |_| String::new(),
    tier: Tier::Page(run),
};

pub const RIGHTS: Column<Rights> = Column::new("rights", 1);

fn run(run: &PageRun<'_>, batch: &mut CellBatch) {
    match (run.document, run.page) {
        (Some(_), Some(page)) => batch.put(&RIGHTS, run.id, &page.rights),
        _ if run.is_known => batch.delete(&RIGHTS, run.id),
        _ => {}
    }
}
